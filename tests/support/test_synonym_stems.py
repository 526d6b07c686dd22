"""The drawn stems are those of the tables."""

from __future__ import annotations

from grounded_ingest.language.terms import _groups, stemmed_groups


def test_the_drawn_stems_are_those_of_the_tables() -> None:
    """Where this fails: write every `word:numbers` of `stemmed_groups()`, sorted, into STEMS."""
    assert _groups() == stemmed_groups()

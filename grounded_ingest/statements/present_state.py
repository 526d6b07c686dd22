"""Tells apart text about what holds now from plans, examples, history and conditions."""

from __future__ import annotations

from functools import lru_cache

from grounded_ingest.text.lexicon import present_state as words
from grounded_ingest.text.patterns import compiled

_IN_SOME_CASE = compiled(words.IN_SOME_CASE)
_SECTION = compiled(words.UNSETTLED_SECTIONS)
_PATH = compiled(words.UNSETTLED_PATHS)


def is_current(section: str) -> bool:
    """Whether the headings above a claim, the title aside, are about what holds now."""
    return not _SECTION.search(" > ".join(section.split(" > ")[1:]))


@lru_cache(maxsize=1024)
def is_current_path(path: str) -> bool:
    """Whether a document is about what holds now, by its path."""
    return not _PATH.search(path)


def holds_in_some_case(text: str) -> bool:
    """Whether a sentence speaks of a condition, an example, another time or of several values."""
    return bool(_IN_SOME_CASE.search(text))

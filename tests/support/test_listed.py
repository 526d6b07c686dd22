"""Counts that a source shows as a list and does not write."""

from __future__ import annotations

import pytest

from grounded_ingest.model.claims import Support
from grounded_ingest.support.excerpt import cited_lines
from grounded_ingest.support.list_counts import countable_lists
from grounded_ingest.support.source import SourceText
from grounded_ingest.support.verdict import judge

ITEMS = SourceText(
    "text", "The workflow has these triggers:\n\n- push\n- pull request\n- schedule\n"
)
TABLE = SourceText(
    "text", "Its triggers:\n\n| name | when |\n|---|---|\n| push | now |\n| tag | later |\n"
)
ENUM = cited_lines(
    "trigger.rs",
    "pub enum Trigger {\n    Push,\n    PullRequest,\n    Schedule,\n}\n",
    1,
    1,
    code=True,
)
INLINE = cited_lines("a.py", "TRIGGERS = ('push', 'tag', 'cron')\n", 1, 1, code=True)


@pytest.mark.parametrize(("source", "count"), [(ITEMS, 3), (TABLE, 2), (ENUM, 3), (INLINE, 3)])
def test_lists_are_counted(source: SourceText, count: int) -> None:
    assert count in [one.number for one in countable_lists(source)]


@pytest.mark.parametrize("source", [ITEMS, ENUM, INLINE])
def test_a_count_is_shown_and_another_is_missing(source: SourceText) -> None:
    three = judge("There are three triggers.", source)
    assert three.support is Support.SUPPORTED
    four = judge("There are four triggers.", source)
    assert four.support is Support.UNSUPPORTED  # only a written number contradicts
    assert "four" in four.differs


def test_what_is_counted_has_to_be_named() -> None:
    assert judge("The workflow has three retries.", ITEMS).support is Support.UNSUPPORTED


def test_a_claim_that_lists_what_it_counts() -> None:
    source = SourceText("text", "The tool blocks `get`, `put` and `drop`, as patterns.")
    assert (
        judge("The tool blocks 3 patterns: `get`, `put`, `drop`.", source).support
        is Support.SUPPORTED
    )
    assert (
        judge("The tool blocks 4 patterns: `get`, `put`, `drop`.", source).support
        is Support.UNSUPPORTED
    )

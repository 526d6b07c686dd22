"""A quote counts where its whole words stand in the source, in the cited lines where lines are."""

from __future__ import annotations

import time

import pytest

from grounded_ingest.judge.exchange import quoted_line
from grounded_ingest.references.sources import SourceText

TEXT = SourceText(
    "text",
    "Backups run daily.\nThe fee is 1.5% per month,\n  at most 130 days.\nIt’s “final”.\nPORT=80\n",
    line=10,
)
LINES = SourceText("lines", "a before line\nretries = 5 here\nan after line", "src/a.py", 7, (8, 8))
COMMIT = SourceText(
    "commit", "Raise the limit", title="", paths=("src/limits.py",), diff="+LIMIT = 20\n-LIMIT = 10"
)


@pytest.mark.parametrize(
    ("quote", "line"),
    [
        ("Backups run daily.", 10),
        ("  Backups\n run   daily", 10),
        ("per month, at most 130 days", 11),
        ('It\'s "final"', 13),
        ("PORT=80", 14),
        ("The fee is 1.5% per month", 11),
        ("5% per month", None),
        ("30 days.\nIt's", None),
        ("ackups run daily", None),
        ("Backups run dail", None),
        ("backups run daily", None),
        ("Backups … daily", None),
        ("daily", None),
        ("is", None),
        ("", None),
        (" \n", None),
        ("The fee is 5% per month", None),
        ("Backups run daily. " * 200, None),
    ],
)
def test_a_quote_has_its_place_or_none(quote: str, line: int | None) -> None:
    """Whole words of the source count, with other white space and quotation marks."""
    assert quoted_line(quote, TEXT, focused=True) == line


@pytest.mark.parametrize(
    ("quote", "focused", "line"),
    [
        ("retries = 5 here", True, 8),
        ("a before line", True, None),
        ("a before line", False, 7),
        ("before line\nretries = 5", True, 7),
        ("src/a.py", True, None),
        ("src/a.py", False, None),
    ],
)
def test_where_lines_are_cited_the_quote_is_of_them(
    quote: str, focused: bool, line: int | None
) -> None:
    """A yes has to quote the cited lines, not those around them."""
    assert quoted_line(quote, LINES, focused=focused) == line


@pytest.mark.parametrize(
    ("quote", "line"),
    [
        ("Raise the limit", 1),
        ("LIMIT = 20", 0),
        ("+LIMIT = 20", 0),
        ("src/limits.py", 0),
        ("LIMIT = 2", None),
    ],
)
def test_a_commit_is_quoted_from_message_paths_and_diff(quote: str, line: int | None) -> None:
    """All shown parts of a commit can be quoted; only the message has line numbers."""
    assert quoted_line(quote, COMMIT, focused=True) == line


@pytest.mark.parametrize(
    ("quote", "text", "cited"),
    [
        ("a " * 999 + "c", "a " * 30_000, None),
        ("a " * 999 + "a", "z\n" + "a " * 30_000, (1, 1)),
        ("a" * 2_000, "a" * 60_000, None),
    ],
)
def test_no_text_keeps_us_looking(quote: str, text: str, cited: tuple[int, int] | None) -> None:
    """Repetitive quotes and texts take linear time."""
    started = time.monotonic()
    assert quoted_line(quote, SourceText("text", text, cited=cited), focused=True) is None
    assert time.monotonic() - started < 0.5


@pytest.mark.parametrize(
    ("quote", "text", "there"),
    [
        ("existing users", "of pre-existing users", False),
        ("existing users", "- existing users", True),
        ("removed line", "-removed line", True),
        ("5 per month", "1.5 per month", False),
        ("5 per month", "No. 5 per month", True),
        ("version 1", "version 1.5", False),
        ("version 1", "version 1. Then", True),
        ("version 1", "version 12", False),
        ("port is 80", "METRICS_port is 80", False),
    ],
)
def test_words_and_numbers_are_whole(quote: str, text: str, there: bool) -> None:
    """A part of a word or number is no quote: `5 per month` is not in `1.5 per month`."""
    assert (quoted_line(quote, SourceText("text", text), focused=True) is not None) is there

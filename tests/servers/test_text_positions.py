"""Places as clients count them: lines by any break, code units of the encoding that was agreed."""

from __future__ import annotations

import pytest

from grounded_ingest.servers.text_positions import TextPositions

TEXT = "# é😀x\r\n\ny😀\rz\nlone \ud83d end"


@pytest.mark.parametrize(
    ("encoding", "line", "units", "character"),
    [
        ("utf-16", 0, 0, "#"),
        ("utf-16", 0, 3, "😀"),
        ("utf-16", 0, 5, "x"),
        ("utf-8", 0, 4, "😀"),
        ("utf-8", 0, 8, "x"),
        ("utf-32", 0, 4, "x"),
        ("utf-16", 2, 1, "😀"),
        ("utf-16", 3, 0, "z"),
        ("utf-16", 4, 5, "\ud83d"),
        ("utf-16", 4, 7, "e"),
        ("utf-8", 4, 9, "e"),
    ],
)
def test_there_and_back(encoding: str, line: int, units: int, character: str) -> None:
    positions = TextPositions(TEXT, encoding)
    offset = positions.offset(line, units)
    assert TEXT[offset] == character
    assert positions.position(offset) == (line, units)


@pytest.mark.parametrize(
    ("line", "units", "rest"),
    [
        (0, 99, "\r\n\ny"),  # behind a line: its end, before its break
        (1, 5, "\ny"),
        (0, 4, "😀x"),  # inside a pair: its beginning
        (99, 0, ""),
    ],
)
def test_what_is_nowhere_is_the_nearest_place(line: int, units: int, rest: str) -> None:
    offset = TextPositions(TEXT, "utf-16").offset(line, units)
    assert TEXT[offset:].startswith(rest)
    assert rest or offset == len(TEXT)


def test_our_own_lines_and_columns_leave_a_byte_order_mark_out() -> None:
    positions = TextPositions("\ufeffone\r\ntwo 😀 three\n", "utf-16")
    assert positions.text[positions.at(1, 1) :].startswith("one")
    assert positions.text[positions.at(2, 7) :].startswith("three")
    assert positions.text[: positions.end_of(1)] == "\ufeffone"
    assert positions.at(9) == positions.end_of(9) == len(positions.text)
    assert positions.line(positions.at(2, 3)) == 2

"""Counts a text shows without writing them: three items below "triggers" are three triggers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_text
from grounded_ingest.support.source import SourceText

FEWEST, MOST = 2, 40
HEAD = 3
"""Lines above a list that can say what it lists."""

_ITEM = compiled(r"^(\s*)(?:[-*+•]|\d+[.)])\s+\S")
_ROW = compiled(r"^\s*\|(?!\s*:?-{2,})")
_RULE = compiled(r"^\s*\|\s*:?-{2,}")
_MEMBER = compiled(r"^(\s+)[\w\"'`.:/-]+[^;{(]{0,80}[,;]?\s*(?://.*|#.*)?$")
_LIST = compiled(r"([\w ]{0,60})[=:(]?\s*[\[({]([^\[\](){}]{3,400})[\])}]")


class CountedList(Struct, frozen=True):
    """So many items, with the keys of their head and of the items."""

    number: int
    keys: frozenset[str]


@lru_cache(maxsize=256)
def countable_lists(source: SourceText) -> tuple[CountedList, ...]:
    """The lists of a source that can be counted: items, table rows, members, values in brackets."""
    rows = source.text.split("\n")
    return (*_runs(rows), *_inline(rows))


def _runs(rows: list[str]) -> Iterator[CountedList]:
    start = 0
    while start < len(rows):
        kind = _kind(rows[start])
        stop = start + 1
        while kind is not None and stop < len(rows) and _kind(rows[stop]) == kind:
            stop += 1
        run = rows[start:stop]
        if kind is not None:
            head = rows[max(0, start - HEAD) : start]
            if kind == "row" and any(map(_RULE.match, rows[start - 1 : start])):
                head = rows[max(0, start - HEAD - 2) : start]
            if FEWEST <= len(run) <= MOST:
                yield CountedList(
                    len(run), read_text("\n".join(head)).keys | read_text(run[0]).keys
                )
        start = stop


def _kind(row: str) -> str | None:
    """What a line is a part of, with its indentation; None for any other line."""
    if item := _ITEM.match(row):
        return f"item{len(item[1])}"
    if _ROW.match(row):
        return "row"
    if member := _MEMBER.match(row):
        return f"member{len(member[1])}"
    return None


def _inline(rows: list[str]) -> Iterator[CountedList]:
    for row in rows:
        for match in _LIST.finditer(row) if row.count(",") else ():
            parts = [p for p in match[2].split(",") if p.strip()]
            if FEWEST <= len(parts) <= MOST and all(len(p.split()) <= 4 for p in parts):
                yield CountedList(len(parts), read_text(row).keys)

"""Blocks of a page put together, or those of one section."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grounded_ingest.language.patterns import compiled
from grounded_ingest.net.html_limits import LIMIT

_LINE = compiled(r"\s*(?P<mark>\||-|\d{1,4}\.) ")


class Block(NamedTuple):
    """A paragraph, item, row, heading or fence. `level` is 1 to 6 for headings."""

    text: str
    level: int = 0


def part_of(blocks: Sequence[Block], start: int, end: int) -> Sequence[Block]:
    """What the anchor's element holds, or the section whose heading it marks."""
    if any(not b.level for b in blocks[start:end]):
        return blocks[start:end]
    if start and not (start < len(blocks) and blocks[start].level) and blocks[start - 1].level:
        start -= 1
    level = blocks[start].level if start < len(blocks) else 0
    stop = start + 1
    while stop < len(blocks) and not 0 < blocks[stop].level <= (level or 6):
        stop += 1
    return blocks[start:stop]


def joined(blocks: Sequence[Block]) -> tuple[str, bool]:
    """Blocks apart by an empty line, items and rows by none; whether some were left off."""
    parts: list[str] = []
    size, before = 0, ""
    for block in blocks:
        size += len(block.text) + 2
        if size > LIMIT:
            return "".join(parts) or block.text[:LIMIT], True
        found = _LINE.match(block.text)
        kind = "" if found is None else "row" if found["mark"] == "|" else "item"
        parts.append("" if not parts else "\n" if kind and kind == before else "\n\n")
        parts.append(block.text)
        before = kind
    return "".join(parts), False

"""Cuts the text behind a citation: cited lines with the lines around them, sections, commits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from grounded_ingest.code.definitions import has_parser
from grounded_ingest.references.source_text import SourceText
from grounded_ingest.text.patterns import compiled

AROUND = 4
"""Lines shown before and after the cited ones."""
SECTION = 400
"""Lines above the cited ones in which their heading is looked for."""
LARGEST_DIFF = 60_000
"""Characters of a commit's diff that are read."""

_ITEM = compiled(r"^#{1,6}\s+(.*?)\s*#*\s*$")


def cited_lines(path: str, text: str, first: int, last: int) -> SourceText:
    """Returns the lines first..last (1-based) of a file, with the lines around them and the
    definitions or the heading above them."""
    rows = _rows(text)
    first, last = max(1, first), min(max(first, last), len(rows))
    start, end = max(1, first - AROUND), min(len(rows), last + AROUND)
    near = "\n".join(rows[start - 1 : end])
    over = _enclosing(text, first) if has_parser(path) else _headings(rows, first)
    return SourceText("lines", near, path, start, (first, last), over)


@lru_cache(maxsize=16)
def _rows(text: str) -> Sequence[str]:
    return tuple(text.split("\n"))


def adr_excerpt(path: str, text: str) -> SourceText:
    """Returns the text of an ADR with its title."""
    title = next((m[1] for row in text.split("\n")[:40] if (m := _ITEM.match(row))), "")
    return SourceText("adr", text, path, title=title)


def commit(message: str, paths: tuple[str, ...] = (), diff: str = "") -> SourceText:
    """Returns a commit's message, touched paths and diff, the diff cut at LARGEST_DIFF."""
    return SourceText("commit", message, paths=paths, diff=diff[:LARGEST_DIFF])


def section_excerpt(path: str, text: str, anchor: str) -> SourceText | None:
    """The Markdown section an anchor names; None where there is none."""
    rows = text.split("\n")
    wanted, headings = anchor.lower(), list(_titles(rows))
    for place, (number, depth, title) in enumerate(headings):
        if _slug(title) == wanted:
            behind = (n for n, other, _ in headings[place + 1 :] if other <= depth)
            shown = "\n".join(rows[number : next(behind, len(rows))])
            return SourceText("section", shown, path, number + 1, title=title)
    return None


def _titles(rows: list[str]) -> Iterator[tuple[int, int, str]]:
    """(index, depth, text) of the headings; a comment in a code block is none."""
    fenced = False
    for number, row in enumerate(rows):
        if row.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and (heading := _ITEM.match(row)):
            yield number, len(row) - len(row.lstrip("#")), heading[1]


def _slug(heading: str) -> str:
    kept = (c for c in heading.lower() if c.isalnum() or c in " -_")
    return "".join(kept).strip().replace(" ", "-")


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


_CLOSING = ("{", "}", ");", ")")
"""Lines that name nothing of what they enclose."""


@lru_cache(maxsize=16)
def _parents(text: str) -> Sequence[tuple[int, int]]:
    """Of each line (0-based) the nearest one before it that is not blank, and of that one the
    nearest before with less indentation; -1 for none. One pass over a file serves all citations."""
    found: list[tuple[int, int]] = []
    open_: list[tuple[int, int]] = []
    before = above = -1
    for number, row in enumerate(_rows(text)):
        found.append((before, above))
        plain = row.strip()
        if not plain or plain in _CLOSING or plain[0] in ")]}":
            continue
        depth = _indent(row)
        while open_ and open_[-1][0] >= depth:
            open_.pop()
        before, above = number, open_[-1][1] if open_ else -1
        open_.append((depth, number))
    return tuple(found)


def _enclosing(text: str, start: int) -> tuple[str, ...]:
    """The nearest lines above with less and less indentation: definitions, parents of a key."""
    rows, parents = _rows(text), _parents(text)
    found: list[int] = []
    depth = next((_indent(r) for r in rows[start - 1 : start + AROUND] if r.strip()), 0)
    at, above = parents[start - 1]
    while at >= 0 and depth and len(found) <= 8:
        if _indent(rows[at]) < depth:
            found.append(at)
            depth = _indent(rows[at])
        at = above
        above = parents[at + 1][1] if at >= 0 else -1
    found += _list_key(rows, found[-1]) if found else []
    return tuple(rows[n].strip() for n in reversed(found))


def _list_key(rows: Sequence[str], top: int) -> list[int]:
    """The key over an item: items may stand under it unindented."""
    if not rows[top].startswith("- "):
        return []
    over = next((n for n in range(top, -1, -1) if rows[n][:1] not in ("", " ", "-", "#")), -1)
    return [over] if over >= 0 and rows[over].rstrip().endswith(":") else []


def _headings(rows: Sequence[str], first: int) -> tuple[str, ...]:
    above = reversed(rows[max(0, first - 1 - SECTION) : first - 1])
    return next(((m[1],) for row in above if (m := _ITEM.match(row))), ())

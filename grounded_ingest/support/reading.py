"""Texts of a repository as sources: cited lines with what encloses them, decisions, commits."""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.lexicon import support_patterns
from grounded_ingest.patterns import compiled
from grounded_ingest.support.source import Source

AROUND = 4
"""Lines before and behind the cited ones that lend words, not numbers."""
BODY = 60
"""Lines of a definition that is cited by its first line."""
SECTION = 400
"""Lines above the cited ones in which their heading is looked for."""
LARGEST_DIFF = 60_000
"""Characters of a commit's diff that are read."""

_DEFINES = compiled(support_patterns.DEFINES)
_ITEM = compiled(r"^#{1,6}\s+(.*?)\s*#*\s*$")


def cited_lines(path: str, text: str, first: int, last: int, *, code: bool) -> Source:
    """The lines first..last (1-based) of a file with their surroundings and definitions."""
    rows = text.split("\n")
    first, last = max(1, first), min(max(first, last), len(rows))
    stop = _body(rows, first, last) if code else last
    start, end = max(1, first - AROUND), min(len(rows), stop + AROUND)
    shown = "\n".join(rows[start - 1 : end])
    over = _enclosing(rows, start) if code else _headings(rows, first)
    return Source("lines", shown, path, start, (first, stop), over, code=code)


def whole_file(path: str, text: str, *, code: bool) -> Source:
    """A file as a whole."""
    return Source("file", text, path, code=code)


def decision(path: str, text: str) -> Source:
    """An ADR: its title stands over every sentence."""
    title = next((m[1] for row in text.split("\n")[:40] if (m := _ITEM.match(row))), "")
    return Source("adr", text, path, title=title)


def commit(
    message: str, paths: tuple[str, ...] = (), diff: str = "", dates: tuple[str, ...] = ()
) -> Source:
    """A commit: message, touched paths, diff, its dates (ISO 8601)."""
    whole = len(diff) < LARGEST_DIFF
    return Source(
        "commit", message, paths=paths, diff=diff[:LARGEST_DIFF], dates=dates, whole=whole
    )


def section(path: str, text: str, anchor: str) -> Source | None:
    """The Markdown section an anchor names; None where there is none."""
    rows = text.split("\n")
    wanted, headings = anchor.lower(), list(_titles(rows))
    for place, (number, depth, title) in enumerate(headings):
        if _slug(title) == wanted:
            behind = (n for n, other, _ in headings[place + 1 :] if other <= depth)
            shown = "\n".join(rows[number : next(behind, len(rows))])
            return Source("section", shown, path, number + 1, title=title)
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


def _body(rows: list[str], first: int, last: int) -> int:
    """Where the definition ends whose first line is cited."""
    if first != last or not _DEFINES.match(rows[first - 1]):
        return last
    depth = _indent(rows[first - 1])
    for number in range(first, min(len(rows), first + BODY)):
        row = rows[number]
        if (
            row.strip()
            and _indent(row) <= depth
            and row.strip()[0] not in ")}]{"
            and number > first
        ):
            return number
    stop = min(len(rows), first + BODY)
    while stop > first and not rows[stop - 1].strip():
        stop -= 1
    return stop


def _enclosing(rows: list[str], start: int) -> tuple[str, ...]:
    """The nearest lines above with less and less indentation: definitions, parents of a key."""
    found: list[str] = []
    depth = next((_indent(r) for r in rows[start - 1 : start + AROUND] if r.strip()), 0)
    for row in reversed(rows[: start - 1]):
        if row.strip() and _indent(row) < depth and row.strip() not in ("{", "}", ");", ")"):
            found.append(row.strip())
            depth = _indent(row)
        if not depth or len(found) > 8:
            break
    return tuple(reversed(found))


def _headings(rows: list[str], first: int) -> tuple[str, ...]:
    above = reversed(rows[max(0, first - 1 - SECTION) : first - 1])
    return next(((m[1],) for row in above if (m := _ITEM.match(row))), ())

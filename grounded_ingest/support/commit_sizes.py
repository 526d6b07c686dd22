"""What a claim says of the size of a commit, which git itself answers."""

from __future__ import annotations

from collections.abc import Sequence
from re import Match

from grounded_ingest.language.lexicon import support_patterns
from grounded_ingest.language.patterns import compiled

Size = tuple[int, int, int]
"""Files touched, lines added, lines taken out."""

_SIZE = compiled(support_patterns.SIZE)
_JOINTS = compiled(r"(?:[\s,;(]|\band\b|\bwith\b|\bacross\b|\bin\b)*")


def speaks_of_size(said: str) -> bool:
    """Whether a claim tells how many files or lines a commit changes; a bare number of files may
    be of something else."""
    return any(_is_size(m) for m in _SIZE.finditer(said))


def _is_size(found: Match[str]) -> bool:
    kinds = ("changed", "added", "removed", "of_files", "of_added", "of_removed", "plus")
    return any(found[kind] for kind in kinds)


def without_size(said: str, sizes: Sequence[Size]) -> str:
    """The claim without what it says of a commit's size, where all of it is so of one of these;
    otherwise as it is."""
    found = list(_SIZE.finditer(said))
    if not any(all(_holds(m, size) for m in found) for size in sizes):
        return said
    parts, at = [], 0
    for match in found:
        between = said[at : match.start()]
        parts.append("" if at and _JOINTS.fullmatch(between) else between)
        at = match.end()
    return " ".join("".join([*parts, said[at:]]).split())


def _holds(found: Match[str], size: Size) -> bool:
    if found["plus"]:
        return (_number(found["plus"]), _number(found["minus"])) == size[1:]
    number = _number(found["count"] or found["cell"])
    if found["files"] or found["of_files"]:
        return number == size[0]
    return number == (size[1] if found["added"] or found["of_added"] else size[2])


def _number(written: str) -> int:
    return int(written.replace(",", ""))

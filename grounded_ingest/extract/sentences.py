"""Where sentences end. Works on masked text, so that code and link targets never split one."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(
    r"[.!?…]+[\"'”’)\]»]*\s+(?=[\"'“‘(\[«]*[A-Z0-9À-ÖØ-ÞΑ-ΩА-Я\0✅❌⚠])|[。！？]+[」』”）]*\s*"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:e\.g|i\.e|vs|cf|dr|mr|mrs|ms|prof|st|no|nos|fig|figs|eq|sec|ch|vol|approx|incl|"
    r"esp|resp|ca|al|p|pp|ref|refs|viz|[a-z])\.$|^\d{1,3}\.$",
    re.IGNORECASE,
)


def sentences(masked: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each sentence; ends leave out the space that follows."""
    start = 0
    for end in _END.finditer(masked):
        head = masked[start : end.end()].rstrip()
        if _ABBREVIATION.search(head) and end.group()[0] == ".":
            continue
        if head:
            yield start, start + len(head)
        start = end.end()
    tail = masked[start:].rstrip()
    if tail:
        yield start, start + len(tail)

"""Where sentences end: the one place that knows. Works on masked text, so that code and link
targets never split one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grounded_ingest.text.lexicon.number_words import MONTHS_CUT
from grounded_ingest.text.mask import MASK
from grounded_ingest.text.patterns import compiled

_END = compiled(
    r"(?<![.!?…])[.!?…]++[\"'”’)\]»*_~]*+\0*+(?:\s*$|\s+(?=(?P<lead>[\"'“‘(\[«*_~]*+)(?P<next>.)))|"
    r"[。！？]++[」』”）]*+\s*"
)
_ABBREVIATION = compiled(
    r"(?:^|[\s(\[])(?:vs|cf|dr|mr|mrs|ms|prof|st|no|nos|fig|figs|eq|sec|ch|vol|approx|incl|esp|"
    rf"resp|ca|al|pp|refs?|viz|inc|ltd|corp|{'|'.join(MONTHS_CUT)}|"
    r"(?:[a-z]\.)+[a-z]|[cpv]|(?-i:[A-Z]))\.$|^\d{1,3}\.$",
    re.IGNORECASE,
)
_REACH = 16
_CLOSING = compiled(r"[.!?…。！？]")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each sentence as documents write them: the next one begins like one.
    Ends leave out the space that follows."""
    start = 0
    # What ends the last sentence splits nothing.
    for end in _ends(text) if _CLOSING.search(text, 0, len(text) - 1) else ():
        if end["next"] and not _opens(end["next"]):
            continue
        stop = end.start() + len(end[0].rstrip())
        if stop > start:
            yield start, stop
        start = end.end()
    tail = text[start:].rstrip()
    if tail:
        yield start, start + len(tail)


def stops(text: str) -> frozenset[int]:
    """Where the marks stand that end a sentence, in notes too: the next may be in lower case."""
    return frozenset(end.start() for end in _ends(text))


def _ends(text: str) -> Iterator[re.Match[str]]:
    """The marks that can end a sentence, with what closes it and the space behind."""
    start = 0
    for end in _END.finditer(text):
        stop = end.start() + len(end[0].rstrip())
        if not (end[0].startswith(".") and _abbreviates(text, start, stop)):
            start = end.end()
            yield end


def _opens(char: str) -> bool:
    """Whether a sentence can begin so: not in lower case, nor with what continues one."""
    if char.isalnum():
        return not char.islower()
    return char == MASK or ord(char) > 0x2100


def _abbreviates(text: str, start: int, stop: int) -> bool:
    if stop - start <= _REACH:
        return bool(_ABBREVIATION.search(text[start:stop]))
    return bool(_ABBREVIATION.search("\n" + text[stop - _REACH + 1 : stop]))

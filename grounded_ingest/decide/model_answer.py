"""What a judge answered: parsed to the letter, and its quote looked up in the source."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from grounded_ingest.decide.model_opinion import Opinion, unknown
from grounded_ingest.decide.model_question import fields_of
from grounded_ingest.verify.source_text import SourceText

MAX_ANSWER = 262_144
"""Bytes of an answer."""
MAX_MISSING = 300
"""Characters of what a judge could not find, as reports show it."""


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """What the judge said, in the form it was asked for (docs/judge-answer.schema.json)."""

    quote: str
    verdict: Literal["supported", "unsupported", "contradicted", "nothing-to-compare"]
    missing: list[str]


class Unusable(Exception):  # noqa: N818 - the reason of an unknown opinion, on its way
    pass


def parsed(text: str) -> Said:
    """The answer that a text is, and nothing beside it. Raises Unusable."""
    try:
        plain = json.loads(text, object_pairs_hook=_once)
        return msgspec.convert(plain, Said)
    except (ValueError, RecursionError):
        raise Unusable("the answer is no opinion") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def opinion(said: Said, source: SourceText) -> Opinion:
    """The opinion, where its quote stands in the source and it agrees with itself; else unknown."""
    verdict = said.verdict
    needed = verdict in ("supported", "contradicted")
    quote = " ".join(said.quote.split())
    missing = _line(", ".join(filter(None, map(_line, said.missing))))
    if needed and not quote:
        return unknown("no quote")
    if verdict == "contradicted" and not missing:
        return unknown("it does not say what differs")
    if verdict == "supported" and missing:
        return unknown("it supports what it could not find")
    otherwise = "says otherwise of" if verdict == "contradicted" else "does not find"
    reason = f"the judge {otherwise}: {missing}" if missing else ""
    if not quote:
        return Opinion(verdict, reason=reason or "the judge does not find it in the source")
    lines = place(said.quote, source, focused=needed)
    if lines is None:
        return unknown("its quote is not in the source")
    return Opinion(verdict, quote, *lines, reason)


def _line(text: str) -> str:
    """One line, without what does not print: a stranger's words on their way to a report."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:MAX_MISSING]


MAX_QUOTE = 2_000
SHORTEST = 8
"""Characters of a quote that is not a whole line: a few letters stand in every source."""
MOST_PLACES = 1_000
"""Of one quote: text and quote may be made to keep us looking."""

# Models straighten these.
_STRAIGHT = str.maketrans("‘’“”\xa0", "''\"\" ")


class _Flat(NamedTuple):
    """A text on one line, single spaces in it; where its lines begin there, and their numbers."""

    text: str
    starts: list[int]
    numbers: list[int]


def place(quote: str, source: SourceText, *, focused: bool) -> tuple[int, int] | None:
    """First and last line of a quote, (0, 0) where what is quoted has none; None: not there.

    Whole words, and numbers with their decimals; spaces and line ends are alike. `focused`: in
    the cited lines, where lines are cited.
    """
    wanted = _flat(quote).text
    if not wanted or len(quote) > MAX_QUOTE:
        return None
    for first, last in _places(wanted, source.text):
        lines = source.line + first, source.line + last
        if not focused or _cited(source, *lines):
            return lines
    if focused and source.cited is not None:
        return None
    parts = fields_of(source)
    others = [parts.get(name, "") for name in ("title", "definitions", "touched", "diff")]
    return (0, 0) if any(True for o in others for _ in _places(wanted, o)) else None


def _flat(text: str) -> _Flat:
    said, starts, numbers, at = [], [], [], 0
    for number, line in enumerate(text.translate(_STRAIGHT).split("\n")):
        plain = " ".join(line.split())
        if plain:
            said.append(plain)
            starts.append(at)
            numbers.append(number)
            at += len(plain) + 1
    return _Flat(" ".join(said), starts, numbers)


def _places(wanted: str, text: str) -> Iterator[tuple[int, int]]:
    """The lines, counted from 0, between which a quote stands, each time it does."""
    flat = _flat(text)
    start = -1
    for _ in range(MOST_PLACES):
        start = flat.text.find(wanted, start + 1)
        if start < 0:
            return
        end = start + len(wanted)
        first = bisect_right(flat.starts, start) - 1
        last = bisect_right(flat.starts, end - 1) - 1
        line_ends = (*flat.starts[last + 1 : last + 2], len(flat.text) + 1)[0] - 1
        whole = (start, end) == (flat.starts[first], line_ends)
        if (whole or len(wanted) >= SHORTEST) and _apart(flat.text, start, end):
            yield flat.numbers[first], flat.numbers[last]


def _apart(text: str, start: int, end: int) -> bool:
    """Whether no word and no number goes on before or after: `5%` is no quote of `1.5%`, nor
    `existing` of `pre-existing`."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    first, last = text[start], text[end - 1]
    if _in_word(first) and _goes_on(before[::-1], "-", first):
        return False
    return not (_in_word(last) and _goes_on(after, "", last))


def _goes_on(beside: str, joints: str, edge: str) -> bool:
    """Whether a word goes on from its edge into what is beside it, the nearest first."""
    if beside[:1] and _in_word(beside[0]):
        return True
    joints += ".," if edge.isdigit() else ""
    farther = beside[1:2]
    if len(beside) < 2 or beside[0] not in joints:
        return False
    return farther.isdigit() if beside[0] in ".," else _in_word(farther)


def _in_word(char: str) -> bool:
    return char == "_" or char.isalnum()


def _cited(source: SourceText, first: int, last: int) -> bool:
    return source.cited is None or (first <= source.cited[1] and last >= source.cited[0])

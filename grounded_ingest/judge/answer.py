"""Parses what a judge answered and looks up its quote in the source."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from grounded_ingest.judge.opinion import Opinion, unknown
from grounded_ingest.judge.question import fields_of
from grounded_ingest.references.source_text import SourceText

MAX_ANSWER = 262_144
"""Bytes of an answer."""
MAX_MISSING = 300
"""Characters of what a judge could not find, as reports show it."""


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """Holds an answer in the form the judge was asked for (docs/judge-answer.schema.json)."""

    quote: str
    verdict: Literal["supported", "unsupported", "contradicted", "nothing-to-compare"]
    missing: list[str]


class Unusable(Exception):  # noqa: N818 - no error of the run: the opinion is unknown
    """Says why an answer is no opinion."""


def parsed(text: str) -> Said:
    """Returns the answer that a text consists of. Raises Unusable if anything stands beside it."""
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
    """Returns an opinion; it is unknown if its quote does not stand in the source or it disagrees
    with itself."""
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
    """Returns a judge's words on one line, without what does not print."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:MAX_MISSING]


MAX_QUOTE = 2_000
SHORTEST = 8
"""Characters of a quote that is not a whole line: a few letters stand in every source."""
MOST_PLACES = 1_000
"""Places of one quote that are looked at: text and quote may be made to take for ever."""

# Models straighten these.
_STRAIGHT = str.maketrans("‘’“”\xa0", "''\"\" ")


class _Flat(NamedTuple):
    """Holds a text on one line with single spaces, and where each of its lines begins there."""

    text: str
    starts: list[int]
    numbers: list[int]


def place(quote: str, source: SourceText, *, focused: bool) -> tuple[int, int] | None:
    """Returns the first and last line of a quote, (0, 0) if it stands in a part without lines, None
    if it stands nowhere.

    Words and numbers have to be whole; spaces and line ends are alike. With `focused` the quote has
    to be of the cited lines, if lines are cited.
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
    """Yields first and last line, counted from 0, of each place where a quote stands."""
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
    """Whether a word goes on from its edge into `beside`, the nearest character first."""
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

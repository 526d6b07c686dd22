"""What came back: an answer of a server -> an opinion, or why it is none."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from grounded_ingest.decide.model_opinion import Opinion, unknown
from grounded_ingest.decide.model_prompt import fields_of
from grounded_ingest.model.claims import Support
from grounded_ingest.net.messages import Failure, Response
from grounded_ingest.support.source import SourceText

MAX_ANSWER = 262_144
"""Bytes of an answer."""
MAX_DIFFERENCE = 300

_UNFINISHED = {"length": "cut off", "content_filter": "filtered"}


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """What the model said, in the form it was asked for."""

    quote: str
    difference: str
    verdict: Literal["supported", "unsupported", "contradicted", "nothing-to-compare"]


class _ChatMessage(Struct, frozen=True):
    role: Literal["assistant"]
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[Any] | None = None
    function_call: Any = None


class _Choice(Struct, frozen=True):
    message: _ChatMessage
    finish_reason: str | None = None


class _Completion(Struct, frozen=True):
    choices: list[_Choice]


class Unusable(Exception):  # noqa: N818 - the reason of an unknown opinion, on its way
    pass


def why(answer: Response) -> str:
    """Why there is no answer, or none to a question."""
    return "judge.budget spent" if answer.failure is Failure.BUDGET else answer.reason


def said(answer: Response, key: str) -> Said:
    """What the model said. Raises Unusable with the reason."""
    if answer.failure or answer.status != 200:
        raise Unusable(why(answer))
    content_type = answer.headers.get("content-type", "").partition(";")[0]
    if content_type.strip().lower() != "application/json":
        raise Unusable("the answer is no JSON")
    if len(answer.body) >= MAX_ANSWER:
        raise Unusable("the answer is too long")
    try:
        completion = msgspec.json.decode(answer.body, type=_Completion)
    except (msgspec.DecodeError, RecursionError):
        raise Unusable("the answer is no chat completion") from None
    return _content(completion, key)


def _content(completion: _Completion, key: str) -> Said:
    if len(completion.choices) != 1:
        raise Unusable("the answer has not one choice")
    message, finished = completion.choices[0].message, completion.choices[0].finish_reason
    if message.refusal:
        raise Unusable("refused")
    if finished != "stop":
        raise Unusable(_UNFINISHED.get(finished or "", "not finished"))
    if message.tool_calls or message.function_call or not message.content:
        raise Unusable("the answer is no opinion")
    if key and key in message.content:
        raise Unusable("the answer repeats the key")
    return _parsed(message.content)


def _parsed(text: str) -> Said:
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
    """The opinion, where its quote stands in the source; else unknown."""
    support = Support(said.verdict)
    needed = support in (Support.SUPPORTED, Support.CONTRADICTED)
    quote = " ".join(said.quote.split())
    difference = _line(said.difference)
    if needed and not quote:
        return unknown("no quote")
    if support is Support.CONTRADICTED and not difference:
        return unknown("it does not say what differs")
    reason = f"the judge: {difference}" if support is not Support.SUPPORTED and difference else ""
    if not quote:
        return Opinion(support, reason=reason or "the judge: not in the source")
    lines = place(said.quote, source, focused=needed)
    if lines is None:
        return unknown("its quote is not in the source")
    return Opinion(support, quote, *lines, reason)


def _line(text: str) -> str:
    """One line, without what does not print: a stranger's words on their way to a report."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:MAX_DIFFERENCE]


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

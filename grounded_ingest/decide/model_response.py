"""What came back: an answer of a server -> an opinion, or why it is none."""

from __future__ import annotations

import json
from typing import Any, Literal

import msgspec
from msgspec import Struct

from grounded_ingest.decide.model_opinion import Opinion, unknown
from grounded_ingest.decide.model_quotes import place
from grounded_ingest.model.claims import Support
from grounded_ingest.net.messages import Failure, Response
from grounded_ingest.support.passages import SourceText

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

"""A model behind an OpenAI-compatible endpoint: POST {base_url}/chat/completions.

What is sent: one claim and one source as JSON that their text cannot close. What comes back: an
opinion, or why it is none.
"""

from __future__ import annotations

import json
import re
import time
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.decide.model_opinion import ComparedPair, Opinion, unknown
from grounded_ingest.language.lexicon.judge_prompt import SCHEMA, SYSTEM
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import Support
from grounded_ingest.model.digests import sha256
from grounded_ingest.net.client import Web
from grounded_ingest.net.messages import Ask, Failure, Response, Talk
from grounded_ingest.net.resolver import Resolver, look_up
from grounded_ingest.support.source import SourceText
from grounded_ingest.verify.response_cache import ConfirmedAnswer

if TYPE_CHECKING:
    from grounded_ingest.config.settings import JudgeSettings as Settings
    from grounded_ingest.config.settings import Network
    from grounded_ingest.verify.response_cache import Answers

ATTEMPTS = 3
PAUSE_S = 0.5
TOGETHER = 16
"""Pairs of one conversation with the endpoint: what stops all of them is known before the next."""

HEADERS = (("Accept", "application/json"), ("Content-Type", "application/json"))
_PASSING = (429, 500, 502, 503, 504)
# What the endpoint says of whoever asks, not of what is asked: nothing else will be answered.
_FINAL = (301, 302, 303, 307, 308, 401, 402, 403, 404, 405)


class OpenAIJudge:
    """Asks at most `max_requests` times within `budget` seconds, counted from the first request;
    `network.per_host` requests at a time. Valid opinions are kept by the digest of all that was
    sent and whom to, so equal questions are asked once."""

    def __init__(
        self,
        settings: Settings,
        network: Network,
        key: str = "",
        kept: Answers | None = None,
        resolver: Resolver = look_up,
    ) -> None:
        self._settings = settings
        self._url = f"{settings.base_url.rstrip('/')}/chat/completions"
        self._key = key
        self._kept = kept
        self._web = Web(replace(network, timeout=settings.timeout), settings.budget, resolver)
        self._left = settings.max_requests
        self._stopped = ""

    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        bodies = [question(pair, self._settings.model) for pair in pairs]
        names = [self._name(body) if body else "" for body in bodies]
        asked = {n: (b, p) for n, b, p in zip(names, bodies, pairs, strict=True) if n}
        found = {"": unknown("claim or source is too long"), **self._remembered(asked)}
        open_ = [name for name in asked if name not in found]
        for start in range(0, len(open_), TOGETHER):
            found |= self._ask({name: asked[name] for name in open_[start : start + TOGETHER]})
        return [found[name] for name in names]

    def _name(self, body: bytes) -> str:
        return f"judge:{sha256(self._url.encode() + b' ' + body).hexdigest()}"

    def _remembered(self, asked: Mapping[str, tuple[bytes, ComparedPair]]) -> dict[str, Opinion]:
        """Kept answers, read as critically as new ones."""
        found = {}
        for name, held in (self._kept.get(asked) if self._kept else {}).items():
            try:
                words = msgspec.json.decode(held.reason, type=Said)
            except msgspec.DecodeError:
                continue
            told = opinion(words, asked[name][1].source)
            if told.support is not None:
                found[name] = told
        return found

    def _ask(self, asked: Mapping[str, tuple[bytes, ComparedPair]]) -> dict[str, Opinion]:
        talks = {name: self._talk(body) for name, (body, _) in asked.items()}
        found, keep = {}, {}
        for name, told in self._web.converse(talks).items():
            if isinstance(told, str):
                found[name] = unknown(told)
                continue
            found[name] = opinion(told, asked[name][1].source)
            if found[name].support is not None:
                keep[name] = ConfirmedAnswer(time.time(), msgspec.json.encode(told).decode())
        if self._kept:
            self._kept.put(keep)
        return found

    def _talk(self, body: bytes) -> Talk[Said | str]:
        """What the model says, or why nothing came of it."""
        reason = ""
        for attempt in range(ATTEMPTS):
            if self._stopped or self._left <= 0:
                return reason or self._stopped or "judge.max_requests spent"
            self._left -= 1
            answer = yield self._post(body, PAUSE_S * (2**attempt - 1))
            self._note(answer)
            try:
                return said(answer, self._key)
            except Unusable as unusable:
                reason = str(unusable)
            if answer.status not in _PASSING and answer.failure is not Failure.UNREACHABLE:
                return reason
        return reason

    def _post(self, body: bytes, after: float) -> Ask:
        key, limit = self._key, MAX_ANSWER
        return Ask("POST", self._url, HEADERS, key, limit, after, follow=False, body=body)

    def _note(self, answer: Response) -> None:
        passing = (None, Failure.TIMEOUT, Failure.UNREACHABLE)
        if answer.failure not in passing or answer.status in _FINAL:
            self._stopped = self._stopped or why(answer)


MAX_CLAIM, MAX_SOURCE = 4_000, 60_000
"""Characters. A source of which a part would be left out is not judged."""

# Marks of chat templates (`<|im_end|>`, `</s>`, `[INST]`), which some servers read in content too.
_MARK = compiled(r"<|\[(?=/?[A-Z_]{3,}\])")


def question(pair: ComparedPair, model: str) -> bytes:
    """The body of the request; empty where claim or source is too long or is no text."""
    shown = _fields_of(pair.source)
    if len(pair.claim) > MAX_CLAIM or sum(map(len, shown.values())) > MAX_SOURCE:
        return b""
    asked = {"claim": pair.claim, "source": {"kind": pair.source.kind, **shown}}
    body = {
        "model": model,
        "temperature": 0,
        "seed": 0,
        "messages": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": _as_data(asked)},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "opinion", "strict": True, "schema": SCHEMA},
        },
    }
    return json.dumps(body).encode("ascii")


def _as_data(asked: dict[str, Any]) -> str:
    return _MARK.sub(_escaped, json.dumps(asked, ensure_ascii=False))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _fields_of(source: SourceText) -> dict[str, str]:
    """The parts of a source that are shown and may be quoted, by name."""
    parts = {
        "path": source.path,
        "title": source.title,
        "definitions": "\n".join(source.enclosing),
        "touched": "\n".join(source.paths),
        **_text(source),
        "diff": source.diff,
    }
    return {name: part for name, part in parts.items() if part}


def _text(source: SourceText) -> dict[str, str]:
    if source.cited is None:
        return {"text": source.text}
    lines = source.text.split("\n")
    first = min(max(source.cited[0] - source.line, 0), len(lines))
    last = min(max(source.cited[1] - source.line + 1, first), len(lines))
    parts = {"before": lines[:first], "cited": lines[first:last], "after": lines[last:]}
    return {name: "\n".join(part) for name, part in parts.items()}


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
    parts = _fields_of(source)
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

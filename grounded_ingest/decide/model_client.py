"""A model behind an OpenAI-compatible endpoint: POST {base_url}/chat/completions."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from grounded_ingest.decide.model_opinion import ComparedPair, Opinion, unknown
from grounded_ingest.decide.model_prompt import question
from grounded_ingest.decide.model_response import MAX_ANSWER, Said, Unusable, opinion, said, why
from grounded_ingest.model.digests import sha256
from grounded_ingest.net.client import Web
from grounded_ingest.net.messages import Ask, Failure, Response, Talk
from grounded_ingest.net.resolver import Resolver, look_up
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

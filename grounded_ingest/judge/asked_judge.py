"""What every judge does that is asked question by question: what it said is kept, checked, and not
asked again."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from grounded_ingest.judge.answer import Said, opinion
from grounded_ingest.judge.opinion import ComparedPair, Opinion, unknown
from grounded_ingest.judge.question import untrusted
from grounded_ingest.model.digests import NOT_JSON, sha256
from grounded_ingest.references.response_cache import ConfirmedAnswer

if TYPE_CHECKING:
    from grounded_ingest.references.response_cache import Answers

TOGETHER = 16
"""Questions of one round: what stops all of them is known before the next."""


class AskedJudge:
    """Valid opinions are kept by the digest of the whole question and of who was asked, so equal
    questions are asked once. A subclass says how it asks."""

    def __init__(self, whom: bytes, kept: Answers | None) -> None:
        self._whom = whom
        self._kept = kept

    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        shown = [untrusted(pair) for pair in pairs]
        questions = [self._question(asked) if asked else b"" for asked in shown]
        names = [self._name(question) if question else "" for question in questions]
        asked = {n: (q, p) for n, q, p in zip(names, questions, pairs, strict=True) if n}
        found = {"": unknown("claim or source is too long"), **self._remembered(asked)}
        open_ = [name for name in asked if name not in found]
        for start in range(0, len(open_), TOGETHER):
            found |= self._ask({name: asked[name] for name in open_[start : start + TOGETHER]})
        return [found[name] for name in names]

    def _question(self, asked: dict[str, Any]) -> bytes:
        raise NotImplementedError

    def _answers(self, questions: Mapping[str, bytes]) -> Mapping[str, Said | str]:
        """What the judge says to each question, or why nothing came of it."""
        raise NotImplementedError

    def _name(self, question: bytes) -> str:
        return f"judge:{sha256(self._whom + b' ' + question).hexdigest()}"

    def _remembered(self, asked: Mapping[str, tuple[bytes, ComparedPair]]) -> dict[str, Opinion]:
        """Kept answers, read as critically as new ones."""
        found = {}
        for name, held in (self._kept.get(asked) if self._kept else {}).items():
            try:
                words = msgspec.json.decode(held.reason, type=Said)
            except NOT_JSON:
                continue
            told = opinion(words, asked[name][1].source)
            if told.verdict:
                found[name] = told
        return found

    def _ask(self, asked: Mapping[str, tuple[bytes, ComparedPair]]) -> dict[str, Opinion]:
        found, keep = {}, {}
        told_by_name = self._answers({n: question for n, (question, _) in asked.items()})
        for name, told in told_by_name.items():
            if isinstance(told, str):
                found[name] = unknown(told)
                continue
            found[name] = opinion(told, asked[name][1].source)
            if found[name].verdict:
                keep[name] = ConfirmedAnswer(time.time(), msgspec.json.encode(told).decode())
        if self._kept:
            self._kept.put(keep)
        return found

"""Caches the responses of servers and judge models for a limited time, and asks servers for the
rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import MsgspecError, Struct, msgpack

from grounded_ingest.git.cache import Cache
from grounded_ingest.model.claims import CitationKind, Evidence, Verdict
from grounded_ingest.model.digests import blake2b, sha256
from grounded_ingest.net.messages import Talk, iso_time

if TYPE_CHECKING:
    from grounded_ingest.net.client import Web


class ServerAnswer(Struct, frozen=True):
    """The result of a lookup on a server. `at` is the time of the lookup in seconds since the
    epoch, or 0 if no server was asked."""

    verdict: Verdict
    reason: str = ""
    quote: str = ""
    at: float = 0.0

    def as_evidence(self, kind: CitationKind, target: str) -> Evidence:
        return Evidence(
            kind=kind,
            target=target,
            verdict=self.verdict,
            reason=self.reason,
            fingerprint=sha256(self.quote.encode()).hexdigest()[:16] if self.quote else "",
            quote=self.quote,
            network=True,
            checked_at=iso_time(self.at) if self.at else "",
        )


class ConfirmedAnswer(Struct, frozen=True):
    """A confirmed lookup on a server. `at` is the time of the lookup in seconds since the epoch."""

    at: float
    reason: str = ""
    quote: str = ""


class Answers:
    """The cached responses of servers and judge models. A response is used for `ttl` seconds, and
    is stored in `directory`.

    If the cache cannot be read or written, no result is found or stored, and no error is raised.
    """

    def __init__(self, directory: str, ttl: int, clock: Callable[[], float] = time.time) -> None:
        self._cache = Cache(directory) if ttl else None
        self._ttl = ttl
        self._clock = clock

    def get(self, keys: Iterable[str]) -> dict[str, ConfirmedAnswer]:
        """Returns the cached results for `keys`, without results that are too old."""
        names = {_digest(key): key for key in keys}
        if not names or self._cache is None:
            return {}
        now, found = self._clock(), dict[str, ConfirmedAnswer]()
        for name, content in self._cache.get("response", names).items():
            with suppress(MsgspecError):
                answer = msgpack.decode(content, type=ConfirmedAnswer)
                # A time in the future means that the clock was wrong.
                if now - self._ttl <= answer.at <= now:
                    found[names[name]] = answer
        return found

    def put(self, found: Mapping[str, ConfirmedAnswer]) -> None:
        if self._cache is not None:
            encoded = {_digest(k): _encode(v) for k, v in found.items()}
            self._cache.put("response", {k: v for k, v in encoded.items() if v})


def answers_to(
    talks: Mapping[str, Callable[[], Talk[ServerAnswer]]], web: Web | None, answers: Answers | None
) -> dict[str, ServerAnswer]:
    """Returns the answer to each key: the cached one, or else that of the server. `talks` begin the
    conversations with servers. `web` is None in an offline run. Only confirmed answers are
    cached."""
    kept = answers.get(talks) if answers else {}
    confirmed = Verdict.CONFIRMED
    found = {key: ServerAnswer(confirmed, k.reason, k.quote, k.at) for key, k in kept.items()}
    asked = [key for key in talks if key not in found]
    if web is None:
        return found | dict.fromkeys(asked, ServerAnswer(Verdict.SKIPPED, "offline"))
    fresh = web.converse({key: talks[key]() for key in asked})
    if answers:
        sure = {key: f for key, f in fresh.items() if f.verdict is confirmed}
        answers.put({key: ConfirmedAnswer(f.at, f.reason, f.quote) for key, f in sure.items()})
    return found | fresh


def _digest(key: str) -> bytes:
    return blake2b(key.encode(errors="surrogatepass"), digest_size=16).digest()


def _encode(answer: ConfirmedAnswer) -> bytes:
    """Returns a result as bytes. Returns empty bytes if a text in the result is not valid
    Unicode."""
    with suppress(UnicodeEncodeError):
        return msgpack.encode(answer)
    return b""

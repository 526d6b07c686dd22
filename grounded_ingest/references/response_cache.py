"""Caches the responses of servers and judge models for a limited time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from msgspec import MsgspecError, Struct, msgpack

from grounded_ingest.git.cache import Cache
from grounded_ingest.model.digests import blake2b


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
        for name, content in self._cache.get("answer", names).items():
            with suppress(MsgspecError):
                answer = msgpack.decode(content, type=ConfirmedAnswer)
                # A time in the future means that the clock was wrong.
                if now - self._ttl <= answer.at <= now:
                    found[names[name]] = answer
        return found

    def put(self, found: Mapping[str, ConfirmedAnswer]) -> None:
        if self._cache is not None:
            encoded = {_digest(k): _encode(v) for k, v in found.items()}
            self._cache.put("answer", {k: v for k, v in encoded.items() if v})


def _digest(key: str) -> bytes:
    return blake2b(key.encode(errors="surrogatepass"), digest_size=16).digest()


def _encode(answer: ConfirmedAnswer) -> bytes:
    """Returns a result as bytes. Returns empty bytes if a text in the result is not valid
    Unicode."""
    with suppress(UnicodeEncodeError):
        return msgpack.encode(answer)
    return b""

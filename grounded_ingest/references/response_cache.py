"""Keeps answers of servers and judges for a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Protocol, TypeVar

from msgspec import MsgspecError, Struct, msgpack

from grounded_ingest.git.cache import Cache
from grounded_ingest.model.digests import blake2b


class ConfirmedAnswer(Struct, frozen=True):
    """A server's confirmation. `at` is in seconds since the epoch."""

    at: float
    reason: str = ""
    quote: str = ""
    grounds: bool = True


class Timed(Protocol):
    """An answer or text with the time at which it was fetched, in seconds since the epoch."""

    @property
    def at(self) -> float: ...


T = TypeVar("T", bound=Timed)


class Answers:
    """Confirmed answers and texts no older than `ttl` seconds, in the cache of `directory`.

    The texts of this run are held in memory, too: without a cache none is asked for twice. If the
    cache fails, nothing is found and nothing is kept.
    """

    def __init__(self, directory: str, ttl: int, clock: Callable[[], float] = time.time) -> None:
        self._cache = Cache(directory) if ttl else None
        self._ttl = ttl
        self._clock = clock
        self._texts: dict[str, Timed] = {}

    def get(self, keys: Iterable[str]) -> dict[str, ConfirmedAnswer]:
        """Returns the answers that are still good, by key."""
        return self._get("answer", keys, ConfirmedAnswer)

    def put(self, found: Mapping[str, ConfirmedAnswer]) -> None:
        self._put("answer", found)

    def texts(self, kind: str, names: Iterable[str], type_: type[T]) -> dict[str, T]:
        """Returns the texts of a kind that are still good, by name."""
        keys = {f"{kind} {name}": name for name in names}
        held = {k: t for k in keys if isinstance(t := self._texts.get(k), type_)}
        held |= self._get("text", (k for k in keys if k not in held), type_)
        return {keys[k]: text for k, text in held.items()}

    def put_texts(self, kind: str, found: Mapping[str, Timed]) -> None:
        texts = {f"{kind} {name}": text for name, text in found.items()}
        self._texts |= texts
        self._put("text", texts)

    def _get(self, kind: str, keys: Iterable[str], type_: type[T]) -> dict[str, T]:
        names = {_digest(key): key for key in keys}
        if not names or self._cache is None:
            return {}
        now, found = self._clock(), dict[str, T]()
        for name, content in self._cache.get(kind, names).items():
            with suppress(MsgspecError):
                answer = msgpack.decode(content, type=type_)
                # A time to come is of a clock that was wrong.
                if now - self._ttl <= answer.at <= now:
                    found[names[name]] = answer
        return found

    def _put(self, kind: str, found: Mapping[str, Timed]) -> None:
        if self._cache is not None:
            encoded = {_digest(k): _encoded(v) for k, v in found.items()}
            self._cache.put(kind, {k: v for k, v in encoded.items() if v})


def _digest(key: str) -> bytes:
    return blake2b(key.encode(errors="surrogatepass"), digest_size=16).digest()


def _encoded(answer: Timed) -> bytes:
    """Returns an answer as bytes; empty if a text of it is no Unicode."""
    with suppress(UnicodeEncodeError):
        return msgpack.encode(answer)
    return b""

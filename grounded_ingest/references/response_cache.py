"""Caches the responses of servers and judge models for a limited time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Protocol, TypeVar

from msgspec import MsgspecError, Struct, msgpack

from grounded_ingest.git.cache import Cache
from grounded_ingest.model.digests import blake2b


class ConfirmedAnswer(Struct, frozen=True):
    """A confirmed lookup on a server. `at` is its time in seconds since the epoch. `grounds` is
    true if a judge model may read the text."""

    at: float
    reason: str = ""
    quote: str = ""
    grounds: bool = True


class Timed(Protocol):
    """A result or text with the time of its request. `at` is in seconds since the epoch."""

    @property
    def at(self) -> float: ...


T = TypeVar("T", bound=Timed)


class Answers:
    """The cached responses of servers and judge models. A response is used for `ttl` seconds, and
    is stored in `directory`.

    Texts from the current run are also kept in memory, so that each is requested once even without
    a cache. If the cache cannot be read or written, no result is found or stored, and no error is
    raised.
    """

    def __init__(self, directory: str, ttl: int, clock: Callable[[], float] = time.time) -> None:
        self._cache = Cache(directory) if ttl else None
        self._ttl = ttl
        self._clock = clock
        self._texts: dict[str, Timed] = {}

    def get(self, keys: Iterable[str]) -> dict[str, ConfirmedAnswer]:
        """Returns the cached results for `keys`, without results that are too old."""
        return self._get("answer", keys, ConfirmedAnswer)

    def put(self, found: Mapping[str, ConfirmedAnswer]) -> None:
        self._put("answer", found)

    def texts(self, kind: str, names: Iterable[str], type_: type[T]) -> dict[str, T]:
        """Returns the cached texts of a kind for `names`, without texts that are too old."""
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
                # A time in the future means that the clock was wrong.
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
    """Returns a result as bytes. Returns empty bytes if a text in the result is not valid
    Unicode."""
    with suppress(UnicodeEncodeError):
        return msgpack.encode(answer)
    return b""

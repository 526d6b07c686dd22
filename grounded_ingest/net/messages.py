"""Defines requests, responses and conversations. No I/O: `client` carries them.

A conversation is a generator that yields an `Ask`, is sent its `Response`, and returns its result.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from enum import StrEnum
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")


class Failure(StrEnum):
    """Why there is no answer; the value is the reason that people read."""

    NO_SUCH_NAME = "no such name"
    NO_LOOKUP = "name could not be looked up"
    REFUSED_ADDRESS = "refused address"
    DENIED = "host is not asked (network.deny)"
    INVALID = "not an address that can be asked"
    TIMEOUT = "timeout"
    TLS = "TLS failed"
    UNREACHABLE = "no connection"
    REDIRECTS = "too many redirects"
    ASKED_TO_WAIT = "host asks to wait longer than the network budget"
    BUDGET = "network budget spent"


class Ask(Struct, frozen=True):
    """A request, sent after `after` seconds. Up to `limit` bytes of the body are read.

    `secret` is sent as bearer token, over https or to hosts that `network.allow` names, and never
    to another origin. Equal requests with a limit are sent once. A `body` (POST) is sent as it is,
    once for every request: whoever asks decides whether to ask again.
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    secret: str = ""
    limit: int = 0
    after: float = 0.0
    follow: bool = True
    body: bytes = b""

    def __repr__(self) -> str:
        return f"Ask({self.method} {self.url})"


class Response(Struct, frozen=True):
    """What came back. `trail` are the URLs asked, in order; names of headers are in lower case."""

    status: int = 0
    failure: Failure | None = None
    detail: str = ""
    trail: tuple[str, ...] = ()
    headers: dict[str, str] = {}
    body: bytes = b""

    @property
    def reason(self) -> str:
        words = self.failure.value if self.failure else f"server answers {self.status}"
        return f"{words} ({self.detail})" if self.detail else words

    @property
    def wait(self) -> float | None:
        """Seconds for which the server asks to be left alone: RFC 9110 10.2.3, or a spent rate
        limit."""
        if self.status not in (403, 429, 503):
            return None
        after = self.headers.get("retry-after", "").strip()
        if after:
            return float(after[:9]) if after.isdecimal() else _until_date(after)
        for prefix in ("x-ratelimit", "ratelimit"):
            reset = self.headers.get(f"{prefix}-reset", "")[:12]
            if self.headers.get(f"{prefix}-remaining") == "0" and reset.isdecimal():
                return max(0.0, float(reset) - time.time())
        return None


Talk = Generator[Ask, Response, T]


def fail_talk(talk: Talk[T], failure: Failure) -> T:
    """Returns the result of a conversation in which every answer is this failure."""
    try:
        next(talk)
        while True:
            talk.send(Response(failure=failure))
    except StopIteration as stop:
        result: T = stop.value
        return result


def _until_date(text: str) -> float | None:
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def iso_time(at: float) -> str:
    """Returns seconds since the epoch as ISO 8601, UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))

"""Defines requests, responses and conversations. This module does not send anything; `client` does.

A conversation is a generator that yields an `Ask`, receives the `Response`, and returns its result
at the end."""

from __future__ import annotations

import time
from collections.abc import Generator
from enum import StrEnum
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")


class Failure(StrEnum):
    """The reasons why a request has no response. The value of a member is shown to users."""

    NO_SUCH_NAME = "the host name does not exist"
    NO_LOOKUP = "the host name could not be looked up"
    REFUSED_ADDRESS = "the address is refused"
    DENIED = "the host is in network.deny"
    INVALID = "not a URL that can be requested"
    TIMEOUT = "timeout"
    TLS = "the TLS handshake failed"
    UNREACHABLE = "no connection to the host"
    NO_NETWORK = "not asked, because no other host answered"
    REDIRECTS = "too many redirects"
    ASKED_TO_WAIT = "the host asks to wait longer than the time limit for network requests"
    BUDGET = "the time limit for network requests has passed"


LOST = {Failure.NO_LOOKUP, Failure.TIMEOUT, Failure.UNREACHABLE, Failure.NO_NETWORK}
"""The failures of all requests if there is no network."""
UNSENT = {Failure.REFUSED_ADDRESS, Failure.INVALID}
"""The failures of requests that were not sent."""


class Ask(Struct, frozen=True):
    """A request to send.

    The request is sent after `after` seconds. At most `limit` bytes of the response's body are
    read. If `follow` is true, redirects are followed.

    `secret` is sent as a bearer token, only over https or to hosts in `network.allow`, and never to
    another origin after a redirect. If several requests with a limit are equal, only one of them is
    sent. A request with a `body` (POST) is sent for each `Ask` and never repeated automatically."""

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
    """The response to a request, or the reason why there is none.

    `failure` is this reason, or None if there is a response. `detail` adds to the reason. `trail`
    lists the requested URLs in order. The names of `headers` are in lower case."""

    status: int = 0
    failure: Failure | None = None
    detail: str = ""
    trail: tuple[str, ...] = ()
    headers: dict[str, str] = {}
    body: bytes = b""

    @property
    def reason(self) -> str:
        """A description of the failure or status code, for users."""
        status = f"the server responded with status {self.status}"
        words = self.failure.value if self.failure else status
        return f"{words} ({self.detail})" if self.detail else words

    @property
    def wait(self) -> float | None:
        """Number of seconds for which the server asks not to be contacted, or None. The number
        comes from Retry-After (RFC 9110, 10.2.3) or from an exhausted rate limit."""
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
    """Runs a conversation in which every request fails with `failure`, and returns its result."""
    try:
        next(talk)
        while True:
            talk.send(Response(failure=failure))
    except StopIteration as stop:
        result: T = stop.value
        return result


def _until_date(text: str) -> float | None:
    # Imported late for a fast start: few servers send `Retry-After` as a date.
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def iso_time(at: float) -> str:
    """Returns a time in seconds since the epoch as ISO 8601 text in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))

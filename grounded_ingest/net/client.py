"""Sends requests to servers within a time limit. asyncio and httpx are imported only when a request
is sent."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TypeVar

from grounded_ingest.config.settings import Network
from grounded_ingest.net.addresses import Resolver, look_up
from grounded_ingest.net.messages import Failure, Talk, fail_talk

T = TypeVar("T")


class Web:
    """Sends requests for at most `budget_s` seconds, counted from the first request."""

    def __init__(self, network: Network, budget_s: float, resolver: Resolver = look_up) -> None:
        self.network = network
        self._budget_s = budget_s
        self._resolver = resolver
        self._deadline: float | None = None

    @property
    def idle(self) -> bool:
        """Returns whether no request was made yet."""
        return self._deadline is None

    def converse(self, talks: Mapping[str, Talk[T]]) -> dict[str, T]:
        """Runs all conversations (sequences of requests, see `messages.py`) and returns their
        results by key. Those that exceed the time limit fail with `Failure.BUDGET`."""
        now = time.monotonic()
        if self._deadline is None:
            self._deadline = now + self._budget_s
        if not talks:
            return {}
        if now >= self._deadline:
            return {key: fail_talk(talk, Failure.BUDGET) for key, talk in talks.items()}
        from grounded_ingest.net.conversations import drive  # imports httpx late

        return drive(self.network, self._deadline, self._resolver, talks)

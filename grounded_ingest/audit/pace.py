"""How far a long step is."""

from __future__ import annotations

from time import monotonic

from grounded_ingest.pipeline import Progress

_EVERY = 0.25
"""Seconds between two lines."""

_FIRST = 2.0
"""Seconds after which the time left is worth saying."""


class Pace:
    """Says how many of a step's things are done, and how long the rest takes at this rate."""

    def __init__(self, tell: Progress, what: str, total: int) -> None:
        self._tell, self._what, self._total = tell, what, total
        self._began, self._last = monotonic(), 0.0

    def __call__(self, done: int) -> None:
        now = monotonic()
        if now - self._last < _EVERY:
            return
        self._last = now
        passed, left = now - self._began, ""
        if done and passed >= _FIRST:
            left = f", {passed * (self._total - done) / done:.0f} s left"
        self._tell(f"{self._what}: {done} of {self._total}{left}")

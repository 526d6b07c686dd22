"""Intervals of shares."""

from __future__ import annotations

from math import sqrt


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """95% interval of a rate (Wilson, 1927)."""
    if not trials:
        return 0.0, 1.0
    z, rate = 1.959964, hits / trials
    centre = rate + z * z / (2 * trials)
    spread = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)

"""Times of commits, which whoever makes an object writes as they like."""

from __future__ import annotations

_YEAR_9999 = 253_402_300_799


def epoch_seconds(printed: str | bytes) -> int:
    """Seconds since 1970 as git prints them; 0 for none, and for one that no calendar has."""
    try:
        found = int(printed)
    except ValueError:
        return 0
    return found if 0 <= found <= _YEAR_9999 else 0

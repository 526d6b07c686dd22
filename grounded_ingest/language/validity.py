"""Until when a sentence says that it holds: `until 2024-01-31`, `expires in March 2024`."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date as day_of

from grounded_ingest.language.dates import Date
from grounded_ingest.language.lexicon import validity_words as words
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import Reading

_UNTIL = compiled("(?i)" + words.UNTIL)
_CHEAP = compiled(r"(?i)\b(?:until|till|through|expir|laps|ends?\b|by\b)")
_NOT_BOUND = compiled(words.NOT_BOUND)
_PAST = frozenset(words.PAST_VERBS.split())
_YEAR = compiled(r"(?<![\w./-])20\d\d(?![\w/-]|\.\d)")
_REACH = 120
"""Characters before a date in which what bounds it begins."""


def stated_end(text: str) -> str:
    """The last day on which a sentence says that it holds, as an ISO date; empty where it does not
    say, or tells of what is over. Of several the last."""
    if not (any(c.isdigit() for c in text) and _CHEAP.search(text)):
        return ""
    ends = [last_day(when) for start, when in _dates(text) if _bounds(text, start)]
    known = [end for end in ends if end is not None]
    return max(known).isoformat() if known and not _NOT_BOUND.search(text) else ""


def last_day(when: Date) -> day_of | None:
    """The last day that a date with a year can mean."""
    if not when.year:
        return None
    month = when.month // 100 * 3 if when.month > 12 else when.month or 12
    try:
        return day_of(when.year, month, when.day or monthrange(when.year, month)[1])
    except ValueError:
        return None


def _dates(text: str) -> Iterator[tuple[int, Date]]:
    """The dates of a text, years alone among them, and where they begin."""
    from grounded_ingest.language.amounts import dates_in  # few sentences need it

    taken = []
    for start, end, when in dates_in(text):
        taken.append((start, end))
        yield start, when
    for year in _YEAR.finditer(text):
        if not any(start <= year.start() < end for start, end in taken):
            yield year.start(), Date(int(year[0]), 0, 0)


def _bounds(text: str, at: int) -> bool:
    """Whether the sentence is bounded by the date at a place, and still told as what holds."""
    found = _UNTIL.search(text[max(0, at - _REACH) : at])
    return found is not None and not _is_over(text, at)


def _is_over(text: str, at: int) -> bool:
    reading = Reading(text)
    for sentence in reading.sentences:
        tokens = sentence.tokens
        here = next((i for i, t in enumerate(tokens) if t.start <= at < t.end), None)
        if here is None:
            continue
        piece = sentence.piece(here)
        verb = tokens[piece.verb].low if piece.verb >= 0 else ""
        return sentence.meant[here].time == "before" or verb in _PAST or verb.endswith("ed")
    return False

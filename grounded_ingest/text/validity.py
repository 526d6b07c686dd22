"""Until when a sentence says that it holds: `until 2024-01-31`, `expires in March 2024`."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date as day_of

from grounded_ingest.text.dates import Date, dates_in
from grounded_ingest.text.lexicon import validity_words as words
from grounded_ingest.text.patterns import compiled

_UNTIL = compiled("(?i)" + words.UNTIL)
_CHEAP = compiled(r"(?i)\b(?:until|till|through|expir|laps|ends?\b|by\b)")
_NOT_BOUND = compiled(words.NOT_BOUND)
_PAST = frozenset(words.PAST_VERBS.split())
_YEAR = compiled(r"(?<![\w./-])20\d\d(?![\w/-]|\.\d)")
_CLAUSE_END = compiled(r"[.;:!?,] |\b(?:but|and|while)\b")
_WORD = compiled(r"[a-z']+")
_PASSIVE = frozenset(("is", "are", "be", "been", "being", "the", "a", "an", "was", "were"))
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
    """Whether the clause before a date tells the past: "We used Redis until"."""
    clause = _CLAUSE_END.split(text[max(0, at - _REACH) : at])[-1].lower()
    words = _WORD.findall(clause)
    for before, word in zip(("", *words), words, strict=False):
        if word in _PAST or (word.endswith("ed") and before not in _PASSIVE):
            return True
    return False

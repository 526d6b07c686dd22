"""Dates of any century, decades and centuries."""

from __future__ import annotations

from re import Match

from grounded_ingest.language.amount_match import Amount
from grounded_ingest.language.dates import Date, date
from grounded_ingest.language.patterns import compiled

_YEAR = compiled(r"\b1[0-8]\d\d\b")


def written_date(text: str) -> Date | None:
    """A date of any century."""
    if text[-3:-2] == "/":  # the century is left out, and compared with nothing
        short = date(f"{text[:-2]}2000")
        return Date(0, short.month, short.day) if short else None
    found = date(text)
    if found is None and (year := _YEAR.search(text)) and (found := date(_YEAR.sub("2000", text))):
        found = Date(int(year[0]), found.month, found.day)
    return found


def era(match: Match[str]) -> Amount:
    """The years of a decade or a century."""
    if match[1]:
        first = int(match[1])
        last = first + (99 if first % 100 == 0 else 9)
    elif match[2]:
        first, last = int(match[2]) * 100 - 99, int(match[2]) * 100
    else:
        first, last = 1900 + int(match[3]), 1909 + int(match[3])
    return Amount(first, last, "era", match[0], *match.span())

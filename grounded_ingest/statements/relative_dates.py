"""Relative times of an episode, as days, from the day it was written."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

from grounded_ingest.text.lexicon import relative_times as lexicon
from grounded_ingest.text.lexicon.number_words import CARDINALS, WEEKDAY, WEEKDAYS
from grounded_ingest.text.patterns import compiled

_DAY = timedelta(days=1)
_PERIODS = "day|week|month|quarter|year"
_AMOUNTS = lexicon.AMOUNTS | CARDINALS
_RELATIVE = compiled(
    rf"\b(?:(?P<named>{'|'.join(lexicon.NAMED)})"
    rf"|(?P<amount>\d{{1,3}}|{'|'.join(_AMOUNTS)}) (?P<counted>{_PERIODS})s? "
    rf"(?P<direction>ago|from now)"
    rf"|(?P<side>last|previous|this|next|coming) (?:(?P<unit>{_PERIODS}|weekend)"
    rf"|(?P<weekday>{WEEKDAY})|(?P<part>{'|'.join(lexicon.PARTS)})))\b",
    re.IGNORECASE,
)
_AGO = ("last", "previous")


class Resolved(NamedTuple):
    """A relative time as written, and the first and last day it means (ISO dates)."""

    words: str
    first: str
    last: str


def resolved(text: str, on: date) -> tuple[Resolved, ...]:
    """The relative times of a text that was written on a day, in order. A week begins on Monday."""
    found = []
    for m in _RELATIVE.finditer(text):
        try:
            first, last = _span(m.groupdict(), on)
        except OverflowError:
            continue
        found.append(Resolved(m[0], first.isoformat(), last.isoformat()))
    return tuple(found)


def _span(words: dict[str, str | None], on: date) -> tuple[date, date]:
    said = {name: (value or "").lower() for name, value in words.items()}
    if said["named"]:
        day = on + lexicon.NAMED[said["named"]] * _DAY
        return day, day
    if said["counted"]:
        back = 1 if said["direction"] == "from now" else -1
        return _counted(said["counted"], back * _number(said["amount"]), on)
    step = -1 if said["side"] in _AGO else 0 if said["side"] == "this" else 1
    if said["weekday"]:
        day = _weekday(WEEKDAYS[said["weekday"]] - 1, step, on)
        return day, day
    if said["part"]:
        day = on + step * _DAY
        return day, day
    return _period(said["unit"], step, on)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _AMOUNTS[word]


def _counted(unit: str, amount: int, on: date) -> tuple[date, date]:
    """`two days ago` is a day; `two weeks ago` is all of that week, and so for longer units."""
    if unit == "day":
        day = on + amount * _DAY
        return day, day
    return _period(unit, amount, on)


def _weekday(number: int, step: int, on: date) -> date:
    """`last Monday` is the latest before the day, `next` the first after it, `this` the one of the
    week."""
    if step < 0:
        return on - ((on.weekday() - number - 1) % 7 + 1) * _DAY
    if step > 0:
        return on + ((number - on.weekday() - 1) % 7 + 1) * _DAY
    return on + (number - on.weekday()) * _DAY


def _period(unit: str, step: int, on: date) -> tuple[date, date]:
    if unit in ("day", "week", "weekend"):
        if unit == "day":
            return on + step * _DAY, on + step * _DAY
        monday = on - on.weekday() * _DAY + 7 * step * _DAY
        return (monday + 5 * _DAY if unit == "weekend" else monday), monday + 6 * _DAY
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    start = _months(on.year, (on.month - 1) // months * months + months * step)
    after = _months(start.year, start.month - 1 + months)
    return start, after - _DAY


def _months(year: int, months: int) -> date:
    """The first day of the month that is so many months after January of a year."""
    try:
        return date(year + months // 12, months % 12 + 1, 1)
    except ValueError as error:
        raise OverflowError(str(error)) from None

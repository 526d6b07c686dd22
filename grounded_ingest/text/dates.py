"""Reads absolute and relative dates, and the date until which a sentence is valid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date as day_of
from datetime import timedelta
from functools import cache
from typing import NamedTuple

from grounded_ingest.text.lexicon import date_words as lexicon
from grounded_ingest.text.lexicon.number_words import CARDINALS, MONTH, MONTHS, WEEKDAY, WEEKDAYS
from grounded_ingest.text.patterns import compiled


class Date(NamedTuple):
    """A day, month or year. An unknown part, or a year without its century, is 0. For the quarters
    of a year, `month` is 100, 200, 300 or 400."""

    year: int
    month: int
    day: int


_YEAR = r"(?:1\d|20)\d\d"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_IN_TEXT = compiled(
    rf"(?<![\w.])(?:{_YEAR}-(?:0\d|1[0-2])(?:-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?)?(?!-?\d)"
    rf"|\d{{1,2}}\.\d{{1,2}}\.(?:19|20)\d\d|\d{{1,2}}/\d{{1,2}}/(?:{_YEAR}|\d\d)(?!/)"
    rf"|(?:{MONTH})\.? {_DAY},? {_YEAR}|{_DAY} (?:of )?(?:{MONTH})\.?,? {_YEAR}"
    rf"|(?:{MONTH})\.?,? (?:of )?{_YEAR}|(?:{MONTH})\.? {_DAY}(?!\d)|{_DAY} (?:of )?(?:{MONTH})"
    rf"|q[1-4][ /-]?{_YEAR})(?!\w)",
    2,
)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    month = rf"(?P<month>{MONTH})\.?"
    day = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
    year = r"(?P<year>(?:19|20)\d\d)"
    any_year = rf"(?P<year>{_YEAR})"
    months = tuple({name[:3] for name in MONTHS})
    written: dict[str, tuple[str, ...]] = {
        rf"{any_year}-(?P<m>\d\d)(?:-(?P<day>\d\d)(?:t[\d:.z+-]*)?)?": ("-",),
        rf"{year}[-/.](?P<m>\d{{1,2}})(?:[-/.](?P<day>\d{{1,2}}))?(?:t[\d:.z+-]*)?": tuple("-/."),
        rf"(?P<m>\d{{1,2}})/{year}": ("/",),
        rf"(?P<day>\d{{1,2}})\.(?P<m>\d{{1,2}})\.{year}": (".",),
        rf"(?P<m>\d{{1,2}})/(?P<day>\d{{1,2}})/(?:{any_year}|\d\d)": ("/",),
        rf"{month} {day},? {any_year}": months,
        rf"(?:the )?{day} (?:of )?{month},? {any_year}": months,
        rf"{month},? (?:of )?{any_year}": months,
        rf"{month} (?:the )?{day}": months,
        rf"(?:the )?{day} (?:of )?{month}": months,
        rf"q(?P<quarter>[1-4])[ /-]?{year}": ("q",),
        rf"{year}[ /-]?q(?P<quarter>[1-4])": ("q",),
        rf"(?:fy)?{year}": ("19", "20"),
    }
    return tuple(compiled(pattern, needs=needs) for pattern, needs in written.items())


def date(text: str) -> Date | None:
    """Returns the date if the whole text is a date, and None otherwise."""
    if not any(c.isdigit() for c in text):
        return None
    text = text.lower().strip(" .,").replace(" ,", ",")
    for pattern in _patterns():
        found = pattern.fullmatch(text)
        if found is None:
            continue
        parts = found.groupdict()
        month = int(parts.get("m") or 0) or MONTHS.get(parts.get("month") or "", 0)
        quarter = int(parts.get("quarter") or 0)
        year, day = int(parts.get("year") or 0), int(parts.get("day") or 0)
        return Date(year, month or 100 * quarter, day) if month <= 12 and day <= 31 else None
    return None


def dates_in(text: str) -> Iterator[tuple[int, int, Date]]:
    """Yields the start offset, the end offset and the value of each date in a text. Skips years
    that have neither month nor day."""
    for match in _IN_TEXT.finditer(text):
        if when := date(match[0]):
            yield *match.span(), when


def same_day(one: Date, other: Date) -> bool:
    """Returns whether two dates are equal in the parts that both have."""
    return all(not a or not b or a == b for a, b in zip(one, other, strict=True))


def entailed(known: Date, said: Date) -> bool:
    """Returns whether a known date confirms a less exact date: 2027-03-15 confirms March 2027."""
    return all(not b or a == b for a, b in zip(known, said, strict=True))


def months_between(earlier: Date, later: Date) -> int:
    """Returns the whole months between two dates. A missing month counts as January."""
    return (later.year - earlier.year) * 12 + (later.month or 1) - (earlier.month or 1)


_UNTIL = compiled("(?i)" + lexicon.UNTIL)
_CHEAP = compiled(r"(?i)\b(?:until|till|through|expir|laps|ends?\b|by\b)")
_NOT_BOUND = compiled(lexicon.NOT_BOUND)
_PAST = frozenset(lexicon.PAST_VERBS.split())
_DIGIT = compiled(r"\d")
_YEAR_ALONE = compiled(r"(?<![\w./-])20\d\d(?![\w/-]|\.\d)")
_CLAUSE_END = compiled(r"[.;:!?,] |\b(?:but|and|while)\b")
_WORD = compiled(r"[a-z']+")
_PASSIVE = frozenset(("is", "are", "be", "been", "being", "the", "a", "an", "was", "were"))
_REACH = 120
"""Number of characters before a date in which a word such as "until" is looked for."""


def stated_end(text: str) -> str:
    """Returns the last day on which a sentence is valid, as an ISO date: 2024-01-31 for "frozen
    until January 2024". Empty if the sentence names no last day, or is about the past."""
    if not (_DIGIT.search(text) and _CHEAP.search(text)):
        return ""
    ends = [_last_day(when) for start, when in _dates(text) if _bounds(text, start)]
    known = [end for end in ends if end is not None]
    return max(known).isoformat() if known and not _NOT_BOUND.search(text) else ""


def _last_day(when: Date) -> day_of | None:
    from calendar import monthrange  # imported late for a fast start

    if not when.year:
        return None
    month = when.month // 100 * 3 if when.month > 12 else when.month or 12
    try:
        return day_of(when.year, month, when.day or monthrange(when.year, month)[1])
    except ValueError:
        return None


def _dates(text: str) -> Iterator[tuple[int, Date]]:
    """Yields start offset and value of each date in a text, also of a year without a month."""
    taken = []
    for start, end, when in dates_in(text):
        taken.append((start, end))
        yield start, when
    for year in _YEAR_ALONE.finditer(text):
        if not any(start <= year.start() < end for start, end in taken):
            yield year.start(), Date(int(year[0]), 0, 0)


def _bounds(text: str, at: int) -> bool:
    """Returns whether the words before a date make it the end of a period: "until 2024-01-31"."""
    found = _UNTIL.search(text[max(0, at - _REACH) : at])
    return found is not None and not _is_over(text, at)


def _is_over(text: str, at: int) -> bool:
    """Returns whether the clause before a date is about the past: "We used Redis until"."""
    clause = _CLAUSE_END.split(text[max(0, at - _REACH) : at])[-1].lower()
    words = _WORD.findall(clause)
    for before, word in zip(("", *words), words, strict=False):
        if word in _PAST or (word.endswith("ed") and before not in _PASSIVE):
            return True
    return False


_ONE_DAY = timedelta(days=1)
_PERIODS = "day|week|month|quarter|year"
_AMOUNTS = lexicon.AMOUNTS | CARDINALS
_RELATIVE = compiled(
    rf"\b(?:(?P<named>{'|'.join(lexicon.NAMED)})"
    rf"|(?P<amount>\d{{1,3}}|{'|'.join(_AMOUNTS)}) (?P<counted>{_PERIODS})s? "
    rf"(?P<direction>ago|from now)"
    rf"|been \w+ing [^.;:()]{{0,60}}?"
    rf"(?P<lasting>for (?P<length>\d{{1,3}}|{'|'.join(_AMOUNTS)}) (?P<lasted>{_PERIODS})s?)"
    rf"|(?P<side>last|previous|this|next|coming) (?:(?P<unit>{_PERIODS}|weekend)"
    rf"|(?P<weekday>{WEEKDAY})|(?P<part>{'|'.join(lexicon.PARTS)})))\b",
    re.IGNORECASE,
)


class Resolved(NamedTuple):
    """A relative time such as "last week" (`words`), and its first and last day as ISO dates."""

    words: str
    first: str
    last: str


def resolved(text: str, on: day_of) -> tuple[Resolved, ...]:
    """Returns the relative times in a text that was written on the day `on`, in the order of the
    text. A week begins on Monday. “Has been running for a month” resolves to the time of its
    beginning."""
    found = []
    for m in _RELATIVE.finditer(text):
        try:
            first, last = _span(m.groupdict(), on)
        except (OverflowError, ValueError):  # a day before the year 1 or after the year 9999
            continue
        found.append(Resolved(m["lasting"] or m[0], first.isoformat(), last.isoformat()))
    return tuple(found)


def resolved_since(text: str, when: str) -> list[dict[str, str]]:
    """Returns the relative times in a text that was written at an ISO time, as records. Returns an
    empty list if that time is not known."""
    try:
        return [r._asdict() for r in resolved(text, day_of.fromisoformat(when[:10]))]
    except ValueError:
        return []


def _span(words: dict[str, str | None], on: day_of) -> tuple[day_of, day_of]:
    parts = {name: (value or "").lower() for name, value in words.items()}
    if parts["named"]:
        day = on + lexicon.NAMED[parts["named"]] * _ONE_DAY
        return day, day
    if parts["counted"]:
        back = 1 if parts["direction"] == "from now" else -1
        return _period(parts["counted"], back * _number(parts["amount"]), on)
    if parts["lasted"]:
        return _period(parts["lasted"], -_number(parts["length"]), on)
    step = -1 if parts["side"] in ("last", "previous") else 0 if parts["side"] == "this" else 1
    if parts["weekday"]:
        day = _weekday(WEEKDAYS[parts["weekday"]] - 1, step, on)
        return day, day
    if parts["part"]:
        day = on + step * _ONE_DAY
        return day, day
    return _period(parts["unit"], step, on)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _AMOUNTS[word]


def _weekday(number: int, step: int, on: day_of) -> day_of:
    """Returns the nearest weekday `number` (0 is Monday): before `on` if `step` is negative, after
    `on` if it is positive, and in the week of `on` if it is 0."""
    if step < 0:
        return on - ((on.weekday() - number - 1) % 7 + 1) * _ONE_DAY
    if step > 0:
        return on + ((number - on.weekday() - 1) % 7 + 1) * _ONE_DAY
    return on + (number - on.weekday()) * _ONE_DAY


def _period(unit: str, step: int, on: day_of) -> tuple[day_of, day_of]:
    if unit in ("day", "week", "weekend"):
        if unit == "day":
            return on + step * _ONE_DAY, on + step * _ONE_DAY
        monday = on - on.weekday() * _ONE_DAY + 7 * step * _ONE_DAY
        return (monday + 5 * _ONE_DAY if unit == "weekend" else monday), monday + 6 * _ONE_DAY
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    start = _months(on.year, (on.month - 1) // months * months + months * step)
    after = _months(start.year, start.month - 1 + months)
    return start, after - _ONE_DAY


def _months(year: int, months: int) -> day_of:
    """Returns the first day of the month that is `months` after January of a year."""
    return day_of(year + months // 12, months % 12 + 1, 1)

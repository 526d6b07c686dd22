"""Dates in many spellings, as (year, month, day), 0 for what is not said (a century too); none
that are relative."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from re import Pattern
from typing import NamedTuple

from grounded_ingest.text.lexicon.number_words import MONTH, MONTHS
from grounded_ingest.text.patterns import compiled


class Date(NamedTuple):
    year: int
    month: int
    day: int


YEAR = r"(?:1\d|20)\d\d"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_IN_TEXT = compiled(
    rf"(?<![\w.])(?:{YEAR}-(?:0\d|1[0-2])(?:-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?)?(?!-?\d)"
    rf"|\d{{1,2}}\.\d{{1,2}}\.(?:19|20)\d\d|\d{{1,2}}/\d{{1,2}}/(?:{YEAR}|\d\d)(?!/)"
    rf"|(?:{MONTH})\.? {_DAY},? {YEAR}|{_DAY} (?:of )?(?:{MONTH})\.?,? {YEAR}"
    rf"|(?:{MONTH})\.?,? (?:of )?{YEAR}|(?:{MONTH})\.? {_DAY}(?!\d)|{_DAY} (?:of )?(?:{MONTH})"
    rf"|q[1-4][ /-]?{YEAR})(?!\w)",
    2,
)


@cache
def _patterns() -> tuple[Pattern[str], ...]:
    month = rf"(?P<month>{MONTH})\.?"
    day = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
    year = r"(?P<year>(?:19|20)\d\d)"
    any_year = rf"(?P<year>{YEAR})"
    months = tuple({name[:3] for name in MONTHS})
    written: dict[str, tuple[str, ...]] = {
        rf"{any_year}-(?P<m>\d\d)(?:-(?P<day>\d\d)(?:t[\d:.z+-]*)?)?": ("-",),
        rf"{year}[-/.](?P<m>\d{{1,2}})(?:[-/.](?P<day>\d{{1,2}}))?(?:t[\d:.z+-]*)?": (
            "-",
            "/",
            ".",
        ),
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
    """The date a text is, as a whole; None for anything else."""
    if not any(c.isdigit() for c in text):
        return None
    text = text.lower().strip(" .,").replace(" ,", ",")
    for pattern in _patterns():
        found = pattern.fullmatch(text)
        if found is None:
            continue
        said = found.groupdict()
        month = int(said.get("m") or 0) or MONTHS.get(said.get("month") or "", 0)
        quarter = int(said.get("quarter") or 0)
        written = Date(
            int(said.get("year") or 0), month or 100 * quarter, int(said.get("day") or 0)
        )
        return written if (written.month <= 12 or quarter) and written.day <= 31 else None
    return None


def dates_in(text: str) -> Iterator[tuple[int, int, Date]]:
    """Yields the dates of a text that name more than a year, with where they begin and end."""
    for match in _IN_TEXT.finditer(text):
        if when := date(match[0]):
            yield *match.span(), when


def same_day(one: Date, other: Date) -> bool:
    """Whether two dates can be the same day: what both say is equal."""
    return all(not a or not b or a == b for a, b in zip(one, other, strict=True))


def entailed(known: Date, said: Date) -> bool:
    """Whether a date says no more than a known one."""
    return all(not b or a == b for a, b in zip(known, said, strict=True))


def months_between(earlier: Date, later: Date) -> int:
    """Whole months; a missing month counts as January on both sides."""
    return (later.year - earlier.year) * 12 + (later.month or 1) - (earlier.month or 1)

"""Numbers as they are compared: whether one bears another out."""

from __future__ import annotations

from typing import NamedTuple

from grounded_ingest.language.dates import Date, entailed, same_day
from grounded_ingest.language.number_words import DECIMAL, digits, number_key
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.versions import compatible

_DIGITS = compiled(DECIMAL)


class Amount(NamedTuple):
    """`low` to `high` in the first unit of `unit`: a dimension of `lexicon.units`, `date`, `era`,
    `clock`, `ordinal`, `version`, or "" for a bare number. `noun` is the stem of what is counted,
    `bound` `min`, `max`, `about`, `when` or "", `near` the roots around it, `label` the name it is
    assigned to. `side` is `from` or `to` in a range."""

    low: float
    high: float
    unit: str
    text: str
    start: int
    end: int
    noun: str = ""
    bound: str = ""
    when: Date | None = None
    parts: tuple[str, ...] = ()
    near: frozenset[str] = frozenset()
    label: str = ""
    side: str = ""


def dated(one: Amount) -> bool:
    return one.unit in ("date", "era") or is_year(one)


def is_year(one: Amount) -> bool:
    """Whether a bare number can be a year."""
    return (
        one.unit == "" and one.low == int(one.low) and 1000 <= one.low <= 2100
        and len(one.text) == 4 and one.text.isdigit()
    )  # fmt: skip


def year(one: Amount) -> int:
    """The year an amount names, 0 if none."""
    if one.unit == "date":
        return one.when.year if one.when else 0
    return int(one.low) if is_year(one) else 0


def bears_out_amount(said: Amount, known: Amount) -> bool:
    """Whether a source's number bears out a claim's. A count may be above a lower bound or near an
    approximate number."""
    if {said.bound, known.bound} == {"min", "max"}:
        return False
    if "era" in (said.unit, known.unit):
        return _in_era(said, known)
    if "date" in (said.unit, known.unit):
        return _same_date(said, known)
    if "ordinal" in (said.unit, known.unit):
        return said.unit == known.unit and said.low == known.low
    if "version" in (said.unit, known.unit):
        return _same_version(said, known)
    if said.unit != known.unit:
        if said.unit and known.unit:
            return False
        named = said.unit and known.label
        return said.low == known.low if named else _raw(said) == _raw(known)
    if abs(said.low - known.low) <= 1e-6 * max(abs(said.low), abs(known.low)):
        return True
    return _near_enough(said, known)


def _same_version(said: Amount, known: Amount) -> bool:
    """Whether a claim's version says no more than the source's."""
    if said.unit == known.unit:
        return len(said.parts) <= len(known.parts) and compatible(said.parts, known.parts)
    if said.unit == "version":
        return known.unit == "" and (
            said.parts == (number_key(known.low),)
            or (said.low == known.low and len(said.parts) == 2 and said.text[0].isdigit())
        )
    if not said.text[:1].isdigit():
        return False  # "three versions" is no version 3
    return said.unit == "" and (known.parts[0] == number_key(said.low) or said.low == known.low)


def _near_enough(said: Amount, known: Amount) -> bool:
    if said.bound == "min":
        if known.low % 1 and not said.low % 1 and said.noun:
            return False  # 3.10 is no count of three
        return said.low <= known.low <= said.low * 3 and known.bound != "max"
    if said.bound == "about" or known.bound == "about":
        return abs(said.low - known.low) <= 0.1 * max(said.low, known.low)
    return False


def _raw(one: Amount) -> str:
    """The number as written, without its unit."""
    if found := _DIGITS.search(one.text):
        return number_key(digits(found[0]))
    return one.text.split()[0].lower()


def _in_era(said: Amount, known: Amount) -> bool:
    if said.unit == known.unit:
        return min(said.high, known.high) - max(said.low, known.low) >= 9
    era, other = (said, known) if said.unit == "era" else (known, said)
    return era.low <= year(other) <= era.high


def _same_date(said: Amount, known: Amount) -> bool:
    if said.when and known.when:
        return entailed(known.when, said.when) and same_day(known.when, said.when)
    one, other = (said, known) if said.when else (known, said)
    return bool(one.when and year(other) == one.when.year) and one is known

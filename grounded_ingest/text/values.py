"""Reads numbers, amounts with units and versions, and compares two values."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from typing import Literal, NamedTuple

from msgspec import Struct

from grounded_ingest.text.dates import Date, date, entailed, same_day
from grounded_ingest.text.lexicon import fact_words
from grounded_ingest.text.lexicon.number_words import (
    CARDINALS,
    COUNTED,
    DIMENSIONS,
    EVERY,
    FRACTIONS,
    MAGNITUDES,
    PER,
    RATES,
    SCALES,
    TENS,
    UNITS,
    WEEKDAYS,
)  # fmt: skip
from grounded_ingest.text.names import canonical, word_stem
from grounded_ingest.text.patterns import compiled

_INTEGER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:_\d+)*)"
"""A pattern for whole numbers in prose and code: `86,400`, `86_400`. `3,12` is read as two."""

_DECIMAL = rf"{_INTEGER}(?:\.\d+)?"
_DIGITS = compiled(rf"[+-]?{_DECIMAL}")
_SCALED = compiled(rf"([+-]?{_DECIMAL})(k|m|mn|b|bn)")
_TENS = frozenset(TENS.values())


def number(word: str) -> float | None:
    """Returns the value of a number in digits (`1,000`, `10k`) or as a word ("ten"), or None."""
    if word[:1].isdigit() or word[:1] in "+-":
        if _DIGITS.fullmatch(word):
            return _digits(word)
        if scaled := _SCALED.fullmatch(word):
            return (number(scaled[1]) or 0.0) * MAGNITUDES[scaled[2]]
        return None
    found = CARDINALS.get(word)
    if found is not None:
        return float(found)
    tens, _, units = word.partition("-")
    if tens in TENS and 0 < UNITS.get(units, 0) < 10:
        return float(TENS[tens] + UNITS[units])
    return None


def _digits(written: str) -> float:
    return float(written.replace(",", "").replace("_", ""))


def _leading_number(words: list[str]) -> tuple[float, int] | None:
    """Returns the number at the start of lower-case words, and how many words it has: `two hundred
    and fifty`, `1.5 million`, `a dozen`, `twenty five`."""
    if not words:
        return None
    value = 1.0 if _is_one(words) else number(words[0])
    if value is None:
        return (float(FRACTIONS[words[0]]), 1) if words[0] in FRACTIONS else None
    taken, total = 1, 0.0
    while taken < len(words):
        word = words[taken]
        if scale := _scale(word):
            value *= scale
            if scale >= 1000:
                total, value = total + value, 0.0
        elif value % 100 in _TENS and 0 < UNITS.get(word, 0) < 10:
            value += UNITS[word]
        elif word == "and" and value % 100 == 0 and _below(words[taken + 1 :]):
            taken += 1
            value += number(words[taken]) or 0.0
        else:
            break
        taken += 1
    return total + value, taken


def _is_one(words: list[str]) -> bool:
    """Returns whether the article "a" means the number one: `a hundred`, `a dozen`."""
    return len(words) > 1 and words[0] in ("a", "an") and _scale(words[1]) > 0


def _scale(word: str) -> int:
    return 12 if word == "dozen" else SCALES.get(word, 0)


def _below(words: list[str]) -> bool:
    return bool(words) and not words[0][:1].isdigit() and number(words[0]) is not None


def _number_key(value: float) -> str:
    whole = isfinite(value) and value == int(value)  # 400 digits become infinity
    return str(int(value)) if whole else f"{value:.9g}"


_ATTACHED = compiled(rf"([$€£¥]?)({_DECIMAL})[ -]?([a-zµ%]*(?:/[a-z]+)?)")


_PER_WORDS = frozenset(("per", "a", "an", "/", "every", "each"))


class Quantity(NamedTuple):
    """An amount in the base unit of its dimension: seconds for "time", bytes for "size".
    `dimension` is empty for a bare number and "request/s" for a rate of requests."""

    amount: float
    dimension: str


UNITS_BY_NAME = {
    name: (dimension, size)
    for dimension, units in DIMENSIONS.items()
    for names, size in units
    for name in names.split()
}
"""Maps each name of a unit to its dimension and its size in base units."""
_PERIODS = {name: size for name, (kind, size) in UNITS_BY_NAME.items() if kind == "time"} | PER
"""Maps words that follow "per" and "every", such as "minute", to the length of this period in
seconds."""
COUNTED_NOUNS = {word: name for name, words in COUNTED.items() for word in words.split()}
"""Maps the counted nouns of rates, such as "requests" in "requests per second", to the rate."""


def quantity(words: list[str]) -> tuple[Quantity, int] | None:
    """Returns the quantity at the start of lower-case words, and how many words it has: `30 s`,
    `half a minute`, `1,000 requests per minute`, `weekly`."""
    if not words:
        return None
    if words[0] in EVERY:
        return Quantity(EVERY[words[0]], "time"), 1
    if words[0] in ("a", "an") and words[1:] and len(words[1]) > 2 and words[1] in UNITS_BY_NAME:
        return _one_unit(words)
    if words[0] in ("$", "€", "£", "¥"):
        found = quantity(words[1:2])
        return (Quantity(found[0].amount, UNITS_BY_NAME[words[0]][0]), 2) if found else None
    leading = _leading(words)
    if leading is None:
        return None
    amount, unit, taken = leading
    return _with_unit(amount, unit, words, taken if unit else _unit_start(words, taken))


def _one_unit(words: list[str]) -> tuple[Quantity, int]:
    """Returns the quantity for `an hour` or `an hour and a half`, and how many words it has."""
    name, size = UNITS_BY_NAME[words[1]]
    half = words[2:5] == ["and", "a", "half"]
    return Quantity(size * (1.5 if half else 1.0), name), 5 if half else 2


def _leading(words: list[str]) -> tuple[float, str, int] | None:
    """Returns the amount at the start of a list of words, the unit if it is written without a space
    (`30s`), and how many words both have."""
    attached = _attached(words[0])
    if attached is None:
        counts = _leading_number(words)
        return None if counts is None else (counts[0], "", counts[1])
    amount, unit = attached
    if not unit and len(words) > 1 and words[1] in SCALES:
        return amount * SCALES[words[1]], unit, 2
    return amount, unit, 1


def _unit_start(words: list[str], at: int) -> int:
    """Returns the index of the unit. Skips the word between amount and unit, as in `half a minute`
    and `30 - second`."""
    linked = words[at : at + 1] in (["a"], ["an"], ["of"])
    if linked and at + 1 < len(words) and words[at + 1] in UNITS_BY_NAME:
        at += 1
    return at + (words[at : at + 1] == ["-"])


def _attached(word: str) -> tuple[float, str] | None:
    """Returns amount and unit of a quantity that is written as one word: `30s`, `$50k`, `100req/s`,
    `30-second`. Returns None for any other word."""
    if not any(c.isdigit() for c in word):
        return None
    found = _ATTACHED.fullmatch(word)
    if found is None:
        return None
    unit = found[1] or found[3]
    if found[1] and found[3]:
        scaled = number(found[2] + found[3])
        return None if scaled is None else (scaled, found[1])
    if not unit or _is_measure(unit) or unit.partition("/")[0] in UNITS_BY_NAME:
        return _digits(found[2]), unit
    scaled = number(word)
    return None if scaled is None else (scaled, "")


def _with_unit(
    amount: float, unit: str, words: list[str], taken: int
) -> tuple[Quantity, int] | None:
    if not unit and taken < len(words) and _is_measure(words[taken]):
        unit, taken = words[taken], taken + 1
    head, _, per = unit.partition("/")
    if unit in RATES:
        name, size = RATES[unit]
        return Quantity(amount / size, f"{name}/s"), taken
    behind = words[taken : taken + 2]
    if not per and len(behind) == 2 and behind[0] in _PER_WORDS and behind[1] in _PERIODS:
        per, taken = behind[1], taken + 2
    name, size = UNITS_BY_NAME.get(head, ("", 1.0))
    name = name or COUNTED_NOUNS.get(head, "")
    if per in _PERIODS:
        return Quantity(amount * size / _PERIODS[per], f"{name or 'unit'}/s"), taken
    if name in COUNTED:
        return Quantity(amount, ""), taken
    return Quantity(amount * size, name), taken


def _is_measure(word: str) -> bool:
    return word in UNITS_BY_NAME or word in RATES or word.partition("/")[0] in COUNTED_NOUNS


_VERSION = compiled(
    r"v?(\d+(?:\.(?:\d+|[x*]))*)(\+|(?:[-.]?(?:alpha|beta|rc|dev|lts|post)[\w.]*)?)"
)


def version(text: str) -> tuple[str, ...] | None:
    """Returns the parts of a version: ("3", "11") for `v3.11.x`. Returns None if the text is not a
    version."""
    found = _VERSION.fullmatch(text.lower().strip())
    if found is None:
        return None
    parts = [p for p in found[1].split(".") if p not in ("x", "*")]
    tail = found[2].strip("-.") if found[2] not in ("", "+") and "lts" not in found[2] else ""
    return (*parts, *([tail] if tail else []))


def _are_compatible(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Returns whether two versions are equal in the parts that both have, as 15 and 15.2."""
    return all(a == b for a, b in zip(one, other, strict=False))


_NOISE = frozenset(fact_words.VALUES_NOISE.split())
_MEMBERS = frozenset(fact_words.VALUES_MEMBERS.split())


class Normal(Struct, frozen=True):
    """A value in a form that can be compared: `1,000 ms` and `1 s` have the same `key`. `parts` are
    the parts of a version or name, for a comparison with a less exact value."""

    kind: Literal["quantity", "date", "version", "name", "flag"]
    key: str
    parts: tuple[str, ...] = ()
    amount: float = 0.0
    date: Date | None = None


_FLAGS = {
    "true": "true", "yes": "true", "enabled": "true", "on": "true", "active": "true",
    "false": "false", "no": "false", "disabled": "false", "off": "false", "inactive": "false",
}  # fmt: skip


@lru_cache(maxsize=32768)
def normal(text: str) -> Normal:
    """Reads a value in any spelling: `1,000 ms` and `1 s` give the same result."""
    lowered = " ".join(text.lower().replace("’", "'").split()).strip("\"'`*_.,;:")
    if lowered in _FLAGS:
        return Normal("flag", _FLAGS[lowered])
    if (when := date(lowered)) is not None and (when.month or when.year > 1900):
        key = "-".join(str(p) for p in when)
        return Normal("date", key, date=when)
    if len(lowered) > 2 and lowered in UNITS_BY_NAME:
        lowered = f"1 {lowered}"
    if (amount := _whole_quantity(lowered)) is not None:
        exact = version(lowered) or () if not amount.dimension else ()
        key = f"{_number_key(amount.amount)} {amount.dimension}".strip()
        return Normal("quantity", key, (amount.dimension, *exact), amount.amount)
    parts = version(lowered)
    if parts is not None and ("." in lowered or lowered.startswith("v")):
        return Normal("version", ".".join(parts), parts)
    if time := _named_time(lowered):
        return Normal("name", time, (time,))
    name = canonical(lowered)
    return Normal("name", name, _parts(name))


_CLOCK = compiled(r"(\d{1,2})(?::(\d\d))?(?::\d\d)? ?([ap]m)?")


def clock(lowered: str) -> str:
    """Returns a time of day in 24 hours: "02:00" for `2 am`. Returns an empty string for any other
    text."""
    if lowered in ("midnight", "noon"):
        return "00:00" if lowered == "midnight" else "12:00"
    found = _CLOCK.fullmatch(lowered)
    if found is None or not (found[2] or found[3]):
        return ""
    hour = int(found[1]) % 12 + 12 * (found[3] == "pm") if found[3] else int(found[1])
    return f"{hour:02}:{found[2] or '00'}"


def _whole_quantity(lowered: str) -> Quantity | None:
    hyphened = "-" in lowered and lowered[0].isdigit()
    words = (lowered.replace("-", " - ") if hyphened else lowered).split()
    found = quantity(words)
    return found[0] if found is not None and found[1] == len(words) else None


def _named_time(lowered: str) -> str:
    """Returns "02:00" for `2 am`, "weekday 1" for `monday` and `mondays`, else an empty string."""
    if time := clock(lowered):
        return time
    day = WEEKDAYS.get(lowered.removesuffix("s") if lowered.endswith("days") else lowered)
    return f"weekday {day}" if day else ""


def _parts(name: str) -> tuple[str, ...]:
    words = (w.strip("\"'`.,()") for w in name.replace("/", " ").replace("-", " ").split())
    kept = []
    for word in words:
        if not word or word in _NOISE:
            continue
        value = number(word)
        kept.append(_number_key(value) if value is not None else word_stem(canonical(word)))
    return tuple(kept)


def _numeric(one: Normal) -> tuple[str, ...] | None:
    if one.kind == "version":
        return one.parts
    if one.kind == "quantity" and not one.parts[0]:
        return one.parts[1:] or (_number_key(one.amount),)
    if one.kind == "date" and one.date and not one.date.month:
        return (str(one.date.year),)
    return None


def same(one: Normal, other: Normal, *, versions: bool = False) -> bool:
    """Returns whether two values are the same. If `versions` is true, bare numbers are compared as
    versions, so that 15 equals 15.2."""
    if one.key == other.key and one.kind == other.kind and not (versions and one.parts[1:]):
        return True
    mine, theirs = _numeric(one), _numeric(other)
    if mine and theirs:
        return _are_compatible(mine, theirs) if versions else _same_number(one, other)
    return one.kind == other.kind and _same_of_kind(one, other)


def _same_number(one: Normal, other: Normal) -> bool:
    if one.kind == other.kind == "quantity":
        return one.amount == other.amount
    return _numeric(one) == _numeric(other)


def _same_of_kind(one: Normal, other: Normal) -> bool:
    if one.kind == "quantity":  # of one dimension; differences from rounding to a unit are ignored
        near = 1e-6 * max(abs(one.amount), abs(other.amount), 1e-12)
        return one.parts[0] == other.parts[0] and abs(one.amount - other.amount) <= near
    if one.kind == "date":
        return bool(one.date and other.date and same_day(one.date, other.date))
    if one.kind == "version":
        return _are_compatible(one.parts, other.parts)
    return one.kind == "name" and _joined(one) == _joined(other)


def _joined(one: Normal) -> str:
    return "".join(sorted(set(one.parts) - _MEMBERS)) or one.key


def entails(known: Normal, said: Normal) -> bool:
    """Returns whether a known value confirms a less exact one: "Nice, France" confirms Nice."""
    if known.kind == said.kind == "date":
        return bool(known.date and said.date and entailed(known.date, said.date))
    if same(known, said):
        return True
    if known.kind == said.kind == "name" and said.parts:
        return set(said.parts) <= set(known.parts)
    return False

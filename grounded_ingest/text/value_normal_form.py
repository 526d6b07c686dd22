"""The normal form of one value, and whether two values are the same."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from grounded_ingest.text.dates import Date, date, entailed, same_day
from grounded_ingest.text.lexicon import frame_words
from grounded_ingest.text.lexicon.number_words import WEEKDAYS
from grounded_ingest.text.number_words import number, number_key
from grounded_ingest.text.quantities import Quantity, is_unit, quantity
from grounded_ingest.text.stemming import canonical, word_stem
from grounded_ingest.text.versions import compatible, version

_NOISE = frozenset(frame_words.VALUES_NOISE.split())
_MEMBERS = frozenset(frame_words.VALUES_MEMBERS.split())


class Normal(Struct, frozen=True):
    """`key` is equal for equal values; `parts` are what two values of one kind are compared by."""

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
    """The normal form of a value as written."""
    lowered = " ".join(text.lower().replace("’", "'").split()).strip("\"'`*_.,;:")
    if lowered in _FLAGS:
        return Normal("flag", _FLAGS[lowered])
    if (when := date(lowered)) is not None and (when.month or when.year > 1900):
        key = "-".join(str(p) for p in when)
        return Normal("date", key, date=when)
    if len(lowered) > 3 and is_unit(lowered):
        lowered = f"1 {lowered}"
    if (amount := _whole_quantity(lowered)) is not None:
        exact = version(lowered) or () if not amount.dimension else ()
        key = f"{number_key(amount.amount)} {amount.dimension}".strip()
        return Normal("quantity", key, (amount.dimension, *exact), amount.amount)
    parts = version(lowered)
    if parts is not None and ("." in lowered or lowered.startswith("v")):
        return Normal("version", ".".join(parts), parts)
    if day := _weekday(lowered):
        return Normal("name", f"weekday {day}", (f"weekday{day}",))
    name = canonical(lowered)
    return Normal("name", name, _parts(name))


def _whole_quantity(lowered: str) -> Quantity | None:
    """A quantity that is all of a text."""
    hyphened = "-" in lowered and lowered[0].isdigit()
    words = (lowered.replace("-", " - ") if hyphened else lowered).split()
    found = quantity(words)
    return found[0] if found is not None and found[1] == len(words) else None


def _weekday(lowered: str) -> int | None:
    """The number of a day by its name, alone or several of them (`mondays`)."""
    return WEEKDAYS.get(lowered.removesuffix("s") if lowered.endswith("days") else lowered)


def _parts(name: str) -> tuple[str, ...]:
    words = (w.strip("\"'`.,()") for w in name.replace("/", " ").replace("-", " ").split())
    kept = []
    for word in words:
        if not word or word in _NOISE:
            continue
        value = number(word)
        kept.append(number_key(value) if value is not None else word_stem(canonical(word)))
    return tuple(kept)


def _numeric(one: Normal) -> tuple[str, ...] | None:
    if one.kind == "version":
        return one.parts
    if one.kind == "quantity" and not one.parts[0]:
        return one.parts[1:] or (number_key(one.amount),)
    if one.kind == "date" and one.date and not one.date.month:
        return (str(one.date.year),)
    return None


def same(one: Normal, other: Normal, *, versions: bool = False) -> bool:
    """Whether two values say the same. `versions`: bare numbers are versions, 15 is 15.2."""
    if one.key == other.key and one.kind == other.kind and not (versions and one.parts[1:]):
        return True
    mine, theirs = _numeric(one), _numeric(other)
    if mine and theirs:
        return compatible(mine, theirs) if versions else _same_number(one, other)
    return one.kind == other.kind and _same_of_kind(one, other)


def _same_of_kind(one: Normal, other: Normal) -> bool:
    match one.kind:
        case "quantity":
            return _close(one, other)
        case "date":
            return bool(one.date and other.date and same_day(one.date, other.date))
        case "version":
            return compatible(one.parts, other.parts)
        case "name":
            return _joined(one) == _joined(other)
        case "flag":
            return False


def _same_number(one: Normal, other: Normal) -> bool:
    """Whether two bare numbers are equal, as amounts or as they are written."""
    if one.kind == other.kind == "quantity":
        return one.amount == other.amount
    return _numeric(one) == _numeric(other)


def _close(one: Normal, other: Normal) -> bool:
    """Equal amounts; a bare number goes with any unit of the same amount as written."""
    if one.parts[0] != other.parts[0]:
        return False
    return abs(one.amount - other.amount) <= 1e-6 * max(abs(one.amount), abs(other.amount), 1e-12)


def _joined(one: Normal) -> str:
    return "".join(sorted(set(one.parts) - _MEMBERS)) or one.key


def entails(known: Normal, said: Normal) -> bool:
    """Whether a value says no more than a known one: Seattle, of Seattle, Washington."""
    if known.kind == said.kind == "date":
        return bool(known.date and said.date and entailed(known.date, said.date))
    if same(known, said):
        return True
    if known.kind == said.kind == "name" and said.parts:
        return set(said.parts) <= set(known.parts)
    return False

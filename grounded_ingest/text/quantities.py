"""Amounts with units, in the base unit of their dimension."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from grounded_ingest.text.lexicon.number_words import SCALES
from grounded_ingest.text.lexicon.units import COUNTED, DIMENSIONS, EVERY, PER, RATES
from grounded_ingest.text.number_words import DECIMAL, digits, leading_number, number
from grounded_ingest.text.patterns import compiled

_ATTACHED = compiled(rf"([$€£¥]?)({DECIMAL})[ -]?([a-zµ%]*(?:/[a-z]+)?)")


_PER_WORDS = frozenset(("per", "a", "an", "/", "every", "each"))


class Quantity(NamedTuple):
    """`dimension` is empty for a bare number; of a rate it is `request/s`."""

    amount: float
    dimension: str


@cache
def units() -> dict[str, tuple[str, float]]:
    """Dimension of a unit, and its size in the dimension's first one, by each of its names."""
    return {
        name: (dimension, size)
        for dimension, units in DIMENSIONS.items()
        for names, size in units
        for name in names.split()
    }


@cache
def _per() -> dict[str, float]:
    """Seconds of what follows `per` and `every`."""
    times = {name: size for name, (dimension, size) in units().items() if dimension == "time"}
    return times | PER


@cache
def _counted() -> dict[str, str]:
    return {word: name for name, words in COUNTED.items() for word in words.split()}


def is_unit(word: str) -> bool:
    return word in units()


def counted(word: str) -> bool:
    return word in _counted()


def quantity(words: list[str]) -> tuple[Quantity, int] | None:
    """The quantity at the start of lower-case words, and how many of them it takes.

    `30 s`, `30s`, `half a minute`, `1,000 requests per minute`, `5 MB`, `$20`, `weekly`.
    """
    if not words:
        return None
    if words[0] in EVERY:
        return Quantity(EVERY[words[0]], "time"), 1
    if words[0] in ("a", "an") and words[1:] and len(words[1]) > 2 and words[1] in units():
        return _one_unit(words)
    if words[0] in ("$", "€", "£", "¥"):
        found = quantity(words[1:2])
        return (Quantity(found[0].amount, units()[words[0]][0]), 2) if found else None
    leading = _leading(words)
    if leading is None:
        return None
    amount, unit, taken = leading
    return _with_unit(amount, unit, words, taken if unit else _unit_start(words, taken))


def _one_unit(words: list[str]) -> tuple[Quantity, int]:
    """`an hour`, `an hour and a half`."""
    name, size = units()[words[1]]
    half = words[2:5] == ["and", "a", "half"]
    return Quantity(size * (1.5 if half else 1.0), name), 5 if half else 2


def _leading(words: list[str]) -> tuple[float, str, int] | None:
    """The amount words begin with, the unit written to it, and how many words both take."""
    attached = _attached(words[0])
    if attached is None:
        counts = leading_number(words)
        return None if counts is None else (counts[0], "", counts[1])
    amount, unit = attached
    if not unit and len(words) > 1 and words[1] in SCALES:
        return amount * SCALES[words[1]], unit, 2
    return amount, unit, 1


def _unit_start(words: list[str], at: int) -> int:
    """The index behind what joins an amount to its unit: `half a minute`, `30 - second`."""
    linked = words[at : at + 1] in (["a"], ["an"], ["of"])
    if linked and at + 1 < len(words) and words[at + 1] in units():
        at += 1
    return at + (words[at : at + 1] == ["-"])


def _attached(word: str) -> tuple[float, str] | None:
    """Amount and unit written as one word: `30s`, `$50k`, `100req/s`, `30-second`."""
    if not any(c.isdigit() for c in word):
        return None
    found = _ATTACHED.fullmatch(word)
    if found is None:
        return None
    unit = found[1] or found[3]
    amount = digits(found[2])
    if found[1] and found[3]:
        scaled = number(found[2] + found[3])
        return None if scaled is None else (scaled, found[1])
    head = unit.partition("/")[0]
    if not unit or unit in units() or unit in RATES or head in units() or head in _counted():
        return amount, unit
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
    if not per and len(behind) == 2 and behind[0] in _PER_WORDS and behind[1] in _per():
        per, taken = behind[1], taken + 2
    name, size = units().get(head, ("", 1.0))
    name = name or _counted().get(head, "")
    if per in _per():
        return Quantity(amount * size / _per()[per], f"{name or 'unit'}/s"), taken
    if name in COUNTED:
        return Quantity(amount, ""), taken
    return Quantity(amount * size, name), taken


def _is_measure(word: str) -> bool:
    return word in units() or word in RATES or word.partition("/")[0] in _counted()

"""Numbers as digits and as words."""

from __future__ import annotations

from math import isfinite

from grounded_ingest.text.lexicon.number_words import (
    CARDINALS,
    FRACTIONS,
    SCALES,
    TENS,
    UNITS,
)
from grounded_ingest.text.lexicon.units import MAGNITUDES
from grounded_ingest.text.patterns import compiled

CODE_INTEGER = r"\d+(?:_\d+)*"
INTEGER = rf"(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|{CODE_INTEGER})"
"""Whole numbers as code and as prose write them: `86_400`, `86,400`. `3,12` are two."""

DECIMAL = rf"{INTEGER}(?:\.\d+)?"
_DIGITS = compiled(rf"[+-]?{DECIMAL}")
_SCALED = compiled(rf"([+-]?{DECIMAL})(k|m|mn|b|bn)")
_TENS = frozenset(TENS.values())


def number(word: str) -> float | None:
    """The value of digits (`1,000`, `10k`) or of one number word; None for anything else."""
    if word[:1].isdigit() or word[:1] in "+-":
        if _DIGITS.fullmatch(word):
            return digits(word)
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


def digits(written: str) -> float:
    """The value of a number in digits, what sets off its thousands left out."""
    return float(written.replace(",", "").replace("_", ""))


def leading_number(words: list[str]) -> tuple[float, int] | None:
    """The number at the start of lower-case words, and how many of them it takes.

    `two hundred and fifty`, `1.5 million`, `a dozen`, `twenty five`.
    """
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
    """Whether an article stands for one: `a hundred`, `a dozen`."""
    return len(words) > 1 and words[0] in ("a", "an") and _scale(words[1]) > 0


def _scale(word: str) -> int:
    return 12 if word == "dozen" else SCALES.get(word, 0)


def _below(words: list[str]) -> bool:
    return bool(words) and not words[0][:1].isdigit() and number(words[0]) is not None


def number_key(value: float) -> str:
    """A number as a key: 30, not 30.0."""
    whole = isfinite(value) and value == int(value)  # a word of 400 digits is infinite
    return str(int(value)) if whole else f"{value:.9g}"

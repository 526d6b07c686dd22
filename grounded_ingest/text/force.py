"""Finds the words that change what a text claims while names, values and verbs stay."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from grounded_ingest.text.lexicon import force_words as lexicon
from grounded_ingest.text.lexicon import negation
from grounded_ingest.text.patterns import compiled

_CODE = compiled(r"`[^`]+`")
_DISOWNS = compiled(lexicon.DISOWNS)
_POINTING = compiled(lexicon.POINTING)
_POINTS_ON, _POINTS_BACK = compiled(lexicon.POINTS_ON), compiled(lexicon.POINTS_BACK)
_STATUS_HEADER, _NO_CELL = compiled(lexicon.STATUS_HEADER), compiled(lexicon.NO_CELL)
_CELL = 4
"""Words of the longest cell that is a status."""
_NO_WORD = compiled(lexicon.NO_FORCE)


class ForceWord(Struct, frozen=True):
    """A word, where it begins, and whether it denies."""

    text: str
    start: int
    denies: bool


@cache
def _words() -> dict[str, bool]:
    """Returns every word of force, and whether it denies."""
    found = dict.fromkeys(lexicon.CHANGING.split(), False)
    found |= dict.fromkeys((*lexicon.DENYING.split(), *negation.CONTRACTIONS.split()), True)
    return {word.replace("-", " "): denies for word, denies in found.items()}


@cache
def _pattern() -> re.Pattern[str]:
    words = sorted((w for w in _words() if w != "n't"), key=len, reverse=True)
    return compiled(rf"(?<![\w`.-])(?:{'|'.join(map(re.escape, words))})(?![\w`-]|\.\w)")


def force_words(text: str) -> tuple[ForceWord, ...]:
    """In order; inside code there are none."""
    plain = _CODE.sub(lambda m: " " * len(m[0]), text.lower().replace("’", "'"))
    for left_out in (_NO_WORD, _POINTING):
        plain = left_out.sub(lambda m: " " * len(m[0]), plain)
    return tuple(ForceWord(m[0], m.start(), _words()[m[0]]) for m in _pattern().finditer(plain))


def disowning(text: str) -> str:
    """The word by which a heading or lead-in says that what stands below does not hold now."""
    found = _DISOWNS.search(text)
    return found[0] if found else ""


def taken_back(before: str, behind: str) -> str:
    """The sentence beside a statement that takes it back: one before it that points on, or one
    behind it that points back."""
    for text, points in ((before, _POINTS_ON), (behind, _POINTS_BACK)):
        if points.search(text) and disowning(text):
            return text
    return ""


def denying_cell(cell: str) -> bool:
    """Whether a cell of a row, as "header: value", says that the row does not hold."""
    header, _, value = cell.rpartition(": ")
    if len(value.split()) > _CELL or not _STATUS_HEADER.search(header):
        return False
    return bool(_NO_CELL.match(value)) or bool(disowning(value))

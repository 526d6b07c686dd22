"""Finds the one name that a misspelt name most likely means."""

from __future__ import annotations

import re
from collections.abc import Iterable

SHORTEST = 5
"""Letters and digits of the shortest name that may be misspelt by one of them: in a shorter one a
letter makes another word."""


def near_name(name: str, names: Iterable[str]) -> str:
    """Returns the only one of `names` that equals `name` but for case and punctuation, else the
    only one that has the same words in another order, or that differs by one letter or two swapped
    ones; empty if there is none or several."""
    others = [n for n in names if n != name]
    if same := [n for n in others if is_same_but_for_signs(n, name)]:
        return same[0] if len(same) == 1 else ""
    bare, words = _bare(name), _words(name)
    near = [n for n in others if _words(n) == words or _one_edit(bare, _bare(n))]
    return near[0] if len(near) == 1 else ""


def is_same_but_for_signs(name: str, other: str) -> bool:
    """Whether two names have the same letters and digits."""
    return _bare(name) == _bare(other)


def _words(name: str) -> list[str]:
    return sorted(re.findall(r"[^\W_]+", name.casefold()))


def _bare(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _one_edit(one: str, other: str) -> bool:
    """Whether a letter is missing, added, changed or swapped with the next; never the first, and
    never a digit, which counts things that are alike."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < SHORTEST:
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), -1)
    start = min(len(one), len(other)) if start < 0 else start
    rest, others = one[start:], other[start:]
    swapped = rest[:2] == others[1::-1] and rest[2:] == others[2:]
    same = rest[1:] == others or rest == others[1:] or rest[1:] == others[1:] or swapped
    return start > 0 and same and not any(c.isdigit() for c in rest[:1] + others[:1])

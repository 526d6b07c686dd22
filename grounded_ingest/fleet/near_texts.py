"""Pairs of nearly equal texts among those that share a key: enough to connect all that are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple

EPSILON = 1e-9
"""What a product of the threshold may be off by."""


class DistinctText(NamedTuple):
    """A text as it is compared: its key (`claims.said`) and its words, with whatever is told of
    it."""

    said: int
    words: frozenset[int]
    told: dict[str, object]


NearPair = tuple[DistinctText, DistinctText, float]


def similarity(one: frozenset[int], other: frozenset[int]) -> float:
    """Jaccard of two sets that are not both empty."""
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def near_pairs(texts: Sequence[DistinctText], threshold: float) -> Iterator[NearPair]:
    """Pairs at the threshold or above, less than there are texts, that connect all which are.

    Two sets at a Jaccard of t share one of the n - ceil(t n) + 1 rarest words of each (prefix
    filtering: Chaudhuri, Ganti and Kaushik, ICDE 2006), and what stands behind the first that they
    share has to be enough (positional filtering: Xiao, Wang, Lin and Yu, WWW 2008). A text is not
    compared with what is connected to it already. So a thousand copies of a template cost a
    thousand comparisons, and one that misses the threshold none.
    """
    count = Counter(word for text in texts for word in text.words)
    parent = list(range(len(texts)))
    by_word: dict[int, dict[_Slot, dict[int, list[int]]]] = {}
    for number, text in enumerate(texts):
        size = len(text.words)
        rare = sorted(text.words, key=lambda w: (count[w], w))
        prefix = rare[: size - ceil(threshold * size - EPSILON) + 1]
        slots = [_Slot(size, position) for position in range(len(prefix))]
        for word, slot in zip(prefix, slots, strict=True):
            held = by_word.get(word, {})
            for other in held:
                if _enough(slot, other, threshold):
                    held[other] = parts = _by_root(held[other], parent)
                    yield from _connected(number, parts, texts, parent, threshold)
        for word, slot in zip(prefix, slots, strict=True):
            parts = by_word.setdefault(word, {}).setdefault(slot, {})
            parts.setdefault(_root(parent, number), []).append(number)


class _Slot(NamedTuple):
    """Where a word stands in a text of so many words, the rarest first."""

    size: int
    position: int


def _enough(one: _Slot, other: _Slot, threshold: float) -> bool:
    """Whether two texts whose first common word is this one can be near."""
    left = min(one.size - one.position, other.size - other.position)
    return left >= threshold / (1 + threshold) * (one.size + other.size) - EPSILON


def _connected(
    number: int,
    parts: dict[int, list[int]],
    texts: Sequence[DistinctText],
    parent: list[int],
    threshold: float,
) -> Iterator[NearPair]:
    """Connect a text to each part that has one near it."""
    for part, members in parts.items():
        if _root(parent, part) == _root(parent, number):
            continue
        for member in members:
            found = similarity(texts[number].words, texts[member].words)
            if found >= threshold:
                parent[_root(parent, number)] = _root(parent, member)
                yield texts[member], texts[number], found
                break


def _root(parent: list[int], node: int) -> int:
    while parent[node] != node:
        parent[node] = node = parent[parent[node]]
    return node


def _by_root(parts: dict[int, list[int]], parent: list[int]) -> dict[int, list[int]]:
    """The texts with a word, by what they are connected to by now."""
    if all(parent[part] == part for part in parts):
        return parts
    merged: dict[int, list[int]] = {}
    for part, members in sorted(parts.items(), key=lambda p: -len(p[1])):
        merged.setdefault(_root(parent, part), []).extend(members)
    return merged

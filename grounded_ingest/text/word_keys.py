"""The keys under which an exact index finds their near-duplicates.

At a Jaccard threshold t, a set of n words and any partner differ by at most n(1-t)/t words. Hashed
word by word into one group more than they may differ by, two such sets agree in at least one
group, so that equal keys find every pair and a comparison of the sets decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import ceil, floor

from grounded_ingest.model.digests import blake2b

_SIGN, _WHOLE = 1 << 63, (1 << 64) - 1


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """|A ∩ B| / |A ∪ B|; 0 for two empty sets."""
    common = len(one & other)
    union = len(one) + len(other) - common
    return common / union if union else 0.0


def _digest(parts: Iterable[str]) -> int:
    raw = blake2b("\0".join(parts).encode(), digest_size=8).digest()
    return int.from_bytes(raw, "big", signed=True)


def allowed_differences(size: int, threshold: float) -> int:
    """By how many words a set of `size` may differ from any partner that is not smaller."""
    return floor(size * (1 - threshold) / threshold + 1e-9)


@lru_cache(maxsize=1 << 15)
def word_hash(word: str) -> int:
    """64 bits of a word, the same on every machine."""
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")


@lru_cache(maxsize=1 << 12)
def _salt(allowed: int, index: int) -> int:
    return word_hash(f"\0{allowed} {index}")


def _signed(key: int) -> int:
    """As SQLite keeps integers."""
    return ((key + _SIGN) & _WHOLE) - _SIGN


_EXACT, _STEP = 16, 1.25
"""Differences up to which each number of them has keys of its own, and the step beyond: more groups
than needed find the same pairs, and a set of many words has no more keys than words."""


@lru_cache(maxsize=1 << 12)
def allowances(size: int, threshold: float) -> tuple[int, ...]:
    """How many differences to allow for, one or more, so that a set of `size` meets each partner
    at a number that both allow for."""
    smallest = ceil(size * threshold - 1e-9)
    least, most = (
        max(1, allowed_differences(smallest, threshold)),
        allowed_differences(size, threshold),
    )
    found: list[int] = []
    while least <= most:
        found.append(_rounded(least))
        least = found[-1] + 1
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def _rounded(allowed: int) -> int:
    """The next of the numbers of differences that have keys."""
    step = _EXACT
    while step < allowed:
        step = ceil(step * _STEP)
    return step if allowed > _EXACT else allowed


def hash_keys(hashes: Sequence[int], threshold: float) -> Iterator[int]:
    """Keys of a set that is no other's equal, of the hashes of its words."""
    for allowed in allowances(len(hashes), threshold):
        groups = [0] * (allowed + 1)
        for word in hashes:
            groups[word % (allowed + 1)] += word
        for index, group in enumerate(groups):
            yield _signed(group ^ _salt(allowed, index))


def equal_key(words: Iterable[str]) -> int:
    """The key that equal sets share. `words` are distinct."""
    return _signed(sum(map(word_hash, words)) ^ _salt(0, 0))


def set_keys(words: Iterable[str], threshold: float) -> Iterator[int]:
    """Keys of which two sets at or above the threshold share at least one; equal sets share the
    first. `words` are distinct."""
    hashes = [word_hash(w) for w in words]
    yield _signed(sum(hashes) ^ _salt(0, 0))
    yield from hash_keys(hashes, threshold)


def sequence_key(kind: str, words: Iterable[str]) -> int:
    """Key of a word sequence; `kind` keeps different uses apart."""
    return _digest([kind, *words])

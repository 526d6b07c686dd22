"""Claims as words, and the keys under which an exact index finds their near-duplicates.

At a Jaccard threshold t, a set of n words and any partner differ by at most n(1-t)/t words. Hashed
word by word into one group more than they may differ by, two such sets agree in at least one
group (docs/adr/0008), so that equal keys find every pair and a comparison of the sets decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from math import ceil, floor
from zlib import crc32

from grounded_ingest.patterns import compiled

_OUTER = " \t.,:;!?*_~\"'“”‘’()[]{}<>|`–—-…/\\#"
_ADR = compiled(r"\b(?:(?:per|see|cf\.?)\s+)?ADRs?[-\s_#]{0,2}\d{1,4}\b", re.IGNORECASE)
_CITING = compiled(r"^[(\[]?(?:see|per|cf)[.,:]?$", re.IGNORECASE)


def word_list(text: str) -> tuple[str, ...]:
    """Lower-cased words of a text in order, outer punctuation stripped."""
    words = (raw.strip(_OUTER) for raw in text.lower().split())
    return tuple(w for w in words if any(c.isalnum() for c in w))


@lru_cache(maxsize=8192)
def word_set(text: str) -> frozenset[str]:
    """The distinct words of a text."""
    return frozenset(word_list(text))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """|A ∩ B| / |A ∪ B|; 0 for two empty sets."""
    common = len(one & other)
    union = len(one) + len(other) - common
    return common / union if union else 0.0


def _digest(parts: Iterable[str]) -> int:
    raw = blake2b("\0".join(parts).encode(), digest_size=8).digest()
    return int.from_bytes(raw, "big", signed=True)


def differences(size: int, threshold: float) -> int:
    """By how many words a set of `size` may differ from any partner that is not smaller."""
    return floor(size * (1 - threshold) / threshold + 1e-9)


def set_keys(words: frozenset[str], threshold: float) -> Iterator[int]:
    """Keys of which two sets at or above the threshold share at least one."""
    smallest = ceil(len(words) * threshold - 1e-9)
    for allowed in range(differences(smallest, threshold), differences(len(words), threshold) + 1):
        groups: list[list[str]] = [[] for _ in range(allowed + 1)]
        for word in sorted(words):
            groups[crc32(word.encode()) % (allowed + 1)].append(word)
        for index, group in enumerate(groups):
            yield _digest(["set", str(allowed), str(index), *group])


def uncited(text: str, raws: Iterable[str]) -> list[str]:
    """The words of a text as written, its citations (`raws`, as cited) left out."""
    text = _ADR.sub(" ", text)
    cited = [r.lower() for r in raws if len(r) > 2]
    kept: list[str] = []
    for raw in text.split():
        lowered = raw.lower()
        if any(c in lowered for c in cited):
            if kept and _CITING.match(kept[-1]):
                kept.pop()
            continue
        if raw.strip(_OUTER):
            kept.append(raw)
    return kept


def sequence_key(kind: str, words: Iterable[str]) -> int:
    """Key of a word sequence; `kind` keeps different uses apart."""
    return _digest([kind, *words])


def bare(word: str) -> str:
    return word.strip(_OUTER)

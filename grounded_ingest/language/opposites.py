"""Words that exclude each other: opposites, and values of one kind."""

from __future__ import annotations

from functools import cache

from grounded_ingest.language.stemming import stem

_INFLECTED = 4
"""Letters of the shortest word that is known by its stem: `us` is no form of `use`."""


@cache
def _opposites() -> dict[str, frozenset[str]]:
    from grounded_ingest.language.lexicon.support_words import OPPOSITES
    from grounded_ingest.language.lexicon.wordnet import OPPOSITES as PAIRS

    found: dict[str, set[str]] = {}
    sides = [(a.split(), b.split()) for a, b in OPPOSITES]
    sides += [([a], [b]) for a, b in (pair.split() for pair in PAIRS.split(", "))]
    for one, other in sides:
        for a in map(_key, one):
            for b in map(_key, other):
                found.setdefault(a, set()).add(b)
                found.setdefault(b, set()).add(a)
    return {word: frozenset(others) for word, others in found.items()}


def _key(word: str) -> str:
    return stem(word) if len(word) >= _INFLECTED else word


def has_opposite(low: str) -> bool:
    return _key(low) in _opposites()


def are_opposites(low: str, other: str) -> bool:
    """Whether two words, lower case, say the opposite of each other."""
    return _key(other) in _opposites().get(_key(low), ())


@cache
def _values() -> dict[str, frozenset[tuple[str, str]]]:
    from grounded_ingest.language.lexicon.wordnet import VALUES

    found: dict[str, set[tuple[str, str]]] = {}
    kinds = {**{kind: listed.split() for kind, listed in VALUES.items()}, "setting": _settings()}
    for kind, entries in kinds.items():
        for entry in entries:
            for word in entry.split("="):
                found.setdefault(_key(word), set()).add((kind, entry))
    return {word: frozenset(values) for word, values in found.items()}


def _settings() -> list[str]:
    from grounded_ingest.language.lexicon.function_words import SETTINGS

    return ["=".join(words.split()) for words in SETTINGS.values()]


def are_rival_values(low: str, other: str) -> bool:
    """Whether two words, lower case, are different values of one kind: red and blue, France and
    Spanish."""
    mine, theirs = _values_of(low), _values_of(other)
    shared = {k for k, _ in mine} & {k for k, _ in theirs}
    return bool(shared) and mine.isdisjoint(theirs)


def are_one_value(low: str, other: str) -> bool:
    """Whether two words, lower case, name one value: Spain and Spanish."""
    return not _values_of(low).isdisjoint(_values_of(other))


def _values_of(low: str) -> frozenset[tuple[str, str]]:
    return _values().get(_key(low), frozenset())

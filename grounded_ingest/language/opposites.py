"""Words that exclude each other: opposites, and values of one kind."""

from __future__ import annotations

from functools import cache, lru_cache

from grounded_ingest.language.stemming import stem

_INFLECTED = 4
"""Letters of the shortest word that is known by its stem: `us` is no form of `use`."""

_BEGIN = 3
"""Letters by which words are looked up: stemming all of the table would take longer than comparing
ten claims."""

Table = dict[str, dict[str, set[str]]]
"""By the beginnings of words, words with what belongs to them."""


def _key(word: str) -> str:
    return stem(word) if len(word) >= _INFLECTED else word


def _enter(table: Table, word: str, what: str) -> None:
    table.setdefault(word[:_BEGIN], {}).setdefault(word, set()).add(what)


def _found(table: Table, low: str) -> set[str]:
    """What belongs to a word or another form of it."""
    key = _key(low)
    return {
        what
        for begin in {low[:_BEGIN], key[:_BEGIN]}
        for word, whole in table.get(begin, {}).items()
        if word == low or _key(word) == key
        for what in whole
    }


@cache
def _opposites() -> Table:
    from grounded_ingest.language.lexicon.support_words import OPPOSITES
    from grounded_ingest.language.lexicon.wordnet import OPPOSITES as PAIRS

    found: Table = {}
    pairs = [pair.split() for pair in PAIRS.split(", ")]
    pairs += [[a, b] for one, other in OPPOSITES for a in one.split() for b in other.split()]
    for a, b in pairs:
        _enter(found, a, b)
        _enter(found, b, a)
    return found


@lru_cache(maxsize=8192)
def _opposites_of(low: str) -> frozenset[str]:
    return frozenset(map(_key, _found(_opposites(), low)))


def has_opposite(low: str) -> bool:
    return bool(_opposites_of(low))


def are_opposites(low: str, other: str) -> bool:
    """Whether two words, lower case, say the opposite of each other."""
    return _key(other) in _opposites_of(low)


@cache
def _values() -> Table:
    """Values as `kind:word=other word`."""
    from grounded_ingest.language.lexicon.function_words import SETTINGS
    from grounded_ingest.language.lexicon.wordnet import VALUES

    found: Table = {}
    kinds = {kind: listed.split() for kind, listed in VALUES.items()}
    kinds["setting"] = ["=".join(words.split()) for words in SETTINGS.values()]
    for kind, entries in kinds.items():
        for entry in entries:
            for word in entry.split("="):
                _enter(found, word, f"{kind}:{entry}")
    return found


@lru_cache(maxsize=8192)
def _values_of(low: str) -> frozenset[str]:
    return frozenset(_found(_values(), low))


def are_rival_values(low: str, other: str) -> bool:
    """Whether two words, lower case, are different values of one kind: red and blue, France and
    Spanish."""
    mine, theirs = _values_of(low), _values_of(other)
    kinds = {v.partition(":")[0] for v in mine}
    return mine.isdisjoint(theirs) and any(v.partition(":")[0] in kinds for v in theirs)


def are_one_value(low: str, other: str) -> bool:
    """Whether two words, lower case, name one value: Spain and Spanish."""
    return not _values_of(low).isdisjoint(_values_of(other))

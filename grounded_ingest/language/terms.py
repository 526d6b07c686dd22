"""The words inside identifiers and paths, and the roots of words."""

from __future__ import annotations

from functools import lru_cache

from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.stemming import stem

_PARTS = compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_ENDINGS = frozenset((
    "icat", "ifications", "ization", "isation", "ications", "ication", "ations", "ation", "ments",
    "ment", "ness", "ities", "ity", "ances", "ance", "ences", "ence", "ators", "ator", "ers", "or",
    "er", "ions", "ion", "ally", "ly", "als", "al", "ives", "ive", "ables", "able", "ible", "ants",
    "ant", "ents", "ent", "ized", "ised", "izes", "ises", "izing", "ising", "ize", "ise", "ies",
    "y", "es", "ed", "ing", "s", "ful", "less", "ic",
))  # fmt: skip
_LENGTHS = range(max(map(len, _ENDINGS)), 0, -1)
_SHORTEST = 4
"""Letters that are left of a root."""


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """Returns a word without its derivation: authentication, authenticated; deliver, delivery."""
    bare = stem(word)
    if not bare.isascii() or not bare.isalpha():
        return bare
    for length in _LENGTHS:
        if len(bare) - length >= _SHORTEST and bare[-length:] in _ENDINGS:
            bare = bare[:-length]
            break
    return bare.rstrip("aeiouy") if len(bare) > _SHORTEST else bare


@lru_cache(maxsize=65536)
def word_parts(token: str) -> tuple[str, ...]:
    """Returns the words that a path or an identifier is made of, in lower case."""
    if token.isascii() and token.isalpha() and token[1:].islower():
        return (token.lower(),)
    return tuple(p.lower() for p in _PARTS.findall(token))

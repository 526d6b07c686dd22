"""The words inside identifiers and paths, and the roots of words."""

from __future__ import annotations

from functools import lru_cache

from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.stemming import word_stem

_PARTS = compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


def root(word: str) -> str:
    """Returns a word without its derivation: authentication, authenticated; deliver, delivery."""
    return word_stem(word)


@lru_cache(maxsize=65536)
def word_parts(token: str) -> tuple[str, ...]:
    """Returns the words that a path or an identifier is made of, in lower case."""
    if token.isascii() and token.isalpha() and token[1:].islower():
        return (token.lower(),)
    return tuple(p.lower() for p in _PARTS.findall(token))

"""The words that deny, and what they deny."""

from __future__ import annotations

from grounded_ingest.text.lexicon import negation
from grounded_ingest.text.patterns import compiled

NEGATIONS = frozenset(f"{negation.DENIALS} {negation.CONTRACTIONS}".split())
"""Words that deny something of a sentence, contractions among them."""

_WORD = compiled(r"[a-z]\w*(?:['-]\w+)*")
_NAMED = compiled(rf"([\"'`“])(?:{'|'.join(sorted(NEGATIONS))})[\"'`”]")
_MARK = compiled("[\"'`“]")
_UNSPECIFIC = frozenset(negation.UNSPECIFIC.split())


def plain_words(text: str) -> list[str]:
    """Words in small letters, as denials are sought among them: `no-op` and `NOT_FOUND` are one
    each that denies not, and a denial between quotation marks is left out."""
    plain = text.lower().replace("’", "'")
    return _WORD.findall(_NAMED.sub(" ", plain) if _MARK.search(plain) else plain)


def affirmed(word: str) -> str:
    """What a word says without its denial: `is` of `isn't`, nothing of `not`."""
    if word in _UNSPECIFIC or word not in NEGATIONS:
        return word
    if word in negation.AFFIRMED:
        return negation.AFFIRMED[word]
    return word.removesuffix("n't") if word.endswith("n't") else ""

"""Whether a text denies, and whether it obliges, forbids or leaves free."""

from __future__ import annotations

from typing import Literal

from grounded_ingest.language.lexicon import negation, obligation
from grounded_ingest.language.patterns import compiled

Modality = Literal["", "must", "must-not", "may"]
NEGATIONS = frozenset(f"{negation.DENIALS} {negation.CONTRACTIONS}".split())
"""Words that deny something of a sentence, contractions among them."""

_WORD = compiled(r"[a-z]\w*(?:['-]\w+)*")
_NAMED = compiled(rf"([\"'`“])(?:{'|'.join(sorted(NEGATIONS))})[\"'`”]")
_MARK = compiled("[\"'`“]")
_HINT = compiled(r"\bn[eo]|n['’]t|cannot|without", 2)
"""One of these stands in every text that denies: a look at them is cheaper."""
_UNSPECIFIC = frozenset(negation.UNSPECIFIC.split())
_COMPOUND = compiled(r"(?<!\w)(?:[\w/]+-)*(?:no|not|never|non)-\w", 2)
_ADVERBIAL = frozenset(negation.ADVERBIAL.split())
_DENY_NOTHING = compiled(negation.DENY_NOTHING)
_MUST, _MUST_NOT, _MAY = (
    compiled(p, 2) for p in (obligation.MUST, obligation.MUST_NOT, obligation.MAY)
)


def plain_words(text: str) -> list[str]:
    """Words in small letters, as denials are sought among them: `no-op` and `NOT_FOUND` are one
    each that denies not, and a denial between quotation marks is left out."""
    plain = text.lower().replace("’", "'")
    return _WORD.findall(_NAMED.sub(" ", plain) if _MARK.search(plain) else plain)


def denials(text: str) -> list[str]:
    """The words of a text that deny something, be it only one of its adverbials."""
    return [w for w in plain_words(text) if w in NEGATIONS] if _HINT.search(text) else []


def denies_within(text: str) -> bool:
    """Whether a compound denies a part of itself: `no-op`, `deferred-not-registered`."""
    return bool(_COMPOUND.search(text))


def negated(text: str) -> bool:
    """Whether a clause denies what it speaks of: it holds an odd number of denials, and `nor` goes
    on with one."""
    if not _HINT.search(text):
        return False
    plain = _DENY_NOTHING.sub(" ", text.lower())
    found = [w for w in denials(plain) if w not in _ADVERBIAL]
    return bool((sum(w != "nor" for w in found) or len(found)) % 2)


def affirmed(word: str) -> str:
    """What a word says without its denial: `is` of `isn't`, nothing of `not`."""
    if word in _UNSPECIFIC or word not in NEGATIONS:
        return word
    if word in negation.AFFIRMED:
        return negation.AFFIRMED[word]
    return word.removesuffix("n't") if word.endswith("n't") else ""


DENIED_BE = frozenset(w for w in NEGATIONS if affirmed(w) in ("is", "are", "was", "were"))
"""`isn't` and the like."""


def modality(text: str) -> Modality:
    """Whether a clause obliges, forbids or leaves free."""
    if _MUST_NOT.search(text):
        return "must-not"
    if _MAY.search(text):
        return "may"
    return "must" if _MUST.search(text) else ""

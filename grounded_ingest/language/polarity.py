"""Whether a text denies, and whether it obliges, forbids or leaves free."""

from __future__ import annotations

from typing import Literal

from grounded_ingest.language.lexicon import support_patterns, support_words
from grounded_ingest.language.patterns import compiled

Modality = Literal["", "must", "must-not", "may"]
_WORD = compiled(r"[a-z][a-z'’]*")
_NEGATION = frozenset(support_words.NEGATIONS.split()) - {"without"}
_SAID = compiled(support_patterns.NO_DENIAL)
_MUST, _MUST_NOT, _MAY = (
    compiled(p, 2) for p in (support_words.MUST, support_words.MUST_NOT, support_words.MAY)
)


def negated(text: str) -> bool:
    """Whether a clause denies what it speaks of."""
    plain = _SAID.sub(" ", text.lower().replace("’", "'"))
    words = _WORD.findall(plain)
    return bool(sum(w in _NEGATION or w.endswith("n't") for w in words) % 2)


def modality(text: str) -> Modality:
    """Whether a clause obliges, forbids or leaves free."""
    if _MUST_NOT.search(text):
        return "must-not"
    if _MAY.search(text):
        return "may"
    return "must" if _MUST.search(text) else ""

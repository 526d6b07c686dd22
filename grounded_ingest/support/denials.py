"""Whether one text denies what another says."""

from __future__ import annotations

from grounded_ingest.language.lexicon import support_words
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.terms import grade

_PARTS = compiled(
    r"[,;:()\u2013\u2014]|\s-+\s|\.(?=\s)|\b(?:and|or|if|when|while|because|since|so)\b", 2
)
_APART = compiled(support_words.APART, 2)
_QUOTES = compiled(r'["“”]')
_DENIALS = frozenset(support_words.NEGATIONS.split())


def denied_alone(denial: str, other: str) -> bool:
    """Whether one text denies what the other says, and that only: its only denial stands in a part
    of it whose words the other has, and the other sets nothing apart."""
    parts = [p for p in _PARTS.split(denial) if read_text(p).negated]
    if len(parts) != 1 or _APART.search(other) or _QUOTES.search(denial) or _denials(other):
        return False
    denied = [t for t in read_text(parts[0]).terms if t.weight >= 1 and t.low not in _DENIALS]
    known = read_text(other).keys
    return len(denied) >= 2 and all(grade(t, known) for t in denied)


def _denials(text: str) -> bool:
    words = text.lower().replace("’", "'").split()
    return any(w.strip("*_`.,;:()") in _DENIALS or "n't" in w for w in words)

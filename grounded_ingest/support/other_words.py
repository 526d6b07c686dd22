"""What a claim in other words has to share with its source all the same, whoever finds it there."""

from __future__ import annotations

from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import Reading, read_text
from grounded_ingest.language.terms import grade
from grounded_ingest.support.claim_view import claim_view
from grounded_ingest.support.source import SourceText

_DIGITS = compiled(r"\d+(?:[.,_]\d+)*")


def without_other_words(claim: str, source: SourceText) -> list[str]:
    """Numbers, names, identifiers and paths of a claim that its source does not hold anywhere:
    there are no other words for them."""
    parts = (source.path, source.title, *source.enclosing, source.text, *source.paths, source.diff)
    held, said = read_text("\n".join(parts)), claim_view(claim)
    names = [t.text for t in said.terms if t.kind != "word" and not grade(t, held.keys)]
    values, digits = _values(held), _digits(held.text)
    amounts = (a for a in said.reading.amounts if a.low not in values)
    return names + [a.text for a in amounts if not _digits(a.text) or _digits(a.text) - digits]


def touches(claim: str, quote: str) -> bool:
    """Whether a passage holds any telling word or number of a claim."""
    held, said = read_text(quote), claim_view(claim)
    if _values(said.reading) & _values(held) or _digits(claim) & _digits(quote):
        return True
    return any(t.weight >= 1 and grade(t, held.keys) for t in said.terms)


def _values(reading: Reading) -> set[float]:
    return {bound for a in reading.amounts for bound in (a.low, a.high)}


def _digits(text: str) -> set[str]:
    return {
        found[0].translate({ord("_"): None, ord(","): None}) for found in _DIGITS.finditer(text)
    }

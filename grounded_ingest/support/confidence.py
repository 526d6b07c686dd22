"""How surely a source bears a claim out, as a number."""

from __future__ import annotations

from math import exp

from grounded_ingest.language.reading import read_text
from grounded_ingest.language.terms import grade
from grounded_ingest.support.compare import Beside

# Fitted by logistic regression on half a of ExpertQA (docs/support.md).
_BIAS, _LENGTH, _TITLE, _BACK, _COVERAGE = -2.584, 0.0024, 3.7138, 2.5873, 0.8441
_LONGEST = 4000
_MISSED = 0.15


def confidence(held: Beside) -> float:
    """0 to 1. Of a source of the repository the share of the claim that stands in one place; of a
    page, where words say less, also how much text there is, how much of it is about the claim, and
    whether its title or address names what the claim names."""
    if held.source.kind != "page" or not held.read.terms:
        lost = _MISSED * sum(len(f.missing) for f in held.found)
        return round(max(0.0, min(1.0, held.coverage - lost)), 4)
    return round(1 / (1 + exp(-_score(held))), 4)


def _score(held: Beside) -> float:
    source, said = held.source, held.read.terms
    address = source.path.partition("://")[2] or source.path
    named = read_text(f"{source.title} {address}".translate(_SPACED)).keys
    title = sum(grade(t, named) >= 0.9 for t in said) / len(said)
    theirs = [t.root for t in read_text(source.text).terms if t.kind != "path"]
    known = read_text(held.read.text).keys
    back = sum(f"^{root}" in known for root in theirs) / max(1, len(theirs))
    length = min(len(source.text), _LONGEST)
    return _BIAS + _LENGTH * length + _TITLE * title + _BACK * back + _COVERAGE * held.coverage


_SPACED = str.maketrans("-_/.?=&", "       ")

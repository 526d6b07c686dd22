"""How far a clause and a passage say the same."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from grounded_ingest.language.reading import read_text
from grounded_ingest.language.terms import grade
from grounded_ingest.support.claim_view import Clause
from grounded_ingest.support.compare import Beside
from grounded_ingest.support.passages import SourcePassage


class Conflict(Struct, frozen=True):
    """`said` by the claim, `known` by the passage at `at`."""

    kind: str
    said: str
    known: str
    at: int


class Limits(NamedTuple):
    """How much of a clause has to stand in a passage before a difference is a contradiction, and
    how much of the passage in the clause (`back`)."""

    number: float = 0.15
    local: float = 0.6
    local_terms: int = 3
    shared: int = 2
    only: float = 0.2
    flip: float = 0.85
    flip_back: float = 0.6
    opposed: float = 0.8
    swap: float = 0.6
    value: float = 0.5
    back: float = 0.0


def aligned(clause: Clause, passage: SourcePassage, over: frozenset[str]) -> float:
    """Share of a clause's words, its numbers left aside, in one passage and what stands over it."""
    known = passage.reading.keys | over
    whole = sum(t.weight for t in clause.terms)
    return sum(grade(t, known) * t.weight for t in clause.terms) / whole if whole else 0.0


def back(clause: Clause, passage: SourcePassage, over: frozenset[str]) -> float:
    """Share of a passage's words in the clause."""
    known = read_text(clause.reading.text).keys | over
    theirs = passage.reading.terms
    whole = sum(t.weight for t in theirs)
    return sum(grade(t, known) * t.weight for t in theirs) / whole if whole else 0.0


def of_subject(held: Beside, clause: Clause, passage: SourcePassage) -> bool:
    """Whether a passage speaks of what the claim speaks of: its first word of weight."""
    known = passage.reading.keys | read_text(passage.about).keys | held.above
    for part in (clause, held.read.clauses[0]):
        first = next((t for t in part.terms if t.weight >= 1), None)
        if first is None or grade(first, known):
            return True
    return False


LIMITS = Limits()
NEVER = 2.0
IN_REPOSITORY = LIMITS._replace(number=0.8, local=NEVER, only=NEVER, swap=0.75, back=0.5)
"""Of what lies in a repository: most of what is said there is true, so nearly all has to agree."""
MAIN = 0.4
"""Share of a claim that a clause has to be: long claims tell what was before, too."""
IN_CODE = LIMITS._replace(number=0.6, local=0.75, only=0.5)

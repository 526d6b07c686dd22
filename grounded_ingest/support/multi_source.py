"""The verdict on a claim that cites several sources: what none of them holds alone they may hold
together."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from grounded_ingest.model.claims import Strength, Support
from grounded_ingest.support.claim_view import AMOUNT
from grounded_ingest.support.compare import Beside, ClauseMatch
from grounded_ingest.support.source import SourceText, SourceVerdict
from grounded_ingest.support.verdict import CLAUSE, COVERAGE, Weighed, as_verdict, lacking, weigh

ONE, PART = 0.4, 0.3
"""Share of each clause that one of the sources has to hold, and another that adds to it."""

BEARS, CLAUSE_BORNE = 0.3, 0.4
"""Share of the whole claim, or of one clause, that a source has to hold to bear a part of it."""


def judge_together(
    claim: str, sources: Sequence[SourceText], *, coverage: float = COVERAGE, clause: float = CLAUSE
) -> list[SourceVerdict]:
    """Compare a claim's text, its citations left out, with all the sources it cites; a verdict for
    each, in their order.

    A source that bears the claim out by itself is supported. Where none holds all of it, the claim
    is carried when every clause finds its place in one of them or in several: then each source that
    bears a part is supported, one that bears nothing is unsupported. A contradiction stays one.
    """
    weighed = [weigh(claim, s, coverage=coverage, clause=clause) for s in sources]
    verdicts = [w.judged for w in weighed]
    held = [w for w in weighed if w.held and w.judged.support is not Support.CONTRADICTED]
    if len(held) < 2:
        return verdicts
    alone = any(v.support is Support.SUPPORTED for v in verdicts)
    missing = "" if alone else _missing([w.held for w in held if w.held], coverage, clause)
    missing = missing or ("" if alone else _unlicensed(held))
    return [_together(w, missing) for w in weighed]


def _together(weighed: Weighed, missing: str) -> SourceVerdict:
    held, judged = weighed.held, weighed.judged
    if held is None or judged.support is not Support.UNSUPPORTED:
        return judged
    if missing or not bears(held):
        return judged
    return replace(as_verdict(held, Support.SUPPORTED, ""), strength=Strength.MATCH)


def _missing(several: Sequence[Beside], coverage: float, clause: float) -> str:
    """What all of them together do not hold."""
    found, places = [], []
    for n in range(len(several[0].found)):
        best = max(several, key=lambda s: s.found[n].coverage)
        if best.found[n].coverage < ONE and len(best.found[n].clause.terms) > 1:
            return f"not in one of the sources: {best.found[n].clause.reading.text}"
        parts = [s.found[n] for s in several if s is best or s.found[n].coverage >= PART]
        found.append(_union(best.found[n], parts))
        places.append(best)
    return lacking(several[0]._replace(found=tuple(found)), coverage, clause, places)


def _unlicensed(several: Sequence[Weighed]) -> str:
    """What every one of them objects to."""
    examined = [w.examined for w in several if w.examined]
    for number in range(len(examined[0].clauses) if examined else 0):
        objections = [e.clauses[number] for e in examined]
        if all(objections):
            return objections[0][0].told
    return ""


def _union(best: ClauseMatch, parts: Sequence[ClauseMatch]) -> ClauseMatch:
    """A clause beside several sources: what any of them holds, at its best place."""
    clause = best.clause
    grades = tuple(map(max, zip(*(f.grades for f in parts), strict=True)))
    counted = tuple(map(any, zip(*(f.counted for f in parts), strict=True)))
    missing = tuple(m for m in best.missing if all(m in f.missing for f in parts))
    covered = sum(g * t.weight for g, t in zip(grades, clause.terms, strict=True))
    covered += AMOUNT * sum(counted)
    share = covered / clause.weight if clause.weight else 0.0
    return best._replace(coverage=share, missing=missing, grades=grades, counted=counted)


def bears(held: Beside) -> bool:
    """Whether a source bears a part of a claim."""
    return held.coverage >= BEARS and any(f.coverage >= CLAUSE_BORNE for f in held.found)

"""The verdict on a claim that cites several sources: what none of them holds alone they may hold
together."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from grounded_ingest.model.claims import Strength, Support
from grounded_ingest.support.source import SourceText, SourceVerdict
from grounded_ingest.support.verdict import CLAUSE, COVERAGE, Weighed, as_verdict, weigh


def judge_together(
    claim: str, sources: Sequence[SourceText], *, coverage: float = COVERAGE, clause: float = CLAUSE
) -> list[SourceVerdict]:
    """Compare a claim's text, its citations left out, with all the sources it cites; a verdict for
    each, in their order.

    A source that bears the claim out by itself is supported. Where none does, the claim is carried
    when every clause is licensed by one of them: then each source that licenses a part is
    supported, one that licenses nothing is unsupported. A contradiction stays one.
    """
    weighed = [weigh(claim, s, coverage=coverage, clause=clause) for s in sources]
    verdicts = [w.judged for w in weighed]
    held = [w for w in weighed if w.held and w.judged.support is not Support.CONTRADICTED]
    if len(held) < 2:
        return verdicts
    if any(v.support is Support.SUPPORTED for v in verdicts) or not _licensed_together(held):
        return verdicts
    return [_together(w) for w in weighed]


def _together(weighed: Weighed) -> SourceVerdict:
    """A source that licenses one of the clauses is supported, others license the rest."""
    held, examined, judged = weighed.held, weighed.examined, weighed.judged
    if held is None or examined is None or judged.support is not Support.UNSUPPORTED:
        return judged
    if all(examined.clauses):
        return judged
    return replace(as_verdict(held, Support.SUPPORTED, ""), strength=Strength.MATCH)


def _licensed_together(several: Sequence[Weighed]) -> bool:
    """Whether every clause is licensed by one of them."""
    examined = [w.examined.clauses for w in several if w.examined]
    return bool(examined) and all(not all(of) for of in zip(*examined, strict=True))

"""The text format: every blocked claim with its way out, a line per document for the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from grounded_ingest.model import Decision, Report, Support, Tier, Verdict
from grounded_ingest.report.plain import cause, printable
from grounded_ingest.rules import RULES


def render(report: Report, verbosity: int) -> str:
    """Text for terminals; `verbosity` -1 shows what blocks, 1 every claim that waits as well."""
    return "".join(f"{line}\n" for line in _lines(report, verbosity))


def _lines(report: Report, verbosity: int) -> Iterator[str]:
    blocked = [d for d in report.counted if d.tier is Tier.BLOCK]
    waiting = [d for d in report.counted if d.tier is Tier.REVIEW]
    for decision in blocked:
        yield from _claim(decision, way_out=True)
    for problem in report.problems:
        where = f"{printable(problem.path)}:{problem.line}: " if problem.path else ""
        if problem.tier or verbosity >= 0:
            yield f"{where}{problem.rule}: {printable(problem.message, 300)}"
    if verbosity > 0:
        for decision in waiting:
            yield from _claim(decision, way_out=False)
    elif verbosity == 0:
        yield from _queue(waiting)
    if verbosity >= 0:
        yield from _counts(report)


def _claim(decision: Decision, *, way_out: bool) -> Iterator[str]:
    claim = decision.place.claim
    yield f"{printable(decision.place.path)}:{claim.line}:{claim.column}: {decision.rule}: {printable(claim.text, 300)}"
    if why := cause(decision):
        yield f"    {why}"
    if way_out:
        yield f"    {RULES[decision.rule].way_out}"


def _queue(waiting: list[Decision]) -> Iterator[str]:
    by_path: dict[str, Counter[str]] = {}
    for decision in waiting:
        by_path.setdefault(decision.place.path, Counter())[decision.rule] += 1
    for path, rules in by_path.items():
        parts = ", ".join(f"{count} {rule}" for rule, count in rules.most_common())
        yield f"{printable(path)}: {_claims(rules.total())} for review ({parts})"


def _claims(count: int) -> str:
    return f"{count} claim" if count == 1 else f"{count} claims"


def _counts(report: Report) -> Iterator[str]:
    counts = [report.tier(t) for t in Tier]
    documents = "1 document" if report.documents == 1 else f"{report.documents} documents"
    new = "" if report.scope.mode in ("paths", "all") else "changed "
    yield (
        f"{sum(counts)} {new}{'claim' if sum(counts) == 1 else 'claims'} in {documents}: "
        f"{counts[0]} approved, {counts[1]} for review, {counts[2]} blocked"
    )
    grounded = (e for d in report.counted if d.rule == "verified-citation" for e in d.own_evidence)
    if any(
        e.support is Support.EXISTENCE_ONLY and e.verdict is Verdict.CONFIRMED for e in grounded
    ):
        yield "existence only: cited sources were found, what they say was not compared"

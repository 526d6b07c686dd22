"""The text format: every blocked claim with its way out, a line per document for the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import Decision, Tier
from grounded_ingest.model.report import Report
from grounded_ingest.report.verbosity import Look
from grounded_ingest.report.wording import cause
from grounded_ingest.rules.registry import RULES


def render(report: Report, look: Look) -> str:
    """Text for terminals, files and logs."""
    return "".join(f"{line}\n" for line in _lines(report, look))


def counts(report: Report) -> str:
    """The counts of a run, one line."""
    tiers = [report.tier(t) for t in Tier]
    documents = "1 document" if report.documents == 1 else f"{report.documents} documents"
    new = "" if report.scope.mode in ("paths", "all") else "changed "
    return (
        f"{sum(tiers)} {new}{'claim' if sum(tiers) == 1 else 'claims'} in {documents}: "
        f"{tiers[0]} approved, {tiers[1]} for review, {tiers[2]} blocked"
    )


def _lines(report: Report, look: Look) -> Iterator[str]:
    blocked = [d for d in report.counted if d.tier is Tier.BLOCK]
    waiting = [d for d in report.counted if d.tier is Tier.REVIEW]
    for decision in blocked:
        yield from _claim(decision, look, way_out=True)
    for problem in report.problems:
        where = f"{printable(problem.path)}:{problem.line}: " if problem.path else ""
        if problem.tier or look.verbosity >= 0:
            rule = look.rule(problem.rule, problem.tier)
            yield f"{look.paint(where, 'bold')}{rule}: {printable(problem.message, 300)}"
    if look.verbosity > 0:
        for decision in waiting:
            yield from _claim(decision, look, way_out=False)
    elif look.verbosity == 0:
        yield from _queue(waiting)
    if look.verbosity >= 0:
        yield counts(report)


def _claim(decision: Decision, look: Look, *, way_out: bool) -> Iterator[str]:
    claim = decision.place.claim
    where = f"{printable(decision.place.path)}:{claim.line}:{claim.column}:"
    rule = look.rule(decision.rule, decision.tier)
    yield f"{look.paint(where, 'bold')} {rule}: {printable(claim.text, 300)}"
    if why := cause(decision):
        yield f"    {why}"
    if way_out:
        yield f"    {look.paint(RULES[decision.rule].way_out, 'dim')}"


def _queue(waiting: list[Decision]) -> Iterator[str]:
    by_path: dict[str, Counter[str]] = {}
    for decision in waiting:
        by_path.setdefault(decision.place.path, Counter())[decision.rule] += 1
    for path, rules in by_path.items():
        parts = ", ".join(f"{count} {rule}" for rule, count in rules.most_common())
        claims = "1 claim" if rules.total() == 1 else f"{rules.total()} claims"
        yield f"{printable(path)}: {claims} for review ({parts})"

"""The text format: what is wrong, a line each with its way out; doubts; one line of coverage."""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import Tier
from grounded_ingest.model.report import Coverage, Report, coverage_of
from grounded_ingest.report.ordering import ReportItem, also, entries, listing
from grounded_ingest.report.verbosity import Look


def render(report: Report, look: Look) -> str:
    """Text for terminals, files and logs."""
    return "".join(f"{line}\n" for line in _lines(report, look))


def counts(report: Report) -> str:
    """Coverage, one line: of what can be checked the share that is grounded, in the change and in
    the documents it touches."""
    new = "" if report.scope.mode in ("paths", "all") else "changed "
    documents = "1 document" if report.documents == 1 else f"{report.documents} documents"
    claims = sum(d.changed for d in report.decisions)
    said = [f"{claims} {new}{'claim' if claims == 1 else 'claims'} in {documents}"]
    if claims:
        said = [f"{said[0]}: {grounded_share(report.coverage)}"]
    if blocked := report.tier(Tier.BLOCK):
        said.append(f"{blocked} blocked")
    if new and len(report.decisions) > claims:
        said.append(f"the whole of them: {grounded_share(coverage_of(report.decisions))}")
    return "; ".join(said)


def grounded_share(of: Coverage) -> str:
    """A coverage in words."""
    share = f" ({100 * of.grounded // of.checkable}%)" if of.checkable else ""
    need = f", {of.nothing} {'needs' if of.nothing == 1 else 'need'} no check" if of.nothing else ""
    return f"{of.grounded} of {of.checkable} checkable grounded{share}{need}"


def _lines(report: Report, look: Look) -> Iterator[str]:
    if look.verbosity < 0:
        for entry in entries(report):
            if entry.tier == Tier.BLOCK:
                yield _line(entry, [], look)
        return
    found = listing(report, whole=look.verbosity > 0)
    for entry, others in [*found.wrong, *found.doubts, *found.asked]:
        yield _line(entry, others, look)
        if entry.id and (look.verbosity > 0 or entry.signal == "silent"):
            yield f"    {look.paint(entry.text, 'dim')}"
    for left_out in found.left_out:
        yield f"{left_out}: {look.again} lists them"
    for entry, others in found.notes:
        yield _line(entry, others, look)
    yield counts(report)
    if look.asks_on:
        yield from _asked_on([e for e, _ in [*found.wrong, *found.doubts] if e.id], look)


def _asked_on(told: list[ReportItem], look: Look) -> Iterator[str]:
    """How to ask why, of the first finding whose path can be typed."""
    import shlex

    for entry in told:
        if printable(entry.path) == entry.path:
            place = shlex.quote(f"{entry.path}:{entry.line}")
            yield f"why: {look.program} explain {place}"
            return


def _line(entry: ReportItem, others: list[int], look: Look) -> str:
    column = f":{entry.column}" if entry.id else ""
    where = f"{printable(entry.path)}:{entry.line}{column}: " if entry.path else ""
    rule = look.rule(entry.rule, entry.severity)
    return f"{look.paint(where, 'bold')}{rule}: {entry.told(look)}{also(others)}"

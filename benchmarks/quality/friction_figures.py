"""What a friction run says: kinds of citation, what was not approved; in every format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from benchmarks.quality.friction import Met, Row, counted
from benchmarks.quality.held_back import HeldBack, held_back, lines
from benchmarks.quality.references import Judged, Outcome
from grounded_ingest.bench.figures import wilson
from grounded_ingest.language.printable import printable
from grounded_ingest.report.as_json import pretty


class Kind(Struct, frozen=True):
    """True claims of one kind of citation; `interval` is the 95% interval of `friction`, the share
    of them that was not approved."""

    citation: str
    claims: int
    approved: int
    friction: float
    interval: tuple[float, float]
    rules: dict[str, int]


class FrictionRun(Struct, frozen=True):
    """A whole run, as JSON shows it. `missed` are the references that were not approved."""

    schema: str
    source: str
    kinds: tuple[Kind, ...]
    missed: tuple[dict[str, Any], ...] = ()
    left_out: tuple[str, ...] = ()
    held_back: HeldBack | None = None


def kinds(rows: Sequence[Row]) -> tuple[Kind, ...]:
    return tuple(_kind(row) for row in rows)


def _kind(row: Row) -> Kind:
    missed = row.claims - row.approved
    low, high = wilson(missed, row.claims)
    interval = (round(low, 4), round(high, 4))
    return Kind(
        row.citation, row.claims, row.approved, round(missed / row.claims, 4), interval, row.rules
    )


def of_shipped(rows: Sequence[Row]) -> FrictionRun:
    """A run over the shipped repository."""
    return FrictionRun("grounded-ingest/bench-friction/1", "shipped", kinds(rows))


def of_references(outcome: Outcome, source: str) -> FrictionRun:
    """A run over references; `source` is their file."""
    true = [j for j in outcome.judged if j.reference.label == "true"]
    met = [Met(j.reference.kind, j.tier, j.rule) for j in true]
    missed = tuple(_miss(j) for j in true if not j.approved)
    return FrictionRun(
        "grounded-ingest/bench-friction/1",
        source,
        kinds(counted(met)),
        missed,
        tuple(outcome.left_out),
        held_back(outcome.judged),
    )


def _miss(judged: Judged) -> dict[str, Any]:
    reference = judged.reference
    return {
        "repo": reference.repo,
        "commit": reference.commit,
        "path": reference.path,
        "line": reference.line,
        "citation": reference.kind,
        "cites": reference.cites,
        "tier": judged.tier,
        "rule": judged.rule,
        "reason": judged.detail,
    }


def as_json(run: FrictionRun) -> str:
    return pretty(run)


def _rate(kind: Kind) -> str:
    low, high = (100 * bound for bound in kind.interval)
    return f"{100 * kind.friction:.1f}% ({low:.1f} to {high:.1f}%)"


def _rules(kind: Kind) -> str:
    return ", ".join(f"{count} {rule}" for rule, count in kind.rules.items())


def text_lines(found: Sequence[Kind]) -> list[str]:
    """The kinds in columns."""
    lines = ["friction: true claims, truly cited, that were not approved, by kind of citation"]
    for kind in found:
        missed = f"{kind.claims - kind.approved:>3} of {kind.claims:>3}"
        lines.append(f"  {kind.citation:<12}{missed}  {_rate(kind):<24}{_rules(kind)}")
    return lines


def table(found: Sequence[Kind]) -> list[str]:
    """The kinds as a Markdown table."""
    lines = [
        "| friction: cited by | true claims | approved | friction (95% interval) | decided by |",
        "|---|--:|--:|--:|---|",
    ]
    lines += [
        f"| {k.citation} | {k.claims} | {k.approved} | {_rate(k)} | {_rules(k)} |" for k in found
    ]
    return lines


def as_text(run: FrictionRun) -> str:
    """The kinds, then every reference that was not approved and what was left out."""
    more = ["", *lines(run.held_back)] if run.held_back else []
    return "\n".join([run.source, "", *text_lines(run.kinds), *more, *_missed(run)]) + "\n"


def as_markdown(run: FrictionRun) -> str:
    """The table, then the same lists as in the text."""
    return "\n".join([*table(run.kinds), *_missed(run, "- ")]) + "\n"


def _missed(run: FrictionRun, mark: str = "  ") -> list[str]:
    lines = ["", "not approved:"] if run.missed else []
    for miss in run.missed:
        place = printable(f"{miss['repo']}:{miss['path']}:{miss['line']}")
        cites = printable(f"{miss['citation']} {miss['cites']}")
        lines.append(f"{mark}{place}: {miss['rule']} ({cites}): {printable(miss['reason'])}")
    lines += ["", "left out:"] if run.left_out else []
    return [*lines, *(f"{mark}{printable(said)}" for said in run.left_out)]

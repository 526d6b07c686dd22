"""An audit and a history as text (what needs a hand first, then the state of the whole) and as JSON
(docs/audit.schema.json)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from grounded_ingest.audit.history_series import Point
from grounded_ingest.audit.model import STALE, Audit, ClaimPair, EvidenceState, Item
from grounded_ingest.code.definitions import has_parser
from grounded_ingest.language.printable import printable
from grounded_ingest.report.as_json import coverage_json, pretty
from grounded_ingest.report.as_text import grounded_share
from grounded_ingest.report.verbosity import Colour, Look

_SHOWN = 20
"""Pairs, oldest claims and unknown citations that are shown without -v."""

_COLOURS: dict[EvidenceState, Colour] = {
    EvidenceState.OK: "green",
    EvidenceState.PROMOTED: "green",
    EvidenceState.UNKNOWN: "dim",
}
_BARS = "▁▂▃▄▅▆▇█"


ANCHORS = "line numbers move, names last: cite code as path::name (audit --fix --anchors)"


def as_text(audit: Audit, look: Look) -> str:
    """Text for terminals, files and logs."""
    return "".join(f"{line}\n" for line in _lines(audit, look))


def _lines(audit: Audit, look: Look) -> Iterator[str]:
    shown = [i for i in audit.items if _is_shown(i, look)]
    for item in shown:
        yield from _item(item, look)
    if look.verbosity >= 0 and any(_was_of_code_lines(item) for item in shown):
        yield ANCHORS
    for blocked in audit.blocked:
        where = look.paint(f"{printable(blocked.path)}:{blocked.line}:", "bold")
        yield f"{where} {look.rule(blocked.rule, 3)}: {printable(blocked.claim, 200)}"
        yield f"    {blocked.reason}"
    if look.verbosity >= 0:
        yield from _pairs("contradicts", audit.contradictions, look)
        yield from _pairs("repeats", audit.duplicates, look)
        for problem in audit.problems:
            where = f"{printable(problem.path)}:{problem.line}: " if problem.path else ""
            rule = look.rule(problem.rule, problem.tier)
            yield f"{look.paint(where, 'bold')}{rule}: {printable(problem.message, 300)}"
        for path in audit.orphans:
            yield f"{printable(path)}: orphaned: its document is gone"
        for path in audit.behind:
            yield f"{printable(path)}: its evidence is behind"
        yield from _queue(audit, look)
    yield from (f"fixed: {printable(path)}" for path in audit.fixed)
    yield _evidence(audit)
    if look.verbosity >= 0:
        yield _counts(audit)


def _is_shown(item: Item, look: Look) -> bool:
    if item.state in STALE:
        return True
    return item.state is EvidenceState.PROMOTED if look.verbosity == 0 else look.verbosity > 0


def _was_of_code_lines(item: Item) -> bool:
    """Whether lines of a file whose definitions are known moved away from under their citation."""
    path, colon, lines = item.cited.rpartition(":")
    moved = item.state in (EvidenceState.MOVED, EvidenceState.CHANGED)
    return moved and bool(colon) and lines[:1].isdigit() and has_parser(path)


def _item(item: Item, look: Look) -> Iterator[str]:
    where = look.paint(f"{printable(item.path)}:{item.line}:", "bold")
    state = look.paint(item.state, _COLOURS.get(item.state, "yellow"))
    to = f" -> {printable(item.to)}" if item.to else ""
    cited = f" {printable(item.cited)}" if item.cited else ""
    sure = look.paint(" [--fix]", "dim") if item.certain and item.state in STALE else ""
    yield f"{where} {state}:{cited}{to}{sure}"
    if item.reason:
        yield f"    {printable(item.reason, 300)}"
    if item.candidates:
        yield f"    perhaps: {', '.join(printable(c) for c in item.candidates)}"


def _pairs(word: str, pairs: Sequence[ClaimPair], look: Look) -> Iterator[str]:
    most = len(pairs) if look.verbosity > 0 else _SHOWN
    for pair in pairs[:most]:
        where = look.paint(f"{printable(pair.path)}:{pair.line}:", "bold")
        yield f"{where} {word} {printable(pair.other_path)}:{pair.other_line}"
        yield f"    {printable(pair.claim, 120)}"
        if pair.claim != pair.other_claim:
            yield f"    {printable(pair.other_claim, 120)}"
    if len(pairs) > most:
        yield f"{len(pairs) - most} more pairs: one {word} the other (-v shows all)"


def _queue(audit: Audit, look: Look) -> Iterator[str]:
    for ages in audit.ages:
        parts = ", ".join(f"{count} {name}" for name, count in ages.buckets.items() if count)
        yield f"waiting in class {ages.doc_class}: {parts}"
    if look.verbosity > 0:
        for one in audit.oldest:
            where = f"{printable(one.path)}:{one.line}"
            yield f"waits since {one.since}: {where}: {printable(one.claim, 120)}"


def _evidence(audit: Audit) -> str:
    counts = ", ".join(f"{count} {name}" for name, count in audit.count().items() if count)
    return f"evidence: {counts or 'none'}"


def _counts(audit: Audit) -> str:
    tiers = audit.tiers
    documents = "1 document" if audit.documents == 1 else f"{audit.documents} documents"
    return (
        f"{audit.claims} {'claim' if audit.claims == 1 else 'claims'} in {documents}: "
        f"{tiers['tier_1']} approved, {tiers['tier_2']} for review, {tiers['tier_3']} blocked; "
        f"{grounded_share(audit.coverage)}; "
        f"{len(audit.contradictions)} contradictions, {len(audit.duplicates)} duplicates, "
        f"{len(audit.orphans)} orphaned"
    )


def history_as_text(points: Sequence[Point]) -> str:
    """A line of bars, and a row per commit."""
    if not points:
        return "no commit yet\n"
    highest = max(p.grounded for p in points) or 1.0
    bars = "".join(_BARS[round(p.grounded / highest * (len(_BARS) - 1))] for p in points)
    rows = [
        f"{p.date}  {p.commit[:12]}  {p.grounded:6.1%}  {p.tier_1:7} of {p.checkable:7} checkable"
        f"  {p.documents:5} documents"
        for p in points
    ]
    most = max(p.grounded for p in points)
    head = f"grounded  {bars}  {points[-1].grounded:.1%} (highest {most:.1%})"
    return "\n".join([head, "", *rows]) + "\n"


SCHEMA, HISTORY = "grounded-ingest/audit/1", "grounded-ingest/history/1"


def as_json(audit: Audit) -> str:
    built: dict[str, Any] = msgspec.to_builtins(audit)
    del built["coverage"], built["by_class"]
    summary = {
        "documents": built.pop("documents"),
        "claims": built.pop("claims"),
        **built.pop("tiers"),
        "coverage": coverage_json(audit.coverage),
        "classes": {name: coverage_json(of) for name, of in audit.by_class.items()},
        "evidence": audit.count(),
        "contradictions": len(audit.contradictions),
        "duplicates": len(audit.duplicates),
    }
    return pretty({"schema": SCHEMA, "scope": built.pop("scope"), "summary": summary, **built})


def history_as_json(points: Sequence[Point]) -> str:
    return pretty({"schema": HISTORY, "points": [msgspec.to_builtins(p) for p in points]})

"""Renders an audit as text (what needs a hand in memory first, what tells of a day counted, then
the state of the whole) and as JSON (docs/audit.schema.json)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from grounded_ingest.audit.model import STALE, Audit, ClaimPair, EvidenceState, Item
from grounded_ingest.code.definitions import has_parser
from grounded_ingest.language.dated_paths import tells_of_a_day
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import Problem
from grounded_ingest.report.as_json import pretty
from grounded_ingest.report.verbosity import Colour, Look
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import family

_COLOURS: dict[EvidenceState, Colour] = {
    EvidenceState.OK: "green",
    EvidenceState.PROMOTED: "green",
    EvidenceState.UNKNOWN: "dim",
}
_WAYS_OUT = {
    EvidenceState.MOVED: "Correct the citation.",
    EvidenceState.CHANGED: "Read the lines; correct the claim or its citation.",
    EvidenceState.GONE: "Name what took its place, or take it out.",
    EvidenceState.MISSING: "Correct it, or take it out.",
    EvidenceState.SUPERSEDED: "Check the claim against what holds now, and cite that.",
    EvidenceState.EXPIRED: "Confirm it with a new date, or take it out.",
    EvidenceState.DEAD: "Cite a page that answers, or take it out.",
    EvidenceState.UNREACHABLE: "Cite a commit that landed.",
}
_LINES = compiled(r":\d+(?:-\d+)?$")
_AGAIN = 8
"""Further lines of one document that are named where the same thing is wrong again."""

_MEMORY, _CURRENT, _DATED, _AFTER = range(4)
"""What agents load, other text that is kept up, what tells of a day, what has not become wrong."""


ANCHORS = "line numbers move, names last: cite code as path::name (audit --fix --anchors)"


def as_text(audit: Audit, look: Look) -> str:
    """Text for terminals, files and logs."""
    return "".join(f"{line}\n" for line in _lines(audit, look))


def since_written(audit: Audit, look: Look, said: Container[tuple[str, int]]) -> list[str]:
    """What became of citations since they were written, a line each, memory first; but for what is
    said of their lines already, and for what tells of a day."""
    rows = (r for r in sorted(_of_items(audit, look)) if r.rank in (_MEMORY, _CURRENT))
    return [r.text for r in rows if (r.path, r.line) not in said]


class _Row(NamedTuple):
    """A finding as a line; rows sort as they are printed."""

    rank: int
    path: str
    line: int
    text: str


def _lines(audit: Audit, look: Look) -> Iterator[str]:
    quiet, whole = look.verbosity < 0, look.verbosity > 0
    rows = sorted(_rows(audit, look))
    shown = [r for r in rows if whole or r.rank != _DATED]
    yield from (r.text for r in shown)
    yield from () if quiet else _of_the_run(audit, look, whole=whole)
    yield from (f"fixed: {printable(path)}" for path in audit.fixed)
    if folded := len(rows) - len(shown):
        yield f"{folded} more in plans, reports, logs and decision records (-v shows them)"
    yield _evidence(audit)
    yield from () if quiet else (_counts(audit),)


def _of_the_run(audit: Audit, look: Look, *, whole: bool) -> Iterator[str]:
    """What stands beside the findings; repeats and the queue where all is asked for."""
    items = (i for i in audit.items if _is_shown(i, look) and (whole or not i.dated))
    if any(map(_was_of_code_lines, items)):
        yield ANCHORS
    if whole:
        yield from _repeats(audit.duplicates, look)
    for problem in (p for p in audit.problems if not _is_wrong(p)):
        where = f"{printable(problem.path)}:{problem.line}: " if problem.path else ""
        rule = look.rule(problem.rule, "error" if _is_wrong(problem) else "note")
        yield f"{look.paint(where, 'bold')}{rule}: {printable(problem.message, 300)}"
    yield from (
        f"{printable(p)}: orphaned: its document is gone. {_fix(look)}" for p in audit.orphans
    )
    yield from (f"{printable(p)}: its evidence is behind. {_fix(look)}" for p in audit.behind)


def _of_items(audit: Audit, look: Look) -> Iterator[_Row]:
    memory = frozenset(audit.memory)
    for items in _folded([i for i in audit.items if _is_shown(i, look)], look):
        first = items[0]
        rank = _rank(first.path, memory, dated=first.dated)
        rank = rank if first.state in STALE else _AFTER
        yield _Row(rank, first.path, first.line, _item(items, look))


def _rows(audit: Audit, look: Look) -> Iterator[_Row]:
    memory = frozenset(audit.memory)
    yield from _of_items(audit, look)
    for blocked in audit.blocked:
        known = EVERY_RULE.get(blocked.rule)
        rank = _CURRENT if blocked.dated else _rank(blocked.path, memory, dated=False)
        where = _place(blocked.path, blocked.line, look)
        reason = f"{printable(blocked.claim, 120)}: {printable(blocked.reason, 300)}"
        way_out = known.way_out if known is not None else ""
        text = f"{where} {look.rule(blocked.rule, 'error')}: {_sentence(reason)} {way_out}".rstrip()
        yield _Row(rank, blocked.path, blocked.line, text)
    for problem in filter(_is_wrong, audit.problems) if look.verbosity >= 0 else ():
        where = _place(problem.path, problem.line, look)
        said = f"{look.rule(problem.rule, 'error')}: {printable(problem.message, 300)}"
        text = f"{where} {_sentence(said)} {EVERY_RULE[family(problem.rule)].way_out}"
        rank = _rank(problem.path, memory, dated=tells_of_a_day(problem.path))
        yield _Row(rank, problem.path, problem.line, text)
    for pair in audit.contradictions if look.verbosity >= 0 else ():
        other = f"{printable(pair.other_path)}:{pair.other_line}"
        text = (
            f"{_place(pair.path, pair.line, look)} contradicts {other}: "
            f"“{printable(pair.claim, 120)}”, there “{printable(pair.other_claim, 120)}”. "
            "Find out which holds, and correct the other."
        )
        yield _Row(_rank(pair.path, memory, dated=pair.dated), pair.path, pair.line, text)


def _is_wrong(problem: Problem) -> bool:
    """Whether it tells what is wrong at a place, rather than of the run."""
    known = EVERY_RULE.get(family(problem.rule))
    return bool(problem.path) and known is not None and known.severity == "error"


def _rank(path: str, memory: frozenset[str], *, dated: bool) -> int:
    if dated:
        return _DATED
    return _MEMORY if path in memory else _CURRENT


def _is_shown(item: Item, look: Look) -> bool:
    if item.state in STALE:
        return True
    return item.state is EvidenceState.PROMOTED if look.verbosity == 0 else look.verbosity > 0


def _was_of_code_lines(item: Item) -> bool:
    """Whether lines of a file whose definitions are known moved away from under their citation."""
    path, colon, lines = item.cited.rpartition(":")
    moved = item.state in (EvidenceState.MOVED, EvidenceState.CHANGED)
    return moved and bool(colon) and lines[:1].isdigit() and has_parser(path)


def _folded(items: list[Item], look: Look) -> Iterable[list[Item]]:
    """Findings that say the same of one thing in one document stand as one."""
    found: dict[tuple[object, ...], list[Item]] = {}
    for number, item in enumerate(items):
        alone = look.verbosity > 0 or item.to or item.kind == "claim"
        key = number if alone else (item.state, _LINES.sub("", item.cited), item.reason)
        found.setdefault((item.path, item.dated, key), []).append(item)
    return found.values()


def _place(path: str, line: int, look: Look) -> str:
    return look.paint(f"{printable(path)}:{line}:", "bold")


def _item(items: list[Item], look: Look) -> str:
    """Place, state, what is wrong from what to what, the way out: one line."""
    item, *more = items
    state = look.paint(item.state, _COLOURS.get(item.state, "yellow"))
    cited, reason = printable(item.cited), printable(item.reason, 300)
    said = " -> ".join(filter(None, (cited, printable(item.to))))
    if reason:
        said = reason if cited and reason.startswith(cited) else f"{said}: {reason}".lstrip(": ")
    if item.candidates:
        said += f" (perhaps {', '.join(printable(c) for c in item.candidates)})"
    if more:
        lines = ", ".join(str(i.line) for i in more[:_AGAIN])
        rest = f" and {len(more) - _AGAIN} more" if len(more) > _AGAIN else ""
        said += f"; so in {'line' if len(more) == 1 else 'lines'} {lines}{rest}"
    stale = item.state in STALE
    way_out = _fix(look) if item.certain and stale else _WAYS_OUT.get(item.state, "")
    said = f"{_sentence(said)} {way_out}" if way_out else said
    return f"{_place(item.path, item.line, look)} {state}: {said}"


def _fix(look: Look) -> str:
    return f"Run: {look.program} audit --fix"


def _sentence(text: str) -> str:
    return f"{text.rstrip('.')}."


def _repeats(pairs: Sequence[ClaimPair], look: Look) -> Iterator[str]:
    for pair in pairs:
        where = _place(pair.path, pair.line, look)
        other = f"{printable(pair.other_path)}:{pair.other_line}"
        yield f"{where} repeats {other}: {printable(pair.claim, 120)}"


def _evidence(audit: Audit) -> str:
    counts = ", ".join(f"{count} {name}" for name, count in audit.count().items() if count)
    return f"evidence: {counts or 'none'}"


def _counts(audit: Audit) -> str:
    tiers = audit.tiers
    documents = "1 document" if audit.documents == 1 else f"{audit.documents} documents"
    return (
        f"{audit.claims} {'claim' if audit.claims == 1 else 'claims'} in {documents}: "
        f"{tiers['tier_3']} blocked; "
        f"{len(audit.contradictions)} contradictions, {len(audit.duplicates)} duplicates, "
        f"{len(audit.orphans)} orphaned"
    )


SCHEMA = "grounded-ingest/audit/2"


def as_json(audit: Audit) -> str:
    built: dict[str, Any] = msgspec.to_builtins(audit)
    summary = {
        "documents": built.pop("documents"),
        "claims": built.pop("claims"),
        **built.pop("tiers"),
        "evidence": audit.count(),
        "contradictions": len(audit.contradictions),
        "duplicates": len(audit.duplicates),
    }
    return pretty({"schema": SCHEMA, "scope": built.pop("scope"), "summary": summary, **built})

"""The review queue for people: entries in lists and in full, sections as they read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grounded_ingest.model.claims import Decision
from grounded_ingest.report.explanation import explained, explanation_lines
from grounded_ingest.report.verbosity import Look
from grounded_ingest.report.wording import cause
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import severity_of
from grounded_ingest.text.printable import printable


def row(decision: Decision, state: str, look: Look) -> str:
    """One claim in one line."""
    claim = decision.place.claim
    where = look.paint(f"{printable(decision.place.path)}:{claim.line}:", "bold")
    rule = look.rule(decision.rule, severity_of(decision.rule, int(decision.tier)))
    mark = "" if state == "pending" else f" ({state})"
    return f"{claim.id[:8]} {where} {rule}{mark}: {printable(claim.text, 200)}"


FrameTexts = Sequence[tuple[str, str]]
"""What a claim is read with, as (kind, text), the outermost first."""


def framed(context: FrameTexts, look: Look, width: int = 200) -> Iterator[str]:
    """A context, a line each."""
    for kind, text in context:
        yield look.paint(f"{kind}: {printable(text, width)}", "dim")


def rows(entries: Sequence[tuple[Decision, str, FrameTexts]], look: Look) -> Iterator[str]:
    """Claims by document section, and in it by what would settle them."""
    sections: dict[tuple[str, str], dict[str, list[tuple[Decision, str, FrameTexts]]]] = {}
    for entry in entries:
        place = entry[0].place
        by_rule = sections.setdefault((place.path, place.claim.section), {})
        by_rule.setdefault(entry[0].rule, []).append(entry)
    for (path, title), by_rule in sections.items():
        section = printable(title, 100) or "(no section)"
        yield look.paint(f"{printable(path)} § {section}", "dim")
        for rule, found in by_rule.items():
            yield look.paint(f"  {rule}: {EVERY_RULE[rule].way_out}", "dim")
            for decision, state, context in found:
                yield f"    {row(decision, state, look)}"
                yield from (f"        {line}" for line in framed(context, look))


def full(found: Mapping[str, Any], look: Look) -> Iterator[str]:
    """One entry of `review show`."""
    yield from explanation_lines(dict(found), look)
    context = [(c["kind"], c["text"]) for c in found["context"]]
    yield from (f"  read with  {line}" for line in framed(context, look, 2000))
    yield f"  state      {found['state']}"
    owners = " ".join(found["owners"]) or "nobody is named"
    said = f" ({printable(found['owners_said'])})" if found["owners_said"] else ""
    yield f"  owners     {printable(owners)}{said}"
    if found["author"]:
        yield f"  author     {printable(', '.join(found['author']))}, {found['written_at']}"
    for source in found["sources_read"]:
        yield from _source(source)
    for near in found["nearest"]:
        share = f"{near['similarity']:.2f}"
        yield f"  nearest    {printable(near['path'])}:{near['line']} ({share}): " + printable(
            near["claim"], 200
        )
    for action in found["log"]:
        yield f"  log        {logged(action)}"


def _source(source: Mapping[str, Any]) -> Iterator[str]:
    yield f"  source     {printable(source['target'])}"
    for number, text in source["lines"]:
        yield f"    {number:>5} | {printable(text, 160)}"


def logged(action: Mapping[str, Any]) -> str:
    """A line of a review log in words."""
    why = f": {printable(action['reason'], 200)}" if action.get("reason") else ""
    who = printable(action["reviewer"])
    return f"{printable(action['reviewed_at'])} {action['action']} by {who}{why}"


def queue_entry(decision: Decision, state: str, context: FrameTexts) -> dict[str, Any]:
    """A claim of the queue as JSON has it."""
    read = [{"kind": kind, "text": text} for kind, text in context]
    return {**explained(decision), "state": state, "context": read}


def section_page(
    path: str, title: str, text: Sequence[tuple[int, str]], marks: Mapping[int, str], look: Look
) -> Iterator[str]:
    """A section as it reads, numbered lines, pending claims marked."""
    yield look.paint(f"{printable(path)} § {printable(title, 100) or '(no section)'}", "bold")
    for number, line in text:
        mark = marks.get(number, "")
        shown = f"{mark:>5} {number:>5} | {printable(line, 400)}"
        yield look.paint(shown, "yellow") if mark else shown


def short(number: int, decision: Decision, context: FrameTexts, look: Look) -> Iterator[str]:
    """A pending claim in the walk: what was found for it."""
    claim = decision.place.claim
    rule = look.rule(decision.rule, severity_of(decision.rule, int(decision.tier)))
    yield f"[{number}] {rule} {printable(claim.text, 300)}"
    yield from (f"      {line}" for line in framed(context, look, 600))
    if why := cause(decision):
        yield f"      {why}"
    for evidence in decision.own_evidence:
        said = evidence.reason or evidence.quote or "it is there"
        yield f"      {evidence.kind} {printable(evidence.target)}: {evidence.verdict}, " + (
            printable(said, 160)
        )

"""Prints decisions for people: the full decision for `explain`, and the claims in `review`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grounded_ingest.model.claims import Decision, Finding, Place, Verdict
from grounded_ingest.report.as_json import decision_json
from grounded_ingest.report.as_text import ignore_example
from grounded_ingest.report.findings import deciding_facts, reference_item
from grounded_ingest.report.formats import Look
from grounded_ingest.rules.reference_rules import (
    FAILED,
    WRONG,
    reference_rule,
    severity_of,
    way_out,
)
from grounded_ingest.rules.registry import EVERY_RULE
from grounded_ingest.text.printable import printable

FrameTexts = Sequence[tuple[str, str]]
"""The headings and lead-in sentences above a claim, as (kind, text), the outermost first."""

_TIERS = {1: "approve", 2: "review", 3: "block"}
_JUDGED = {
    "supported": "judge model: the source supports the claim",
    "contradicted": "judge model: the source contradicts the claim",
}
_QUOTE = 300


def explain_decision(decision: Decision) -> dict[str, Any]:
    """Returns a decision as a JSON-ready record for `explain`. The record has the fields of the
    JSON report, and also the document's class, all findings and how to fix them."""
    wrong = decision.wrong if decision.rule == WRONG else ()
    rule = reference_rule(wrong[0]) if wrong else decision.rule
    found = decision_json(decision)
    for row, evidence in zip(found["citations"], decision.evidence, strict=True):
        if evidence.own and evidence.verdict is Verdict.REFUTED:
            row["way_out"] = reference_item(decision, evidence, row["rule"]).way_out
    return {
        **found,
        "class": decision.place.doc_class,
        "findings": [_finding(f) for f in decision.findings],
        "way_out": way_out(rule),
        **({"operation_on": _place(decision.operation.of)} if decision.operation.of else {}),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    built: dict[str, Any] = {
        "rule": finding.rule,
        "message": finding.message,
        "words": finding.words,
        "similarity": finding.similarity,
    }
    if finding.other:
        built["other"] = _place(finding.other)
    return built


def _place(place: Place) -> dict[str, Any]:
    claim = place.claim
    return {"path": place.path, "line": claim.line, "id": claim.id, "claim": claim.text}


def explanation_lines(found: dict[str, Any], look: Look) -> Iterator[str]:
    """Yields the lines that explain a decision. found: a record from `explain_decision`, or a
    decision in a JSON report."""
    where = f"{printable(found['path'])}:{found['line']}:{found['column']}:"
    yield f"{look.paint(where, 'bold')} {printable(found['claim'])}"
    rule, tier = found["rule"], found["tier"]
    severity = severity_of(rule, tier)
    yield f"  decision   {look.rule(rule, severity)} (tier {tier}, {_TIERS[tier]})"
    yield f"  reason     {printable(found['reason'])}"
    if rule not in (WRONG, FAILED):  # else each wrong reference has its own
        yield f"  way out    {found.get('way_out') or EVERY_RULE[rule].way_out}"
        if severity in ("error", "warning") and (comment := ignore_example(rule, found["path"])):
            yield f"  ignore     {comment}"
    yield from (f"  hidden     {rule} by {by}" for rule, by in found.get("hidden", {}).items())
    yield f"  claim      {_identity(found)}"
    yield from _memory_lines(found)
    yield from _reference_lines(found, look)
    for finding in found.get("findings", ()):
        yield from _finding_lines(finding)
    if found["conflict"] and not found.get("findings"):
        yield f"  compared   {printable(found['conflict'])}"


def _identity(found: dict[str, Any]) -> str:
    ordinal = f" (copy {found['ordinal'] + 1} of this text)" if found["ordinal"] else ""
    kind = f"{found['kind']}, {found['memory_type']}, source {found['source']}"
    if found.get("class"):
        kind += f", class {found['class']}"
    section = f", in “{printable(found['section'], 80)}”" if found["section"] else ""
    return f"{found['id']}{ordinal} {kind}{section}"


def _memory_lines(found: dict[str, Any]) -> Iterator[str]:
    if found.get("cues"):
        yield f"  type       {found['memory_type']} by {printable(', '.join(found['cues']))}"
    if operation_of := found.get("operation_of"):
        on = found.get("operation_on")
        of = f"of {printable(operation_of)}"
        if on and (on["path"], on["id"]) == (found["path"], found["id"]):
            of = "because the claim is not new"
        elif on:
            of += f" {printable(on['path'])}:{on['line']}: {printable(on['claim'], 100)}"
        yield f"  operation  {found['operation']} {of}"
    for relation in found.get("relations", ()):
        words = f" “{printable(relation['words'], 60)}”" if relation["words"] else ""
        where = f"{printable(relation['path'])}:{relation['line']}"
        yield f"  relation   {relation['kind']} {where}: {printable(relation['claim'], 100)}{words}"


def _reference_lines(found: dict[str, Any], look: Look) -> Iterator[str]:
    own = {_named(c) for c in found["citations"] if not c["inherited"]}
    for citation in found["citations"]:
        if citation["inherited"] and _named(citation) in own:
            continue
        yield f"  citation   {_citation(citation)}"
        if citation["verdict"] == "refuted" and not citation["inherited"]:
            way = citation.get("way_out") or way_out(citation["rule"], citation["reason"])
            yield f"    way out  {look.commands(way)}"
            yield f"    ignore   {ignore_example(citation['rule'], found['path'])}"
        if not citation["quote"]:
            for number, row in found.get("places", {}).get(citation["target"], ()):
                yield f"    {number:>7}  {printable(row, _QUOTE)}"
    for why in found.get("skipped", ()):
        yield f"  skipped    {printable(why, _QUOTE)}"
    if not found["citations"]:
        yield "  citation   none"


def _named(citation: dict[str, Any]) -> tuple[str, str]:
    return citation["kind"], citation["target"]


def _citation(citation: dict[str, Any]) -> str:
    text = f"{citation['kind']} {printable(citation['target'])}: {citation['verdict']}"
    if citation["reason"]:
        text += f", {printable(citation['reason'])}"
    if judged := _JUDGED.get(citation.get("judged", "")):
        text += f", {judged}"
    if citation["quote"]:
        text += f", “{printable(citation['quote'], 200)}”"
    return text + (" (inherited)" if citation["inherited"] else "")


def _finding_lines(finding: dict[str, Any]) -> Iterator[str]:
    words = f" “{printable(finding['words'], 100)}”" if finding["words"] else ""
    message = f": {printable(finding['message'], 300)}" if finding["message"] else ""
    yield f"  finding    {finding['rule']}{words}{message}"
    if other := finding.get("other"):
        near = finding["similarity"]
        share = f" (similarity {near:.2f})" if 0 < near < 1 else ""
        where = f"{printable(other['path'])}:{other['line']}"
        yield f"  compared   {where}: {printable(other['claim'], 300)}{share}"


def queue_line(decision: Decision, state: str, look: Look) -> str:
    """Returns one line about a claim in the review queue."""
    claim = decision.place.claim
    where = look.paint(f"{printable(decision.place.path)}:{claim.line}:", "bold")
    mark = "" if state == "pending" else f" ({state})"
    text = printable(claim.text, 200)
    return f"{claim.id[:8]} {where} {_colour_rule(decision, look)}{mark}: {text}"


def _colour_rule(decision: Decision, look: Look) -> str:
    return look.rule(decision.rule, severity_of(decision.rule, int(decision.tier)))


def _context_lines(context: FrameTexts, look: Look, width: int = 200) -> Iterator[str]:
    for kind, text in context:
        yield look.paint(f"{kind}: {printable(text, width)}", "dim")


def queue_lines(entries: Sequence[tuple[Decision, str, FrameTexts]], look: Look) -> Iterator[str]:
    """Yields lines about claims and their states, grouped by document section and then by rule."""
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
                yield f"    {queue_line(decision, state, look)}"
                yield from (f"        {line}" for line in _context_lines(context, look))


def review_lines(found: Mapping[str, Any], look: Look) -> Iterator[str]:
    """Yields the lines that `review show` prints about a claim."""
    yield from explanation_lines(dict(found), look)
    context = [(c["kind"], c["text"]) for c in found["context"]]
    yield from (f"  read with  {line}" for line in _context_lines(context, look, 2000))
    yield f"  state      {found['state']}"
    owners = " ".join(found["owners"]) or "none"
    named_in = f" ({printable(found['owners_said'])})" if found["owners_said"] else ""
    yield f"  owners     {printable(owners)}{named_in}"
    if found["author"]:
        yield f"  author     {printable(', '.join(found['author']))}, {found['written_at']}"
    for source in found["sources_read"]:
        yield f"  source     {printable(source['target'])}"
        for number, text in source["lines"]:
            yield f"    {number:>5} | {printable(text, 160)}"
    for near in found["nearest"]:
        where = f"{printable(near['path'])}:{near['line']} ({near['similarity']:.2f})"
        yield f"  nearest    {where}: {printable(near['claim'], 200)}"
    for action in found["log"]:
        yield f"  log        {log_line(action)}"


def log_line(action: Mapping[str, Any]) -> str:
    """Returns one line about an entry in a review log."""
    why = f": {printable(action['reason'], 200)}" if action.get("reason") else ""
    who = printable(action["reviewer"])
    return f"{printable(action['reviewed_at'])} {action['action']} by {who}{why}"


def queue_entry(decision: Decision, state: str, context: FrameTexts) -> dict[str, Any]:
    """Returns a claim in the review queue as a JSON-ready record."""
    read = [{"kind": kind, "text": text} for kind, text in context]
    return {**explain_decision(decision), "state": state, "context": read}


def section_page(
    path: str, title: str, text: Sequence[tuple[int, str]], marks: Mapping[int, str], look: Look
) -> Iterator[str]:
    """Yields the lines of a section with line numbers. `marks` labels lines with pending claims."""
    yield look.paint(f"{printable(path)} § {printable(title, 100) or '(no section)'}", "bold")
    for number, line in text:
        mark = marks.get(number, "")
        shown = f"{mark:>5} {number:>5} | {printable(line, 400)}"
        yield look.paint(shown, "yellow") if mark else shown


def pending_lines(
    number: int, decision: Decision, context: FrameTexts, look: Look
) -> Iterator[str]:
    """Yields lines about a pending claim in the interactive review, with number and findings."""
    text = printable(decision.place.claim.text, 300)
    yield f"[{number}] {_colour_rule(decision, look)} {text}"
    yield from (f"      {line}" for line in _context_lines(context, look, 600))
    if facts := deciding_facts(decision):
        yield f"      {facts}"
    for evidence in decision.own_evidence:
        answer = evidence.reason or evidence.quote or "it exists"
        target = f"{evidence.kind} {printable(evidence.target)}"
        yield f"      {target}: {evidence.verdict}, {printable(answer, 160)}"

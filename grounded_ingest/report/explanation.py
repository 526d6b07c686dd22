"""One decision in full, for `explain`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grounded_ingest.model.claims import Decision, Finding, Place
from grounded_ingest.report.as_json import decision_json as as_dict
from grounded_ingest.report.as_text import ignore_line
from grounded_ingest.report.verbosity import Look
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import WRONG, reference_rule, severity_of, way_out
from grounded_ingest.text.printable import printable

_TIERS = {1: "approve", 2: "review", 3: "block"}


def explained(decision: Decision) -> dict[str, Any]:
    """A decision as the JSON report has it, with its class, all findings and the way out."""
    return {
        **as_dict(decision),
        "class": decision.place.doc_class,
        "findings": [_finding(f) for f in decision.findings],
        "way_out": way_out(_reported(decision)),
        **({"operation_on": _place(decision.operation.of)} if decision.operation.of else {}),
    }


def _reported(decision: Decision) -> str:
    """The rule that reports a decision: of a wrong reference that of its kind."""
    wrong = decision.wrong if decision.rule == WRONG else ()
    return reference_rule(wrong[0]) if wrong else decision.rule


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
    """Text of an `explained` decision, or of one of a JSON report."""
    where = f"{printable(found['path'])}:{found['line']}:{found['column']}:"
    yield f"{look.paint(where, 'bold')} {printable(found['claim'])}"
    rule, tier = found["rule"], found["tier"]
    severity = severity_of(rule, tier)
    yield f"  decision   {look.rule(rule, severity)} (tier {tier}, {_TIERS[tier]})"
    yield f"  reason     {printable(found['reason'])}"
    yield f"  way out    {found.get('way_out') or EVERY_RULE[rule].way_out}"
    if severity in ("error", "warning"):
        yield f"  ignore     {ignore_line(rule)}"
    yield f"  claim      {_identity(found)}"
    yield from _memory(found)
    for citation in found["citations"]:
        yield f"  citation   {_cited(citation)}"
        if citation["verdict"] == "refuted":
            yield f"    ignore   {ignore_line(citation['rule'])}"
        if not citation["quote"]:
            for number, row in found.get("places", {}).get(citation["target"], ()):
                yield f"    {number:>7}  {printable(row, _QUOTE)}"
    if not found["citations"]:
        yield "  citation   none"
    for finding in found.get("findings", ()):
        yield from _found(finding)
    if found["conflict"] and not found.get("findings"):
        yield f"  compared   {printable(found['conflict'])}"


def _identity(found: dict[str, Any]) -> str:
    parts = [
        found["id"],
        *([f"({found['ordinal'] + 1}. of this text)"] if found["ordinal"] else []),
    ]
    parts.append(f"{found['kind']}, {found['memory_type']}, source {found['source']}")
    if found.get("class"):
        parts[-1] += f", class {found['class']}"
    section = f", in “{printable(found['section'], 80)}”" if found["section"] else ""
    return " ".join(parts) + section


def _memory(found: dict[str, Any]) -> Iterator[str]:
    """The memory type with what decided it, what the claim does to the memory, its relations."""
    if found.get("cues"):
        yield f"  type       {found['memory_type']} by {_cues(found)}"
    if operation_of := found.get("operation_of"):
        on = found.get("operation_on")
        where = (
            f" {printable(on['path'])}:{on['line']}: {printable(on['claim'], 100)}" if on else ""
        )
        yield f"  operation  {found['operation']} of {printable(operation_of)}{where}"
    for relation in found.get("relations", ()):
        words = f" “{printable(relation['words'], 60)}”" if relation["words"] else ""
        where = f"{printable(relation['path'])}:{relation['line']}"
        yield f"  relation   {relation['kind']} {where}: {printable(relation['claim'], 100)}{words}"


def _cues(found: dict[str, Any]) -> str:
    return f"{printable(', '.join(found['cues']))} ({found['certainty']:.0%} certain)"


def _cited(citation: dict[str, Any]) -> str:
    said = f"{citation['kind']} {printable(citation['target'])}: {citation['verdict']}"
    if citation["reason"]:
        said += f", {printable(citation['reason'])}"
    if judged := _JUDGED.get(citation.get("judged", "")):
        said += f", {judged}"
    if citation["quote"]:
        said += f", “{printable(citation['quote'], 200)}”"
    return said + (" (inherited)" if citation["inherited"] else "")


_JUDGED = {
    "supported": "the judge says that it says so",
    "contradicted": "the judge says that it says otherwise",
}
_QUOTE = 300


def _found(finding: dict[str, Any]) -> Iterator[str]:
    words = f" “{printable(finding['words'], 100)}”" if finding["words"] else ""
    message = f": {printable(finding['message'], 300)}" if finding["message"] else ""
    yield f"  finding    {finding['rule']}{words}{message}"
    if other := finding.get("other"):
        near = finding["similarity"]
        share = f" (similarity {near:.2f})" if 0 < near < 1 else ""
        where = f"{printable(other['path'])}:{other['line']}"
        yield f"  compared   {where}: {printable(other['claim'], 300)}{share}"

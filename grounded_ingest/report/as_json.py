"""Renders a report as JSON (docs/report.schema.json), or as JSON Lines with one object a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from grounded_ingest.model.claims import Claim, Decision, Evidence, MemoryType, Problem, Tier
from grounded_ingest.model.report import Report
from grounded_ingest.report.findings import ReportItem, decision_reason, list_findings, source_id
from grounded_ingest.rules.reference_rules import family, reference_rule
from grounded_ingest.text.dates import resolved_since
from grounded_ingest.text.printable import inert_json

SCHEMA = "grounded-ingest/report/2"


def render(report: Report) -> str:
    """Returns the report as one indented JSON object."""
    return "".join(json_pieces(report))


def json_pieces(report: Report) -> Iterator[str]:
    """Yields the JSON object in pieces, one decision at a time. As one string, the decisions in a
    large repository would take as much memory as the check."""
    frame = {
        "schema": SCHEMA,
        "scope": scope(report),
        "summary": summary(report),
        "findings": [finding_json(e) for e in list_findings(report)],
        "decisions": [],
        "problems": [problem_json(p) for p in report.problems],
    }
    head, mark, rest = format_json(frame).partition('\n  "decisions": [')
    yield head + mark
    for number, decision in enumerate(report.counted):
        text = msgspec.json.format(_encoded(decision_json(decision)), indent=2)
        yield f"{',' if number else ''}\n    " + text.replace("\n", "\n    ")
    yield "\n  " * bool(report.counted) + rest


def format_json(value: Any) -> str:
    """Returns a value as indented JSON, with CI commands such as `::error` escaped."""
    return msgspec.json.format(_encoded(value), indent=2) + "\n"


def _encoded(value: Any) -> str:
    return inert_json(_encode(value).decode())


def _encode(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # git allows a path that is not UTF-8, JSON does not
        return msgspec.json.encode(_escape_bytes(value))


def _escape_bytes(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {key: _escape_bytes(item) for key, item in value.items()}
        case list():
            return [_escape_bytes(item) for item in value]
        case _:
            return value


def render_lines(report: Report) -> str:
    """Returns JSON Lines: findings, decisions and problems, and a `summary` as the last line."""
    rows: list[dict[str, Any]] = [
        {"type": "finding", **finding_json(e)} for e in list_findings(report)
    ]
    rows += [{"type": "decision", **decision_json(d)} for d in report.counted]
    rows += [{"type": "problem", **problem_json(p)} for p in report.problems]
    rows.append({"type": "summary", "schema": SCHEMA, "scope": scope(report), **summary(report)})
    return "".join(_encoded(row) + "\n" for row in rows)


def scope(report: Report) -> dict[str, Any]:
    """Returns which commits, base branch and paths the run checked."""
    built: dict[str, Any] = msgspec.to_builtins(report.scope)
    return built


def summary(report: Report) -> dict[str, Any]:
    """Returns the counts of documents, claims, tiers, findings and references."""
    found = list_findings(report)
    tiers = {f"tier_{t.value}": report.tier(t) for t in Tier}
    return {
        "documents": report.documents,
        "documents_unread": report.unread,
        "claims": len(report.counted),
        **tiers,
        "errors": sum(e.severity == "error" for e in found),
        "warnings": sum(e.severity == "warning" for e in found),
        "references": msgspec.to_builtins(report.references),
    }


def finding_json(item: ReportItem) -> dict[str, Any]:
    """Returns a finding as a JSON-ready record."""
    return {
        "severity": item.severity, "rule": item.rule, "path": item.path, "line": item.line,
        "column": item.column, "end_line": item.end_line, "claim": item.text,
        "message": item.description, "way_out": item.way_out, "tier": item.tier,
        "fingerprint": item.fingerprint,
    }  # fmt: skip


def decision_json(d: Decision) -> dict[str, Any]:
    """Returns a decision as a JSON-ready record. The record has the fields of an evidence line, and
    fields that depend on the run."""
    claim, finding = d.place.claim, d.deciding
    other = finding.other if finding else None
    return {
        "id": claim.id,
        "ordinal": claim.ordinal,
        "section": claim.section,
        "claim": claim.text,
        "path": d.place.path,
        "line": claim.line,
        "column": claim.column,
        "end_line": claim.end_line,
        "tier": int(d.tier),
        "rule": d.rule,
        "reason": decision_reason(d),
        "confidence": d.confidence,
        "kind": claim.kind,
        "memory_type": claim.memory_type,
        "cues": list(claim.cues),
        "split": list(claim.split),
        "source": d.source,
        "source_id": source_id(d),
        "validity_horizon": claim.valid_until,
        "capture_time": claim.timestamp,
        **_times(claim),
        "citations": [_citation(e) for e in d.evidence],
        "checks_passed": list(d.checks_passed),
        "checks_failed": list(d.checks_failed),
        "similarity_score": finding.similarity if finding else 0.0,
        "conflicting_memory_id": other.claim.id if other else "",
        "conflict": f"{other.path}#{other.claim.id}" if other else "",
        "operation": d.operation.name,
        "operation_of": d.operation.of.claim.id if d.operation.of else "",
    }


def _times(claim: Claim) -> dict[str, Any]:
    """Returns the dates that words such as "yesterday" mean, if the date of the event is known."""
    if claim.memory_type is not MemoryType.EPISODIC or not claim.timestamp:
        return {}
    found = resolved_since(claim.text, claim.timestamp)
    return {"times": found} if found else {}


def _citation(e: Evidence) -> dict[str, Any]:
    built: dict[str, Any] = {
        "kind": e.kind, "rule": reference_rule(e), "target": e.target, "verdict": e.verdict,
        "reason": e.reason,
        "fingerprint": e.fingerprint, "quote": e.quote, "quote_line": e.line,
        "inherited": not e.own, "network": e.network, "proves": e.proves, "judged": e.judged,
    }  # fmt: skip
    return {**built, "checked_at": e.checked_at} if e.network else built


def problem_json(p: Problem) -> dict[str, Any]:
    """Returns a problem as a JSON-ready record. `refuted-citation[path]` becomes the rule
    `refuted-citation` and the kind `path`."""
    kind = p.rule.partition("[")[2].rstrip("]")
    named = {"rule": family(p.rule), **({"kind": kind} if kind else {})}
    return {"path": p.path, "line": p.line, **named, "message": p.message, "tier": p.tier}

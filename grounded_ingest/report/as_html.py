"""The HTML report of a run: its findings, then every claim with the row that decided it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grounded_ingest.model.claims import Decision, Evidence, Finding, Operation
from grounded_ingest.model.report import Report
from grounded_ingest.report.as_json import finding_json, scope
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.html_page import HtmlAssets, html_page, rules_told
from grounded_ingest.report.ordering import entries
from grounded_ingest.report.wording import cause
from grounded_ingest.rules.reference_rules import family

_ASSETS = HtmlAssets(
    "page.html",
    ("style.css", "report.css"),
    ("text.js", "page.js"),
)
Row = dict[str, Any]


def render(report: Report) -> str:
    """Returns the page."""
    return html_page(_ASSETS, counts(report), _data(report))


def _data(report: Report) -> Row:
    names = _Names()
    claims = [_claim(d, names, report.context(d.place)) for d in report.counted]
    findings = [finding_json(e) for e in entries(report)]
    for finding in findings:
        names.number_of(finding["path"])
    used = {family(f["rule"]) for f in findings}.union(*map(_rules, claims))
    return {
        "scope": scope(report),
        "rules": rules_told(sorted(used)),
        "paths": list(names.paths),
        "sections": list(names.sections),
        "findings": findings,
        "claims": claims,
    }


class _Names:
    """Numbers paths and sections, so that the page holds each of them once."""

    def __init__(self) -> None:
        self.paths: dict[str, int] = {}
        self.sections: dict[str, int] = {}

    def number_of(self, path: str) -> int | None:
        return self.paths.setdefault(path, len(self.paths)) if path else None


def _claim(d: Decision, names: _Names, context: Sequence[tuple[str, str]]) -> Row:
    claim = d.place.claim
    row: Row = {
        "path": names.number_of(d.place.path),
        "line": claim.line,
        "section": names.sections.setdefault(claim.section, len(names.sections)),
        "text": claim.text,
        "tier": int(d.tier),
        "rule": d.rule,
        "kind": claim.kind,
        "memory": claim.memory_type,
        "source": d.source,
    }
    more = {
        "class": d.place.doc_class,
        "context": context,
        "operation": _operation(d.operation),
        "why": cause(d),
        "evidence": [_evidence(e) for e in d.evidence],
        "findings": [_finding(f) for f in d.findings],
    }
    return row | {key: value for key, value in more.items() if value}


def _operation(operation: Operation) -> Row:
    if operation.of is None:
        return {}
    return {"name": operation.name, "path": operation.of.path, "line": operation.of.claim.line}


def _rules(row: Row) -> set[str]:
    return {row["rule"], *(f["rule"] for f in row.get("findings", ()))}


def _evidence(e: Evidence) -> Row:
    row: Row = {"kind": e.kind, "target": e.target, "verdict": e.verdict}
    more: Row = {
        "reason": e.reason,
        "judged": e.judged,
        "inherited": not e.own,
        "checked": e.checked_at,
        "quote": e.quote,
    }
    return row | {key: value for key, value in more.items() if value}


def _finding(f: Finding) -> Row:
    row: Row = {"rule": f.rule, "message": f.message, "words": f.words}
    if f.other:
        other = f.other.claim
        row["other"] = {"path": f.other.path, "line": other.line, "text": other.text}
    return {key: value for key, value in row.items() if value}

"""The HTML report of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grounded_ingest.model.claims import Decision, Evidence, Finding, Operation
from grounded_ingest.model.report import Report
from grounded_ingest.report.as_json import finding_json, scope, summary
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.html_page import HtmlAssets, html_page, rules_told
from grounded_ingest.report.ordering import entries
from grounded_ingest.report.word_diff import parts
from grounded_ingest.report.wording import cause

_ASSETS = HtmlAssets(
    "page.html",
    ("style.css",),
    ("text.js", "parts.js", "figures.js", "queue.js", "detail.js", "page.js"),
)
Row = dict[str, Any]


def render(report: Report) -> str:
    """Returns the page."""
    return html_page(_ASSETS, counts(report), _data(report))


def _data(report: Report) -> Row:
    names = _Names()
    claims = [_claim(d, names, report.context(d.place)) for d in report.counted]
    problems = [
        {"path": p.path, "line": p.line, "rule": p.rule, "message": p.message, "tier": p.tier}
        for p in report.problems
    ]
    used = sorted({r for c in claims for r in _rules(c)} | {p.rule for p in report.problems})
    return {
        "scope": scope(report),
        "summary": summary(report),
        "rules": rules_told(used),
        "paths": list(names.paths),
        "sections": list(names.sections),
        "claims": claims,
        "problems": problems,
        "findings": [finding_json(e) for e in entries(report)],
    }


class _Names:
    """Paths and sections by number: each is written once."""

    def __init__(self) -> None:
        self.paths: dict[str, int] = {}
        self.sections: dict[str, int] = {}


def _claim(d: Decision, names: _Names, context: Sequence[tuple[str, str]]) -> Row:
    claim = d.place.claim
    row: Row = {
        "path": names.paths.setdefault(d.place.path, len(names.paths)),
        "line": claim.line,
        "column": claim.column,
        "section": names.sections.setdefault(claim.section, len(names.sections)),
        "id": claim.id,
        "text": claim.text,
        "tier": int(d.tier),
        "rule": d.rule,
        "kind": claim.kind,
        "memory": claim.memory_type,
        "source": d.source,
    }
    more = {
        "ordinal": claim.ordinal,
        "class": d.place.doc_class,
        "context": context,
        "cues": claim.cues,
        "certainty": claim.certainty if claim.cues else 0,
        "operation": _operation(d.operation),
        "why": cause(d) if d.deciding else "",  # of evidence, it stands there
        "evidence": [_evidence(e) for e in d.evidence],
        "findings": [_finding(f, claim.text) for f in d.findings],
    }
    return row | {key: value for key, value in more.items() if value}


def _operation(operation: Operation) -> Row:
    if operation.of is None:
        return {}
    return {"name": operation.name, "path": operation.of.path, "line": operation.of.claim.line}


def _rules(row: Row) -> list[str]:
    return [row["rule"], *(f["rule"] for f in row.get("findings", ()))]


def _evidence(e: Evidence) -> Row:
    row: Row = {"kind": e.kind, "target": e.target, "verdict": e.verdict}
    more: Row = {
        "reason": e.reason,
        "judged": e.judged,
        "inherited": not e.own,
        "checked": e.checked_at,
        "line": e.line,
        "quote": e.quote,
    }
    return row | {key: value for key, value in more.items() if value}


def _finding(f: Finding, claim: str) -> Row:
    row: Row = {"rule": f.rule, "message": f.message, "words": f.words}
    if f.other:
        other = f.other.claim
        row["other"] = {"path": f.other.path, "line": other.line, "id": other.id}
        row["beside"] = [parts(claim, other.text), parts(other.text, claim)]
    return {key: value for key, value in row.items() if value}

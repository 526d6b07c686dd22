"""Renders a report as SARIF 2.1.0 for GitHub code scanning.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from grounded_ingest.model.report import Report
from grounded_ingest.report.as_json import format_json
from grounded_ingest.report.findings import ReportItem, list_findings
from grounded_ingest.rules.reference_rules import KINDS, WRONG, family, severity_of
from grounded_ingest.rules.registry import EVERY_RULE
from grounded_ingest.rules.rule import Rule
from grounded_ingest.text.patterns import compiled
from grounded_ingest.version import __version__

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MOST = 25_000
"""Maximum number of results in one run. GitHub rejects a file with more results."""
SHOWN = 5_000
"""Maximum number of results that GitHub shows, the most severe first."""
LONGEST = 1_000
"""Maximum length of a message in characters. GitHub allows 1,024 characters in descriptions."""

_LEVELS = {"error": "error", "warning": "warning", "note": "note", "quiet": "none"}
_SEVERITIES = {**_LEVELS, "note": "recommendation", "quiet": "recommendation"}
# In a SARIF message, `[text](1)` is a link and `{0}` a placeholder. Document text must not become
# a link or a placeholder.
_MARKUP = compiled(r"\](?=\()|\{(?=\d)")


def render(report: Report) -> str:
    """Returns a SARIF file with one run. The run contains the rules with their help, the results
    with errors first, and a notification for each finding without a file."""
    found = list_findings(report)
    placed = [e for e in found if e.path]
    results = [_result(e) for e in placed[:MOST]]
    notes = [_notification(_LEVELS[e.severity], e.description, e.rule) for e in found if not e.path]
    if len(placed) > MOST:
        left_out = (
            f"{len(placed) - MOST} results are missing: GitHub accepts at most {MOST} in a file."
        )
        notes.append(_notification("warning", f"{left_out} This file has the most severe results."))
    if len(placed) > SHOWN:
        notes.append(
            _notification("note", f"GitHub shows only {SHOWN} results, the most severe first.")
        )
    return format_json(
        {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report, results, notes)]}
    )


def _run(report: Report, results: list[Any], notes: list[Any]) -> dict[str, Any]:
    invocation = {"executionSuccessful": True, "toolExecutionNotifications": notes}
    properties = {"scope": report.scope.mode, "base": report.scope.base}
    return {
        "tool": {
            "driver": {
                "name": "grounded-ingest",
                "semanticVersion": __version__,
                "rules": [_rule(id_, EVERY_RULE[family(id_)]) for id_ in _IDS],
            }
        },
        "automationDetails": {"id": "grounded-ingest/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
        "properties": properties,
    }


def _rule(id_: str, rule: Rule) -> dict[str, Any]:
    precision = "high" if rule.tier == 3 else "medium"
    return {
        "id": id_,
        "shortDescription": {"text": id_.replace("-", " ").capitalize()},
        "fullDescription": {"text": rule.summary},
        "help": {
            "text": f"{rule.summary}\n\n{rule.way_out}",
            "markdown": f"{rule.summary}\n\n**What to do.** {rule.way_out}",
        },
        "defaultConfiguration": {"level": _LEVELS[severity_of(id_)]},
        "properties": {
            "tags": ["documentation"],
            "precision": precision,
            "problem.severity": _SEVERITIES[severity_of(id_)],
        },
    }


def _result(item: ReportItem) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": max(item.line, 1), "startColumn": max(item.column, 1)}
    if item.end_line > region["startLine"]:
        region["endLine"] = item.end_line
    return {
        "ruleId": item.rule,
        "ruleIndex": _PLACES[item.rule],
        "level": _LEVELS[item.severity],
        "message": _message(item.message),
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": _uri(item.path)}, "region": region}}
        ],
        # GitHub reads only this fingerprint. The value depends on the claim, not on the line.
        "partialFingerprints": {"primaryLocationLineHash": f"{item.fingerprint}:1"},
    }


def _uri(path: str) -> str:
    """Returns a path as a URI relative to the root. Percent-encodes bytes that are not UTF-8."""
    try:
        return quote(path.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # half of a surrogate pair, which no bytes encode
        return quote(path.encode("utf-8", "backslashreplace"))


def _message(text: str) -> dict[str, str]:
    text = _MARKUP.sub(r"\g<0> ", text)
    return {"text": text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"}


def _notification(level: str, text: str, rule: str = "") -> dict[str, Any]:
    built: dict[str, Any] = {"level": level, "message": _message(text)}
    return {**built, "associatedRule": {"id": rule}} if rule else built


_IDS = (*EVERY_RULE, *(f"{WRONG}[{kind}]" for kind in KINDS))
_PLACES = {id_: place for place, id_ in enumerate(_IDS)}

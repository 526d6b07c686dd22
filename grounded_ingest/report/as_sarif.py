"""SARIF 2.1.0 as GitHub code scanning accepts it.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from grounded_ingest.model.report import Report
from grounded_ingest.report.as_json import pretty
from grounded_ingest.report.ordering import ReportItem, entries
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import KINDS, WRONG, family, severity_of
from grounded_ingest.rules.rule import Rule
from grounded_ingest.text.patterns import compiled
from grounded_ingest.version import __version__

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MOST = 25_000
"""Results of a run; GitHub rejects a file with more."""
SHOWN = 5_000
"""Results that GitHub keeps of them, by severity."""
LONGEST = 1_000
"""Characters of a message; GitHub documents 1,024 for descriptions."""

_LEVELS = {"error": "error", "warning": "warning", "note": "note", "quiet": "none"}
_SEVERITIES = {**_LEVELS, "note": "recommendation", "quiet": "recommendation"}
# `[text](1)` is a link and `{0}` a placeholder in SARIF messages; neither can be meant here.
_MEANT = compiled(r"\](?=\()|\{(?=\d)")


def render(report: Report) -> str:
    """Returns one run: rules with help, results (errors first), and notifications for findings
    without a file."""
    found = entries(report)
    placed = [e for e in found if e.path]
    results = [_result(e) for e in placed[:MOST]]
    notes = [_notification(_LEVELS[e.severity], e.what, e.rule) for e in found if not e.path]
    if len(placed) > MOST:
        left_out = f"{len(placed) - MOST} results are left out: a file may hold {MOST}"
        notes.append(_notification("warning", f"{left_out}. These are the worst."))
    if len(placed) > SHOWN:
        notes.append(_notification("note", f"GitHub shows {SHOWN} results; the worst come first."))
    return pretty({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report, results, notes)]})


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


def _result(entry: ReportItem) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": max(entry.line, 1), "startColumn": max(entry.column, 1)}
    if entry.end_line > region["startLine"]:
        region["endLine"] = entry.end_line
    return {
        "ruleId": entry.rule,
        "ruleIndex": _PLACES[entry.rule],
        "level": _LEVELS[entry.severity],
        "message": _message(entry.message),
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": _uri(entry.path)}, "region": region}}
        ],
        # The one name GitHub reads; its value follows the claim, not the line.
        "partialFingerprints": {"primaryLocationLineHash": f"{entry.fingerprint}:1"},
    }


def _uri(path: str) -> str:
    """Relative to the root. Git's paths are bytes, which a URI can hold."""
    try:
        return quote(path.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # half a character that no bytes stand for
        return quote(path.encode("utf-8", "backslashreplace"))


def _message(text: str) -> dict[str, str]:
    text = _MEANT.sub(_apart, text)
    return {"text": text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"}


def _apart(found: re.Match[str]) -> str:
    return f"{found[0]} "


def _notification(level: str, text: str, rule: str = "") -> dict[str, Any]:
    built: dict[str, Any] = {"level": level, "message": _message(text)}
    return {**built, "associatedRule": {"id": rule}} if rule else built


_IDS = (*EVERY_RULE, *(f"{WRONG}[{kind}]" for kind in KINDS))
_PLACES = {id_: place for place, id_ in enumerate(_IDS)}

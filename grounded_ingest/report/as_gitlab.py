"""Renders a report as a GitLab Code Quality report, for `artifacts: reports: codequality`.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from typing import Any

from grounded_ingest.model.report import Report
from grounded_ingest.report.as_json import format_json
from grounded_ingest.report.findings import ReportItem, list_findings
from grounded_ingest.text.printable import printable

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def render(report: Report) -> str:
    """Returns a JSON list of findings, errors first. Leaves out findings without a file, because
    GitLab requires a path."""
    return format_json([_row(item) for item in list_findings(report) if item.path])


def _row(item: ReportItem) -> dict[str, Any]:
    first = max(item.line, 1)
    return {
        "description": item.message,
        "check_name": item.rule,
        # The fingerprint contains the rule, so that a merge request shows another finding about the
        # same claim as new.
        "fingerprint": f"{item.rule}-{item.fingerprint}",
        "severity": _SEVERITIES[item.severity],
        "location": {
            "path": printable(item.path),
            "lines": {"begin": first, "end": max(first, item.end_line)},
        },
    }

"""A GitLab Code Quality report, for `artifacts: reports: codequality`.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from typing import Any

from grounded_ingest.model.report import Report
from grounded_ingest.report.as_json import pretty
from grounded_ingest.report.ordering import ReportItem, entries
from grounded_ingest.text.printable import printable

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def render(report: Report) -> str:
    """Returns a JSON list, errors first. Findings without a file are left out: GitLab has no place
    for them."""
    return pretty([_row(entry) for entry in entries(report) if entry.path])


def _row(entry: ReportItem) -> dict[str, Any]:
    first = max(entry.line, 1)
    return {
        "description": entry.message,
        "check_name": entry.rule,
        # The rule is in it: a claim that has another finding now is news in a merge request.
        "fingerprint": f"{entry.rule}-{entry.fingerprint}",
        "severity": _SEVERITIES[entry.severity],
        "location": {
            "path": printable(entry.path),
            "lines": {"begin": first, "end": max(first, entry.end_line)},
        },
    }

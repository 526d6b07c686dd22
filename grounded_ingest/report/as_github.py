"""Renders a report as workflow commands for GitHub Actions, which shows them as annotations.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.model.report import Report
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.findings import ReportItem, drop_repeats, list_findings, passes
from grounded_ingest.rules.reference_rules import CHANGED, WRONG
from grounded_ingest.text.printable import number_of, printable

MOST = 10
"""Maximum number of annotations that GitHub shows for each level in a step. GitHub silently drops
further annotations."""

_LEVELS = {"error": "error", "warning": "warning", "notice": "note"}
_TITLE = "grounded-ingest"


def render(report: Report) -> str:
    """Returns one workflow command on each line, errors first. A finding in a line that the change
    does not edit is a plain line of the log, not a command. If something is wrong, the last command
    contains the counts, and the number of findings that GitHub does not show."""
    return "".join(f"{line}\n" for line in _lines(report))


def workflow_command(level: str, message: str, **properties: str | int) -> str:
    """Returns a workflow command with the escapes that the GitHub runner understands."""
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{level} {listed}::{_data(message)}"


def _lines(report: Report) -> Iterator[str]:
    unedited = _unedited_lines(report)
    found, left_out = list[ReportItem](), []
    for item in drop_repeats(list_findings(report)):
        if (item.path, item.line) in unedited or item.rule == f"{WRONG}[{CHANGED}]":
            finding = f"{printable(item.path)}:{item.line}: {item.rule}: {item.sentence()}"
            yield f"on a line that the change does not touch: {finding}"
        else:
            found.append(item)
    for level, severity in _LEVELS.items():
        of_level = [e for e in found if e.severity == severity]
        shown = MOST - 1 if level == "notice" else MOST  # one notice is reserved for the counts
        yield from (_annotation(level, item) for item in of_level[:shown])
        if (more := len(of_level) - shown) > 0:
            left_out.append(number_of(more, f"more {level}"))
    if left_out or not passes(report):
        hidden = f"\nGitHub shows {MOST} annotations for each level; not shown: "
        unseen = f"{hidden}{', '.join(left_out)}" if left_out else ""
        yield workflow_command("notice", counts(report) + unseen, title=_TITLE)


def _unedited_lines(report: Report) -> set[tuple[str, int]]:
    return {
        (d.place.path, line)
        for d in (*report.decisions, *report.elsewhere)
        if not d.changed
        for line in range(d.place.claim.line, d.place.claim.end_line + 1)
    }


def _annotation(level: str, item: ReportItem) -> str:
    place: dict[str, str | int] = {}
    if item.path:
        place = {"file": printable(item.path)}
    if item.path and item.line:
        place |= {"line": item.line, "endLine": max(item.line, item.end_line)}
    # GitHub rejects columns in an annotation that spans several lines.
    if item.path and item.line == item.end_line and item.column > 1:
        place["col"] = item.column
    return workflow_command(level, item.message, **place, title=f"{_TITLE}: {item.rule}")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

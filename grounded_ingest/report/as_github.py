"""GitHub workflow commands: annotations, within what GitHub shows of a step.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.model.report import Report
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.ordering import ReportItem, entries
from grounded_ingest.text.printable import printable

SHOWN = 10
"""Annotations that GitHub shows of each level and step; it drops the rest without a word."""

_LEVELS = {"error": "error", "warning": "warning", "notice": "note"}
_TITLE = "grounded-ingest"


def render(report: Report) -> str:
    """Returns a command a line, errors first; the last one has the counts, and how many findings
    GitHub does not show."""
    return "".join(f"{line}\n" for line in _lines(report))


def workflow_command(level: str, message: str, **properties: str | int) -> str:
    """Returns a workflow command, escaped as the runner unescapes it."""
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{level} {told}::{_data(message)}"


def _lines(report: Report) -> Iterator[str]:
    found = entries(report)
    left_out = []
    for level, severity in _LEVELS.items():
        of_level = [e for e in found if e.severity == severity]
        shown = SHOWN - 1 if level == "notice" else SHOWN  # one notice for the counts
        yield from (_annotation(level, entry) for entry in of_level[:shown])
        if more := len(of_level) - shown:
            left_out += [f"{more} more {level if more == 1 else level + 's'}"] if more > 0 else []
    said = [counts(report)]
    if left_out:
        said.append(
            f"GitHub shows {SHOWN} annotations of a level; not shown: {', '.join(left_out)}"
        )
    yield workflow_command("notice", "\n".join(said), title=_TITLE)


def _annotation(level: str, entry: ReportItem) -> str:
    place: dict[str, str | int] = {}
    if entry.path:
        place = {"file": printable(entry.path)}
    if entry.path and entry.line:
        place |= {"line": entry.line, "endLine": max(entry.line, entry.end_line)}
    if entry.path and entry.line == entry.end_line and entry.column > 1:
        place["col"] = entry.column  # of more than one line GitHub refuses columns
    return workflow_command(level, entry.message, **place, title=f"{_TITLE}: {entry.rule}")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

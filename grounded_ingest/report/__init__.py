"""Report -> text, one file per format. A new one is a file, a line in FORMATS, its test."""

from __future__ import annotations

from collections.abc import Callable

from grounded_ingest.model import Report
from grounded_ingest.report.look import PLAIN, Look

Render = Callable[[Report, Look], str]


def _text(report: Report, look: Look) -> str:
    from grounded_ingest.report.as_text import render

    return render(report, look)


def _json(report: Report, look: Look) -> str:
    from grounded_ingest.report.as_json import render

    del look
    return render(report)


def _jsonl(report: Report, look: Look) -> str:
    from grounded_ingest.report.as_json import render_lines

    del look
    return render_lines(report)


def _html(report: Report, look: Look) -> str:
    from grounded_ingest.report.as_html import render

    del look
    return render(report)


def _github(report: Report, look: Look) -> str:
    from grounded_ingest.report.as_github import render

    del look
    return render(report)


def _gitlab(report: Report, look: Look) -> str:
    from grounded_ingest.report.as_gitlab import render

    del look
    return render(report)


def _sarif(report: Report, look: Look) -> str:
    from grounded_ingest.report.as_sarif import render

    del look
    return render(report)


def _junit(report: Report, look: Look) -> str:
    from grounded_ingest.report.as_junit import render

    del look
    return render(report)


def _markdown(report: Report, look: Look) -> str:
    from grounded_ingest.report.as_markdown import render

    del look
    return render(report)


FORMATS: dict[str, Render] = {
    "text": _text,
    "json": _json,
    "jsonl": _jsonl,
    "github": _github,
    "gitlab": _gitlab,
    "sarif": _sarif,
    "junit": _junit,
    "markdown": _markdown,
    "html": _html,
}
"""Formats by name. Each is a pure function of the report and how it is to look."""

__all__ = ["FORMATS", "PLAIN", "Look", "Render"]

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


FORMATS: dict[str, Render] = {"text": _text, "json": _json, "jsonl": _jsonl, "html": _html}
"""Formats by name. Each is a pure function of the report and how it is to look."""

__all__ = ["FORMATS", "PLAIN", "Look", "Render"]

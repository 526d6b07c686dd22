"""Report -> text, one file per format. A new format is a file, a line in FORMATS, its golden file."""

from __future__ import annotations

from collections.abc import Callable

from grounded_ingest.model import Report

Render = Callable[[Report, int], str]


def _text(report: Report, verbosity: int) -> str:
    from grounded_ingest.report.as_text import render

    return render(report, verbosity)


def _json(report: Report, verbosity: int) -> str:
    from grounded_ingest.report.as_json import render

    del verbosity
    return render(report)


def _jsonl(report: Report, verbosity: int) -> str:
    from grounded_ingest.report.as_json import render_lines

    del verbosity
    return render_lines(report)


FORMATS: dict[str, Render] = {"text": _text, "json": _json, "jsonl": _jsonl}
"""Formats by name. Each is a pure function of the report and the verbosity (-1, 0, 1)."""

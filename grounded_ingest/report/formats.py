"""Report -> text, one file per format. A new one is a file, a line in FORMATS, its test."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from grounded_ingest.model.report import Report
from grounded_ingest.report.verbosity import PLAIN, Look

Render = Callable[[Report, Look], str]


def _by(module: str, *, name: str = "render", looks: bool = False) -> Render:
    """What renders a format, imported when it is used. `looks`: it can be coloured and brief."""

    def render(report: Report, look: Look) -> str:
        write = getattr(import_module(f"grounded_ingest.report.{module}"), name)
        return str(write(report, look) if looks else write(report))

    return render


FORMATS: dict[str, Render] = {
    "text": _by("as_text", looks=True),
    "json": _by("as_json"),
    "jsonl": _by("as_json", name="render_lines"),
    "github": _by("as_github"),
    "gitlab": _by("as_gitlab"),
    "sarif": _by("as_sarif"),
    "junit": _by("as_junit"),
    "markdown": _by("as_markdown"),
    "html": _by("as_html"),
}
"""Formats by name. Each is a pure function of the report and how it is to look."""

STATISTICS: dict[str, Render] = {
    "text": _by("as_statistics", looks=True),
    "json": _by("as_statistics", name="statistics_json"),
}
"""What counts by rule are written as, instead of the report."""

__all__ = ["FORMATS", "PLAIN", "STATISTICS", "Look", "Render"]

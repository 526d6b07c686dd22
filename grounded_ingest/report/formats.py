"""Registers the report formats, and defines how text output looks.

A new format is a file `as_NAME.py` with `render`, and a line in FORMATS.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from posixpath import relpath
from typing import Literal, NamedTuple

from grounded_ingest.model.report import Report
from grounded_ingest.text.printable import printable

NAME = "grounded-ingest"
Colour = Literal["red", "yellow", "green", "bold", "dim"]

_SGR = {"red": "1;31", "yellow": "33", "green": "32", "bold": "1", "dim": "2"}
_OF_SEVERITY: dict[str, Colour] = {"error": "red", "warning": "yellow"}


class Look(NamedTuple):
    """The settings for text output.

    verbosity: -1 does not print the last line with the counts; 1 adds each claim and how to ignore
    the finding; 2 also lists decisions that need no action. color: whether the text has colours.
    program: the command that starts this program on this machine. folder: the current directory,
    as a path from the root of the repository, so that a terminal can open the printed paths.
    """

    verbosity: int = 0
    color: bool = False
    program: str = NAME
    folder: str = ""

    def path(self, path: str) -> str:
        """Returns a path of the repository as it is printed: relative to the current directory."""
        return printable(relpath(path, self.folder) if self.folder else path)

    def commands(self, text: str) -> str:
        """Returns the text with the program's name in commands replaced by the command that starts
        the program on this machine.
        """
        return text.replace(f"`{NAME} ", f"`{self.program} ")

    def paint(self, text: str, colour: Colour) -> str:
        """Returns the text in the colour, or unchanged if colours are off."""
        return f"\033[{_SGR[colour]}m{text}\033[0m" if self.color else text

    def rule(self, rule: str, severity: str) -> str:
        """Returns the id of a rule in the colour for the severity."""
        return self.paint(rule, _OF_SEVERITY.get(severity, "dim"))


PLAIN = Look()

Render = Callable[[Report, Look], str]


def _module(module: str, name: str = "render", *, looks: bool = False) -> Render:
    """Returns a function that renders a report in one format. The function imports the module of
    the format only when it is called, because the hook needs only the text format. `looks`: true if
    the render function in the module takes a `Look` as second argument."""

    def render(report: Report, look: Look) -> str:
        write = getattr(import_module(f"grounded_ingest.report.{module}"), name)
        return str(write(report, look) if looks else write(report))

    return render


FORMATS: dict[str, Render] = {
    "text": _module("as_text", looks=True),
    "json": _module("as_json"),
    "jsonl": _module("as_json", "render_lines"),
    "github": _module("as_github"),
    "gitlab": _module("as_gitlab"),
    "sarif": _module("as_sarif"),
    "junit": _module("as_junit"),
    "markdown": _module("as_markdown"),
    "html": _module("as_html"),
}
"""The values of `--output-format`."""

STATISTICS: dict[str, Render] = {
    "text": _module("as_statistics", looks=True),
    "json": _module("as_statistics", "statistics_json"),
}
"""The formats that `--statistics` can print counts in."""

"""The runner: inputs, the event, outputs, annotations."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from typing import Any

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.report.as_github import command
from grounded_ingest.report.plain import printable

TITLE = "grounded-ingest"


def value(name: str, default: str = "") -> str:
    """An input of the action; `name` as in action.yml."""
    told = os.environ.get(f"INPUT_{name.upper().replace('-', '_')}", "").strip()
    return told or default


def chosen(name: str, *of: str) -> str:
    """An input that is one of a few words; the first one is the default."""
    told = value(name, of[0])
    if told not in of:
        shown = printable(told, 100)
        raise GroundedIngestError(f"input {name}: {shown}", f"write one of {', '.join(of)}")
    return told


def switched(name: str, *, default: bool) -> bool:
    words = ("true", "false") if default else ("false", "true")
    return chosen(name, *words) == "true"


def event() -> dict[str, Any]:
    """The payload; empty where there is none that can be read."""
    try:
        with open(os.environ["GITHUB_EVENT_PATH"], encoding="utf-8") as file:
            told = json.load(file)
    except (KeyError, OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def inside(payload: Mapping[str, Any], *names: str) -> str:
    """A text deep in a payload, empty where it is not."""
    found: Any = payload
    for name in names:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, str) else ""


def set_outputs(**outputs: object) -> None:
    """Outputs of the step. The delimiter cannot be guessed by whoever wrote a value."""
    end = f"end-{secrets.token_hex(16)}"
    rows = [f"{k.replace('_', '-')}<<{end}\n{v}\n{end}\n" for k, v in outputs.items()]
    append("GITHUB_OUTPUT", "".join(rows))


def append(variable: str, text: str) -> None:
    """Add to a file the runner names; without one there is no runner to tell."""
    if path := os.environ.get(variable):
        with open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write(text)


def say(level: str, message: str) -> None:
    """An annotation without a file."""
    lines = "\n".join(printable(line, 1000) for line in message.split("\n"))
    print(command(level, lines, title=TITLE), flush=True)  # noqa: T201  the runner reads stdout

"""Reads the inputs and the event from the GitHub Actions runner, and writes outputs and
annotations."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from typing import Any

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.report.as_github import workflow_command
from grounded_ingest.text.printable import printable

TITLE = "grounded-ingest"


def value(name: str, default: str = "") -> str:
    """Returns the input with the given name in action.yml, or `default` if the input is empty."""
    found = os.environ.get(f"INPUT_{name.upper().replace('-', '_')}", "").strip()
    return found or default


def choice(name: str, *of: str) -> str:
    """Returns an input whose value must be one of the words in `of`, by default the first. Raises
    GroundedIngestError if the input has another value."""
    found = value(name, of[0])
    if found not in of:
        shown = printable(found, 100)
        raise GroundedIngestError(
            f"the input {name} has the unknown value `{shown}`", f"use one of {', '.join(of)}"
        )
    return found


def is_on(name: str, *, default: bool) -> bool:
    words = ("true", "false") if default else ("false", "true")
    return choice(name, *words) == "true"


def event() -> dict[str, Any]:
    """Returns the payload of the event that started the workflow. Returns an empty dictionary if
    the runner names no event file. Raises GroundedIngestError if the file is malformed, because an
    empty payload would select a different range of commits."""
    path = os.environ.get("GITHUB_EVENT_PATH", "")
    if not path:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except OSError as error:
        raise _malformed(f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise _malformed("is not JSON") from None
    if not isinstance(found, dict):
        raise _malformed("is not a JSON object")
    return found


def inside(payload: Mapping[str, Any], *names: str) -> str:
    """Returns a string that is nested in the payload, or an empty string if it is missing. `names`
    are the keys that lead to the string: `inside(payload, "repository", "default_branch")`. Raises
    GroundedIngestError if the value is not a string."""
    found = _at(payload, names)
    if found is not None and not isinstance(found, str):
        raise _malformed(f"has no string at {'.'.join(names)}")
    return found or ""


def number_in(payload: Mapping[str, Any], *names: str) -> int:
    """Returns a number that is nested in the payload, or 0 if it is missing. `names` are the keys
    that lead to the number: `number_in(payload, "pull_request", "number")`. Raises
    GroundedIngestError if the value is not a number, or is negative."""
    found = _at(payload, names)
    if found is not None and (not isinstance(found, int) or isinstance(found, bool) or found < 0):
        raise _malformed(f"has no whole number of 0 or more at {'.'.join(names)}")
    return found or 0


def _at(payload: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    found: Any = payload
    for depth, name in enumerate(names):
        if found is None:
            return None
        if not isinstance(found, Mapping):
            raise _malformed(f"has no JSON object at {'.'.join(names[:depth])}")
        found = found.get(name)
    return found


def _malformed(what: str) -> GroundedIngestError:
    return GroundedIngestError(
        f"the event file (GITHUB_EVENT_PATH) {what}",
        "start the action from a GitHub workflow event",
    )


def set_outputs(**outputs: object) -> None:
    """Sets outputs of the step. The delimiter is random, so that a value cannot end the output
    early and set other outputs."""
    end = f"end-{secrets.token_hex(16)}"
    rows = [f"{k.replace('_', '-')}<<{end}\n{v}\n{end}\n" for k, v in outputs.items()]
    append("GITHUB_OUTPUT", "".join(rows))


def append(variable: str, text: str) -> None:
    """Appends text to the file that an environment variable names. Does nothing if the variable is
    not set."""
    if path := os.environ.get(variable):
        with open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write(text)


def annotate(level: str, message: str) -> None:
    """Prints an annotation for the whole run, not for a file."""
    lines = "\n".join(printable(line, 1000) for line in message.split("\n"))
    print(workflow_command(level, lines, title=TITLE), flush=True)  # noqa: T201  the runner reads stdout

"""The runner of GitHub Actions: inputs, the event, outputs and annotations."""

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
    """Returns an input of the action by its name in action.yml."""
    found = os.environ.get(f"INPUT_{name.upper().replace('-', '_')}", "").strip()
    return found or default


def chosen(name: str, *of: str) -> str:
    """Returns an input that has to be one of the words `of`; the first is the default."""
    found = value(name, of[0])
    if found not in of:
        shown = printable(found, 100)
        raise GroundedIngestError(f"input {name}: {shown}", f"write one of {', '.join(of)}")
    return found


def switched(name: str, *, default: bool) -> bool:
    words = ("true", "false") if default else ("false", "true")
    return chosen(name, *words) == "true"


def event() -> dict[str, Any]:
    """Returns the event's payload; empty if the runner names no file. Raises GroundedIngestError
    for a malformed one, because an empty payload would select another range of commits."""
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
    """Returns a text nested in a payload; empty if it is missing. Raises GroundedIngestError for a
    value of another type."""
    found = _at(payload, names)
    if found is not None and not isinstance(found, str):
        raise _malformed(f"has no text at {'.'.join(names)}")
    return found or ""


def number_in(payload: Mapping[str, Any], *names: str) -> int:
    """Returns a number nested in a payload; 0 if it is missing. Raises as `inside` does."""
    found = _at(payload, names)
    if found is not None and (not isinstance(found, int) or isinstance(found, bool) or found < 0):
        raise _malformed(f"has no number at {'.'.join(names)}")
    return found or 0


def _at(payload: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    found: Any = payload
    for depth, name in enumerate(names):
        if found is None:
            return None
        if not isinstance(found, Mapping):
            raise _malformed(f"has no object at {'.'.join(names[:depth])}")
        found = found.get(name)
    return found


def _malformed(what: str) -> GroundedIngestError:
    return GroundedIngestError(
        f"the event (GITHUB_EVENT_PATH) {what}", "run the action on an event of the forge"
    )


def set_outputs(**outputs: object) -> None:
    """Sets outputs of the step. The author of a value cannot guess the delimiter."""
    end = f"end-{secrets.token_hex(16)}"
    rows = [f"{k.replace('_', '-')}<<{end}\n{v}\n{end}\n" for k, v in outputs.items()]
    append("GITHUB_OUTPUT", "".join(rows))


def append(variable: str, text: str) -> None:
    """Appends to the file that an environment variable of the runner names; else does nothing."""
    if path := os.environ.get(variable):
        with open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write(text)


def annotate(level: str, message: str) -> None:
    """Prints an annotation that belongs to no file."""
    lines = "\n".join(printable(line, 1000) for line in message.split("\n"))
    print(workflow_command(level, lines, title=TITLE), flush=True)  # noqa: T201  the runner reads stdout

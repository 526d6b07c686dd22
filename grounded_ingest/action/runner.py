"""The runner: inputs, the event, outputs, annotations."""

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
    """The payload; empty where the runner names none. Raises GroundedIngestError for what is none:
    taken for empty it would be judged as something that did not happen."""
    path = os.environ.get("GITHUB_EVENT_PATH", "")
    if not path:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            told = json.load(file)
    except OSError as error:
        raise _malformed(f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise _malformed("is not JSON") from None
    if not isinstance(told, dict):
        raise _malformed("is no JSON object")
    return told


def inside(payload: Mapping[str, Any], *names: str) -> str:
    """A text deep in a payload, empty where it is not. Raises GroundedIngestError for what else
    stands in its place."""
    found = _at(payload, names)
    if found is not None and not isinstance(found, str):
        raise _malformed(f"has no text at {'.'.join(names)}")
    return found or ""


def number_in(payload: Mapping[str, Any], *names: str) -> int:
    """A number deep in a payload, 0 where it is not; raises as `inside` does."""
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
    """Outputs of the step. The delimiter cannot be guessed by whoever wrote a value."""
    end = f"end-{secrets.token_hex(16)}"
    rows = [f"{k.replace('_', '-')}<<{end}\n{v}\n{end}\n" for k, v in outputs.items()]
    append("GITHUB_OUTPUT", "".join(rows))


def append(variable: str, text: str) -> None:
    """Add to a file the runner names; without one there is no runner to tell."""
    if path := os.environ.get(variable):
        with open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write(text)


def annotate(level: str, message: str) -> None:
    """An annotation without a file."""
    lines = "\n".join(printable(line, 1000) for line in message.split("\n"))
    print(workflow_command(level, lines, title=TITLE), flush=True)  # noqa: T201  the runner reads stdout

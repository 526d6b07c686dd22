"""What a coding agent tells its hook, and what it can be told, whatever the agent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol

Payload = Mapping[str, Any]
"""The JSON object on standard input."""
Moment = Literal[
    "before-write", "wrote", "before-command", "after-command", "session-start", "stop", "other"
]


class FileEdit(NamedTuple):
    """A file that is written. `added` are the lines this edit brings; None: what differs from HEAD
    counts. `content` is what the whole file will be, where a payload says so before it is."""

    path: str
    added: tuple[str, ...] | None = None
    content: str | None = None


class AgentEvent(NamedTuple):
    """One call of a hook. `again`: it runs because a hook has already kept the agent from
    stopping; `turn` is what stays the same until the person speaks again, for an agent that does
    not always say so; `name` is the event's, as the agent spells it; `directory` is empty where
    the agent does not say."""

    moment: Moment
    name: str = ""
    directory: str = ""
    edits: tuple[FileEdit, ...] = ()
    command: str = ""
    again: bool = False
    turn: str = ""


class HookReply(NamedTuple):
    """What the agent's model is told. `refused`: what it is about to do is not to be done, or it
    is not to stop yet."""

    text: str
    refused: bool = False


class HookOutput(NamedTuple):
    """What the process leaves: on standard output, standard error, and its exit code."""

    out: str = ""
    err: str = ""
    code: int = 0


class InstalledHook(NamedTuple):
    """A file that makes an agent call the hook. `path` is from the repository's root; `text` the
    whole of it, merged with what stood there."""

    path: str
    text: str
    executable: bool = False


class AgentShape(Protocol):
    """One agent: its payloads, the answer that reaches its model, and its own file of hooks."""

    @property
    def name(self) -> str:
        """As `--agent` names it."""
        ...

    @property
    def trust(self) -> str:
        """What the person has to do before the agent runs the hook; empty where nothing."""
        ...

    @property
    def files(self) -> tuple[str, ...]:
        """The files that make the agent call the hook, from the repository's root."""
        ...

    def sent(self, payload: Payload) -> bool:
        """Whether a payload is this agent's."""
        ...

    def event(self, payload: Payload) -> AgentEvent:
        """The payload as read. What is missing or of another type is read as absent."""
        ...

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        """The form of a reply that reaches the model after this event."""
        ...

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        """These files as they call `program`; `standing` holds what stands in each, if only
        nothing. Raises GroundedIngestError for a file that cannot be merged with."""
        ...


def json_output(told: Mapping[str, object]) -> HookOutput:
    """An object on standard output, exit code 0."""
    return HookOutput(json.dumps(told, ensure_ascii=False))


def call_of(program: str, agent: str) -> str:
    """The line for a shell that calls the hook. It ends with 0 whatever becomes of the program:
    agents take 2, and some 127 or any other, for a refusal. As `sh` and PowerShell read it."""
    return f"{program} hook --agent {agent}; exit 0"


def string_of(payload: Payload, *names: str) -> str:
    """The first of these values that is a text; empty where none is."""
    return next((v for n in names if isinstance(v := payload.get(n), str)), "")


def object_of(payload: Payload, name: str) -> Payload:
    """A value that is an object; an empty one where it is not."""
    found = payload.get(name)
    return found if isinstance(found, Mapping) else {}


def objects_of(payload: Payload, name: str) -> tuple[Payload, ...]:
    """The objects of a list."""
    found = payload.get(name)
    return tuple(o for o in found if isinstance(o, Mapping)) if isinstance(found, list) else ()


def edit_of(tool: Payload) -> tuple[FileEdit, ...]:
    """What a tool that writes one file is given, by the names that agents use for path, content
    and replacement."""
    path = string_of(tool, "file_path", "filePath", "path", "notebook_path")
    if not path:
        return ()
    content = string_of(tool, "content", "file_text", "fileText") or None
    pieces = [string_of(e, *REPLACEMENTS) for e in (tool, *objects_of(tool, "edits"))]
    added = "\n".join(p for p in (content or "", *pieces) if p)
    return (FileEdit(path, tuple(added.split("\n")) if added else None, content),)


REPLACEMENTS = ("new_string", "newString", "new_str", "new_source", "insert_text")

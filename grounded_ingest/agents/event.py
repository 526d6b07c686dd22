"""One call of a coding agent's hook, whichever the agent: its event, and the reply to it."""

from __future__ import annotations

from typing import Literal, NamedTuple

Moment = Literal[
    "before-write", "wrote", "before-command", "after-command", "session-start", "stop", "other"
]


class FileEdit(NamedTuple):
    """A file that the agent writes.

    `added` are the lines of this edit; None if the payload does not give them, so that all lines
    that differ from HEAD count. `content` is the whole new file, if the payload gives it.
    """

    path: str
    added: tuple[str, ...] | None = None
    content: str | None = None


class AgentEvent(NamedTuple):
    """One call of the hook.

    `name` is the agent's own name of the event. `directory` is empty if the payload has none.
    `again` is true if a hook has already kept the agent from stopping. `turn` identifies the
    person's last message, for an agent that does not report `again` reliably.
    """

    moment: Moment
    name: str = ""
    directory: str = ""
    edits: tuple[FileEdit, ...] = ()
    command: str = ""
    again: bool = False
    turn: str = ""


class HookReply(NamedTuple):
    """Text for the agent's model. `refused` stops what the agent is about to do, or its stop."""

    text: str
    refused: bool = False


class HookOutput(NamedTuple):
    """Standard output, standard error and exit code of the hook's process."""

    out: str = ""
    err: str = ""
    code: int = 0


class InstalledHook(NamedTuple):
    """A file that makes an agent call the hook. `path` is from the repository's root; `text` is
    the complete content, merged with what the file had."""

    path: str
    text: str
    executable: bool = False

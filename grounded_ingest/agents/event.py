"""Types for the events and replies of a coding agent's hook, which are the same for all agents."""

from __future__ import annotations

from typing import Literal, NamedTuple

Moment = Literal[
    "before-write", "wrote", "before-command", "after-command", "session-start", "stop", "other"
]


class FileEdit(NamedTuple):
    """A file that the agent writes. `added` lists the lines that the edit adds. If the payload does
    not contain them, `added` is None, and all lines that differ from HEAD count. `content` is the
    whole new text of the file, or None if the payload does not contain the text."""

    path: str
    added: tuple[str, ...] | None = None
    content: str | None = None


class AgentEvent(NamedTuple):
    """An event that a coding agent sends to the hook.

    `moment` says what the agent is about to do or has done. `name` is the agent's own name for the
    event. `directory` is the working directory, or empty if unknown. `edits` are the files that the
    agent writes, and `command` is the shell command that it runs. `again` is true if a hook has
    already prevented the agent from stopping. `turn` identifies the user's last message, for an
    agent that does not report `again` reliably."""

    moment: Moment
    name: str = ""
    directory: str = ""
    edits: tuple[FileEdit, ...] = ()
    command: str = ""
    again: bool = False
    turn: str = ""


class HookReply(NamedTuple):
    """A reply to the agent's model. If `refused` is true, the agent may not do what the hook was
    asked about: a write, a command, or the end of its turn."""

    text: str
    refused: bool = False


class HookOutput(NamedTuple):
    """The standard output, standard error and exit code of the hook process."""

    out: str = ""
    err: str = ""
    code: int = 0


class InstalledHook(NamedTuple):
    """A configuration file that makes an agent call the hook. `path` is relative to the repository
    root. `text` is the whole content of the file, including the settings that the file already
    had."""

    path: str
    text: str
    executable: bool = False

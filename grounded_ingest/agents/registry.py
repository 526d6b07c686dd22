"""Lists the supported coding agents: the names in an agent's payload, the form of a reply, and the
configuration file for the hook. To support a new agent, add a row to `_ROWS`.

The names come from the documentation of the agents. For Claude Code, Codex, Gemini CLI, Copilot CLI
and OpenCode, the real program was tested too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from grounded_ingest.errors import GroundedIngestError

Payload = Mapping[str, Any]
"""The JSON object on the hook's standard input. A value with an unexpected type is treated as
missing."""
Hooks = Mapping[str, Sequence[Mapping[str, Any]]]
"""The hook entries in an agent's configuration file, by event."""
Texts = Mapping[str, str]
"""The current text of each configuration file of an agent, by path."""
Phase = Literal["before", "after", "start", "stop"]

SECONDS = 60
"""Timeout of the hook in seconds, which is written to the agent's configuration."""
REFUSED = 2
"""Exit code that refuses an action, for agents that do not read JSON. The reason is written to
standard error."""
MARK = "hook --agent"
"""Text in every hook command that `install` writes. An entry with this text is replaced."""
REPLACEMENTS = ("new_string", "newString", "new_str", "new_source", "new_text", "insert_text")
_PATCHED_FILE = re.compile(
    r"\*\*\* (Add|Update) File: (.+)|\*\*\* Move to: (.+)|\*\*\* (?:Delete|End)"
)


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


Installed = tuple[InstalledHook, ...]


class Agent(NamedTuple):
    """A coding agent that can call the hook.

    `mark` returns whether a payload comes from this agent. `events` maps the agent's event names to
    moments, such as `before-write`. `writes` lists the tools that write files. `reply` converts a
    reply to the output of the hook, and `install` returns the configuration files with the hook
    added. `trust` tells the user what to do before the agent runs the hook. `event_keys` and
    `tool_keys` are the payload keys that may contain the names of the event and of the tool;
    without `tool_keys`, the event name is the tool name. `wrappers` are the keys of a nested object
    with the tool's name and input. `inputs` are the keys of the input; "" stands for the whole
    object."""

    name: str
    files: tuple[str, ...]
    mark: Callable[[Payload], bool]
    events: Mapping[str, Phase]
    event_keys: tuple[str, ...]
    writes: frozenset[str]
    shells: frozenset[str]
    reply: Callable[[AgentEvent, HookReply], HookOutput]
    install: Callable[[Agent, str, Texts], Installed]
    trust: str = ""
    tool_keys: tuple[str, ...] = ()
    wrappers: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ("",)
    told_after_commands: bool = False
    """True if the agent passes a reply to its model only after the command has run."""

    def event(self, payload: Payload) -> AgentEvent:
        """Converts the JSON object that this agent sends to the hook to an `AgentEvent`."""
        body = next(filter(None, (_object(payload, key) for key in self.wrappers)), payload)
        given = next(filter(None, (_object(body, key) for key in self.inputs)), {})
        name = _string(payload, *self.event_keys)
        tool = _string(body, *self.tool_keys) if self.tool_keys else name
        edits = tuple(_edits(given)) if tool in self.writes else ()
        command = _command(given) if tool in self.shells else ""
        phase = self.events.get(name) if self.event_keys else _phase_without_name(payload)
        loops = payload.get("loop_count")
        turn = [_string(payload, key) for key in ("session_id", "prompt")]
        return AgentEvent(
            self._moment(phase, command), name, _directory(payload, body), edits, command,
            bool(payload.get("stop_hook_active")) or (isinstance(loops, int) and loops > 0),
            "\n".join(turn) if self.told_after_commands else "",
        )  # fmt: skip

    def _moment(self, phase: Phase | None, command: str) -> Moment:
        match phase:
            case "before":
                return "before-command" if command else "before-write"
            case "after" if command:
                return "after-command" if self.told_after_commands else "other"
            case "after":
                return "wrote"
            case "start":
                return "session-start"
            case "stop":
                return "stop"
            case _:
                return "other"

    def installed(self, program: str, existing: Texts) -> Installed:
        """Returns the agent's configuration files with hooks that call `program`. `existing` maps
        each path to its current text. Raises GroundedIngestError if the hooks cannot be added to an
        existing file."""
        return self.install(self, program, existing)

    def call(self, program: str) -> str:
        """Returns a command line that runs the hook, in `sh` and PowerShell. The command always
        exits with 0. Agents treat exit code 2 as a refusal, and a few agents also treat 127
        (program not found) as a refusal."""
        return f"{program} hook --agent {self.name}; exit 0"


def agent_of(payload: Payload) -> Agent | None:
    """Returns the agent that sent a payload to the hook, judged by the payload's keys, or None."""
    return next((agent for agent in AGENTS.values() if agent.mark(payload)), None)


# Reading


def _string(payload: Payload, *keys: str) -> str:
    return next((v for key in keys if isinstance(v := payload.get(key), str)), "")


def _object(payload: Payload, key: str) -> Payload:
    """Returns the JSON object under a key. A string is parsed as JSON. Returns an empty object for
    any other value."""
    found = payload.get(key) if key else payload
    if isinstance(found, str):  # Copilot CLI sends `toolArgs` as text
        try:
            found = json.loads(found)
        except (ValueError, RecursionError):
            return {}
    return found if isinstance(found, Mapping) else {}


def _phase_without_name(payload: Payload) -> Phase | None:
    """Returns what the agent is about to do or has done, for a payload from Copilot CLI, which does
    not contain an event name."""
    if "toolName" in payload:
        return "after" if "toolResult" in payload else "before"
    if "stopReason" in payload:
        return "stop"
    return "start" if "source" in payload else None


def _directory(payload: Payload, body: Payload) -> str:
    found = _string(payload, "cwd", "directory", "workspaceRoot") or _string(body, "cwd")
    for key in ("workspace_roots", "workspaceRoots"):
        roots = payload.get(key)
        if not found and isinstance(roots, list) and roots and isinstance(roots[0], str):
            found = roots[0]
    return found


def _command(given: Payload) -> str:
    """Returns the shell command in a tool's input. The commands of a list become its lines."""
    listed = given.get("commands")
    lines = [c for c in listed if isinstance(c, str)] if isinstance(listed, list) else []
    return "\n".join(lines) or _string(given, "command", "command_line")


def _edits(given: Payload) -> Iterator[FileEdit]:
    """Yields the files that a tool writes. Reads the keys that agents use for path and content. An
    input without a path is a patch from the tool `apply_patch` of Codex or Cline."""
    path = _string(given, "file_path", "filePath", "path", "notebook_path")
    if not path:
        yield from read_patch(_string(given, "command", "input"))
        return
    replaces = given.get("old_text") is not None or given.get("insert_line") is not None
    whole = ("content", "file_text", "fileText", *(() if replaces else ("new_text",)))
    content = _string(given, *whole) or None
    listed = given.get("edits")
    pieces = [e for e in listed if isinstance(e, Mapping)] if isinstance(listed, list) else []
    texts = [content or "", *(_string(piece, *REPLACEMENTS) for piece in (given, *pieces))]
    added = "\n".join(filter(None, texts))
    yield FileEdit(path, tuple(added.split("\n")) if added else None, content)


def read_patch(patch: str) -> Iterator[FileEdit]:
    """Yields the files in a patch for the tool `apply_patch` of Codex or Cline, with the lines that
    the patch adds."""
    path, new, added = "", False, list[str]()
    for line in [*patch.split("\n"), "*** End Patch"]:
        head = _PATCHED_FILE.match(line)
        if head is None:
            if path and line.startswith("+"):
                added.append(line[1:])
        elif head[3]:
            path = head[3].strip()
        else:
            if path:
                yield FileEdit(path, tuple(added), "\n".join(added) + "\n" if new else None)
            path, new, added = (head[2] or "").strip(), head[1] == "Add", []


# Replies


def _as_json(value: Mapping[str, object]) -> HookOutput:
    return HookOutput(json.dumps(value, ensure_ascii=False))


def _decision(event: AgentEvent, reply: HookReply) -> dict[str, object]:
    if event.moment == "stop":
        return {"decision": "block", "reason": reply.text}
    if reply.refused:
        return {"permissionDecision": "deny", "permissionDecisionReason": reply.text}
    return {"additionalContext": reply.text}


def _claude_reply(event: AgentEvent, reply: HookReply) -> HookOutput:
    found = _decision(event, reply)
    if event.moment == "stop":
        return _as_json(found)
    return _as_json({"hookSpecificOutput": {"hookEventName": event.name, **found}})


def _copilot_reply(event: AgentEvent, reply: HookReply) -> HookOutput:
    return _as_json(_decision(event, reply))


def _gemini_reply(event: AgentEvent, reply: HookReply) -> HookOutput:
    if event.moment == "stop" or reply.refused:
        return _as_json({"decision": "block", "reason": reply.text})
    context = {"hookEventName": event.name, "additionalContext": reply.text}
    return _as_json({"hookSpecificOutput": context})


def _cursor_reply(event: AgentEvent, reply: HookReply) -> HookOutput:
    if event.moment == "stop":
        return _as_json({"followup_message": reply.text})
    if event.moment == "before-command":
        permission = "deny" if reply.refused else "allow"
        return _as_json({"permission": permission, "agent_message": reply.text})
    return _as_json({"additional_context": reply.text})


def _cline_reply(_: AgentEvent, reply: HookReply) -> HookOutput:
    key = "errorMessage" if reply.refused else "contextModification"
    return _as_json({"cancel": reply.refused, key: reply.text})


def _opencode_reply(_: AgentEvent, reply: HookReply) -> HookOutput:
    return _as_json({"text": reply.text, "refused": reply.refused})


def _exit_code_reply(event: AgentEvent, reply: HookReply) -> HookOutput:
    if event.moment.startswith("before-"):
        return HookOutput("", f"{reply.text}\n", REFUSED if reply.refused else 0)
    return HookOutput(f"{reply.text}\n")


# Files of hooks


def _merged(
    path: str, existing: Texts, hooks: Hooks, top: Mapping[str, Any] | None = None
) -> InstalledHook:
    """Returns a JSON configuration file with the hook entries added. Earlier entries from
    grounded-ingest are replaced, and all others are kept. `top` holds the other settings for a new
    file. Raises GroundedIngestError if the file is malformed."""
    text = existing.get(path, "")
    try:
        settings = json.loads(text) if text.strip() else dict(top or {})
    except ValueError as error:
        raise _malformed_file(path, f"the file is not valid JSON: {error}") from None
    if not isinstance(settings, dict):
        raise _malformed_file(path, "the file is not a JSON object")
    events = settings.setdefault("hooks", {})
    if not isinstance(events, dict):
        raise _malformed_file(path, "the value of `hooks` is not an object")
    for event, entries in hooks.items():
        listed = events.setdefault(event, [])
        if not isinstance(listed, list):
            raise _malformed_file(path, f"the value of `hooks.{event}` is not a list")
        events[event] = [*(e for e in listed if not _is_ours(e)), *entries]
    return InstalledHook(path, json.dumps(settings, indent=2, ensure_ascii=False) + "\n")


def _malformed_file(path: str, why: str) -> GroundedIngestError:
    return GroundedIngestError(f"{path}: {why}", "fix or rename the file")


def _is_ours(entry: Any) -> bool:
    text = json.dumps(entry)
    return "grounded-ingest" in text and MARK in text


def without_hooks(path: str, text: str) -> str:
    """Returns an agent's configuration file without the hook entries from grounded-ingest. Returns
    an empty string if nothing else is in the file. Returns the same text if the file has no such
    entry or is malformed."""
    if not path.endswith(".json"):
        is_plugin = path.endswith("/grounded-ingest.js")
        lines = text.splitlines(keepends=True)
        left = "".join(line for line in lines if f" {MARK} " not in line)
        return "" if is_plugin or left.strip() in ("", "#!/bin/sh") else left
    try:
        settings = json.loads(text)
    except ValueError:
        return text
    if not isinstance(settings, dict) or not _is_ours(settings):
        return text
    hooks = settings.get("hooks")
    if isinstance(hooks, dict):
        rest = {event: _entries_of_others(entries) for event, entries in hooks.items()}
        settings["hooks"] = {event: entries for event, entries in rest.items() if entries}
    else:
        settings["hooks"] = _entries_of_others(hooks)
    if not settings["hooks"]:
        del settings["hooks"]
    if not settings.keys() - {"version"}:
        return ""
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _entries_of_others(entries: Any) -> Any:
    if not isinstance(entries, list):
        return entries
    rest = []
    for entry in entries:
        inner = entry.get("hooks") if isinstance(entry, dict) else None
        others = [e for e in inner if not _is_ours(e)] if isinstance(inner, list) else []
        if not _is_ours(entry):
            rest.append(entry)
        elif others:
            rest.append({**entry, "hooks": others})
    return rest


def _entries_for(command: Mapping[str, Any], tools: Mapping[str, str]) -> Hooks:
    """Returns a hook entry for each event. `tools` maps an event to the tool names for which the
    agent calls the hook. An empty value means all tools."""
    return {
        event: [{**({"matcher": names} if names else {}), "hooks": [command]}]
        for event, names in tools.items()
    }


def _install_claude(agent: Agent, program: str, existing: Texts) -> Installed:
    command = {"type": "command", "command": agent.call(program), "timeout": SECONDS}
    tools = {
        "SessionStart": "", "PreToolUse": "Bash|Write|Edit|MultiEdit",
        "PostToolUse": "Write|Edit|MultiEdit|NotebookEdit", "Stop": "",
    }  # fmt: skip
    return (_merged(agent.files[0], existing, _entries_for(command, tools)),)


def _install_codex(agent: Agent, program: str, existing: Texts) -> Installed:
    command = {
        "type": "command", "command": agent.call(program),
        "commandWindows": f"{program} hook --agent {agent.name}", "timeout": SECONDS,
    }  # fmt: skip
    tools = {
        "SessionStart": "", "PreToolUse": "Bash|apply_patch", "PostToolUse": "apply_patch",
        "Stop": "",
    }  # fmt: skip
    return (_merged(agent.files[0], existing, _entries_for(command, tools)),)


def _install_gemini(agent: Agent, program: str, existing: Texts) -> Installed:
    command = {
        "name": "grounded-ingest", "type": "command", "command": agent.call(program),
        "timeout": SECONDS * 1000,
    }  # fmt: skip
    used = "run_shell_command|write_file|replace"
    tools = {"SessionStart": "", "BeforeTool": used, "AfterTool": used, "AfterAgent": ""}
    return (_merged(agent.files[0], existing, _entries_for(command, tools)),)


def _install_copilot(agent: Agent, program: str, existing: Texts) -> Installed:
    call = agent.call(program)
    entry = {"type": "command", "bash": call, "powershell": call, "timeoutSec": SECONDS}
    events = ("sessionStart", "preToolUse", "postToolUse", "agentStop")
    return (_merged(agent.files[0], existing, {e: [entry] for e in events}, {"version": 1}),)


def _install_cursor(agent: Agent, program: str, existing: Texts) -> Installed:
    hooks = {event: [{"command": agent.call(program)}] for event in agent.events}
    return (_merged(agent.files[0], existing, hooks, {"version": 1}),)


def _install_windsurf(agent: Agent, program: str, existing: Texts) -> Installed:
    entry = {"command": f"{program} hook --agent {agent.name}", "show_output": True}
    return (_merged(agent.files[0], existing, {event: [entry] for event in agent.events}),)


def _install_cline(agent: Agent, program: str, existing: Texts) -> Installed:
    """Returns one script for each event. Cline runs the script whose file name is the event name.
    Raises GroundedIngestError if the user already has a script for an event."""
    for path in agent.files:
        if existing.get(path, "") and f" {MARK} " not in existing[path]:
            raise GroundedIngestError(
                f"{path}: the file already contains another hook",
                f"add the command `{program} hook --agent {agent.name}` to the file",
            )
    script = f"#!/bin/sh\n{agent.call(program)}\n"
    return tuple(InstalledHook(path, script, executable=True) for path in agent.files)


def _install_kiro(agent: Agent, program: str, _: Texts) -> Installed:
    action = {"type": "command", "command": f"{program} hook --agent {agent.name}"}
    hooks = [
        {
            "name": f"grounded-ingest {trigger}", "trigger": trigger, "matcher": ".*",
            "action": action, "timeout": SECONDS, "enabled": True,
        }
        for trigger in agent.events
    ]  # fmt: skip
    text = json.dumps({"version": "v1", "hooks": hooks}, indent=2) + "\n"
    return (InstalledHook(agent.files[0], text),)


def _install_opencode(agent: Agent, program: str, _: Texts) -> Installed:
    plugin = files(__package__).joinpath("opencode.js").read_text(encoding="utf-8")
    return (InstalledHook(agent.files[0], plugin.replace('"PROGRAM"', json.dumps(program))),)


_CLAUDE_EVENTS: Mapping[str, Phase] = {
    "PreToolUse": "before", "PostToolUse": "after", "SessionStart": "start", "Stop": "stop",
}  # fmt: skip
_GEMINI_EVENTS: Mapping[str, Phase] = {
    "AfterTool": "after", "BeforeTool": "before", "AfterAgent": "stop", "SessionStart": "start",
}  # fmt: skip


def _is_gemini(payload: Payload) -> bool:
    name = _string(payload, "hook_event_name")
    return name in _GEMINI_EVENTS and (name != "SessionStart" or "timestamp" in payload)


# `agent_of` tries the rows in this order. Claude Code is last, because other agents use its keys.
_ROWS = (
    Agent(  # https://opencode.ai/docs/plugins; our plugin defines the payload
        "opencode", (".opencode/plugins/grounded-ingest.js",),
        lambda p: "opencode" in p,
        {"start": "start", "before": "before", "after": "after"},
        ("opencode",), frozenset({"write", "edit"}), frozenset({"bash"}),
        _opencode_reply, _install_opencode, tool_keys=("tool",), inputs=("args",),
    ),
    # Cline CLI 3 starts the hook `TaskStart`, but does not wait for its reply.
    Agent(  # https://docs.cline.bot/features/hooks; the later names come from Cline CLI 3.0.65
        "cline",
        tuple(f".clinerules/hooks/{e}" for e in ("TaskStart", "PreToolUse", "PostToolUse")),
        lambda p: "clineVersion" in p,
        {"TaskStart": "start", "PreToolUse": "before", "PostToolUse": "after",
         "agent_start": "start", "tool_call": "before", "tool_result": "after"},
        ("hookName",),
        frozenset({"write_to_file", "replace_in_file", "new_rule", "apply_diff", "editor",
                   "apply_patch"}),
        frozenset({"execute_command", "run_commands"}), _cline_reply, _install_cline,
        "In an editor, Cline runs hooks only if its settings enable them (Features, Hooks).",
        tool_keys=("name", "toolName", "tool"),
        wrappers=("tool_result", "tool_call", "postToolUse", "preToolUse"),
        inputs=("input", "parameters"),
    ),
    # The output of a hook after an edit is shown to the user, but not to the model. The model only
    # gets the reasons for refusals.
    Agent(  # https://docs.windsurf.com/windsurf/cascade/hooks
        "windsurf", (".windsurf/hooks.json",),
        lambda p: "agent_action_name" in p,
        {"post_write_code": "after", "pre_write_code": "before", "pre_run_command": "before"},
        ("agent_action_name",), frozenset({"pre_write_code", "post_write_code"}),
        frozenset({"pre_run_command"}), _exit_code_reply, _install_windsurf,
        wrappers=("tool_info",),
    ),
    # Most versions pass nothing to the model after an edit, so findings are repeated at the stop.
    Agent(  # https://cursor.com/docs/agent/hooks
        "cursor", (".cursor/hooks.json",),
        lambda p: "conversation_id" in p or "workspace_roots" in p,
        {"afterFileEdit": "after", "beforeShellExecution": "before", "sessionStart": "start",
         "stop": "stop"},
        ("hook_event_name",), frozenset({"afterFileEdit"}), frozenset({"beforeShellExecution"}),
        _cursor_reply, _install_cursor,
    ),
    Agent(  # https://docs.github.com/en/copilot/reference/hooks-configuration
        "copilot", (".github/hooks/grounded-ingest.json",),
        lambda p: "sessionId" in p and "hook_event_name" not in p,
        {}, (), frozenset({"create", "edit"}), frozenset({"bash", "powershell"}),
        _copilot_reply, _install_copilot,
        "Copilot CLI loads the hook only in trusted folders (it asks, or use `--trust-folder`).",
        tool_keys=("toolName",), inputs=("toolArgs",),
    ),
    # The payloads are not fully documented. If a payload has no path, all changes since HEAD are
    # checked.
    Agent(  # https://kiro.dev/docs/hooks
        "kiro", (".kiro/hooks/grounded-ingest.json",),
        lambda p: "trigger" in p,
        {"PostFileSave": "after", "PreToolUse": "before"},
        ("trigger", "hook_event_name"), frozenset({"PostFileSave"}), frozenset({"PreToolUse"}),
        _exit_code_reply, _install_kiro, inputs=("tool_input", ""),
    ),
    Agent(  # https://developers.openai.com/codex/hooks
        "codex", (".codex/hooks.json",),
        lambda p: "turn_id" in p,
        _CLAUDE_EVENTS, ("hook_event_name",), frozenset({"apply_patch"}), frozenset({"Bash"}),
        _claude_reply, _install_codex,
        "Codex runs the hook only if the project is trusted and the hook is reviewed: open codex,"
        " type /hooks, and trust the hook. Until then Codex skips the hook without a message.",
        tool_keys=("tool_name",), inputs=("tool_input",),
    ),
    # Standard output must contain only JSON. Before a tool runs, the model only gets a refusal.
    # `stop_hook_active` becomes false again after the model has called a tool.
    Agent(  # https://geminicli.com/docs/hooks
        "gemini", (".gemini/settings.json",), _is_gemini,
        _GEMINI_EVENTS, ("hook_event_name",), frozenset({"write_file", "replace"}),
        frozenset({"run_shell_command"}), _gemini_reply, _install_gemini,
        "Gemini CLI runs the hook only in trusted folders (`/permissions`).",
        tool_keys=("tool_name",), inputs=("tool_input",), told_after_commands=True,
    ),
    Agent(  # https://code.claude.com/docs/en/hooks
        "claude", (".claude/settings.json",),
        lambda p: "hook_event_name" in p,
        _CLAUDE_EVENTS, ("hook_event_name",),
        frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"}), frozenset({"Bash"}),
        _claude_reply, _install_claude, "Claude Code asks once whether you trust the folder.",
        tool_keys=("tool_name",), inputs=("tool_input",),
    ),
)  # fmt: skip

AGENTS: Mapping[str, Agent] = {agent.name: agent for agent in _ROWS}
"""The agents, by the name that the option `--agent` expects."""

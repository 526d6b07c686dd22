"""Codex. https://developers.openai.com/codex/hooks"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from grounded_ingest.agents.claude import SECONDS, moment_of, spoken
from grounded_ingest.agents.event import (
    AgentEvent,
    FileEdit,
    HookOutput,
    HookReply,
    InstalledHook,
    Payload,
    call_of,
    json_output,
    object_of,
    string_of,
)
from grounded_ingest.agents.json_settings import for_tools, with_hooks

_FILE = re.compile(r"\*\*\* (Add|Update) File: (.+)|\*\*\* Move to: (.+)|\*\*\* (?:Delete|End)")


class Codex:
    """Hooks of the project; writing is `apply_patch`, whose input is the patch."""

    name = "codex"
    trust = (
        "Codex runs it once the project is trusted and the hook is reviewed: open codex, type"
        " /hooks, trust it. Until then it is skipped without a word."
    )
    files = (".codex/hooks.json",)

    def sent(self, payload: Payload) -> bool:
        return "turn_id" in payload

    def event(self, payload: Payload) -> AgentEvent:
        name, tool = string_of(payload, "hook_event_name"), string_of(payload, "tool_name")
        given = string_of(object_of(payload, "tool_input"), "command")
        command = given if tool == "Bash" else ""
        return AgentEvent(
            moment_of(name, command), name, string_of(payload, "cwd"),
            tuple(patched(given)) if tool == "apply_patch" else (), command,
            bool(payload.get("stop_hook_active")),
        )  # fmt: skip

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        return json_output(spoken(event, reply))

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        command = {
            "type": "command", "command": call_of(program, self.name),
            "commandWindows": f"{program} hook --agent {self.name}", "timeout": SECONDS,
        }  # fmt: skip
        tools = {
            "SessionStart": "", "PreToolUse": "Bash|apply_patch", "PostToolUse": "apply_patch",
            "Stop": "",
        }  # fmt: skip
        return (with_hooks(self.files[0], standing, for_tools(command, tools)),)


def patched(patch: str) -> Iterator[FileEdit]:
    """The files of a patch of `apply_patch`, with the lines it adds; the whole of a new one."""
    path, new, added = "", False, list[str]()
    for line in [*patch.split("\n"), "*** End Patch"]:
        head = _FILE.match(line)
        if head is None:
            if path and line.startswith("+"):
                added.append(line[1:])
        elif head[3]:
            path = head[3].strip()
        else:
            if path:
                yield FileEdit(path, tuple(added), "\n".join(added) + "\n" if new else None)
            path, new, added = (head[2] or "").strip(), head[1] == "Add", []

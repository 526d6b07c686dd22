"""Codex. https://developers.openai.com/codex/hooks"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from grounded_ingest.agents.claude import EVENTS, SECONDS, spoken
from grounded_ingest.agents.event import (
    AgentEvent,
    FileEdit,
    HookOutput,
    HookReply,
    InstalledHook,
    Payload,
    call_of,
    object_of,
    string_of,
)
from grounded_ingest.agents.json_settings import with_hooks

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
        edits = tuple(patched(given)) if tool == "apply_patch" else ()
        command = given if tool == "Bash" else ""
        moment = EVENTS.get(name, "other")
        if name == "PreToolUse":
            moment = "before-command" if command else "before-write"
        spoken_to = moment in ("session-start", "stop") or edits or command
        return AgentEvent(
            moment if spoken_to else "other", name, string_of(payload, "cwd"), edits, command,
            bool(payload.get("stop_hook_active")),
        )  # fmt: skip

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        return HookOutput(json.dumps(spoken(event, reply), ensure_ascii=False))

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        command = {
            "type": "command", "command": call_of(program, self.name),
            "commandWindows": f"{program} hook --agent {self.name}", "timeout": SECONDS,
        }  # fmt: skip
        every: dict[str, object] = {"hooks": [command]}
        hooks: dict[str, list[dict[str, object]]] = {
            "SessionStart": [every],
            "PreToolUse": [{"matcher": "Bash|apply_patch", **every}],
            "PostToolUse": [{"matcher": "apply_patch", **every}],
            "Stop": [every],
        }
        return (with_hooks(self.files[0], standing, hooks),)


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

"""Kiro. https://kiro.dev/docs/hooks"""

from __future__ import annotations

import json
from collections.abc import Mapping

from grounded_ingest.agents.event import (
    AgentEvent,
    HookOutput,
    HookReply,
    InstalledHook,
    Payload,
    edit_of,
    object_of,
    string_of,
)

REFUSED = 2
"""The exit code with which a hook before a tool refuses it; standard error is why."""


class Kiro:
    """A file of hooks. Its payloads are not documented in full: what is missing is read as absent,
    and a save of which nothing is said is answered for all that differs from HEAD."""

    name = "kiro"
    trust = ""
    files = (".kiro/hooks/grounded-ingest.json",)

    def sent(self, payload: Payload) -> bool:
        return "trigger" in payload

    def event(self, payload: Payload) -> AgentEvent:
        name = string_of(payload, "trigger", "hook_event_name")
        given = object_of(payload, "tool_input") or payload
        directory = string_of(payload, "cwd", "workspaceRoot")
        command = string_of(given, "command")
        if name == "PostFileSave":
            return AgentEvent("wrote", name, directory, edit_of(given))
        if name == "PreToolUse" and command:
            return AgentEvent("before-command", name, directory, (), command)
        return AgentEvent("other", name, directory)

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        if event.moment == "before-command":
            return HookOutput("", f"{reply.text}\n", REFUSED if reply.refused else 0)
        return HookOutput(f"{reply.text}\n")

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        del standing
        action = {"type": "command", "command": f"{program} hook --agent {self.name}"}
        hooks = [
            {
                "name": f"grounded-ingest {trigger}", "trigger": trigger, "matcher": ".*",
                "action": action, "timeout": 60, "enabled": True,
            }
            for trigger in ("PostFileSave", "PreToolUse")
        ]  # fmt: skip
        text = json.dumps({"version": "v1", "hooks": hooks}, indent=2) + "\n"
        return (InstalledHook(self.files[0], text),)

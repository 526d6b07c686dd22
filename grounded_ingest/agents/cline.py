"""Cline. https://docs.cline.bot/features/hooks"""

from __future__ import annotations

from collections.abc import Mapping

from grounded_ingest.agents.event import (
    AgentEvent,
    HookOutput,
    HookReply,
    InstalledHook,
    Moment,
    Payload,
    call_of,
    edit_of,
    json_output,
    object_of,
    string_of,
)
from grounded_ingest.errors import GroundedIngestError

EVENTS: Mapping[str, Moment] = {
    "TaskStart": "session-start", "PreToolUse": "before-write", "PostToolUse": "wrote",
}  # fmt: skip
WRITES = frozenset({"write_to_file", "replace_in_file", "new_rule", "apply_diff"})


class Cline:
    """A program for each event, named after it."""

    name = "cline"
    files = tuple(f".clinerules/hooks/{name}" for name in EVENTS)
    trust = "Cline runs hooks once they are switched on in its settings (Features, Hooks)."

    def sent(self, payload: Payload) -> bool:
        return "clineVersion" in payload

    def event(self, payload: Payload) -> AgentEvent:
        name = string_of(payload, "hookName")
        told = object_of(payload, "postToolUse") or object_of(payload, "preToolUse")
        given, tool = object_of(told, "parameters"), string_of(told, "toolName", "tool")
        roots = payload.get("workspaceRoots")
        first = roots[0] if isinstance(roots, list) and roots else ""
        moment = EVENTS.get(name, "other")
        command = string_of(given, "command") if tool == "execute_command" else ""
        if command:
            moment = "before-command" if name == "PreToolUse" else "other"
        return AgentEvent(
            moment, name, first if isinstance(first, str) else "",
            edit_of(given) if tool in WRITES else (), command,
        )  # fmt: skip

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        del event
        told: dict[str, object] = {"cancel": reply.refused}
        told["errorMessage" if reply.refused else "contextModification"] = reply.text
        return json_output(told)

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        script = f"#!/bin/sh\n{call_of(program, self.name)}\n"
        for path in self.files:
            there = standing.get(path, "")
            if there and " hook --agent " not in there:
                raise GroundedIngestError(
                    f"{path}: a hook of yours stands there",
                    f"call `{program} hook --agent {self.name}` from it",
                )
        return tuple(InstalledHook(path, script, executable=True) for path in self.files)

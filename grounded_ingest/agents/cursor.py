"""Cursor. https://cursor.com/docs/agent/hooks"""

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
    string_of,
)
from grounded_ingest.agents.json_settings import with_hooks

EVENTS: Mapping[str, Moment] = {
    "afterFileEdit": "wrote", "beforeShellExecution": "before-command",
    "sessionStart": "session-start", "stop": "stop",
}  # fmt: skip


class Cursor:
    """Hooks of the project. Most versions hand nothing on after an edit: what stands then is said
    when the agent stops."""

    name = "cursor"
    trust = ""
    files = (".cursor/hooks.json",)

    def sent(self, payload: Payload) -> bool:
        return "conversation_id" in payload or "workspace_roots" in payload

    def event(self, payload: Payload) -> AgentEvent:
        name = string_of(payload, "hook_event_name")
        roots = payload.get("workspace_roots")
        first = roots[0] if isinstance(roots, list) and roots else ""
        directory = string_of(payload, "cwd") or (first if isinstance(first, str) else "")
        loops = payload.get("loop_count")
        return AgentEvent(
            EVENTS.get(name, "other"), name, directory,
            edit_of(payload) if name == "afterFileEdit" else (),
            string_of(payload, "command") if name == "beforeShellExecution" else "",
            isinstance(loops, int) and loops > 0,
        )  # fmt: skip

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        told: dict[str, object]
        if event.moment == "stop":
            told = {"followup_message": reply.text}
        elif event.moment == "before-command":
            permission = "deny" if reply.refused else "allow"
            told = {"permission": permission, "agent_message": reply.text}
        else:
            told = {"additional_context": reply.text}
        return json_output(told)

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        entry: dict[str, object] = {"command": call_of(program, self.name)}
        return (with_hooks(self.files[0], standing, {e: [entry] for e in EVENTS}, {"version": 1}),)

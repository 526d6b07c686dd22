"""Windsurf. https://docs.windsurf.com/windsurf/cascade/hooks"""

from __future__ import annotations

from collections.abc import Mapping

from grounded_ingest.agents.event import (
    AgentEvent,
    HookOutput,
    HookReply,
    InstalledHook,
    Moment,
    Payload,
    edit_of,
    object_of,
    string_of,
)
from grounded_ingest.agents.json_settings import with_hooks

EVENTS: Mapping[str, Moment] = {
    "post_write_code": "wrote", "pre_write_code": "before-write",
    "pre_run_command": "before-command",
}  # fmt: skip
REFUSED = 2
"""The exit code with which a hook that runs before something refuses it; standard error is why."""


class Windsurf:
    """Hooks of the project. What runs after an edit informs the person alone; the model is told
    only what a hook before it refuses."""

    name = "windsurf"
    trust = ""
    files = (".windsurf/hooks.json",)

    def sent(self, payload: Payload) -> bool:
        return "agent_action_name" in payload

    def event(self, payload: Payload) -> AgentEvent:
        name, told = string_of(payload, "agent_action_name"), object_of(payload, "tool_info")
        return AgentEvent(
            EVENTS.get(name, "other"), name, string_of(told, "cwd"),
            edit_of(told) if name.endswith("write_code") else (),
            string_of(told, "command_line", "command") if name == "pre_run_command" else "",
        )  # fmt: skip

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        if event.moment == "wrote":
            return HookOutput(f"{reply.text}\n")
        return HookOutput("", f"{reply.text}\n", REFUSED if reply.refused else 0)

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        entry: dict[str, object] = {
            "command": f"{program} hook --agent {self.name}", "show_output": True,
        }  # fmt: skip
        return (with_hooks(self.files[0], standing, {e: [entry] for e in EVENTS}),)

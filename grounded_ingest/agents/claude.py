"""Claude Code. https://code.claude.com/docs/en/hooks"""

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
from grounded_ingest.agents.json_settings import for_tools, with_hooks

WRITES = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
EVENTS: Mapping[str, Moment] = {
    "PostToolUse": "wrote", "SessionStart": "session-start", "Stop": "stop",
}  # fmt: skip
SECONDS = 60


class Claude:
    """Settings of the repository; the answer is additional context, with exit code 0."""

    name = "claude"
    trust = "Claude Code asks once whether you trust the folder."
    files = (".claude/settings.json",)

    def sent(self, payload: Payload) -> bool:
        return "hook_event_name" in payload

    def event(self, payload: Payload) -> AgentEvent:
        name, tool = string_of(payload, "hook_event_name"), string_of(payload, "tool_name")
        given = object_of(payload, "tool_input")
        command = string_of(given, "command") if tool == "Bash" else ""
        return AgentEvent(
            moment_of(name, command), name, string_of(payload, "cwd"),
            edit_of(given) if tool in WRITES else (), command,
            bool(payload.get("stop_hook_active")),
        )  # fmt: skip

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        return json_output(spoken(event, reply))

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        command = {
            "type": "command", "command": call_of(program, self.name), "timeout": SECONDS,
        }  # fmt: skip
        tools = {
            "SessionStart": "", "PreToolUse": "Bash|Write|Edit|MultiEdit",
            "PostToolUse": "Write|Edit|MultiEdit|NotebookEdit", "Stop": "",
        }  # fmt: skip
        return (with_hooks(self.files[0], standing, for_tools(command, tools)),)


def moment_of(name: str, command: str) -> Moment:
    """When an event of Claude Code, or of those that took over its names, happens."""
    if name == "PreToolUse":
        return "before-command" if command else "before-write"
    return EVENTS.get(name, "other")


def spoken(event: AgentEvent, reply: HookReply) -> dict[str, object]:
    """The answer that Claude Code, Codex and those that took over its form read."""
    if event.moment == "stop":
        return {"decision": "block", "reason": reply.text}
    if reply.refused:
        told = {"permissionDecision": "deny", "permissionDecisionReason": reply.text}
    else:
        told = {"additionalContext": reply.text}
    return {"hookSpecificOutput": {"hookEventName": event.name, **told}}

"""Gemini CLI. https://geminicli.com/docs/hooks"""

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

EVENTS: Mapping[str, Moment] = {
    "AfterTool": "wrote", "BeforeTool": "before-write", "AfterAgent": "stop",
    "SessionStart": "session-start",
}  # fmt: skip
MILLISECONDS = 60_000


class Gemini:
    """Settings of the project. Standard output has to be JSON and nothing else. Of what is said
    before a tool runs only a refusal reaches the model; and once the model has called a tool,
    `stop_hook_active` is false again."""

    name = "gemini"
    trust = "Gemini CLI runs it in folders that you trust (`/permissions`)."
    files = (".gemini/settings.json",)

    def sent(self, payload: Payload) -> bool:
        name = string_of(payload, "hook_event_name")
        return name in EVENTS and (name != "SessionStart" or "timestamp" in payload)

    def event(self, payload: Payload) -> AgentEvent:
        name, tool = string_of(payload, "hook_event_name"), string_of(payload, "tool_name")
        given = object_of(payload, "tool_input")
        edits = edit_of(given) if tool in ("write_file", "replace") else ()
        command = string_of(given, "command") if tool == "run_shell_command" else ""
        moment = EVENTS.get(name, "other")
        if command:
            moment = "before-command" if name == "BeforeTool" else "after-command"
        return AgentEvent(
            moment, name, string_of(payload, "cwd"), edits, command,
            bool(payload.get("stop_hook_active")),
            "\n".join(string_of(payload, key) for key in ("session_id", "prompt")),
        )  # fmt: skip

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        told: dict[str, object]
        if event.moment == "stop" or reply.refused:
            told = {"decision": "block", "reason": reply.text}
        else:
            context = {"hookEventName": event.name, "additionalContext": reply.text}
            told = {"hookSpecificOutput": context}
        return json_output(told)

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        command = {
            "name": "grounded-ingest", "type": "command",
            "command": call_of(program, self.name), "timeout": MILLISECONDS,
        }  # fmt: skip
        used = "run_shell_command|write_file|replace"
        tools = {"SessionStart": "", "BeforeTool": used, "AfterTool": used, "AfterAgent": ""}
        return (with_hooks(self.files[0], standing, for_tools(command, tools)),)

"""GitHub Copilot, its CLI and its coding agent.
https://docs.github.com/en/copilot/reference/hooks-configuration"""

from __future__ import annotations

import json
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
from grounded_ingest.agents.json_settings import with_hooks

SECONDS = 60


class Copilot:
    """A file of hooks. Payloads do not name their event: what is in them tells."""

    name = "copilot"
    trust = "Copilot CLI loads it in folders that you trust (it asks, or `--trust-folder`)."
    files = (".github/hooks/grounded-ingest.json",)

    def sent(self, payload: Payload) -> bool:
        return "sessionId" in payload and "hook_event_name" not in payload

    def event(self, payload: Payload) -> AgentEvent:
        tool, given = string_of(payload, "toolName"), _arguments(payload)
        edits = edit_of(given) if tool in ("create", "edit") else ()
        command = string_of(given, "command") if tool in ("bash", "powershell") else ""
        done = "toolResult" in payload
        moment: Moment = "other"
        if edits:
            moment = "wrote" if done else "before-write"
        elif command and not done:
            moment = "before-command"
        elif "stopReason" in payload:
            moment = "stop"
        elif "source" in payload:
            moment = "session-start"
        return AgentEvent(
            moment, "", string_of(payload, "cwd"), edits, command,
            bool(payload.get("stop_hook_active")),
        )  # fmt: skip

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        if event.moment == "stop":
            told = {"decision": "block", "reason": reply.text}
        elif reply.refused:
            told = {"permissionDecision": "deny", "permissionDecisionReason": reply.text}
        else:
            told = {"additionalContext": reply.text}
        return json_output(told)

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        call = call_of(program, self.name)
        entry: dict[str, object] = {
            "type": "command", "bash": call, "powershell": call, "timeoutSec": SECONDS,
        }  # fmt: skip
        events = ("sessionStart", "preToolUse", "postToolUse", "agentStop")
        return (with_hooks(self.files[0], standing, {e: [entry] for e in events}, {"version": 1}),)


def _arguments(payload: Payload) -> Payload:
    """The tool's arguments: an object, or one written as JSON."""
    found = payload.get("toolArgs")
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except ValueError:
            return {}
    return found if isinstance(found, Mapping) else object_of(payload, "toolArgs")

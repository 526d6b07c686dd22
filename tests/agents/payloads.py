"""What agents send their hooks, as recorded from the programs (2026-11-22; Cline 2026-11-28) where
they can be run, as documented elsewhere. `{root}` is the repository, `{file}` the file written, `{text}` what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PATCH = "*** Begin Patch\n*** Update File: CLAUDE.md\n@@\n context\n{plus}\n*** End Patch"
_CLAUDE = {
    "session_id": "s",
    "transcript_path": "/t",
    "cwd": "{root}",
    "permission_mode": "default",
}
_CODEX = {**_CLAUDE, "turn_id": "t1", "model": "m"}
_GEMINI = {
    "session_id": "s",
    "transcript_path": "/t",
    "cwd": "{root}",
    "timestamp": "2026-11-22T10:00:00Z",
}
_COPILOT = {"sessionId": "s", "timestamp": 1_763_800_000_000, "cwd": "{root}"}
_CURSOR = {"conversation_id": "c", "generation_id": "g", "workspace_roots": ["{root}"]}
_CLINE = {"clineVersion": "3", "taskId": "t", "workspaceRoots": ["{root}"], "userId": "u"}
_WIND = {"trajectory_id": "t", "execution_id": "e", "timestamp": "2026-11-22T10:00:00Z"}

WROTE: dict[str, dict[str, Any]] = {
    "claude": _CLAUDE | {
        "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": "u",
        "tool_input": {"file_path": "{file}", "old_string": "x", "new_string": "{text}"},
        "tool_response": {"filePath": "{file}", "newString": "{text}"},
    },
    "codex": _CODEX | {
        "hook_event_name": "PostToolUse", "tool_name": "apply_patch", "tool_use_id": "u",
        "tool_input": {"command": "{patch}"}, "tool_response": "Success",
    },
    "gemini": _GEMINI | {
        "hook_event_name": "AfterTool", "tool_name": "replace",
        "tool_input": {"file_path": "{file}", "old_string": "x", "new_string": "{text}"},
        "tool_response": {"llmContent": "done"},
    },
    "copilot": _COPILOT | {
        "toolName": "edit", "toolArgs": {"path": "{file}", "old_str": "x", "new_str": "{text}"},
        "toolResult": {"resultType": "success", "textResultForLlm": "done"},
    },
    "cursor": _CURSOR | {
        "hook_event_name": "afterFileEdit", "file_path": "{file}",
        "edits": [{"old_string": "x", "new_string": "{text}"}],
    },
    "windsurf": _WIND | {
        "agent_action_name": "post_write_code",
        "tool_info": {"file_path": "{file}", "edits": [{"old_string": "x", "new_string": "{text}"}]},
    },
    "cline": _CLINE | {
        "clineVersion": "", "hookName": "tool_result",
        "tool_result": {
            "name": "editor", "input": {"path": "{file}", "old_text": "x", "new_text": "{text}"},
        },
        "postToolUse": {"toolName": "editor", "parameters": {"path": "{file}"}},
    },
    "kiro": {"trigger": "PostFileSave", "cwd": "{root}", "file_path": "{file}"},
    "opencode": {
        "opencode": "after", "directory": "{root}", "tool": "edit",
        "args": {"filePath": "{file}", "oldString": "x", "newString": "{text}"},
    },
}  # fmt: skip
COMMAND: dict[str, dict[str, Any]] = {
    "claude": _CLAUDE | {
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "{text}"},
    },
    "codex": _CODEX | {
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "{text}"},
    },
    "gemini": _GEMINI | {
        "hook_event_name": "BeforeTool", "tool_name": "run_shell_command",
        "tool_input": {"command": "{text}"},
    },
    "copilot": _COPILOT | {"toolName": "bash", "toolArgs": {"command": "{text}"}},
    "cursor": _CURSOR | {"hook_event_name": "beforeShellExecution", "command": "{text}"},
    "windsurf": _WIND | {
        "agent_action_name": "pre_run_command",
        "tool_info": {"command_line": "{text}", "cwd": "{root}"},
    },
    "cline": _CLINE | {
        "clineVersion": "", "hookName": "tool_call",
        "tool_call": {"name": "run_commands", "input": {"commands": ["ls", "{text}"]}},
        "preToolUse": {"toolName": "run_commands", "parameters": {"commands": '["ls", "…"]'}},
    },
    "kiro": {"trigger": "PreToolUse", "cwd": "{root}", "tool_input": {"command": "{text}"}},
    "opencode": {
        "opencode": "before", "directory": "{root}", "tool": "bash", "args": {"command": "{text}"},
    },
}  # fmt: skip
STOP: dict[str, dict[str, Any]] = {
    "claude": _CLAUDE | {"hook_event_name": "Stop", "stop_hook_active": False},
    "codex": _CODEX | {"hook_event_name": "Stop", "stop_hook_active": False},
    "gemini": _GEMINI | {"hook_event_name": "AfterAgent", "stop_hook_active": False},
    "copilot": _COPILOT | {"stopReason": "end_turn", "stop_hook_active": False},
    "cursor": _CURSOR | {"hook_event_name": "stop", "status": "completed", "loop_count": 0},
}
START: dict[str, dict[str, Any]] = {
    "claude": _CLAUDE | {"hook_event_name": "SessionStart", "source": "startup"},
    "codex": {k: v for k, v in _CODEX.items() if k != "turn_id"}
    | {"hook_event_name": "SessionStart", "source": "startup"},
    "gemini": _GEMINI | {"hook_event_name": "SessionStart", "source": "startup"},
    "copilot": _COPILOT | {"source": "startup", "initialPrompt": "x"},
    "cursor": _CURSOR | {"hook_event_name": "sessionStart"},
    "cline": _CLINE | {"hookName": "TaskStart"},
}

CLINE_IN_AN_EDITOR = _CLINE | {
    "hookName": "PostToolUse",
    "postToolUse": {
        "toolName": "write_to_file", "parameters": {"path": "CLAUDE.md", "content": "{text}"},
        "result": "done", "success": True,
    },
}  # fmt: skip
"""As Cline's documentation has it for its extension."""


def filled(payload: Any, root: Path, text: str) -> Any:
    """A payload for a repository, with what is written there or typed."""
    plus = "\n".join(f"+{line}" for line in text.split("\n"))
    said = {
        "{root}": str(root), "{file}": str(root / "CLAUDE.md"), "{text}": text,
        "{patch}": PATCH.replace("{plus}", plus),
    }  # fmt: skip
    if isinstance(payload, str):
        for name, value in said.items():
            payload = payload.replace(name, value)
        return payload
    if isinstance(payload, dict):
        return {k: filled(v, root, text) for k, v in payload.items()}
    return [filled(v, root, text) for v in payload] if isinstance(payload, list) else payload


def written(payload: Any) -> bytes:
    return json.dumps(payload).encode()

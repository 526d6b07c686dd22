"""An agent that writes three falsehoods, is told, mends two, labels one, and commits past a hook that
stopped it before: Claude Code's payloads and hook file, git's own hook, nobody's model."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from repos import Repo, environment

from grounded_ingest.agents.registry import AGENTS

INTERPRETER = f"{shlex.quote(sys.executable)} -m grounded_ingest"
DOCUMENT = "memory-bank/progress.md"
CODE = '"""The gateway."""\n\nPORT = 8443\nTIMEOUT = 30\n\n\ndef start():\n    """Listen on the port."""\n'
NOTES = "# Notes\n\n- The gateway listens on port 8443 (`src/gateway.py:3`).\n"
STALE = "- The gateway is started by `src/gateway.py::launch`."
MISPLACED = "- The gateway has a timeout of 30 (`src/gateway.py:80`)."
UNDISCLOSED = "- The gateway listens on port 9443."
FALSE = [STALE, MISPLACED, UNDISCLOSED]
MENDED = [STALE.replace("launch", "start"), MISPLACED.replace(":80", ":4")]
LABELLED = "- The gateway listens on port 9443, changed from 8443."


class ScriptedAgent:
    """Calls the hooks of its settings as Claude Code does, and keeps what its model would read."""

    def __init__(self, repo: Repo) -> None:
        self.repo, self.session = repo, {"session_id": "s", "cwd": str(repo.root)}
        (settings,) = AGENTS["claude"].installed(INTERPRETER, {})
        self.hooks: dict[str, list[dict[str, Any]]] = json.loads(settings.text)["hooks"]

    def hook(self, event: str, tool: str = "", **payload: object) -> str:
        """What the model is told by the hooks of an event; empty for silence."""
        told = {**self.session, "hook_event_name": event, **payload}
        if tool:
            told["tool_name"] = tool
        said = [
            self._run(handler["command"], told)
            for entry in self.hooks[event]
            if tool in entry.get("matcher", tool).split("|")
            for handler in entry["hooks"]
        ]
        return "\n".join(filter(None, said))

    def write(self, lines: list[str]) -> str:
        path = self.repo.root / DOCUMENT
        text = "\n".join(["# Progress", "", *lines, ""])
        given = {"file_path": str(path), "content": text}
        assert self.hook("PreToolUse", "Write", tool_input=given) == ""
        self.repo.write({DOCUMENT: text})
        return self.hook("PostToolUse", "Write", tool_input=given, tool_response={})

    def edit(self, old: str, new: str) -> str:
        path = self.repo.root / DOCUMENT
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), "utf-8")
        given = {"file_path": str(path), "old_string": old, "new_string": new}
        return self.hook("PostToolUse", "Edit", tool_input=given, tool_response={})

    def commit(self) -> subprocess.CompletedProcess[str]:
        command = "git add -A && git commit -q -m notes"
        assert self.hook("PreToolUse", "Bash", tool_input={"command": command}) == ""
        return subprocess.run(
            command, shell=True, cwd=self.repo.root, env=environment(), text=True,
            capture_output=True, check=False,
        )  # fmt: skip

    def _run(self, command: str, payload: dict[str, Any]) -> str:
        done = subprocess.run(
            ["sh", "-c", command], cwd=self.repo.root, env=environment(),
            input=json.dumps(payload), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        if not done.stdout:
            return ""
        said = json.loads(done.stdout)
        return str(said.get("reason") or said["hookSpecificOutput"]["additionalContext"])


@pytest.fixture
def agent(tmp_path: Path) -> ScriptedAgent:
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/gateway.py": CODE, "memory-bank/notes.md": NOTES})
    hook = repo.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec {INTERPRETER} check --staged --write --offline\n", "utf-8")
    hook.chmod(0o755)
    return ScriptedAgent(repo)


def rules(told: str) -> set[tuple[str, str]]:
    """(place, rule) of every finding."""
    lines = [line.split(": ", 1)[0] for line in told.splitlines() if line.startswith(DOCUMENT)]
    return {(place, rule) for place, _, rule in (line.partition(" ") for line in lines)}


def test_three_falsehoods_are_told_two_mended_one_labelled_and_the_hook_passes(
    agent: ScriptedAgent,
) -> None:
    assert "Write one memory in each sentence" in agent.hook("SessionStart", source="startup")
    told = agent.write(FALSE)
    assert rules(told) == {
        (f"{DOCUMENT}:3", "refuted-citation[symbol]"),
        (f"{DOCUMENT}:4", "refuted-citation[line]"),
        (f"{DOCUMENT}:5", "conflicting-update"),
    }
    stopped = agent.commit()
    assert stopped.returncode == 1
    assert f"{DOCUMENT}:5:3: conflicting-update" in stopped.stderr + stopped.stdout

    assert agent.edit(STALE, MENDED[0]) == ""
    assert agent.edit(MISPLACED, MENDED[1]) == ""
    assert agent.hook("Stop", stop_hook_active=False) != ""
    assert agent.hook("Stop", stop_hook_active=True) == ""
    assert agent.edit(UNDISCLOSED, LABELLED) == ""
    assert agent.hook("Stop", stop_hook_active=False) == ""

    passed = agent.commit()
    assert passed.returncode == 0, passed.stderr
    assert agent.repo.git("log", "-1", "--format=%s") == "notes"
    landed = agent.repo.git("show", f"HEAD:{DOCUMENT}").splitlines()
    assert landed[2:] == [*MENDED, LABELLED]

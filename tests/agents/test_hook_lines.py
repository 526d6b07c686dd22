"""What the real agents showed: a hook's line never refuses by failing, and a turn is told once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from repos import Repo

from grounded_ingest.agents.conversation import reply_to
from grounded_ingest.agents.registry import AGENTS, HookReply
from grounded_ingest.servers.model_text import HOW_TO_WRITE
from grounded_ingest.servers.session import Session, lines_with

DOCUMENT = "memory-bank/progress.md"
WRONG = "# Progress\n\n- The gateway is started by `src/{name}.py`.\n"
BY_EXIT_CODE = {"windsurf", "kiro"}
"""Agents that take a refusal as an exit code and nothing else: theirs is handed on."""
FAILING = {
    "not there": "/nowhere/bin/python",
    "too old to know the command": f"{sys.executable} -c 'raise SystemExit(2)'",
    "raising": f"{sys.executable} -c 'raise RuntimeError'",
}


def lines(name: str, program: str) -> list[str]:
    """The lines for a shell in the files of hooks of an agent."""

    def found(value: Any) -> list[str]:
        if isinstance(value, dict):
            own = [value[k] for k in ("command", "bash") if isinstance(value.get(k), str)]
            return own + [line for v in value.values() for line in found(v)]
        return [line for v in value for line in found(v)] if isinstance(value, list) else []

    hooks = AGENTS[name].installed(program, {})
    return [
        line
        for hook in hooks
        for line in (found(json.loads(hook.text)) if hook.path.endswith(".json") else [hook.text])
    ]


@pytest.mark.parametrize("how", FAILING)
@pytest.mark.parametrize("name", sorted(set(AGENTS) - BY_EXIT_CODE - {"opencode"}))
def test_a_program_that_fails_refuses_nothing(name: str, how: str) -> None:
    called = set(lines(name, FAILING[how]))
    assert called
    for line in called:
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path)
    repo.commit({"src/gateway.py": "def start():\n    pass\n", "memory-bank/notes.md": "# Notes\n"})
    return repo


def gemini(repo: Repo, **payload: object) -> HookReply | None:
    event = AGENTS["gemini"].event({"session_id": "s", "cwd": str(repo.root), **payload})
    return reply_to(event, Session(event.directory), "grounded-ingest")


def test_a_turn_is_told_once_at_its_stop_though_the_agent_forgets_that_it_was(repo: Repo) -> None:
    def stop(prompt: str) -> HookReply | None:
        return gemini(repo, hook_event_name="AfterAgent", prompt=prompt, stop_hook_active=False)

    repo.write({DOCUMENT: WRONG.format(name="launch")})
    assert stop("Write it down.")
    assert not stop("Write it down.")
    repo.write({DOCUMENT: WRONG.format(name="begin")})
    assert not stop("Write it down.")
    assert stop("Now the gateway's beginning.")
    assert not stop("Go on.")


def test_an_edit_of_code_that_makes_a_sentence_false_is_told(repo: Repo) -> None:
    repo.commit({DOCUMENT: "# Progress\n\n`start` is defined in `src/gateway.py`.\n"})
    renamed = "def begin():\n    pass\n"
    repo.write({"src/gateway.py": renamed})
    written = {"file_path": str(repo.root / "src/gateway.py"), "content": renamed}
    told = gemini(repo, hook_event_name="AfterTool", tool_name="write_file", tool_input=written)
    assert told
    assert told.text.startswith("grounded-ingest found problems in a document:\n")
    assert f"{DOCUMENT}:3 refuted-citation[symbol]: src/gateway.py::start: renamed" in told.text


@pytest.mark.parametrize("command", ["git commit --no-verify -m x", "cd . && git commit -qnm x"])
def test_gemini_hears_of_a_commit_past_the_hook_after_it(repo: Repo, command: str) -> None:
    call = {"tool_name": "run_shell_command", "tool_input": {"command": command}}
    repo.commit({DOCUMENT: WRONG.format(name="launch")})
    told = gemini(repo, hook_event_name="AfterTool", **call)
    assert told
    assert f"{DOCUMENT}:3 refuted-citation[path]: src/launch.py: no such file." in told.text
    assert not told.refused
    repo.commit({DOCUMENT: WRONG.format(name="gateway")})
    assert gemini(repo, hook_event_name="AfterTool", **call) is None


def test_opencode_is_told_at_the_start(repo: Repo) -> None:
    event = AGENTS["opencode"].event({"opencode": "start", "directory": str(repo.root)})
    told = reply_to(event, Session(event.directory), "grounded-ingest")
    assert told
    assert " ".join(HOW_TO_WRITE) in told.text


@pytest.mark.parametrize(
    ("lock", "program"),
    [("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"), ("other.lock", "npm")],
)
def test_an_offer_names_the_package_manager_of_the_tree(
    repo: Repo, lock: str, program: str
) -> None:
    text = "# Progress\n\nThe site is built by `npm run build`.\n"
    repo.commit({"package.json": '{"scripts": {"build": "tsc -p ."}}', lock: "\n"})
    repo.write({DOCUMENT: text})
    written = {"file_path": str(repo.root / DOCUMENT), "content": text}
    told = gemini(repo, hook_event_name="AfterTool", tool_name="write_file", tool_input=written)
    assert told
    assert f"`{program} run build` runs `tsc -p .`." in told.text


@pytest.mark.parametrize(
    ("added", "found"),
    [
        (["The port is 8443."], {1}),
        (["8443"], {1, 3}),  # the agent replaced a part of a line
        (["8443", "b"], {1, 2, 3}),
        (["", "  "], set()),
    ],
)
def test_the_lines_of_an_edit(added: list[str], found: set[int]) -> None:
    assert lines_with("The port is 8443.\n  b\nabc 8443\n", added) == found

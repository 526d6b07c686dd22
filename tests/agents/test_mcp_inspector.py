"""The MCP server through the Inspector's command line, from npm: asked for with `-m agents`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from repos import Repo

PROJECT = Path(__file__).parents[2]
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
DOCUMENT = "memory-bank/progress.md"
TEXT = "# Progress\n\nI think we should use Redis for the session cache.\n"
pytestmark = pytest.mark.agents


@pytest.fixture
def repo(tmp_path: Path, pytestconfig: pytest.Config) -> Repo:
    if "agents" not in str(pytestconfig.option.markexpr):
        pytest.skip("asked for with -m agents")
    if shutil.which("npx") is None:
        pytest.skip("npx is needed")
    made = Repo(tmp_path / "work")
    made.commit({DOCUMENT: "# Progress\n\nThe gateway listens on port 8443 (`app.py:1`).\n"})
    made.commit({"app.py": "GATEWAY_PORT = 8443\n"})
    return made


def inspected(repo: Repo, *arguments: str) -> Any:
    """What the Inspector prints of an answer."""
    server = [sys.executable, "-m", "grounded_ingest", "mcp"]
    done = subprocess.run(
        ["npx", "-y", INSPECTOR, "--cli", *server, *arguments],
        cwd=repo.root, env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_inspector_lists_the_tools(repo: Repo) -> None:
    tools = inspected(repo, "--method", "tools/list")["tools"]
    assert sorted(t["name"] for t in tools) == [
        "check", "check_text", "explain", "prove", "recall", "status", "verify",
    ]  # fmt: skip
    assert all(t["annotations"]["readOnlyHint"] and t["outputSchema"] for t in tools)


def test_the_inspector_calls_a_tool(repo: Repo) -> None:
    call = ("--method", "tools/call", "--tool-name", "check_text")
    said = inspected(repo, *call, "--tool-arg", f"path={DOCUMENT}", "--tool-arg", f"text={TEXT}")
    assert not said.get("isError")
    assert [f["rule"] for f in said["structuredContent"]["findings"]] == ["speculation"]


def test_the_inspector_reads_a_resource(repo: Repo) -> None:
    said = inspected(repo, "--method", "resources/read", "--uri", "grounded://rule/speculation")
    assert said["contents"][0]["text"].startswith("speculation (tier 3, block; severity error)")

"""The plugin folders call what the shapes would write, and their skill teaches what passes."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from repos import Repo

from grounded_ingest.agents.registry import AGENTS
from grounded_ingest.servers.mcp_server import INSTRUCTIONS, write_memory
from grounded_ingest.servers.model_text import HOW_TO_WRITE
from grounded_ingest.servers.session import Session, actionable
from grounded_ingest.version import __version__

PLUGINS = Path(__file__).parents[2] / "plugins"
FOLDERS = {
    "claude": ("claude-code", ".claude-plugin/plugin.json"),
    "gemini": ("gemini", "gemini-extension.json"),
}
SKILL = PLUGINS / "claude-code/skills/grounded-memory/SKILL.md"
ROW = re.compile(r"^\| (?!instead|-)(.+?) \| (.+?) \|$", re.MULTILINE)
CODE = '"""The gateway."""\n\nPORT = 8443\nTIMEOUT = 30\n\n\ndef start():\n    """Listen on the port."""\n'
NOTES = "# Notes\n\n- The gateway listens on port 8443 (`src/gateway.py:3`).\n"


def load(agent: str, path: str) -> Any:
    return json.loads((PLUGINS / FOLDERS[agent][0] / path).read_text("utf-8"))


@pytest.mark.parametrize("agent", FOLDERS)
def test_hooks_are_those_that_the_shape_writes(agent: str) -> None:
    """To write them anew: GROUNDED_INGEST_WRITE=1."""
    (installed,) = AGENTS[agent].installed("grounded-ingest", {})
    expected = {
        "description": "What the model is told while it writes.",
        "hooks": json.loads(installed.text)["hooks"],
    }
    if os.environ.get("GROUNDED_INGEST_WRITE"):
        path = PLUGINS / FOLDERS[agent][0] / "hooks/hooks.json"
        path.write_text(json.dumps(expected, indent=2) + "\n", "utf-8")
    assert load(agent, "hooks/hooks.json") == expected


@pytest.mark.parametrize("agent", FOLDERS)
def test_manifests_name_this_version(agent: str) -> None:
    manifest = load(agent, FOLDERS[agent][1])
    assert (manifest["name"], manifest["version"]) == ("grounded-ingest", __version__)


def test_both_start_the_same_server() -> None:
    servers = load("claude", ".mcp.json")["mcpServers"]
    assert servers == load("gemini", FOLDERS["gemini"][1])["mcpServers"]
    assert servers["grounded-ingest"] == {"command": "grounded-ingest", "args": ["mcp"]}


def test_there_is_one_skill_and_its_head_is_whole() -> None:
    text = SKILL.read_text("utf-8")
    assert (PLUGINS / "gemini/skills/grounded-memory/SKILL.md").read_text("utf-8") == text
    head = yaml.safe_load(text.split("---\n")[1])
    assert set(head) == {"name", "description"}
    assert head["name"] == SKILL.parent.name
    assert len(head["description"]) <= 1024  # what Claude Code takes


def test_hooks_and_server_ask_for_what_the_skill_asks() -> None:
    """One wording: an agent that reads two of the three is not told two things."""
    text = " ".join(SKILL.read_text("utf-8").replace("**", "").split())
    assert [said for said in HOW_TO_WRITE if said.rstrip(".") not in text] == []
    assert " ".join(HOW_TO_WRITE) in INSTRUCTIONS
    assert " ".join(HOW_TO_WRITE) in write_memory("The port is 8443.")


@pytest.mark.parametrize(("wrong", "right"), ROW.findall(SKILL.read_text("utf-8")))
def test_what_the_skill_says_to_write_passes(tmp_path: Path, wrong: str, right: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/gateway.py": CODE, "memory-bank/notes.md": NOTES})
    for sentence, found in ((wrong, 1), (right, 0)):
        with Session(str(tmp_path)).check_proposed(
            "memory-bank/progress.md", f"# Progress\n\n- {sentence}\n"
        ) as result:
            assert len(actionable(result.report)) == found, sentence

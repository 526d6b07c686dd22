"""`init --agent`: an agent's own file, merged with what stands there, shown first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grounded_ingest.agents.registry import AGENTS
from grounded_ingest.errors import GroundedIngestError

PROGRAM = "grounded-ingest"
JSON_FILES = [n for n in AGENTS if AGENTS[n].files[0].endswith(".json") and n != "kiro"]


def first(name: str, standing: str = "") -> str:
    return AGENTS[name].installed(PROGRAM, {AGENTS[name].files[0]: standing})[0].text


@pytest.mark.parametrize("name", AGENTS)
def test_each_file_calls_the_hook_of_its_agent(name: str) -> None:
    found = AGENTS[name].installed(PROGRAM, {})
    assert tuple(f.path for f in found) == AGENTS[name].files
    assert all("grounded-ingest" in f.text and f"hook --agent {name}" in f.text for f in found)


@pytest.mark.parametrize("name", JSON_FILES)
def test_what_stands_there_stays_and_ours_stands_once(name: str) -> None:
    there = json.loads(first(name))
    event = next(iter(there["hooks"]))
    there["other"] = {"kept": True}
    there["hooks"][event].insert(0, {"command": "echo mine"})
    merged = first(name, json.dumps(there))
    assert json.loads(merged) == there
    assert first(name, merged) == merged


@pytest.mark.parametrize("name", JSON_FILES)
@pytest.mark.parametrize("broken", ["{", "[]", '{"hooks": []}'])
def test_a_file_that_cannot_be_merged_with_is_left(name: str, broken: str) -> None:
    with pytest.raises(GroundedIngestError, match=AGENTS[name].files[0]):
        first(name, broken)


def test_a_hook_of_the_persons_own_is_left() -> None:
    path = AGENTS["cline"].files[0]
    with pytest.raises(GroundedIngestError, match="the file already contains another hook"):
        AGENTS["cline"].installed(PROGRAM, {path: "#!/bin/sh\necho mine\n"})


def test_codex_reads_nothing_but_hooks() -> None:
    assert set(json.loads(first("codex"))) == {"hooks"}


@pytest.mark.parametrize("name", AGENTS)
def test_no_hook_is_without_an_end(name: str) -> None:
    """Every form that takes a time has one."""
    if name in ("cursor", "windsurf", "cline"):
        pytest.skip("the form has none")
    assert "timeout" in first(name)


def test_there_is_a_page_for_each() -> None:
    pages = Path(__file__).parents[2] / "docs" / "agents"
    if pages.exists():
        assert {p.stem for p in pages.glob("*.md")} - {"README"} == set(AGENTS)

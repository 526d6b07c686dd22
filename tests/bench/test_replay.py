"""History as the hook would have seen it, and a run that goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from repos import Repo, page

from grounded_ingest.cli.group import cli
from grounded_ingest.errors import GroundedIngestError

GROUNDED = "The gateway listens on port 8443 (`src/app.py:1`)."
PLAIN = "Sessions are stored in PostgreSQL for one day."
GUESS = "I think we should use Redis for the session cache."


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """One commit that is no document, one grounded, one blocked, one that mends it."""
    repo = Repo(tmp_path / "work")
    repo.commit({"src/app.py": "GATEWAY_PORT = 8443\n"}, "code")
    repo.commit({"memory-bank/notes.md": page(GROUNDED)}, "grounded")
    repo.commit({"src/app.py": "GATEWAY_PORT = 8443\nHOST = 1\n"}, "more code")
    repo.commit({"memory-bank/notes.md": page(GROUNDED, GUESS)}, "guess")
    repo.commit({"memory-bank/notes.md": page(GROUNDED, PLAIN)}, "plain")
    return repo


def replay(repo: Repo, *more: str) -> Any:
    arguments = ["bench", "replay", "--repo", str(repo.root), "--output-format", "json", *more]
    ran = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    return json.loads(ran.stdout)


def test_commits_with_documents_are_judged_in_order(repo: Repo) -> None:
    said = replay(repo)
    assert [c["subject"] for c in said["commits"]] == ["grounded", "guess", "plain"]
    assert said["summary"] == {
        "commits": 3, "claims": 3, "stopped": 1, "share_stopped": 0.3333,
        "findings": {"error speculation": 1}, "errors": [],
    }  # fmt: skip
    (found,) = said["commits"][1]["findings"]
    assert found["claim"] == GUESS


def test_a_memory_that_cannot_be_read_stops_its_commit(repo: Repo) -> None:
    repo.commit({"memory/facts.json": "{"}, "broken")
    said = replay(repo, "--max", "1")
    assert said["summary"]["stopped"] == 1
    (problem,) = said["commits"][0]["findings"]
    assert (problem["path"], problem["rule"]) == ("memory/facts.json", "unreadable")
    ran = CliRunner().invoke(cli, ["bench", "replay", "--repo", str(repo.root), "--max", "1"])
    assert " memory/facts.json:1: unreadable: " in ran.stdout


def test_since_and_max_bound_it(repo: Repo) -> None:
    assert [c["subject"] for c in replay(repo, "--since", "HEAD~2")["commits"]] == [
        "guess",
        "plain",
    ]
    assert [c["subject"] for c in replay(repo, "--max", "1")["commits"]] == ["plain"]


def test_text_is_for_reading(repo: Repo) -> None:
    ran = CliRunner().invoke(cli, ["bench", "replay", "--repo", str(repo.root)])
    assert " memory-bank/notes.md:5: speculation: " in ran.stdout
    assert f"    {GUESS}\n3 commits, 3 claims: 1 commits stopped\n" in ran.stdout


def test_it_leaves_the_repository_alone(repo: Repo) -> None:
    before = repo.git("status", "--porcelain"), repo.git("for-each-ref")
    replay(repo)
    assert (repo.git("status", "--porcelain"), repo.git("for-each-ref")) == before


@pytest.mark.parametrize("kept", [0, 1, 2, 3])
def test_an_interrupted_run_goes_on(repo: Repo, tmp_path: Path, kept: int) -> None:
    """The first `kept` lines are there: the file is written anew after each commit."""
    state = tmp_path / "state.jsonl"
    whole = replay(repo, "--state", str(state))
    lines = state.read_text("utf-8").splitlines(keepends=True)
    assert len(lines) == 3
    marked = [line.replace('"seconds":', '"seconds":1') for line in lines[:kept]]
    state.write_text("".join(marked), encoding="utf-8")
    again = replay(repo, "--state", str(state))
    assert again["summary"] == whole["summary"]
    assert [c["seconds"] >= 1 for c in again["commits"]] == [n < kept for n in range(3)]
    assert [json.loads(line)["commit"] for line in state.read_text("utf-8").splitlines()] == [
        c["commit"] for c in whole["commits"]
    ]


def test_a_file_that_is_no_state_is_left_alone(repo: Repo, tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ada,\nthank you.")
    with pytest.raises(GroundedIngestError, match="not a file of replay results"):
        replay(repo, "--state", str(other))
    assert other.read_text() == "Dear Ada,\nthank you."

"""Contradictions as if every claim were trusted: pairs, older commits, planted values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from repos import Repo, page

from benchmarks.quality.__main__ import command

NOTES = "memory-bank/notes.md"


def ran(repo: Repo, *more: str) -> Any:
    arguments = ["contradictions", "--repo", str(repo.root), "--output-format", "json"]
    return json.loads(
        CliRunner().invoke(command, [*arguments, *more], catch_exceptions=False).stdout
    )


def test_pairs_within_head_need_no_citation(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(
        {
            "memory-bank/tech.md": page("The API server listens on port 8443."),
            NOTES: page("The port of the API server is 9000.", "The sky is blue today."),
        }
    )
    said = ran(repo)
    (pair,) = said["pairs"]
    assert (said["claims"], said["stating"]) == (3, 2)
    assert {(pair["path"], pair["line"]), (pair["other_path"], pair["other_line"])} == {
        ("memory-bank/tech.md", 3),
        (NOTES, 3),
    }
    assert pair["rule"] == "contradiction"
    assert pair["commit"] == ""


def test_what_older_commits_held_is_compared_once(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"README.md": "# Nothing\n"})
    old = repo.commit({NOTES: page("The database is PostgreSQL.")})
    repo.commit({NOTES: page("The database is PostgreSQL.", "All of it is backed up.")})
    repo.commit({NOTES: page("MySQL is the database.", "All of it is backed up.")})
    assert ran(repo)["pairs"] == []
    (pair,) = ran(repo, "--older", "5")["pairs"]
    assert "PostgreSQL" in pair["other"]
    assert pair["commit"][:7] in {old[:7], repo.git("rev-parse", "HEAD~1")[:7]}


def test_planted_values_are_counted_with_the_reason_where_missed(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(
        {
            NOTES: page("The API server listens on port 8443."),
            "docs/archive/old.md": page("The cache is Redis."),
        }
    )
    planted = {p["path"]: p for p in ran(repo, "--plant", "7")["planted"]}
    assert planted[NOTES]["outcome"] == "found"
    assert "8443" not in planted[NOTES]["text"]
    assert planted["docs/archive/old.md"]["outcome"] == "true: path"

"""Labelled pairs of files for agents: what is found in a clone's history, beside its labels."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from repos import Repo

from benchmarks.quality.__main__ import command
from benchmarks.quality.agreement import PairLabel, as_json, as_text, read_pair_labels, walked

ONE, OTHER = "# A\n\nAlways use pnpm, never npm.\n", "# B\n\nRun `npm run build` before a commit.\n"


@pytest.fixture
def clone(tmp_path: Path) -> Repo:
    """Two commits: in the first one the files do not agree."""
    repo = Repo(tmp_path / "clone")
    repo.commit({"AGENTS.md": ONE, "CLAUDE.md": OTHER})
    repo.commit({"CLAUDE.md": OTHER.replace("npm", "pnpm")})
    return repo


def label(clone: Repo, revision: str, verdict: str, one: str = "CLAUDE.md:3") -> PairLabel:
    commit = clone.git("rev-parse", revision)
    return PairLabel("o/n", commit, one, "AGENTS.md:3", "script runner", verdict, "x")  # type: ignore[arg-type]


@pytest.mark.parametrize("verdict", ["right", "wrong"])
def test_a_pair_is_found_at_the_commit_of_its_label(clone: Repo, verdict: str) -> None:
    run = walked([str(clone.root)], [label(clone, "HEAD~1", verdict)], 0)
    assert [(p.one, p.other, p.label) for p in run.found] == [
        ("CLAUDE.md:3", "AGENTS.md:3", verdict)
    ]
    assert as_text(run).endswith(f"1 commits; pairs: 1 {verdict}\n")
    assert json.loads(as_json(run))["found"][0]["label"] == verdict


def test_a_label_that_is_not_found_is_told(clone: Repo) -> None:
    run = walked([str(clone.root)], [label(clone, "HEAD", "right", "CLAUDE.md:9")], 0)
    assert (run.found, len(run.missed)) == ((), 1)
    assert as_text(run).startswith("not found (right): ")


def test_history_is_walked_where_no_label_is(clone: Repo) -> None:
    run = walked([str(clone.root)], [], 10)
    assert (run.commits, [p.label for p in run.found]) == (2, ["unread"])


def test_the_command_reads_labels_of_a_file(clone: Repo, tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_bytes(msgspec.json.encode(label(clone, "HEAD~1", "right")))
    told = CliRunner().invoke(command, ["agreement", str(clone.root), "--labels", str(labels)])
    assert told.output.endswith("1 commits; pairs: 1 right\n")


def test_labels_that_ship_are_whole() -> None:
    labels = read_pair_labels()
    assert len(set(labels)) == len(labels) > 30
    assert all(len(x.commit) == 40 and ":" in x.one and ":" in x.other for x in labels)

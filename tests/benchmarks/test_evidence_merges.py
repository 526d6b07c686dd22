"""What evidence weighs and where it conflicts, on a history made for it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from repos import NOTES, Repo, page

from benchmarks.evidence_merges import UNION, as_json, as_text, command, measured

USAGE = subprocess.run(["git", "merge-tree", "-h"], capture_output=True, text=True, check=False)
A, B, C = (f"Part {n} is read at the start (`src/app.py:{n}`)." for n in (1, 2, 3))
POINTER = "See `src/app.py:1`."
PLAIN = [f"Step {n} runs." for n in "abcdef"]


def joined(root: Path, ours: list[str], theirs: list[str]) -> Repo:
    """A clone whose branches rewrote the same document and met."""
    repo = Repo(root / "clone")
    repo.commit({"src/app.py": "A = 1\nB = 2\nC = 3\n", NOTES: page(*PLAIN, A)})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({NOTES: page(*theirs)})
    repo.git("checkout", "-q", "main")
    repo.commit({NOTES: page(*ours)})
    repo.git("merge", "-q", "--no-edit", "-X", "ours", "side")
    return repo


@pytest.mark.skipif(
    "--write-tree" not in USAGE.stdout + USAGE.stderr, reason="merges in memory: git 2.38"
)
@pytest.mark.parametrize(
    ("ours", "theirs", "text", "conflicts"),
    [
        # In their one file, the lines of the claims stand side by side: A is the neighbour of both.
        pytest.param([B, *PLAIN, A], [*PLAIN, A, C], 0, [0, 0, 0, 0, 0, 0, 1, 0], id="apart"),
        # Of "Step a" and "Step b" one line of a paragraph each was rewritten.
        pytest.param([B, *PLAIN[1:], A], [C, *PLAIN[1:], A], 1, [0] * 8, id="the same"),
    ],
)
def test_merges_are_made_anew(
    tmp_path: Path, ours: list[str], theirs: list[str], text: int, conflicts: list[int]
) -> None:
    run = measured([str(joined(tmp_path, ours, theirs).root)], 5, weigh=False)
    (met,) = run.merges
    assert (met.documents, met.text) == (1, text)
    assert [*met.conflicts.values()] == conflicts
    assert [label.endswith(UNION) for label in met.conflicts] == [False, True] * 4
    assert json.loads(as_json(run))["merges"][0]["conflicts"] == met.conflicts
    assert as_text(run).startswith("1 merges of 1 repositories, 1 documents changed on both sides")


def test_lines_are_weighed(tmp_path: Path) -> None:
    repo = joined(tmp_path, [B, *PLAIN, POINTER], [*PLAIN, A, C])
    (weight,) = measured([str(repo.root)], 0, weigh=True).weights
    assert (weight.claims, weight.documents, weight.files) == (8, 1, 1)
    assert weight.lines >= 1
    ran = CliRunner().invoke(command, [str(repo.root), "--lines"])
    assert ran.exit_code == 0
    assert ran.output.startswith("clone: 8 claims in 1 documents: ")
    assert CliRunner().invoke(command, [str(repo.root)]).exit_code != 0

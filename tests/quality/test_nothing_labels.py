"""What has nothing to check beside labels: the figures, and the labels that ship."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from repos import Repo

from benchmarks.quality.__main__ import command
from benchmarks.quality.labels import read_lines
from benchmarks.quality.memory_types import Labelled
from benchmarks.quality.nothing_to_check import LABELS, measured
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass

PAGE = """# Notes

- The ledger keeps its rows in PostgreSQL.
- Never commit a secret.
- Never write to the replica.
- The gateway reads the ledger twice a day.
"""
READ = ("checkable", "instruction", "checkable", "label")
"""Of the four claims; of the last two the product says otherwise."""


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    clone = Repo(tmp_path / "repos/own+er")
    head = clone.commit({"CLAUDE.md": PAGE})
    claims = extract(PAGE.encode(), "CLAUDE.md", DocClass.MEMORY).claims
    rows = [
        {"id": c.id, "repo": "own/er", "commit": head, "path": "CLAUDE.md", "line": c.line,
         "label": label, "set": "held" if label == "label" else "open"}
        for c, label in zip(claims, READ, strict=True)
    ]  # fmt: skip
    rows.append({**rows[0], "repo": "no/clone"})
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_figures(labels: Path) -> None:
    run = measured(str(labels), str(labels.parent / "repos"))
    assert (run.claims, run.labelled, run.called, run.right) == (4, 2, 2, 1)
    assert (run.precision, run.recall) == (0.5, 0.5)
    assert run.by_label == {"checkable": (1, 2), "instruction": (1, 1), "label": (0, 1)}
    assert run.wrong == ("own/er:CLAUDE.md:5: instruction",)
    assert run.left_out == ("no/clone: no clone: CLAUDE.md:3",)
    held = measured(str(labels), str(labels.parent / "repos"), "held")
    assert (held.claims, held.called, held.recall) == (1, 0, 0.0)


def test_the_command_says_them(labels: Path) -> None:
    repos = str(labels.parent / "repos")
    args = ["nothing-to-check", "--repos", repos, "--labels", str(labels)]
    said = CliRunner().invoke(command, args).output
    assert "called so: 2, right 1: P 0.500 (" in said
    assert "wrong: own/er:CLAUDE.md:5: instruction\n" in said
    found = json.loads(CliRunner().invoke(command, [*args, "--output-format", "json"]).output)
    assert found["schema"] == "grounded-ingest/bench-nothing-to-check/1"


def test_without_clones(tmp_path: Path) -> None:
    with pytest.raises(GroundedIngestError, match="none of the repositories is below"):
        measured(str(LABELS), str(tmp_path))


def test_the_labels_that_ship() -> None:
    """Halves are of repositories, and no claim is labelled twice."""
    read = read_lines(str(LABELS), Labelled)
    assert Counter(r.half for r in read) == {"open": 300, "held": 300, "episodes": 80}
    halves = {half: {r.repo for r in read if r.half == half} for half in ("open", "held")}
    assert not halves["open"] & halves["held"]
    assert len({r.id for r in read if r.half != "episodes"}) == 600
    assert len({(r.repo, r.path, r.line, r.id) for r in read}) == len(read)
    kinds = {"checkable", "instruction", "plan", "history", "label", "fragment"}
    assert {r.type for r in read} == kinds

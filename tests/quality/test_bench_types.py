"""Memory types beside those a reader gave, on clones of repositories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from repos import Repo

from benchmarks.quality.__main__ import command
from benchmarks.quality.labels import fingerprint
from benchmarks.quality.memory_types import as_markdown, measured
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass

NOTES = "memory-bank/notes.md"
PAGE = """# Notes

- The ledger keeps its rows in PostgreSQL.
- The ledger was moved on 2026-03-04.
- Never commit a secret.
- The port is 8443; never change it in production.
"""
LABELS = ("semantic", "episodic", "semantic", "mixed")
"""Of the four claims; the third label is not what the cues say."""


@pytest.fixture(params=["own+er", "own/er", "own+er/repo"])
def repos(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    Repo(tmp_path / "repos" / request.param).commit({NOTES: PAGE}, "notes")
    return tmp_path / "repos"


def labels(repos: Path, **changes: Any) -> str:
    """A file of labels of the page's claims; `changes` are of the first one."""
    clone = next(p.parent for p in repos.rglob(".git"))
    head = Repo(clone).git("rev-parse", "HEAD")
    claims = extract(PAGE.encode(), NOTES, DocClass.MEMORY).claims
    lines = PAGE.split("\n")
    rows = [
        {
            "id": claim.id,
            "repo": "own/er",
            "commit": head,
            "path": NOTES,
            "line": claim.line,
            "sha256": fingerprint(lines[claim.line - 1]),
            "label": label,
            "set": "reporting" if label == "mixed" else "tuning",
        }
        for claim, label in zip(claims, LABELS, strict=True)
    ]
    rows[0] |= changes
    path = repos / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_figures(repos: Path) -> None:
    run = measured(labels(repos), str(repos))
    assert (run.claims, run.accuracy, run.baseline) == (4, 0.75, 0.5)
    assert (run.mixed, run.split_proposed, run.left_out) == (1, (1, 0), ())
    by_type = {t.type: (t.labelled, t.given, t.precision, t.recall, t.f1) for t in run.types}
    assert by_type == {
        "semantic": (2, 1, 1.0, 0.5, 0.6667),
        "episodic": (1, 1, 1.0, 1.0, 1.0),
        "procedural": (0, 1, 0.0, 0.0, 0.0),
    }
    low, high = run.interval
    assert low < 0.75 < high


def test_one_half_alone(repos: Path) -> None:
    assert measured(labels(repos), str(repos), "tuning").claims == 3


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sha256": "0" * 64}, "another claim now"),
        ({"id": "0" * 16}, "another claim now"),
        ({"line": 999}, "another claim now"),
        ({"commit": "0" * 40}, "not at 000000000000"),
        ({"repo": "no/where"}, "no clone"),
    ],
)
def test_what_is_not_there_is_left_out_and_said(
    repos: Path, changes: dict[str, Any], said: str
) -> None:
    run = measured(labels(repos, **changes), str(repos))
    assert run.claims == 3
    (left_out,) = run.left_out
    assert said in left_out


def test_no_clone_at_all(repos: Path, tmp_path: Path) -> None:
    with pytest.raises(GroundedIngestError, match="none of the repositories"):
        measured(labels(repos), str(tmp_path / "elsewhere"))


def test_formats(repos: Path) -> None:
    arguments = ["memory-types", "--references", labels(repos), "--repos", str(repos)]
    text = CliRunner().invoke(command, arguments)
    assert (text.exit_code, "all: 4 claims, accuracy 0.750" in text.output) == (0, True)
    shown = CliRunner().invoke(command, [*arguments, "--output-format", "json"])
    assert json.loads(shown.output)["types"][1]["type"] == "episodic"
    table = CliRunner().invoke(command, [*arguments, "--output-format", "markdown"]).output
    assert "| procedural | 0 | 1 |" in table
    assert table == as_markdown(measured(labels(repos), str(repos)))

"""Labelled references of a built repository: what counts as right, and what is said of it."""

from __future__ import annotations

import json

import pytest
from repos import Repo

from benchmarks.quality.tree_references import (
    Label,
    as_json,
    as_text,
    compared,
    figures,
    mentions_of,
    read_labels,
)
from grounded_ingest.errors import GroundedIngestError

PAGE = """# Notes

All of it is tested with `npm run nope` by the team.

All of it is built with `npm run build` by the team.

It is planned to run `npm run later` some day.

All of it is shown by [the guide](guide.md) at first.

## Commands

```sh
npm run gone
```
"""


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("labelled") / "repo")
    repo.commit({"package.json": '{"scripts": {"build": "tsc"}}', "CLAUDE.md": PAGE})
    return repo


def label(repo: Repo, line: int, name: str, verdict: str, half: str = "open") -> Label:
    head = repo.git("rev-parse", "HEAD")
    return Label("command", "o/r", head, "CLAUDE.md", line, name, "", verdict, half)  # type: ignore[arg-type]


def test_what_is_said_of_mentions(repo: Repo) -> None:
    said = {(m.line, m.name): (m.said, m.shown) for m in mentions_of(str(repo.root))}
    assert said == {
        (3, "npm run nope"): ("refuted", False),
        (5, "npm run build"): ("confirmed", False),
        (7, "npm run later"): ("none", False),
        (9, "guide.md"): ("refuted", False),
        (14, "npm run gone"): ("refuted", True),
    }


def test_figures(repo: Repo) -> None:
    labels = [
        label(repo, 3, "npm run nope", "refuted"),
        label(repo, 5, "npm run build", "confirmed"),
        label(repo, 7, "npm run later", "refuted"),
        label(repo, 3, "npm run unseen", "confirmed", "held"),
    ]
    run = compared([str(repo.root)], labels)
    assert figures(run, "refuted")["command", "open"] == (1, 1, 2)
    assert figures(run, "confirmed") == {
        ("command", "open"): (1, 1, 1),
        ("command", "held"): (0, 0, 1),
    }
    assert [(m.line, m.name) for _, m in run.unread] == [(9, "guide.md"), (14, "npm run gone")]
    assert "1/2 (0.50)" in as_text(run)
    assert "CLAUDE.md:14 command npm run gone" in as_text(run)
    assert json.loads(as_json(run))["labels"] == 4


def test_a_clone_without_labels_is_said(repo: Repo) -> None:
    with pytest.raises(GroundedIngestError, match="no label is of"):
        compared([str(repo.root)], [])


def test_the_labels_that_ship_can_be_read() -> None:
    labels = read_labels()
    assert len({(one.commit, one.key) for one in labels}) == len(labels) >= 300
    assert {one.split for one in labels} == {"open", "held"}
    halves = {h: {one.repo for one in labels if one.split == h} for h in ("open", "held")}
    assert not halves["open"] & halves["held"]

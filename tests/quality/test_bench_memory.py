"""Extraction and updates measured on labelled lines of small real repositories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from repos import Repo

from benchmarks.quality.__main__ import command
from benchmarks.quality.labels import clone_below, fingerprint, read_lines
from benchmarks.quality.memory import Sentence, extracted
from benchmarks.quality.memory_figures import Outcome, gathered
from benchmarks.quality.memory_mining import candidates
from benchmarks.quality.memory_updates import Revision, operations
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo as Opened

NOTES = "memory-bank/notes.md"
BEFORE = """# Gateway

The gateway waits 30 seconds for an answer.

Requests are written to the log of the day.

- The queue of the gateway holds 500 requests.
- Errors are counted by the minute and shown.

| part | port |
|---|---|
| gateway | listens on port 8443 for clients |

Decide how the queue is drained. Two ways:

```sh
make gateway
```
"""
AFTER = (
    BEFORE.replace("30 seconds", "60 seconds")
    .replace("holds 500 requests", "holds 800 requests")
    .replace("Requests are written to the log of the day.", "Nobody keeps a record any more.")
    .replace("counted by the minute and shown.", "counted by the minute and shown.\n- A new list.")
    .replace("\nDecide", "\nThe operators meet on Mondays at nine.\n\nDecide")
    .replace("A new list.", "The mirror answers while the gateway restarts.")
)


def line_of(text: str, part: str) -> tuple[int, str]:
    return next((n, x) for n, x in enumerate(text.split("\n"), 1) if part in x)


@pytest.fixture
def repos(tmp_path: Path) -> Path:
    """Where clones are; HEAD of `own/er` rewrites its notes."""
    repo = Repo(tmp_path / "repos" / "own+er")
    repo.commit({NOTES: BEFORE}, "notes")
    repo.commit({NOTES: AFTER}, "changes")
    return tmp_path / "repos"


def commit(repos: Path, revision: str = "HEAD") -> str:
    return Repo(repos / "own+er").git("rev-parse", revision)


def sentence(repos: Path, part: str, claim: bool, weight: int = 0, **other: Any) -> Sentence:
    at, text = line_of(BEFORE, part)
    held = {"repo": "own/er", "commit": commit(repos, "HEAD^"), "path": NOTES, "line": at}
    held |= {"sha256": fingerprint(text), "label": "claim" if claim else "none", "weight": weight}
    return Sentence(**(held | other))


def revision(repos: Path, part: str, of: str = "", **other: Any) -> Revision:
    """The change that brought a line of AFTER, said to revise one of BEFORE."""
    at, text = line_of(AFTER, part)
    held = {"repo": "own/er", "commit": commit(repos), "path": NOTES, "line": at}
    held |= {"operation": "UPDATE" if of else "ADD", "sha256": fingerprint(text)}
    if of:
        was, old = line_of(BEFORE, of)
        held |= {"old_line": was, "old_sha256": fingerprint(old)}
    return Revision(**(held | other))


@pytest.mark.parametrize(
    ("part", "covered"),
    [
        ("waits 30 seconds", 1.0),
        ("queue of the gateway holds", 1.0),
        ("listens on port", 1.0),
        ("# Gateway", 0.0),
        ("| part | port |", 0.0),
        ("make gateway", 0.0),
        ("Two ways:", 0.75),
    ],
)
def test_the_share_of_a_line_inside_claims(repos: Path, part: str, covered: float) -> None:
    (read,), left_out = extracted([sentence(repos, part, True)], str(repos))
    assert not left_out
    assert read.covered == pytest.approx(covered, abs=0.01)


def test_the_measures_of_extraction(repos: Path) -> None:
    labelled = [
        sentence(repos, "waits 30 seconds", True, 3),
        sentence(repos, "Two ways:", True, 1),
        sentence(repos, "make gateway", True, 2, first=False),
        sentence(repos, "Errors are counted", False),
        sentence(repos, "# Gateway", False),
    ]
    read, _ = extracted(labelled, str(repos))
    run = gathered(Outcome(read=read))
    assert {r.measure: (r.hits, r.of) for r in run.extraction} == {
        "memory recall (R)": (1, 3),
        "weighted R": (3 + 0.5, 6),
        "target memory precision": (2, 2),
        "memory accuracy": (2, 3),
        "F1 (of R and target precision)": (pytest.approx(0.5, abs=0.001), 1),
        "precision by line": (2, 3),
        "false memory resistance": (1, 2),
    }
    assert run.agreement is not None
    assert (run.agreement.hits, run.agreement.of, run.kappa) == (4, 5, pytest.approx(0.6154))
    assert {m.what for m in run.missed} == {"in part", "not extracted", "extracted, no claim"}


@pytest.mark.parametrize(
    ("part", "of", "outcome", "operation"),
    [
        ("60 seconds", "30 seconds", "correct", "UPDATE"),
        ("holds 800", "holds 500", "correct", "UPDATE"),
        ("holds 800", "30 seconds", "hallucinated", "UPDATE"),
        ("Nobody keeps", "Requests are written", "omitted", "ADD"),
        ("meet on Mondays", "", "correct", "ADD"),
        ("60 seconds", "", "hallucinated", "UPDATE"),
        ("Two ways:", "Two ways:", "unseen", ""),
    ],
)
def test_what_becomes_of_a_labelled_change(
    repos: Path, part: str, of: str, outcome: str, operation: str
) -> None:
    (done,), left_out = operations([revision(repos, part, of)], str(repos), lambda _: None)
    assert (done.outcome, done.operation, left_out) == (outcome, operation, [])


def test_rates_of_updates_and_of_false_ones(repos: Path) -> None:
    labelled = [
        revision(repos, "60 seconds", "30 seconds"),
        revision(repos, "Nobody keeps", "Requests are written"),
        revision(repos, "meet on Mondays"),
        revision(repos, "holds 800"),
    ]
    done, _ = operations(labelled, str(repos), lambda _: None)
    run = gathered(Outcome(done=done))
    assert {r.measure: (r.hits, r.of) for r in run.updates} == {
        "updates correct": (1, 2),
        "updates hallucinated": (0, 2),
        "updates omitted": (1, 2),
        "updates unseen": (0, 2),
        "correct where one place changed": (1, 1),
        "additions taken for something else": (1, 2),
    }
    assert run.extraction == ()


def test_a_clone_is_only_read(repos: Path) -> None:
    clone = repos / "own+er"
    before = sorted(str(p.relative_to(clone)) for p in clone.rglob("*"))
    operations([revision(repos, "60 seconds", "30 seconds")], str(repos), lambda _: None)
    assert sorted(str(p.relative_to(clone)) for p in clone.rglob("*")) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"repo": "no/where"}, "no clone below"),
        ({"commit": "0" * 40}, "left out"),
        ({"sha256": "0" * 64}, "the line is another"),
        ({"line": 999}, "the line is another"),
    ],
)
def test_what_is_not_there_is_left_out(repos: Path, change: dict[str, Any], said: str) -> None:
    read, left_out = extracted([sentence(repos, "30 seconds", True, **change)], str(repos))
    assert not read
    assert said in left_out[0]
    wrong = revision(repos, "60 seconds", "30 seconds", **change)
    done, left_out = operations([wrong], str(repos), lambda _: None)
    assert not done
    assert said in left_out[0]


def test_another_old_line_is_left_out(repos: Path) -> None:
    wrong = revision(repos, "60 seconds", "30 seconds", old_sha256="0" * 64)
    done, left_out = operations([wrong], str(repos), lambda _: None)
    assert not done
    assert "the line it revises is another" in left_out[0]


def test_a_link_is_no_document(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "own+er")
    repo.commit({"AGENTS.md": "The gateway waits for clients.\n", "CLAUDE.md": "link:AGENTS.md"})
    head, held = repo.git("rev-parse", "HEAD"), fingerprint("AGENTS.md")
    linked = Sentence("own/er", head, "CLAUDE.md", 1, held, "none")
    (read,), _ = extracted([linked], str(tmp_path))
    assert not read.extracted


@pytest.mark.parametrize("place", ["own+er", "own/er", "own+er/repo", "own/er/repo"])
def test_where_a_clone_is_looked_for(tmp_path: Path, place: str) -> None:
    assert clone_below(str(tmp_path), "own/er") == ""
    Repo(tmp_path / place).commit({"a": "b"}, "a")
    assert clone_below(str(tmp_path), "own/er") == str(tmp_path / place)


def test_a_directory_named_repo_is_no_clone(tmp_path: Path) -> None:
    Repo(tmp_path / "own+er").commit({"repo/a": "b"}, "a")
    assert clone_below(str(tmp_path), "own/er") == str(tmp_path / "own+er")


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "holds no labels"), ('{"repo": 1}\n', "labels.jsonl:1"), (None, "No such file")],
)
def test_files_that_hold_no_labels(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "labels.jsonl"
    if text is not None:
        file.write_text(text)
    with pytest.raises(GroundedIngestError, match=said):
        read_lines(str(file), Sentence)


def test_candidates_are_rewritten_lines_or_new_ones(repos: Path) -> None:
    with Opened(str(repos / "own+er"), own=False) as repo:
        drawn = {c.text: c.old_text for s in range(8) for c in candidates(repo, s, 5)}
        new = {c.text for s in range(8) for c in candidates(repo, s, 5, added=True)}
    assert drawn["The gateway waits 60 seconds for an answer."].count("30") == 1
    assert "Nobody keeps a record any more." not in drawn
    assert "The operators meet on Mondays at nine." in new
    assert not new & set(drawn)


def labels(tmp_path: Path, name: str, held: list[Any]) -> str:
    import msgspec

    file = tmp_path / name
    file.write_bytes(b"".join(msgspec.json.encode(x) + b"\n" for x in held))
    return str(file)


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_the_command_in_every_form(repos: Path, tmp_path: Path, form: str) -> None:
    lines = labels(tmp_path, "lines", [sentence(repos, "30 seconds", True, 3)])
    changes = labels(tmp_path, "changes", [revision(repos, "Nobody keeps", "Requests are")])
    args = ["memory", "--sentences", lines, "--updates", changes, "--repos", str(repos)]
    done = CliRunner().invoke(command, [*args, "--output-format", form])
    assert done.exit_code == 0, done.output
    if form == "json":
        said = json.loads(done.output)
        assert said["schema"] == "grounded-ingest/bench-memory/1"
        assert [m["what"] for m in said["missed"]] == ["UPDATE omitted"]
    else:
        assert "memory recall (R)" in done.output
        assert "updates omitted" in done.output


def test_the_command_says_what_it_needs(repos: Path, tmp_path: Path) -> None:
    lines = labels(tmp_path, "lines", [sentence(repos, "30 seconds", True, repo="no/where")])
    absent = ["--sentences", lines, "--repos", str(repos)]
    for args, said in ([], "nothing to measure"), (absent, "nothing could be measured"):
        with pytest.raises(GroundedIngestError, match=said):
            CliRunner().invoke(command, ["memory", *args], catch_exceptions=False)


def test_the_command_draws_candidates(repos: Path) -> None:
    args = ["memory", "--draw", str(repos / "own+er"), "--n", "3"]
    (line,) = CliRunner().invoke(command, args).output.splitlines()
    assert json.loads(line)["path"] == NOTES

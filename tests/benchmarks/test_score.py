"""Labels of the corpus, and what the scorer counts beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from repos import Repo

from benchmarks.labels import Label, fingerprint, read_labels, wilson
from benchmarks.score import command
from grounded_ingest.errors import GroundedIngestError

NOTES = "memory-bank/notes.md"
PAGE = """# Notes

The team tests all of it with `npm run nope`.

The team builds all of it with `npm run build`.

The gateway waits 30 seconds for an answer.

Always run the tests before each push.

```sh
make gateway
```
"""
PORT = "The gateway listens on the port that `src/app.py` names."


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    """A directory of clones. The second commit of `own/er` revises a line, the third code."""
    repo = Repo(tmp_path / "clones/own+er")
    files = {"package.json": '{"scripts": {"build": "tsc"}}', "src/app.py": "PORT = 1\n"}
    repo.commit({NOTES: f"{PAGE}\n{PORT}\n", **files})
    repo.commit({NOTES: f"{PAGE}\n{PORT}\n".replace("30 seconds", "60 seconds")})
    repo.commit({"src/app.py": None, "src/main.py": "print(1)\n"})
    return tmp_path / "clones"


def score(clones: Path, task: str, *labels: dict[str, Any], revision: str = "HEAD") -> Any:
    """Returns the answers of the scorer to labels, by line, and its rows by label."""
    commit = Repo(clones / "own+er").git("rev-parse", revision)
    corpus = clones.parent / "corpus"
    corpus.mkdir(exist_ok=True)
    at = {"task": task, "split": "open", "repo": "own/er", "commit": commit, "path": NOTES}
    rows = "".join(json.dumps(at | label) + "\n" for label in labels)
    (corpus / "labels.jsonl").write_text(rows)
    args = [task, "--clones", str(clones), "--labels", str(corpus), "--output-format", "json"]
    ran = CliRunner().invoke(command, args, catch_exceptions=False)
    if ran.exit_code:
        return ran.output
    found = json.loads(ran.output)
    answers = [x["answer"] for x in found["answers"]]
    return answers, {r["label"]: (r["right"], r["labelled"], r["given"]) for r in found["rows"]}


def line_of(part: str) -> int:
    return next(n for n, text in enumerate(f"{PAGE}\n{PORT}\n".split("\n"), 1) if part in text)


def test_a_wrong_reference_is_found_and_a_right_one_is_not(clones: Path) -> None:
    labels = [
        {"line": line_of("nope"), "label": "refuted"},
        {"line": line_of("npm run build"), "label": "confirmed"},
        {"line": line_of("seconds"), "label": "refuted"},
    ]
    answers, rows = score(clones, "mention", *labels)
    assert answers == ["refuted", "none", "none"]
    assert rows["refuted"] == (1, 2, 1)


def test_a_commit_of_code_makes_a_sentence_wrong(clones: Path) -> None:
    labels = [
        {"line": line_of("src/app.py"), "label": "right"},
        {"line": line_of("nope"), "label": "wrong"},
    ]
    assert score(clones, "lost-source", *labels)[0] == ["right", "wrong"]


def test_places_that_contradict_each_other(clones: Path) -> None:
    repo = Repo(clones / "own+er")
    repo.commit({
        "CLAUDE.md": "# Rules\n\n- Use `pnpm` as the package manager.\n",
        "AGENTS.md": "# Rules\n\n- Use `yarn` as the package manager.\n",
        "pnpm-lock.yaml": "", "yarn.lock": "",
    })  # fmt: skip
    pair = {"path": "", "one": "CLAUDE.md:3", "other": "AGENTS.md:3", "label": "right"}
    other = pair | {"one": f"{NOTES}:3", "other": f"{NOTES}:5", "label": "wrong"}
    assert score(clones, "agreement", pair, other)[0] == ["right", "wrong"]


def test_claims_their_types_and_what_cannot_be_checked(clones: Path) -> None:
    text = "The gateway waits 60 seconds for an answer."
    at = {"line": line_of("seconds"), "sha256": fingerprint(text)}
    fence = {"line": line_of("make gateway"), "sha256": fingerprint("make gateway")}
    labels = [at | {"label": "claim"}, fence | {"label": "none"}]
    assert score(clones, "memory-sentence", *labels)[0] == ["claim", "none"]
    typed = [
        {"line": at["line"], "label": "semantic"},
        {"line": line_of("Always"), "label": "procedural"},
    ]
    assert score(clones, "memory-type", *typed)[0] == ["semantic", "procedural"]
    asks = [
        {"line": at["line"], "label": "checkable"},
        {"line": line_of("Always"), "label": "instruction"},
    ]
    assert score(clones, "nothing-to-check", *asks)[0] == ["checkable", "instruction"]


def test_an_update_has_to_name_the_line_it_revises(clones: Path) -> None:
    line = line_of("seconds")
    labels = [
        {"line": line, "label": "UPDATE", "old_line": line},
        {"line": line, "label": "UPDATE", "old_line": line_of("npm run build")},
    ]
    answers, rows = score(clones, "memory-update", *labels, revision="HEAD^")
    assert answers == ["UPDATE", "wrong"]
    assert rows["UPDATE"] == (1, 2, 1)


def test_another_line_and_another_repository_are_left_out(clones: Path) -> None:
    assert "another line" in score(
        clones, "memory-type", {"line": 3, "label": "semantic", "sha256": "0"}
    )
    gone = {"line": 3, "label": "semantic", "repo": "no/clone"}
    assert "no clone" in score(clones, "memory-type", gone)


@pytest.mark.parametrize("change", [{"split": "test"}, {"text": "of others"}, {"task": "?"}])
def test_a_broken_label_is_named(tmp_path: Path, change: dict[str, str]) -> None:
    row = {"task": "mention", "split": "open", "repo": "o/r", "commit": "a", "label": "none"}
    (tmp_path / "a.jsonl").write_text(json.dumps(row | change))
    with pytest.raises(GroundedIngestError, match=r"a\.jsonl:1"):
        read_labels(tmp_path)


def test_the_shipped_labels() -> None:
    labels = read_labels()
    assert len(labels) > 9_000
    assert all(len(x.commit) == 40 and x.places for x in labels)
    splits: dict[tuple[str, str], set[str]] = {}
    for x in labels:
        if x.task in ("mention", "lost-source"):  # drawn by repository
            splits.setdefault((x.task, x.repo), set()).add(x.split)
    assert all(len(own) == 1 for own in splits.values())


def test_places_of_a_label() -> None:
    assert Label("agreement", "open", "o/r", "c", "right", one="a:b.md:3", other="c.md:4").places == (
        ("a:b.md", 3), ("c.md", 4),
    )  # fmt: skip


def test_an_interval() -> None:
    assert [round(bound, 4) for bound in wilson(1, 2)] == [0.0945, 0.9055]
    assert wilson(0, 0) == (0.0, 1.0)

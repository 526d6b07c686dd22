"""The corpus for any tool: its lines, the trees made of it, and what is counted."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from repos import Repo

from benchmarks.corpus import cases, lines
from benchmarks.corpus.__main__ import command
from grounded_ingest.errors import GroundedIngestError

SCHEMA = lines.HERE / "schema.json"
PAGE = """# Notes

The port is 8443 (`src/app.py:1`).
The port is 9443 (`src/app.py:1`).

Run `npm run gone`
before each push. Then wait.

Run `npm run build` at last.

```sh
npm run lint

npm run nope
```
"""


def test_the_schema_is_that_of_the_types() -> None:
    made = json.dumps(lines.schema(), indent=2) + "\n"
    if os.environ.get("REGOLD"):
        SCHEMA.write_text(made)
    assert SCHEMA.read_text() == made


def test_every_line_is_of_the_schema() -> None:
    schema = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    parts = {
        task: Draft202012Validator({**schema["$defs"][ref.rpartition("/")[2]]})
        for task, ref in schema["discriminator"]["mapping"].items()
    }
    for path in lines.files():
        rows = [json.loads(row) for row in path.read_text().splitlines()]
        wrong = [(n, row) for n, row in enumerate(rows, 1) if not parts[row["task"]].is_valid(row)]
        assert (len({row["task"] for row in rows}), wrong) == (1, []), path.name


@pytest.mark.parametrize(
    "change", [{"split": "test"}, {"label": "maybe"}, {"commit": "abc"}, {"text": "of others"}]
)
def test_another_line_is_not(change: dict[str, str]) -> None:
    row = json.loads((lines.HERE / "references.jsonl").read_text().partition("\n")[0])
    schema = Draft202012Validator(json.loads(SCHEMA.read_text()))
    assert schema.is_valid(row)
    assert not schema.is_valid(row | change)


@pytest.mark.parametrize("task", ["lost-source", "mention"])
def test_no_repository_is_in_both_splits_of_what_was_drawn_by_repository(task: str) -> None:
    splits: dict[str, set[str]] = {"open": set(), "held": set()}
    for case in cases.corpus()[0]:
        if case.task == task:
            splits[case.split].add(case.tree.repo)
    assert not splits["open"] & splits["held"]


def test_ids_are_unique() -> None:
    ids = [case.id for case in cases.corpus()[0]]
    assert len(set(ids)) == len(ids) > 10_000


def test_the_card_counts_what_there_is() -> None:
    card = (lines.HERE / "README.md").read_text()
    for path in lines.files():
        read = lines.read(path)
        held = sum(line.split == "held" for line in read)
        assert f"`{path.name}` | {len(read) - held:,} | {held:,} |" in card, path.name


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory with a bare clone of a labelled repository, and a corpus of its own."""
    source = Repo(tmp_path / "source")
    source.commit({"CLAUDE.md": PAGE, "src/app.py": "PORT = 8443\n", "large.bin": "x" * 99})
    source.git("tag", "v1")
    head = source.git("rev-parse", "HEAD")
    large = source.git("rev-parse", "HEAD:large.bin")
    source.commit({"CLAUDE.md": "# Later\n"})
    source.git("tag", "v2")
    (tmp_path / "repos").mkdir()
    bare = tmp_path / "repos/own+er"
    source.git("clone", "-q", "--bare", str(source.root), str(bare))
    shutil.rmtree(bare / "objects")
    shutil.copytree(source.root / ".git/objects", bare / "objects")
    (bare / "objects" / large[:2] / large[2:]).unlink()  # as a partial clone

    at = {"split": "open", "repo": "own/er", "commit": head, "path": "CLAUDE.md"}
    cited = at | {"task": "citation", "kind": "path:line", "cites": "src/app.py:1", "sha256": ""}
    mention = at | {"task": "mention", "kind": "command", "name": "", "of": ""}
    own = tmp_path / "corpus"
    own.mkdir()
    write(own / "references.jsonl", [
        cited | {"line": 3, "label": "true"}, cited | {"line": 4, "label": "false", "split": "held"},
        cited | {"line": 4, "label": "unclear"}, cited | {"line": 1, "label": "true", "repo": "no/clone"},
        cited | {"line": 1, "label": "true", "commit": "0" * 40},
    ])  # fmt: skip
    write(own / "mentions.jsonl", [
        mention | {"line": 6, "label": "refuted"}, mention | {"line": 9, "label": "confirmed"},
        mention | {"line": 12, "label": "none"}, mention | {"line": 14, "label": "refuted"},
    ])  # fmt: skip
    write(own / "types.jsonl", [
        at | {"task": "memory-type", "id": "a", "line": 3, "label": "semantic"},
        at | {"task": "memory-type", "id": "b", "line": 6, "label": "procedural"},
    ])  # fmt: skip
    item = {"task": "written", "repo": "own/er", "commit": head, "kind": "code", "class": "value"}
    item |= {"source": "src/app.py:1", "false": "It is 1.", "near": "It is 2.", "free": "It is 3."}
    write(own / "written.jsonl", [
        item | {"split": "open", "id": "w-1"}, item | {"split": "held", "id": "w-2"},
        item | {"split": "open", "id": "w-3", "read": {"false": "true"}},
    ])  # fmt: skip
    twin = {"task": "twin", "split": "open", "evidence": ["It is on."], "page": ""}
    write(own / "twins.jsonl", [
        twin | {"id": "1-true", "claim": "It is on.", "label": "SUPPORTS"},
        twin | {"id": "1-false-1", "claim": "It is off.", "label": "REFUTES"},
    ])  # fmt: skip
    monkeypatch.setattr(lines, "HERE", own)
    cases.corpus.cache_clear()
    yield tmp_path
    cases.corpus.cache_clear()


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def ran(*args: str | Path) -> str:
    done = CliRunner().invoke(command, list(map(str, args)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def trees(corpus: Path, *more: str) -> tuple[Path, str]:
    told = ran("trees", "--repos", corpus / "repos", "--out", corpus / "trees", *more)
    return corpus / "trees", told


def test_trees_hold_their_commit_and_nothing_later(corpus: Path) -> None:
    (corpus / "trees/twins~true.part/.git").mkdir(parents=True)  # of a run that was interrupted
    made, told = trees(corpus)
    tree = next(t for t in made.iterdir() if t.name.startswith("own+er@") and "~" not in t.name)
    assert (tree / "CLAUDE.md").read_text() == PAGE
    assert not (tree / "large.bin").exists()
    repo = Repo(tree)
    assert repo.git("tag") == "v1"
    assert repo.git("rev-list", "--all", "--count") == "1"
    assert repo.git("status", "--porcelain") == ""
    assert "left out: no+clone@" in told
    assert "no commit 0000000" in told
    assert len(list(made.iterdir())) == 1 + 3 + 2
    false = (made / f"{tree.name}~false" / cases.DOCUMENT).read_text()
    assert false.splitlines()[2:] == ["It is 1.", "", "It is 1."]
    assert (made / "twins~false-1/src/part_1.py").read_text() == "# It is on.\n"
    assert "It is off (`src/part_1.py:1`)." in (made / "twins~false-1/MEMORY.md").read_text()
    assert "left out" in trees(corpus)[1]  # a second time nothing is made anew


def test_trees_of_a_task_and_a_split(corpus: Path) -> None:
    made, _ = trees(corpus, "--task", "written", "--split", "held")
    assert sorted(t.name.partition("~")[2] for t in made.iterdir()) == ["false", "free", "near"]


def sarif(*results: dict[str, Any], **rule: Any) -> dict[str, Any]:
    return {
        "runs": [
            {"tool": {"driver": {"name": "t", "rules": [{"id": "r", **rule}]}}, "results": results}
        ]
    }


def at(uri: str, first: int, last: int = 0, **more: Any) -> dict[str, Any]:
    region = {"startLine": first} | ({"endLine": last} if last else {})
    place = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
    return {"ruleId": "r", "message": {"text": "m"}, "locations": [place], **more}


def score(corpus: Path, told: object, *more: str) -> dict[str, Any]:
    made, _ = trees(corpus, "--task", "citation", "--task", "mention")
    (tree,) = made.iterdir()
    (corpus / "said").mkdir(exist_ok=True)
    (corpus / f"said/{tree.name}.sarif").write_text(json.dumps(told))
    args = ("--trees", made, "--sarif", corpus / "said", "--output-format", "json", *more)
    found: dict[str, Any] = json.loads(ran("score", "--tool", "t", *args))
    return found


def named(score: dict[str, Any]) -> list[str]:
    return [a["places"][0].rpartition(":")[2] for a in score["answers"] if a["said"] == "wrong"]


@pytest.mark.parametrize(
    ("told", "lines_named"),
    [
        (sarif(), []),
        (sarif(at("CLAUDE.md", 4)), ["4"]),
        (sarif(at("./CLAUDE.md", 3, 4)), ["3", "4"]),
        (sarif(at("CLAUDE.md", 7)), ["6"]),  # the paragraph goes on
        (sarif(at("CLAUDE.md", 12)), ["12"]),  # in a fence a line is alone
        (sarif(at("CLAUDE.md", 14)), ["14"]),
        (sarif(at("OTHER.md", 4)), []),
        (sarif(at("CLAUDE.md", 4, level="note")), []),
        (sarif(at("CLAUDE.md", 4, kind="pass")), []),
        (sarif(at("CLAUDE.md", 4, suppressions=[{"kind": "inSource"}])), []),
        (sarif(at("CLAUDE.md", 4), defaultConfiguration={"level": "note"}), []),
        (sarif(at("CLAUDE.md", 4, level="error"), defaultConfiguration={"level": "note"}), ["4"]),
    ],
)  # fmt: skip
def test_what_a_result_names(corpus: Path, told: object, lines_named: list[str]) -> None:
    assert sorted(named(score(corpus, told))) == lines_named


def test_shares_by_class(corpus: Path) -> None:
    found = score(
        corpus, sarif(at("CLAUDE.md", 4), at("CLAUDE.md", 6), at("CLAUDE.md", 9), at("", 0))
    )
    assert (found["trees"], found["left_out"], found["unplaced"]) == (1, [], 1)
    rows = {
        (r["task"], r["kind"]): [
            (s["part"], s["whole"]) for s in (r["recall"], r["precision"], r["alarms"])
        ]
        for r in found["rows"]
    }
    assert rows == {
        ("citation", "path:line"): [(1, 1), (1, 1), (0, 1)],
        ("citation", "all"): [(1, 1), (1, 1), (0, 1)],
        ("mention", "command"): [(1, 2), (1, 2), (1, 2)],
        ("mention", "all"): [(1, 2), (1, 2), (1, 2)],
    }
    assert found["rows"][2]["recall"]["interval"] == [0.0945, 0.9055]  # Wilson, 1 of 2
    held = score(corpus, sarif(at("CLAUDE.md", 4)), "--split", "held")
    assert [a["label"] for a in held["answers"]] == ["false"]
    assert named(score(corpus, sarif(at("CLAUDE.md", 4)), "--ignore", "r")) == []


def test_labels_are_compared_as_labels(corpus: Path) -> None:
    made, _ = trees(corpus, "--task", "memory-type")
    (tree,) = made.iterdir()
    rows = [
        {"path": f"{tree.name}/CLAUDE.md", "line": 3, "label": "semantic"},
        {"path": str(tree / "CLAUDE.md"), "line": 6, "label": "semantic"},
        {"path": f"{tree.name}/CLAUDE.md", "line": 6, "label": "claim"},  # of another task
    ]
    asked = [json.loads(r) for r in ran("cases", "--trees", made).splitlines()]
    assert {(a["task"], *a["places"][0]) for a in asked} >= {("memory-type", "CLAUDE.md", 3)}
    assert not any("label" in a for a in asked)
    for number, text in enumerate((json.dumps(rows), "\n".join(map(json.dumps, rows)))):
        (corpus / f"{number}.json").write_text(text)
        args = ("score", "--tool", "t", "--trees", made, "--json", corpus / f"{number}.json")
        told = json.loads(ran(*args, "--output-format", "json"))
        types = {
            r["kind"]: (r["recall"]["part"], r["precision"]["part"], r["precision"]["whole"])
            for r in told["rows"] if r["task"] == "memory-type"
        }  # fmt: skip
        assert types == {"semantic": (1, 1, 2), "procedural": (0, 0, 0)}
    assert "memory-type  semantic    2" in ran(*args)
    assert "| memory-type | semantic | 2 | 1 of 1: 100%" in ran(
        *args, "--output-format", "markdown"
    )


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ([], "name what the tool said"),
        (["--sarif", "said"], "holds no .sarif files"),
        (["--json", "bad.json"], "bad.json is not json"),
        (["--sarif", "bad.json"], "bad.json is not sarif"),
        (["--json", "none.json"], "holds no tree with results"),
    ],
)
def test_what_cannot_be_scored_is_said(tmp_path: Path, args: list[str], why: str) -> None:
    (tmp_path / "said").mkdir()
    (tmp_path / "bad.json").write_text("[{}]")
    (tmp_path / "none.json").write_text("[]")
    paths = [str(tmp_path / a) if not a.startswith("--") else a for a in args]
    ran = CliRunner().invoke(
        command, ["score", "--tool", "t", "--trees", str(tmp_path / "said"), *paths]
    )
    assert isinstance(ran.exception, GroundedIngestError)
    assert why in str(ran.exception)

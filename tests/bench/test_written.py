"""Sentences written over real sources: read, judged in a clone, told by class and strength."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from repos import Repo

from grounded_ingest.bench.written import read_items
from grounded_ingest.cli.group import cli
from grounded_ingest.errors import GroundedIngestError

PROJECT = Path(__file__).parents[2]
ITEM = {
    "id": "one-1", "repo": "own/er", "kind": "code", "source": "src/app.py:1", "class": "value",
    "false": "The gateway port is 9443 (`src/app.py:1`).",
    "near": "The gateway port is 8443 (`src/app.py:1`).",
    "free": "Traffic comes in at 8443 (`src/app.py:1`).",
}  # fmt: skip


@pytest.fixture
def labelled(tmp_path: Path) -> tuple[Path, Path]:
    repo = Repo(tmp_path / "there")
    repo.commit({"src/app.py": "GATEWAY_PORT = 8443\n"})
    head = repo.git("rev-parse", "HEAD").strip()
    other = {**ITEM, "id": "one-2", "read": {"false": "true"}}
    file = tmp_path / "written.jsonl"
    file.write_text("".join(json.dumps({**i, "commit": head}) + "\n" for i in (ITEM, other)))
    return file, tmp_path / "there"


def ran(file: Path, repo: Path, *more: str) -> str:
    args = ["bench", "writeback", "--written", str(file), "--repo", str(repo), *more]
    done = CliRunner().invoke(cli, args, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_what_is_approved_of_each_kind(labelled: tuple[Path, Path]) -> None:
    told = json.loads(ran(*labelled, "--output-format", "json"))
    assert told["left_out"] == 1
    approved = {
        row["kind"]: (row["sentences"], row["approved"], row["quoted"]) for row in told["totals"]
    }
    assert approved == {"false": (1, 0, 0), "near": (1, 1, 1), "free": (1, 0, 0)}
    assert "near: 100.0% approved" in ran(*labelled)
    assert "| value | 0/1 | 0 | 1/1 | 1 | 0/1 | 0 |" in ran(
        *labelled, "--output-format", "markdown"
    )


JUDGE = """
import json, sys
untrusted = json.load(sys.stdin)["untrusted"]
yes = "8443" in untrusted["claim"] and not untrusted["claim"].startswith("It is not true")
said = {"quote": "GATEWAY_PORT = 8443" if yes else "", "verdict": "supported" if yes else "unsupported"}
print(json.dumps({**said, "missing": []}))
"""


def test_rules_judge_and_both_stand_beside_each_other(
    labelled: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "judge.py"
    script.write_text(JUDGE)
    command = json.dumps([sys.executable, str(script)])
    config = tmp_path / "judge.yaml"
    config.write_text(f"judge: {{kind: command, command: {command}, may_support: true}}\n")
    here = Repo(tmp_path / "here")
    here.commit({"a.txt": "x\n"})
    monkeypatch.chdir(here.root)
    asked = ("--judge", "--config", str(config), "--each", "1")
    args = ["bench", "writeback", "--written", str(labelled[0]), "--repo", str(labelled[1]), *asked]
    ungranted = CliRunner().invoke(cli, args)
    assert "judge.command" in str(ungranted.exception)
    monkeypatch.setenv("GROUNDED_INGEST_GRANT", f"judge {command}")
    told = json.loads(ran(*labelled, *asked, "--output-format", "json"))
    figures = {
        r["kind"]: (r["sentences"], r["rules"], r["judge"], r["both"], r["unknown"])
        for r in told["judged"]
        if r["name"] == "all"
    }
    assert figures == {"false": (1, 0, 0, 0, 0), "near": (1, 1, 1, 1, 0), "free": (1, 0, 1, 1, 0)}
    assert "free: rules 0.0% (0.0 to 79.3%), judge 100.0%" in ran(*labelled, *asked)
    assert "| value | 1 | 0 | 0 | 0 | 1 | 1 | 1 | 1 | 1 | 0 | 1 | 1 |" in ran(
        *labelled, *asked, "--output-format", "markdown"
    )


def test_a_judge_goes_with_sentences(labelled: tuple[Path, Path]) -> None:
    done = CliRunner().invoke(cli, ["bench", "writeback", "--repo", str(labelled[1]), "--judge"])
    assert "go with --written" in str(done.exception)


def test_a_clone_without_the_commits_is_said(labelled: tuple[Path, Path], tmp_path: Path) -> None:
    other = Repo(tmp_path / "elsewhere")
    other.commit({"a.txt": "x\n"})
    with pytest.raises(GroundedIngestError, match="no sentence of the file"):
        ran(labelled[0], tmp_path / "elsewhere")


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "w.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(GroundedIngestError, match=r"w\.jsonl:1: "):
        read_items(str(tmp_path / "w.jsonl"))


def test_the_shipped_sentences_are_what_the_issue_asks_for() -> None:
    items = read_items(str(PROJECT / "benchmarks/corpus/written.jsonl"))
    assert len(items) >= 400
    assert len({i.sentence_class for i in items}) >= 16
    assert len({i.repo for i in items}) >= 4
    assert 0.2 < sum(i.split == "held" for i in items) / len(items) < 0.55
    assert not {i.source.split(":")[0] + i.repo for i in items if i.split == "held"} & {
        i.source.split(":")[0] + i.repo for i in items if i.split == "open"
    }

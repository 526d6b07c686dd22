"""`bench judge` counts what the configured judge model would raise, right and wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from repos import Repo

from grounded_ingest.bench.judge_pairs import judge_pairs, judged_figures, read_pairs
from grounded_ingest.cli.group import cli
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.judge.exchange import ComparedPair, Opinion
from grounded_ingest.text.lexicon.judge_prompt import DENIAL

EXAMPLE = Path(__file__).parents[2] / "examples/judge-example.py"


def invoked(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


class Agreeing:
    """Supports every claim whose source has the word yes, and no denial."""

    def judge(self, pairs: list[ComparedPair]) -> list[Opinion]:
        return [Opinion("supported" if self._agrees(p) else "unsupported") for p in pairs]

    def _agrees(self, pair: ComparedPair) -> bool:
        return "yes" in pair.source.text and not pair.claim.startswith(DENIAL)


def written(tmp_path: Path, *rows: dict[str, object]) -> str:
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(file)


def test_right_and_wrong_answers_are_counted_by_task(tmp_path: Path) -> None:
    rows = [
        {"task": "proof", "claim": "a", "label": "SUPPORTS", "evidence": ["yes", "more"]},
        {"task": "proof", "claim": "b", "label": "REFUTES", "evidence": "yes"},
        {"claim": "c", "label": "SUPPORTS", "evidence": "no"},
    ]
    judged = judge_pairs(Agreeing(), read_pairs(written(tmp_path, *rows)))
    assert judged_figures(judged) == {
        "proof": {"true": 1, "true_raised": 1, "false": 1, "false_raised": 1, "unanswered": 0},
        "pair": {"true": 1, "true_raised": 0, "false": 0, "false_raised": 0, "unanswered": 0},
    }


def test_the_shipped_pairs_have_both_tasks_and_both_labels() -> None:
    found = {(p.task, p.true) for p in read_pairs()}
    assert found == {(t, label) for t in ("twin", "proof") for label in (True, False)}


@pytest.mark.parametrize("row", ["x", "{}", '{"claim": "a", "label": "MAYBE", "evidence": "b"}'])
def test_a_broken_pair_is_named_with_its_line(tmp_path: Path, row: str) -> None:
    (tmp_path / "pairs.jsonl").write_text(row)
    with pytest.raises(
        GroundedIngestError, match=r"pairs\.jsonl:1: the line is not a labelled pair"
    ):
        read_pairs(str(tmp_path / "pairs.jsonl"))


def test_the_command_asks_the_granted_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A false claim that the program supports is listed; without a grant nothing is asked."""
    repo = Repo(tmp_path / "repo")
    command = [sys.executable, str(EXAMPLE)]
    judge = f"judge: {{kind: command, command: {json.dumps(command)}}}\n"
    pairs = written(
        tmp_path,
        {"claim": "The port is 1.", "label": "SUPPORTS", "evidence": "The port is 1."},
        {"claim": "The port is old.", "label": "REFUTES", "evidence": "Old: the port is 1."},
    )
    monkeypatch.chdir(repo.root)
    asked = ("bench", "judge", "--pairs", pairs)
    repo.commit({"a.txt": ""})
    assert "no judge model is configured" in str(invoked(*asked).exception)
    repo.commit({".grounded-ingest.yaml": judge})
    assert "does not grant" in str(invoked(*asked).exception)
    monkeypatch.setenv("GROUNDED_INGEST_GRANT", f"judge {json.dumps(command)}")
    told = invoked(*asked)
    assert told.exit_code == 0, told.output
    assert "false, but approved: The port is old.\n" in told.output
    assert (
        "pair: the judge model would approve 1 of 1 true and 1 of 1 false claims; no valid answer for 0"
        in told.output
    )
    summary = json.loads(invoked(*asked, "--output-format", "json").output)["summary"]
    assert summary["pair"]["false_raised"] == 1

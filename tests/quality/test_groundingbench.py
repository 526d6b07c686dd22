"""`benchmarks.quality groundingbench` on a small set of its own: figures, baselines, misses, formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.quality import grounding_report as report
from benchmarks.quality.__main__ import command
from benchmarks.quality.groundingbench import DISPUTED
from grounded_ingest.errors import GroundedIngestError


def native(name: str, category: str, memories: list[str], text: str, **label: object) -> str:
    context = [
        {"id": f"m{n}", "text": m, "trust": 0.9, "timestamp": n} for n, m in enumerate(memories)
    ]
    return json.dumps(
        {
            "id": name,
            "category": category,
            "difficulty": "easy",
            "query": "?",
            "retrieved_context": context,
            "generated_output": text,
            "label": label,
        }
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rows = [
        native(
            "f1",
            "factual",
            ["User works at Nokia"],
            "You work at Nokia",
            grounded=True,
            hallucinations=[],
            grounding_map={"Nokia": "m0"},
        ),
        native(
            "f2",
            "factual",
            ["User works at Nokia"],
            "You work at Ericsson",
            grounded=False,
            hallucinations=["Ericsson"],
            grounding_map={},
            expected_correction="You work at Nokia",
        ),
        native(
            "c1",
            "contradictions",
            ["User works at Nokia", "User works at Ericsson"],
            "You work at Ericsson",
            grounded=True,
            requires_contradiction_disclosure=True,
        ),
        native(
            "para_008",
            "factual",
            ["User works at Nokia"],
            "You work at Nokia",
            grounded=False,
            hallucinations=[],
        ),
        native(
            "f3",
            "factual",
            ["User works at Nokia"],
            "You work at Nokia",
            grounded=False,
            hallucinations=["Nokia"],
        ),
    ]
    (tmp_path / "native100.jsonl").write_text("\n".join(rows), "utf-8")
    row = {
        "id": "t",
        "memories": [{"id": "m1", "text": "User lives in Turin"}],
        "output_grounded": "You live in Turin",
        "output_hallucinated": "You live in Riga",
    }
    (tmp_path / "templates_expanded.jsonl").write_text(json.dumps(row), "utf-8")
    stated = [
        {"id": "P", "text": "I work at Nokia", "expected": {"employer": "Nokia"}},
        {"_comment": "none"},
    ]
    (tmp_path / "dataset.json").write_text(json.dumps(stated), "utf-8")
    return tmp_path


def test_figures(data: Path) -> None:
    run = report.run(str(data))
    ours = {s.name: (s.right, s.total) for s in run.scores["ours"]}
    assert ours == {"all": (3, 5), "factual": (2, 4), "contradictions": (1, 1), "easy": (3, 5)}
    assert (run.undisputed.right, run.undisputed.total) == (3, 4)
    assert [m["id"] for m in run.misses] == ["f3"]
    assert [(d["id"], d["reason"]) for d in run.disputed] == [("para_008", DISPUTED["para_008"])]
    assert {s.name: s.right for s in run.scores["always grounded"]}["all"] == 1
    assert [(s.name, s.right, s.total) for s in run.templates] == [("templates_expanded", 2, 2)]
    assert (run.extraction or {})["f1"] == 1.0
    assert (run.corrections["clean"], run.corrections["exact"]) == (1, 1)
    assert run.grounding_map == {"right": 1, "labelled": 1}
    assert run.latency["ours"]["median_ms"] > 0


def test_folds_judge_without_what_only_they_show(data: Path) -> None:
    run = report.run(str(data), count=2)
    assert run.folds is not None
    assert run.folds["entries"]["in_examples"] < run.folds["entries"]["all"]
    assert run.folds["from_all"]["native"] <= run.scores["ours"][0].right
    assert len(run.folds["from_all"]["entries_removed"]) == 2
    assert len(run.folds["from_own"]["entries_removed"]) == 6
    # `lives in` stands in the one template alone, which is then not read.
    assert max(run.folds["from_own"]["entries_removed"]) > 0
    assert "2-fold" in report.as_text(run)
    assert "2-fold" in report.as_markdown(run)
    assert report.run(str(data)).folds is None


def test_formats(data: Path) -> None:
    run = report.run(str(data))
    assert json.loads(report.as_json(run))["schema"] == report.SCHEMA
    assert "undisputed: 3/4" in report.as_text(run)
    assert report.as_markdown(run).startswith("| | ours |")


def test_a_directory_without_examples_is_said(tmp_path: Path) -> None:
    with pytest.raises(GroundedIngestError, match="holds no examples"):
        report.run(str(tmp_path))


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_the_command_needs_nothing_but_the_directory(data: Path, form: str) -> None:
    args = ["groundingbench", "--data", str(data), "--output-format", form]
    ran = CliRunner().invoke(command, args)
    assert ran.exit_code == 0, ran.output
    assert "ours" in ran.output

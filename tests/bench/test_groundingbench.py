"""`bench groundingbench` counts right results by category, in the schemas of the data set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from grounded_ingest.bench.groundingbench import read_examples
from grounded_ingest.cli.group import cli
from grounded_ingest.errors import GroundedIngestError

FRESH = Path(__file__).parents[2] / "benchmarks/data/grounding-fresh.jsonl"
NOKIA = {"id": "m1", "text": "User works at Nokia", "trust": 0.9, "source": "user", "timestamp": 1}
IBM = {"id": "m2", "text": "User works at IBM", "trust": 0.9, "timestamp": 2}


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ("bench", "groundingbench", *arguments))


def figures(path: Path, *rows: dict[str, Any], listed: bool = False) -> dict[str, Any]:
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    path.write_text(json.dumps(rows) if listed else lines)
    ran = bench(str(path), "--output-format", "json")
    assert ran.exit_code == 0, ran
    return json.loads(ran.output)["figures"]  # type: ignore[no-any-return]


def native(text: str, grounded: bool, **label: bool) -> dict[str, Any]:
    """Returns a row as the card of the data set describes it."""
    return {
        "id": text, "category": "factual_grounding", "query": "?", "retrieved_context": [NOKIA, IBM][: 1 + len(label)],
        "generated_output": text, "label": {"grounded": grounded, **label}, "difficulty": "easy", "metadata": {},
    }  # fmt: skip


@pytest.mark.parametrize("listed", [False, True])
def test_native_rows_are_counted_by_category(tmp_path: Path, *, listed: bool) -> None:
    rows = [native("You work at Nokia", True), native("You work at Bosch", False),
            native("You work at Nokia", False)]  # fmt: skip
    found = figures(tmp_path / "f", *rows, listed=listed)
    assert found["factual_grounding"] == found["all"] == {
        "examples": 3, "right": 2, "accuracy": 0.667, "literal": 0.667, "majority": 0.667,
        "precision": 1.0, "recall": 0.5, "f1": 0.667,
    }  # fmt: skip


def test_a_demanded_disclosure_is_right_and_the_literal_label_is_told_beside(
    tmp_path: Path,
) -> None:
    """The data set labels such a text grounded, and demands that it discloses the contradiction."""
    found = figures(
        tmp_path / "f", native("You work at IBM", True, requires_contradiction_disclosure=True)
    )
    assert (found["all"]["right"], found["all"]["literal"]) == (1, 0.0)


def test_template_rows_are_one_or_two_examples_in_a_combined_file(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "factual_0", "memories": [NOKIA], "output_grounded": "You work at Nokia",
         "output_hallucinated": "You work at Bosch", "expected_grounded": True},
        {"id": "contradiction_0", "memories": [NOKIA, IBM], "output_with_disclosure": "You work at IBM (changed from Nokia)",
         "output_without_disclosure": "You work at IBM", "expected_requires_disclosure": True},
        {"id": "paraphrase_0", "memories": [NOKIA], "output": "Nokia employs you", "expected_grounded": True},
        native("You work at Nokia", True),
    ]  # fmt: skip
    found = figures(tmp_path / "combined.jsonl", *rows)
    assert {c: (f["examples"], f["right"]) for c, f in found.items()} == {
        "factual_grounding": (3, 3), "contradictions": (2, 2), "paraphrasing": (1, 1), "all": (6, 6),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "said"),
    [("x", ":1: the row is not an example"), ('{"label": {}}', ":1: the row is not an example"),
     ('\n{"memories": [{"id": "a"}], "output": "x"}', ":2: memory 1: `text` is missing"), ("[1", "cannot be read")],
)  # fmt: skip
def test_a_malformed_row_is_named_by_its_line(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(content)
    with pytest.raises(GroundedIngestError, match=said):
        read_examples(str(file))


def test_the_fresh_examples_are_a_floor() -> None:
    """60 invented examples in five categories, written before they were measured."""
    ran = bench(str(FRESH), "--output-format", "json")
    found = json.loads(ran.output)["figures"]
    assert found["all"]["right"] >= 52
    assert "multi_hop_009: ungrounded, which is wrong" in bench(str(FRESH)).output

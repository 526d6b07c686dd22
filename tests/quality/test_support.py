"""`benchmarks.quality support`: files of several shapes, halves, figures, pairs and what is made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.quality.pairs import TRUE, read_pairs, rows, trials
from benchmarks.quality.support import auc, example_half, measured, read_examples
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import Support

FM2 = {
    "id": "1",
    "claim": "It has 5 seats.",
    "label": "REFUTES",
    "evidence": ["It has 7 seats."],
    "page": "It",
}
EXPERT = {
    "claim": "The port is **8443** [1].",
    "support": "Complete",
    "evidence": [
        "[1] https://example.org/port\n\nThe port of the service is 8443, as the guide says."
    ],
}
CODE = '"""Settings."""\n\nPORT = 8443\nMAX_RETRIES = 5\n'
PAIR = {
    "id": "o/r:a.md:1",
    "claim": "The port is 8443 (`a.py:3`).",
    "cited": ["a.py"],
    "source": {"kind": "lines", "text": CODE, "path": "a.py", "lines": [3, 3], "code": True},
    "others": [{"kind": "lines", "text": CODE, "path": "a.py", "lines": [4, 4], "code": True}],
}


def written(tmp_path: Path, *found: dict[str, Any]) -> str:
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in found), "utf-8")
    return str(path)


def test_fields_are_found(tmp_path: Path) -> None:
    one, other = read_examples(written(tmp_path, FM2, EXPERT))[0]
    assert (one.label, one.page, one.addressed) == (Support.CONTRADICTED, "It", False)
    assert (other.label, other.page, other.addressed) == (
        Support.SUPPORTED, "https://example.org/port", True,
    )  # fmt: skip
    assert other.text.startswith("The port of the service")
    assert "[1]" not in other.claim


def test_what_has_no_label_is_counted(tmp_path: Path) -> None:
    assert read_examples(written(tmp_path, {**EXPERT, "support": "N/A"})) == ([], 1)


@pytest.mark.parametrize("line", ["{", '{"claim": "x"}', "[]"])
def test_a_line_that_is_none_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(f"{json.dumps(FM2)}\n{line}\n", "utf-8")
    with pytest.raises(GroundedIngestError, match=r"data\.jsonl:2"):
        read_examples(str(path))


def test_halves_split_and_stay(tmp_path: Path) -> None:
    path = written(tmp_path, *({**FM2, "id": str(n)} for n in range(40)))
    halves = [{e.id for e in read_examples(path, half)[0]} for half in "ab"]
    assert halves[0] | halves[1] == {str(n) for n in range(40)}
    assert not halves[0] & halves[1]
    assert all(example_half(i) == "a" for i in halves[0])


@pytest.mark.parametrize(
    ("scored", "expected"),
    [
        ([(0.9, True), (0.1, False)], 1.0),
        ([(0.1, True), (0.9, False)], 0.0),
        ([(0.5, True), (0.5, False)], 0.5),
        ([(0.5, True)], None),
    ],
)
def test_auc(scored: list[tuple[float, bool]], expected: float | None) -> None:
    assert auc(scored) == expected


def test_figures_stand_beside_baselines(tmp_path: Path) -> None:
    rest = {
        "claim": "The ship has 5 decks.",
        "evidence": "The ship has 7 decks and sails on Mondays.",
    }
    run = measured(written(tmp_path, {**rest, "label": "REFUTES"}, EXPERT))
    ours, tokens, numbers = run.sets["digits"]
    assert (ours.method, tokens.method, numbers.method) == (
        "grounded-ingest", "token coverage", "number mismatch",
    )  # fmt: skip
    assert [(s.given, s.hits) for s in ours.verdicts] == [(1, 1), (0, 0), (1, 1)]


def test_pairs_make_falsehoods(tmp_path: Path) -> None:
    tried = list(trials(read_pairs(written(tmp_path, PAIR))))
    ways = {t.way: t for t in tried}
    assert {"true", "number", "negation", "other lines"} <= ways.keys()
    assert [t.way for t in tried if t.passed] == [TRUE]
    table = {(r.way, r.kind): r for r in rows(tried)}
    assert (table["true", "lines"].trials, table["true", ""].passed) == (1, 1)

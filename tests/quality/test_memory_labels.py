"""The label files that are committed: well-formed, as many as were asked for, in fair halves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.quality.labels import read_lines
from benchmarks.quality.memory import Sentence, of_half
from benchmarks.quality.memory_updates import Revision

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_halves_share_nothing_and_leave_nothing() -> None:
    held = read_lines(str(BENCHMARKS / "corpus/memory-sentences.jsonl"), Sentence)
    one, other = of_half(held, "open"), of_half(held, "held")
    assert sorted(map(repr, one + other)) == sorted(map(repr, held))
    assert not {x.sha256 for x in one} & {x.sha256 for x in other}
    assert min(len(one), len(other)) > 100


def test_the_labels_are_as_many_as_asked_for() -> None:
    lines = read_lines(str(BENCHMARKS / "corpus/memory-sentences.jsonl"), Sentence)
    changes = read_lines(str(BENCHMARKS / "corpus/memory-updates.jsonl"), Revision)
    updates = [c for c in changes if c.operation == "UPDATE"]
    assert len(lines) >= 300
    assert len({x.repo for x in lines}) >= 10
    assert all(bool(x.weight) is x.claim for x in lines)
    assert len(updates) >= 100
    assert len({x.repo for x in updates}) >= 8
    assert all(x.old_line and x.old_sha256 for x in updates)
    assert len(changes) - len(updates) >= 50


@pytest.mark.parametrize("name", ["shipped", "hermes-voip"])
def test_the_questions_for_recall(name: str) -> None:
    text = (BENCHMARKS / f"recall-{name}.jsonl").read_text(encoding="utf-8")
    held = [json.loads(line) for line in text.splitlines()]
    answerable = [q for q in held if q["answerable"]]
    assert len(answerable) >= 60
    assert len(held) - len(answerable) >= 29  # 30 were written; pooling answered one
    assert len({q["id"] for q in held}) == len({q["question"] for q in held}) == len(held)
    assert all(bool(q["answers"]) is q["answerable"] for q in held)
    for kind in (True, False):
        halves = [q["half"] for q in held if q["answerable"] is kind]
        assert abs(halves.count("tuning") - halves.count("reporting")) <= 2

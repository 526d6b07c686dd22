"""The fresh cases as a held-out measurement: floors below what is measured, never a row to work from.

Rows of which the text states no slot count as the seed judges them: grounded. docs/verify.md has the
figures.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from grounded_ingest.statements.facts import read_facts
from grounded_ingest.text.values import entails, normal, same
from grounded_ingest.verify.memory_files import timestamp
from grounded_ingest.verify.memory_index import Memories
from grounded_ingest.verify.result import Memory
from grounded_ingest.verify.verify import verify_text

FRESH = Path(__file__).parent / "fresh"
PAIRS = Path(__file__).parents[2] / "benchmarks/data/repository-pairs.jsonl"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FRESH / name).read_text("utf-8").splitlines()]


def memories(row: dict[str, Any]) -> list[Memory]:
    return [
        Memory(m["id"], m["text"], m["trust"], timestamp(m.get("timestamp")))
        for m in row["memories"]
    ]


def judged_right(row: dict[str, Any]) -> bool:
    result = verify_text(row["text"], memories(row))
    return (result.grounded, result.requires_disclosure) == (
        row["grounded"],
        row["requires_disclosure"],
    )


def contradicting(row: dict[str, Any]) -> bool:
    pair = [
        Memory(age, row[age], 1.0, float(n), section=row.get(f"{age}_section", ""))
        for n, age in enumerate(("older", "newer"))
    ]
    return bool(Memories(pair).contradictions)


def values(row: dict[str, Any]) -> tuple[int, int, int]:
    """Values found and labelled, found, labelled; slots are not compared."""
    mine = [
        f
        for f in read_facts(row["text"])[1]
        if f.time == "now" and f.polarity and not f.slot.startswith("says")
    ]
    found, hits = len(mine), 0
    for label in row["facts"]:
        wanted = normal(label["value"])
        hit = next(
            (
                f
                for f in mine
                if same(f.normal, wanted, versions=True)
                or entails(f.normal, wanted)
                or entails(wanted, f.normal)
            ),
            None,
        )
        if hit is not None:
            mine.remove(hit)
            hits += 1
    return hits, found, len(row["facts"])


def test_verdicts() -> None:
    assert sum(map(judged_right, rows("verify.jsonl"))) >= 124


def test_contradictions() -> None:
    every = rows("contradicts.jsonl")
    found = [row for row in every if contradicting(row)]
    assert sum(row["contradicts"] for row in found) >= 17
    assert sum(not row["contradicts"] for row in found) <= 4


def test_contradictions_in_the_language_of_repositories() -> None:
    """Of each set of 40 pairs, 24 contradict; the sets 4 and 5 were measured before any mending."""
    pairs = PAIRS.read_text("utf-8").splitlines()
    found = Counter(
        (row["contradicts"], row["set"])
        for row in map(json.loads, pairs)
        if any(
            h.reason != "unsupported"
            for h in verify_text(row["text"], [Memory("m", row["memory"])]).hallucinations
        )
    )
    assert all(
        found[True, n] >= least for n, least in zip(range(1, 6), (23, 18, 22, 20, 22), strict=True)
    )
    assert not any(found[False, n] for n in range(1, 6))


def test_facts() -> None:
    hits, found, labelled = (
        sum(column) for column in zip(*map(values, rows("facts.jsonl")), strict=True)
    )
    assert 2 * hits / (found + labelled) >= 0.74

"""Memories of different types are not compared with each other; elsewhere types hide no pair."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repos import Repo, stating

from grounded_ingest.model.claims import Decision

OLD, NEW = "memory/old.jsonl", "memory/new.jsonl"
JOB = "The worker takes its next job from the queue table"
PORT, OTHER_PORT = "The API server listens on port 8443", "The API server listens on port 9443"
CODE = {"data/said.txt": stating(PORT, JOB)}
CITED = {PORT: " (`data/said.txt:1`).", JOB: " (`data/said.txt:21`)."}

Memory = tuple[str, str]


def written(path: str, memory: Memory) -> str:
    text, memory_type = memory
    if path.endswith(".md"):
        return f"---\nmemory_type: {memory_type}\n---\n\n# Notes\n\n{text}\n"
    return json.dumps({"text": text, "memory_type": memory_type}) + "\n"


def judged(tmp_path: Path, landed: Memory, new: Memory, path: str = NEW, at: str = OLD) -> Decision:
    repo = Repo(tmp_path)
    text, memory_type = landed
    repo.commit({**CODE, at: written(at, (text + CITED[text], memory_type))})
    repo.stage({path: written(path, new)})
    (decision,) = (d for d in repo.decisions() if d.place.path == path)
    assert decision.place.claim.memory_type == new[1]
    return decision


PAIRS = [
    (JOB, JOB + CITED[JOB], "duplicate"),
    (PORT, OTHER_PORT, "conflicting-update"),
]
TYPES = ["semantic", "episodic", "procedural"]


@pytest.mark.parametrize("other", TYPES)
@pytest.mark.parametrize("own", TYPES)
@pytest.mark.parametrize(("landed", "new", "rule"), PAIRS)
def test_only_memories_of_one_type_are_compared(
    tmp_path: Path, landed: str, new: str, rule: str, own: str, other: str
) -> None:
    decision = judged(tmp_path, (landed, other), (new, own))
    found = {f.rule for f in decision.findings}
    expected = own == other
    assert (rule in found) is expected
    assert decision.operation.name == (
        "ADD" if not expected else "SKIP" if "dup" in rule else "UPDATE"
    )


DOCS, OTHER_DOCS, NOTES = "docs/a.md", "docs/b.md", "memory-bank/notes.md"


@pytest.mark.parametrize(("path", "at"), [(DOCS, OLD), (NOTES, DOCS), (DOCS, OTHER_DOCS)])
def test_types_hide_no_repeat_outside_of_memories(tmp_path: Path, path: str, at: str) -> None:
    said = f"{JOB.upper()}{CITED[JOB]}"
    decision = judged(tmp_path, (JOB, "procedural"), (said, "semantic"), path, at)
    assert "repeat" in {f.rule for f in decision.findings}

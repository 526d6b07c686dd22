"""Contamination: what is flagged and passed, by the names of the taxonomy, in real repositories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repos import NOTES, Repo, page

from benchmarks.quality import contaminated_memories as contaminated
from benchmarks.quality import contamination
from grounded_ingest.language.lexicon import contamination_examples as examples
from grounded_ingest.model.claims import Decision
from grounded_ingest.rules.registry import ROWS

OTHER = "memory-bank/other.md"
ADR = "docs/adr/0001-decision.md"
Pair = tuple[str, str]


def flagged(decisions: list[Decision]) -> list[str]:
    return [
        f.message.partition(":")[0]
        for d in decisions
        for f in d.findings
        if f.rule == "contamination"
    ]


def pairs(
    table: dict[str, tuple[tuple[Pair, ...], tuple[Pair, ...]]],
) -> list[tuple[str, str, str]]:
    """(the kind that is flagged, or nothing; source; memory)."""
    wrong = [(kind, *pair) for kind, (flags, _) in table.items() for pair in flags]
    return wrong + [("", *pair) for _, passes in table.values() for pair in passes]


def of_decision(tmp_path: Path, source: str, memory: str, path: str = NOTES) -> list[Decision]:
    repo = Repo(tmp_path)
    repo.commit({ADR: f"# 1. A decision\n\nStatus: accepted\n\n## Decision\n\n{source}\n"})
    repo.stage({path: page(memory.format("ADR-0001"))})
    return repo.decisions()


@pytest.mark.parametrize(("kind", "source", "memory"), pairs(examples.OF_DECISIONS))
def test_of_decisions(tmp_path: Path, kind: str, source: str, memory: str) -> None:
    assert flagged(of_decision(tmp_path, source, memory)) == ([kind] if kind else [])


@pytest.mark.parametrize(("kind", "source", "memory"), pairs(examples.OF_EVENTS))
def test_of_events(tmp_path: Path, kind: str, source: str, memory: str) -> None:
    repo = Repo(tmp_path)
    commit = repo.commit({"data/a.csv": "1\n"}, f"Note what happened\n\n{source}")
    repo.stage({NOTES: page(memory.format(commit[:10]))})
    assert flagged(repo.decisions()) == ([kind] if kind else [])


@pytest.mark.parametrize(("kind", "old", "new"), pairs(examples.UPDATES))
def test_an_old_version_left_beside_the_new_one(
    tmp_path: Path, kind: str, old: str, new: str
) -> None:
    repo = Repo(tmp_path)
    repo.commit({NOTES: page(old), OTHER: page(old)})
    repo.stage({NOTES: page(new)})
    (decision,) = repo.decisions()
    assert flagged([decision]) == ([kind] if kind else [])
    if kind:
        assert decision.rule == "contamination"
        assert decision.findings[-1].other.path == OTHER  # type: ignore[union-attr]
    repo.stage({OTHER: page(new)})
    assert not flagged([d for d in repo.decisions() if d.place.path == NOTES])


@pytest.mark.parametrize("path", ["docs/other.md", "docs/adr/0001-x.md"])
def test_an_old_version_in_another_class_is_none(tmp_path: Path, path: str) -> None:
    ((old, new), *_), _ = examples.UPDATES["update_error"]
    repo = Repo(tmp_path)
    repo.commit({NOTES: page(old), path: page(old)})
    repo.stage({NOTES: page(new)})
    assert not flagged(repo.decisions())


@pytest.mark.parametrize(
    ("kind", "text"),
    [(kind, text) for kind, (wrong, _) in examples.MIXED.items() for text in wrong]
    + [("", text) for _, right in examples.MIXED.values() for text in right],
)
def test_mixed_types(tmp_path: Path, kind: str, text: str) -> None:
    repo = Repo(tmp_path)
    repo.commit()
    decision = repo.judge(text)
    assert flagged([decision]) == ([kind] if kind else [])
    if kind:
        assert "store apart “" in next(f.message for f in decision.findings)


@pytest.mark.parametrize(
    ("declared", "text", "kinds"),
    [
        ("semantic", "On 2026-03-01 the deploy failed because the disk was full.", ["mixed"]),
        ("episodic", "On 2026-03-01 the deploy failed because the disk was full.", []),
        ("semantic", "The gateway listens on port 8080.", []),
        ("semantic", "Never commit to the main branch.", ["mixed"]),
        ("procedural", "The gateway listens on port 8080.", []),
    ],
)
def test_another_type_than_declared(
    tmp_path: Path, declared: str, text: str, kinds: list[str]
) -> None:
    repo = Repo(tmp_path)
    repo.commit()
    repo.stage({NOTES: f"---\nmemory_type: {declared}\n---\n\n# Notes\n\n{text}\n"})
    assert flagged(repo.decisions()) == kinds


def test_only_memories_are_contaminated(tmp_path: Path) -> None:
    for table in (examples.OF_DECISIONS,):
        for kind, (wrong, _) in table.items():
            for n, (source, memory) in enumerate(wrong):
                decided = of_decision(tmp_path / f"{kind}{n}", source, memory, "docs/notes.md")
                assert not flagged(decided)


def test_a_row_above_wins(tmp_path: Path) -> None:
    (decision,) = of_decision(
        tmp_path, "The gateway listens on port 8443.", "The gateway listens on port 9443 ({})."
    )
    assert decision.rule == "contradicted-by-source"
    assert flagged([decision]) == ["abstraction_error"]
    assert ROWS.index(decision.rule) < ROWS.index("contamination")


def test_a_policy_moves_the_row(tmp_path: Path) -> None:
    (wrong, *_), _ = examples.OF_DECISIONS["spurious_inference_stored"]
    for action, rule in (("block", "contamination"), ("off", "unsupported")):
        repo = Repo(tmp_path / action)
        repo.commit({".grounded-ingest.yaml": f"policy:\n  contamination: {action}\n"})
        (decision,) = of_decision(tmp_path / action, *wrong)
        assert (decision.rule, decision.tier) == (rule, 3 if action == "block" else 2)


def test_what_is_planted_is_found(tmp_path: Path) -> None:
    run = contamination.measured(str(tmp_path))
    assert all(kind.planted >= 20 for kind in run.kinds)
    caught = {k.name: (k.named + k.above) / k.planted for k in run.kinds}
    assert caught["update_error"] == 1
    assert min(caught["spurious_inference_stored"], caught["generalization_error"]) >= 0.8
    assert min(caught.values()) >= 0.55
    assert (run.true, run.flagged) == (run.true, ())
    assert run.true >= 100
    assert "update_error" in contamination.as_text(run)
    assert json.loads(contamination.as_json(run))["flagged"] == []


def test_sources_are_told_of_once() -> None:
    told = [*contaminated.DECISIONS, *contaminated.EPISODES]
    assert len({t.source for t in told}) == len(told)
    assert all(t.faithful and len(t.contaminated) == 2 for t in told)

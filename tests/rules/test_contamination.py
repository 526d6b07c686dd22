"""Contamination: what is flagged and passed, by the names of the taxonomy, in real repositories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from examplerepo import Yard
from msgspec.structs import replace
from repos import NOTES, Repo, page

from benchmarks.quality import contaminated_memories as contaminated
from benchmarks.quality import contamination
from grounded_ingest.model.claims import Decision
from grounded_ingest.rules.problems import EXAMPLES
from grounded_ingest.rules.registry import ROWS
from grounded_ingest.rules.rule import Example

OTHER = "memory-bank/other.md"
KINDS = {told.group: told for told in EXAMPLES["contamination"]}


def flagged(decisions: list[Decision]) -> list[str]:
    return [
        f.message.partition(":")[0]
        for d in decisions
        for f in d.findings
        if f.rule == "contamination"
    ]


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return Yard(tmp_path_factory.mktemp("examples"))


def kinds(yard: Yard, example: Example | str) -> list[str]:
    decision = yard.show(example).decision
    return flagged([decision]) if decision else []


@pytest.mark.parametrize(
    ("kind", "example"),
    [(group, e) for group, told in KINDS.items() for e in told.flags]
    + [("", e) for told in KINDS.values() for e in told.passes],
)
def test_kinds(yard: Yard, kind: str, example: Example | str) -> None:
    assert kinds(yard, example) == ([kind] if kind else [])


OF_A_ROW_ABOVE = [
    ("contradicted-by-source", "abstraction_error", "A failed upload is retried 5 times (ADR-1).", "A failed upload is retried 3 times."),
    ("contradicted-by-source", "abstraction_error", "The gateway is written in Rust (ADR-1).", "The gateway is written in Python."),
    ("contradicted-by-source", "abstraction_error", "Exports are not encrypted with a team key (ADR-1).", "Exports are encrypted with a team key."),
    ("contradicted-by-source", "abstraction_error", "Clients log in at the gateway with Kerberos (ADR-1).", "Clients log in at the gateway with OAuth2."),
    ("technical-hedge", "generalization_error", "Ana usually restarts the mail service by hand (commit {commit}).", "Ana restarted the mail service by hand on Monday."),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "kind", "text", "source"), OF_A_ROW_ABOVE)
def test_a_row_above_wins(yard: Yard, rule: str, kind: str, text: str, source: str) -> None:
    told = Example(text, said=source) if "{commit}" in text else Example(text, adr=source)
    shown = yard.show(told)
    assert (shown.rule, kinds(yard, told)) == (rule, [kind])
    assert ROWS.index(rule) < ROWS.index("contamination")


@pytest.mark.parametrize("example", KINDS["update_error"].flags)
def test_an_old_version_left_beside_the_new_one(yard: Yard, example: Example) -> None:
    decision = yard.show(example).decision
    assert decision is not None
    assert decision.findings[-1].other.path == OTHER  # type: ignore[union-attr]
    assert not kinds(yard, replace(example, change={OTHER: page(example.text)}))


@pytest.mark.parametrize("path", ["docs/other.md", "docs/adr/0001-x.md"])
def test_an_old_version_in_another_class_is_none(yard: Yard, path: str) -> None:
    example, *_ = KINDS["update_error"].flags
    assert isinstance(example, Example)
    assert not kinds(yard, replace(example, base={path: page(example.was)}))


@pytest.mark.parametrize("text", KINDS["mixed"].flags)
def test_a_split_is_proposed(yard: Yard, text: str) -> None:
    decision = yard.show(text).decision
    assert decision is not None
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


@pytest.mark.parametrize(
    "example",
    [e for told in KINDS.values() for e in told.flags if isinstance(e, Example) and e.adr],
)
def test_only_memories_are_contaminated(yard: Yard, example: Example) -> None:
    assert not kinds(yard, replace(example, path="docs/notes.md"))


@pytest.mark.parametrize(("action", "rule"), [("block", "contamination"), ("off", "unsupported")])
def test_a_policy_moves_the_row(yard: Yard, action: str, rule: str) -> None:
    wrong, *_ = KINDS["spurious_inference_stored"].flags
    assert isinstance(wrong, Example)
    decision = yard.show(replace(wrong, config=f"policy: {{contamination: {action}}}")).decision
    assert decision is not None
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

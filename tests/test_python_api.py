"""The Python API: its choices are named, and its queue keeps owners apart and stays within limits."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from grounded_ingest import (
    GroundedIngestError,
    ReviewQueue,
    check,
    ground,
    recall,
    validate,
)
from grounded_ingest.text.lexicon.agents import ENVIRONMENT

FIRST, SECOND = "Backups run every night.", "Releases are cut on Tuesday."


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A repository whose person is Ann and in which no agent is at work."""
    for variable in ENVIRONMENT:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "ann@example.org")
    subprocess.run(["git", "init", "-qb", "main", tmp_path], check=True)
    return str(tmp_path)


@pytest.mark.parametrize(
    ("call", "choices"),
    [
        (lambda repo: check(repo, scope="x"), "worktree, staged, all"),
        (lambda repo: validate(FIRST, source="x", repo=repo), "user, documentation, adr"),
        (lambda repo: validate(FIRST, kind="x", repo=repo), "fact, decision, preference"),
        (lambda repo: validate(FIRST, memory_type="x", repo=repo), "semantic, episodic"),
        (lambda repo: validate(FIRST, valid_until="x", repo=repo), "ISO 8601"),
        (lambda _: ground(FIRST, [], mode="x"), "strict, permissive"),
        (lambda repo: recall("port", repo, types="x"), "semantic, episodic, procedural"),
        (lambda repo: ReviewQueue("ann", repo).waiting("x"), "pending, advisory, approved"),
        (lambda repo: ReviewQueue("ann", repo).enqueue(FIRST, source="x"), "user, documentation"),
        (lambda repo: ReviewQueue("../ann", repo), "letters, digits"),
    ],
)
def test_unknown_values_name_the_choices(
    repo: str, call: Callable[[str], object], choices: str
) -> None:
    with pytest.raises(GroundedIngestError, match=choices):
        call(repo)


def test_an_owner_neither_sees_nor_decides_what_waits_for_another(repo: str) -> None:
    ann, bob = ReviewQueue("ann", repo), ReviewQueue("bob", repo)
    claim = ann.enqueue(FIRST, source="chat", valid_until="2030-01-31")
    (waiting,) = ann.waiting()
    assert (waiting.id, waiting.capture_time) == (claim.id, claim.capture_time)
    assert waiting.validity_horizon == "2030-01-31"
    assert bob.waiting() == ()
    with pytest.raises(GroundedIngestError, match="no claim in memory/queue/bob"):
        bob.approve(claim.id)


def test_reviewers_of_the_configuration_decide_alone(repo: str) -> None:
    """Bob's file is Bob's: Ann, whom git names, is refused."""
    Path(repo, ".grounded-ingest.yaml").write_text(
        "reviewers: {memory/queue/bob.jsonl: [bob@example.org]}", "utf-8"
    )
    queue = ReviewQueue("bob", repo)
    claim = queue.enqueue(FIRST)
    assert queue.waiting() == ()
    ((_, why),) = queue.approve(claim.id).refused
    assert "only an owner may decide: bob@example.org" in why


def test_a_full_queue_refuses_and_forgets_nothing(repo: str) -> None:
    ReviewQueue("ann", repo).enqueue(FIRST)
    for queue in (ReviewQueue("ann", repo, per_owner=1), ReviewQueue("bob", repo, total=1)):
        with pytest.raises(GroundedIngestError, match="1 claims wait"):
            queue.enqueue(SECOND)
    assert ReviewQueue("ann", repo, per_owner=1).enqueue(FIRST).rule == "ungrounded"
    assert len(ReviewQueue("ann", repo).waiting()) == 1


def test_a_rejected_claim_leaves_its_record_and_stays_blocked(repo: str) -> None:
    queue = ReviewQueue("ann", repo)
    first = queue.enqueue(FIRST)
    file = Path(repo) / queue.path
    file.write_text(file.read_text("utf-8").rstrip(), "utf-8")  # as an editor may leave the file
    second = queue.enqueue(SECOND)
    with pytest.raises(GroundedIngestError, match="needs a reason"):
        queue.reject(first.id, reason=" ")
    queue.reject(first.id, reason="the job was removed")
    assert [waiting.id for waiting in queue.waiting()] == [second.id]
    queue.approve(second.id)
    assert [waiting.id for waiting in queue.waiting("advisory")] == [second.id]
    (Path(repo) / "memory/notes.md").write_text(f"# Notes\n\n{FIRST}\n", "utf-8")
    (found,) = [d for d in check(repo, "all").decisions if d.place.path == "memory/notes.md"]
    assert found.rule == "rejected"


def test_an_agent_may_enqueue_and_not_approve(repo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(next(iter(ENVIRONMENT)), "1")
    queue = ReviewQueue("ann", repo)
    claim = queue.enqueue(FIRST)
    with pytest.raises(GroundedIngestError, match="agents must not review"):
        queue.approve(claim.id)

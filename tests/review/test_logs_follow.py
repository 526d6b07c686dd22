"""Review logs and evidence through renames and merges, as the hook leaves them."""

from __future__ import annotations

from pathlib import Path

import pytest
from reviewrepo import ANN, FIRST, LOG, NOTES, SECOND, Clone, start

from grounded_ingest.records.review_log import Review, approvals, last_actions, log_path

OTHER = "memory-bank/deeper/other.md"


def hooked(repo: Clone, message: str = "change") -> None:
    """What the hook does: evidence goes into the commit with the text."""
    repo.git("add", "-A")
    ran = repo.ask("check", "--staged", "--write", "--offline")
    assert ran.code == 0, ran.out
    repo.git("commit", "-q", "--no-verify", "--allow-empty", "-m", message)


def test_the_hook_moves_the_log_with_its_document(tmp_path: Path) -> None:
    """Nobody thinks of renaming the log, so the hook does."""
    repo = start(tmp_path / "work", ANN)
    repo.approve(f"{NOTES}:3")
    hooked(repo, "review")
    assert repo.rules()[FIRST] == "approved"
    before = repo.read(LOG)
    (repo.root / OTHER).parent.mkdir()
    repo.git("mv", NOTES, OTHER)
    hooked(repo, "rename")
    assert repo.git("status", "--porcelain") == ""
    assert repo.read(log_path(OTHER)) == before
    assert not (repo.root / LOG).exists()
    assert repo.rules()[FIRST] == "approved"
    assert '"rule":"approved"' in repo.read(f".grounded/evidence/{OTHER}.jsonl")


def test_a_log_that_is_there_already_is_not_written_over(tmp_path: Path) -> None:
    """The hook never overwrites the log of another document."""
    repo = start(tmp_path / "work", ANN)
    repo.approve(f"{NOTES}:3")
    (repo.root / log_path(OTHER)).parent.mkdir(parents=True)
    repo.write(log_path(OTHER), "\n")
    hooked(repo, "review")
    (repo.root / OTHER).parent.mkdir()
    repo.git("mv", NOTES, OTHER)
    hooked(repo, "rename")
    assert repo.read(log_path(OTHER)) == "\n"
    assert (repo.root / LOG).exists()


@pytest.mark.parametrize("union", [True, False])
def test_logs_of_both_sides_merge_by_union(tmp_path: Path, union: bool) -> None:
    """With merge=union both approvals count; a conflict is reported."""
    repo = start(tmp_path / "work", ANN)
    repo.write(".gitattributes", ".grounded/reviews/** merge=union\n" if union else "")
    repo.approve(f"{NOTES}:7")
    repo.commit("review")
    repo.git("switch", "-q", "-c", "side")
    repo.approve(f"{NOTES}:3")
    repo.commit("theirs")
    repo.git("switch", "-q", "main")
    repo.approve(f"{NOTES}:5")
    repo.commit("ours")
    ran = repo.run("git", "merge", "-q", "--no-edit", "side")
    if not union:
        assert ran.code == 1
        ran = repo.ask("check", "--all", "--offline")
        assert (ran.code, f"{LOG}:" in ran.out) == (1, True)
        return
    assert ran.code == 0
    assert {FIRST, SECOND} <= {c for c, rule in repo.rules().items() if rule == "approved"}


def line(action: str, at: str) -> Review:
    return Review("0123456789abcdef", "Notes", action, ANN, at)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lines", "holds"),
    [
        ([("approve", 1), ("revoke", 3), ("approve", 2)], "revoke"),
        ([("approve", 1), ("reject", 3), ("approve", 2)], "reject"),
        ([("reject", 1), ("revoke", 2), ("approve", 3)], "approve"),
        ([("approve", 9), ("revoke", 2)], "revoke"),
        ([("revoke", 9), ("approve", 2)], "revoke"),
        ([("approve", 1), ("approve", 1)], "approve"),
    ],
)
def test_of_a_merged_log_the_stricter_holds(lines: list[tuple[str, int]], holds: str) -> None:
    """If order and times of lines disagree, the stricter action counts."""
    log = [line(action, f"2026-01-0{day}T00:00:00Z") for action, day in lines]
    (last,) = last_actions(log).values()
    assert last.action == holds
    assert bool(approvals(log)) is (holds == "approve")


def test_a_line_dated_into_the_future_can_be_answered(tmp_path: Path) -> None:
    """A wrong clock cannot make an approval final."""
    repo = start(tmp_path / "work", ANN)
    repo.approve(f"{NOTES}:3")
    repo.write(LOG, repo.read(LOG).replace('"reviewed_at":"20', '"reviewed_at":"30'))
    repo.review("reject", f"{NOTES}:3", "--reason", "no")
    assert repo.rules()[FIRST] == "rejected"
    repo.review("revoke", f"{NOTES}:3")
    assert repo.rules()[FIRST] == "ungrounded"
    repo.approve(f"{NOTES}:3")
    repo.commit("review")
    assert repo.rules()[FIRST] == "approved"
    assert [r["reviewed_at"] for r in repo.log()] == sorted(r["reviewed_at"] for r in repo.log())

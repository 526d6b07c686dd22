"""Limits of the queue: warned of or refused with the count, and nothing that waits is dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from reviewrepo import ANN, BOB, EVE, NOTES, Clone, page, start

CLAIMS = tuple(f"Service {n} writes its audit trail to partition {n * 7}." for n in range(6))
ONE_MORE = "Search runs on an index that is rebuilt at night."


def repository(tmp_path: Path, review: str, owners: str = f"* {ANN}\n") -> Clone:
    """Base limits the queue and holds six claims that wait, with their evidence."""
    repo = start(tmp_path / "work", EVE, *CLAIMS)
    repo.write(".grounded-ingest.yaml", f"review: {{{review}}}\n")
    repo.write("CODEOWNERS", owners)
    repo.ask("check", "--all", "--write", "--offline")
    repo.commit("settings")
    return repo


def full(repo: Clone, *scope: str) -> tuple[int, list[tuple[int, str]]]:
    ran = repo.ask("check", *scope, "--offline", "--output-format", "json")
    found: list[dict[str, Any]] = ran.json["problems"]
    return ran.code, [(p["tier"], p["message"]) for p in found if p["rule"] == "queue-full"]


OPENS = "`grounded-ingest review` opens with those that matter most"
OWNER = f"for {ANN} wait for review; 5 may for one owner. {OPENS}"


@pytest.mark.parametrize(("over", "code", "tier"), [("warn", 0, 0), ("block", 1, 3)])
@pytest.mark.parametrize("scope", ["range", "staged"])
def test_more_than_an_owner_may_hold(
    tmp_path: Path, scope: str, over: str, code: int, tier: int
) -> None:
    repo = repository(tmp_path, f"max_pending_per_owner: 5, over: {over}")
    repo.write("docs/more.md", page(ONE_MORE))
    repo.git("add", "-A")
    told = [(tier, f"7 {OWNER}")]
    if scope == "range":
        repo.commit("more")
        assert full(repo, "--since", "HEAD~1") == (code, told)
    else:  # a hook reads all evidence only where it may refuse
        assert full(repo, "--staged") == (code, told if over == "block" else [])


def test_more_than_may_wait_in_all(tmp_path: Path) -> None:
    repo = repository(tmp_path, "max_pending: 5, over: block", owners="")
    repo.put("docs/more.md", page(ONE_MORE))
    assert full(repo, "--since", "HEAD~1") == (
        1,
        [(3, f"7 claims wait for review; 5 may. {OPENS}")],
    )
    assert len(repo.review("list", "--json").json["claims"]) == 7


def test_what_asks_for_something_is_in_no_queue(tmp_path: Path) -> None:
    """Neither as decided in the run, nor as evidence records it."""
    repo = repository(tmp_path, "max_pending: 6, over: block", owners="")
    for name in ("one", "two"):
        repo.write(f"docs/{name}.md", page(f"Never commit the secrets of service {name}."))
        repo.ask("check", "--all", "--write", "--offline")
        repo.commit(name)
    assert full(repo, "--since", "HEAD~1") == (0, [])
    assert len(repo.review("list", "--json").json["claims"]) == 6
    apart = repo.review("list", "--json", "--state", "nothing-to-check").json["claims"]
    assert [(c["state"], c["rule"]) for c in apart] == [("nothing-to-check",) * 2] * 2
    repo.put("docs/more.md", page(ONE_MORE))
    assert full(repo, "--since", "HEAD~1") == (
        1,
        [(3, f"7 claims wait for review; 6 may. {OPENS}")],
    )


def test_nobodys_documents_are_no_owners_queue(tmp_path: Path) -> None:
    repo = repository(tmp_path, "max_pending_per_owner: 5, over: block", owners="")
    repo.put("docs/more.md", page(ONE_MORE))
    assert full(repo, "--since", "HEAD~1") == (0, [])


def test_what_adds_nothing_to_the_queue_is_not_refused(tmp_path: Path) -> None:
    """Approvals, code and removals have to get through a full queue."""
    repo = repository(tmp_path, "max_pending_per_owner: 5, over: block")
    repo.of(ANN).approve(f"{NOTES}:3")
    repo.commit("review")
    code, said = full(repo, "--since", "HEAD~1")
    assert (code, [tier for tier, _ in said]) == (0, [0])
    repo.put(NOTES, page(*CLAIMS[:5]))
    assert full(repo, "--since", "HEAD~1")[0] == 0


def test_what_another_owner_holds_too_many_of_is_theirs(tmp_path: Path) -> None:
    repo = repository(tmp_path, "max_pending_per_owner: 5, over: block", f"* {ANN}\n/docs/ {BOB}\n")
    repo.put("docs/more.md", page(ONE_MORE))
    assert full(repo, "--since", "HEAD~1") == (0, [(0, f"6 {OWNER}")])


def test_strict_refuses_and_advisory_never(tmp_path: Path) -> None:
    repo = repository(tmp_path, "max_pending_per_owner: 5, over: block")
    for preset in ("strict", "advisory"):
        config = f"preset: {preset}\nreview: {{max_pending_per_owner: 5, over: block}}\n"
        repo.put(".grounded-ingest.yaml", config)
        repo.put(f"docs/{preset}.md", page(f"{ONE_MORE[:-1]} by {preset}."))
        code, said = full(repo, "--since", "HEAD~1")
        assert (code, len(said)) == (int(preset == "strict"), 1)


def test_the_limits_are_bases(tmp_path: Path) -> None:
    repo = repository(tmp_path, "max_pending_per_owner: 5, over: block")
    repo.write(".grounded-ingest.yaml", "review: {max_pending_per_owner: 500}\n")
    repo.put("docs/more.md", page(ONE_MORE))
    assert full(repo, "--since", "HEAD~1")[0] == 1


def test_a_run_without_a_change_says_it_and_writes_its_evidence(tmp_path: Path) -> None:
    repo = repository(tmp_path, "max_pending: 5, over: block", owners="")
    assert full(repo, "--all") == (0, [(0, f"6 claims wait for review; 5 may. {OPENS}")])
    repo.write("memory/more.md", page(ONE_MORE.replace("runs", "usually runs")))
    assert repo.ask("check", "--all", "--write", "--offline").code == 0
    assert (repo.root / ".grounded/evidence/memory/more.md.jsonl").exists()

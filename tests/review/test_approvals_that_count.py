"""What an approval binds to, when it lands, and what it does not survive."""

from __future__ import annotations

from pathlib import Path

import pytest
from reviewrepo import (
    AGENT,
    ANN,
    BOB,
    EVE,
    FIRST,
    LOG,
    NOTES,
    SECOND,
    THIRD,
    Clone,
    forged,
    page,
    start,
    team,
)

from grounded_ingest.records.review_log import log_path


def landed(tmp_path: Path) -> Clone:
    """A repository in which Ann's approval of the first claim has landed."""
    repo = start(tmp_path / "work")
    repo.approve(f"{NOTES}:3")
    repo.commit("review")
    assert repo.rules()[FIRST] == "approved"
    return repo


def test_an_approval_counts_once_it_has_landed(tmp_path: Path) -> None:
    """On its own branch an approval changes nothing; on base it makes the claim tier 1."""
    eve, ann = team(tmp_path)
    ann.git("switch", "-q", "-c", "review")
    ann.approve(f"{NOTES}:3")
    ann.commit("review")
    assert ann.rules()[FIRST] == "ungrounded"
    assert ann.rules("--since", "origin/main") == {}
    ann.git("push", "-q", "origin", "review:main")
    eve.git("pull", "-q", "origin", "main")
    assert eve.rules()[FIRST] == "approved"
    assert eve.rules()[SECOND] == "ungrounded"


@pytest.mark.parametrize(
    "edited",
    [
        FIRST.replace("queue", "job"),
        FIRST.replace("takes", "takes all"),
        "The worker takes its jobs from the [queue table](https://example.org/x).",
    ],
)
def test_an_edited_claim_is_pending_again(tmp_path: Path, edited: str) -> None:
    """An approval does not carry over to another text."""
    repo = landed(tmp_path)
    repo.put(NOTES, page(edited, SECOND))
    assert repo.rules()[edited] != "approved"
    assert FIRST not in repo.rules()


def test_another_target_behind_the_same_words_is_another_claim(tmp_path: Path) -> None:
    linked = "The worker takes its jobs as [the design](https://example.org/a) says."
    repo = start(tmp_path / "work", ANN, linked)
    repo.approve(f"{NOTES}:3")
    repo.commit("review")
    assert set(repo.rules().values()) == {"approved"}
    repo.put(NOTES, page(linked.replace("/a)", "/b)")))
    assert "approved" not in repo.rules().values()


def test_the_second_of_two_equal_claims_is_another_claim(tmp_path: Path) -> None:
    repo = landed(tmp_path)
    repo.put(NOTES, page(FIRST, SECOND, FIRST))
    decisions = repo.report("--all")["decisions"]
    told = {(d["line"], d["rule"]) for d in decisions if d["claim"] == FIRST}
    assert (3, "approved") in told
    assert all(rule != "approved" for line, rule in told if line != 3)


def test_another_section_is_another_claim(tmp_path: Path) -> None:
    """An approval does not carry over to another section."""
    repo = landed(tmp_path)
    repo.put(NOTES, page(FIRST, SECOND, title="Elsewhere"))
    assert repo.rules()[FIRST] == "ungrounded"


def test_a_revoked_approval_counts_no_more_even_before_it_lands(tmp_path: Path) -> None:
    """Taking an approval back needs nobody else."""
    repo = landed(tmp_path)
    repo.review("revoke", f"{NOTES}:3")
    assert repo.rules()[FIRST] == "ungrounded"
    repo.commit("revoked")
    assert repo.rules()[FIRST] == "ungrounded"
    repo.approve(f"{NOTES}:3")
    repo.commit("again")
    assert repo.rules()[FIRST] == "approved"


def test_a_record_edited_by_hand_is_advisory_and_shown_so(tmp_path: Path) -> None:
    """A forged line in a range approves nothing, and report and `explain` say why."""
    eve, _ = team(tmp_path)
    eve.git("switch", "-q", "-c", "forged")
    eve.put(NOTES, page(FIRST, SECOND, THIRD, "Search runs on an index."))
    eve.put(LOG, forged(eve), "approve")
    assert eve.rules()[FIRST] == "ungrounded"
    report = eve.report("--range", "origin/main..HEAD")
    said = [p["message"] for p in report["problems"] if p["rule"] == "advisory-approval"]
    assert said == [
        "1 approval does not count: the approval is not signed with a key that the base branch lists"
    ]
    explained = eve.ask("explain", f"{NOTES}:3", "--offline").out
    assert "advisory-approval" in explained
    assert (
        f"approved by {ANN}: the approval counts only after it is merged into the base branch"
        in explained
    )


@pytest.mark.parametrize("reviewer", [AGENT, "claude[bot]@users.noreply.github.com"])
def test_a_record_in_an_agents_name_never_counts(tmp_path: Path, reviewer: str) -> None:
    """A line in an agent's name approves nothing, even on base."""
    repo = start(tmp_path / "work")
    repo.put(LOG, forged(repo, reviewer))
    assert repo.rules()[FIRST] == "ungrounded"


def test_a_configured_agent_never_approves(tmp_path: Path) -> None:
    """`agents` of the configuration adds addresses that may not approve."""
    repo = start(tmp_path / "work")
    repo.put(".grounded-ingest.yaml", f'agents: ["{BOB}"]\n')
    assert repo.of(BOB).review("approve", f"{NOTES}:3").code == 2
    repo.put(LOG, forged(repo, BOB))
    assert repo.rules()[FIRST] == "ungrounded"


def test_a_record_that_a_merge_smuggles_in_is_advisory(tmp_path: Path) -> None:
    """A line that only the merge commit has is found."""
    eve, _ = team(tmp_path)
    log = forged(eve)
    eve.git("switch", "-q", "-c", "one")
    eve.put("docs/one.md", page("Search runs on an index."))
    eve.git("switch", "-q", "-c", "other", "main")
    eve.put("docs/other.md", page("Billing events arrive through a webhook."))
    eve.git("merge", "-q", "--no-commit", "--no-ff", "one")
    eve.write(LOG, log)
    eve.commit("Merge branch one")
    report = eve.report("--range", "origin/main..HEAD")
    assert "advisory-approval" in [p["rule"] for p in report["problems"]]
    assert eve.rules()[FIRST] == "ungrounded"


def replayed(repo: Clone) -> None:
    """The approved claim leaves base and comes back; the log was never touched."""
    repo.put(NOTES, page(SECOND, THIRD), "Remove what was wrong")
    repo.put(NOTES, page(FIRST, SECOND, THIRD), "Bring it back")


def test_an_approval_is_not_replayed_after_a_revert(tmp_path: Path) -> None:
    """A claim that left base and came back needs a new approval."""
    repo = landed(tmp_path)
    replayed(repo)
    assert repo.rules()[FIRST] == "ungrounded"
    said = repo.ask("explain", f"{NOTES}:3", "--offline").out
    assert (
        f"approved by {ANN}: the claim left the base branch, which ended the approval: approve the claim again"
        in said
    )
    repo.approve(f"{NOTES}:3")
    assert len(repo.log()) == 2
    repo.commit("approved anew")
    assert repo.rules()[FIRST] == "approved"


def test_an_approval_is_not_replayed_in_the_range_that_reverts(tmp_path: Path) -> None:
    """The same, if the range brings the claim back."""
    eve, ann = team(tmp_path)
    ann.approve(f"{NOTES}:3")
    ann.commit("review")
    ann.put(NOTES, page(SECOND), "Remove it")
    ann.git("push", "-q", "origin", "HEAD:main")
    eve.git("pull", "-q", "origin", "main")
    eve.git("switch", "-q", "-c", "back")
    eve.put(NOTES, page(FIRST, SECOND), "Bring it back")
    assert eve.rules("--range", "origin/main..HEAD")[FIRST] == "ungrounded"


@pytest.mark.parametrize("with_log", [True, False])
def test_moving_the_document_away_and_back_does_not_replay(tmp_path: Path, with_log: bool) -> None:
    """The removal stands before the rename, and the approval has moved with its log."""
    repo = landed(tmp_path)
    repo.put(NOTES, page(SECOND, THIRD))
    other = "memory-bank/other.md"
    repo.git("mv", NOTES, other)
    if with_log:
        repo.git("mv", LOG, log_path(other))
    repo.put(other, page(FIRST, SECOND, THIRD))
    assert repo.rules()[FIRST] == "ungrounded"


def test_a_rename_carries_approvals_with_the_log(tmp_path: Path) -> None:
    """Approvals follow a renamed document if its log is renamed too, and end as before."""
    repo = landed(tmp_path)
    other = "docs/deep/notes.md"
    (repo.root / "docs/deep").mkdir(parents=True)
    (repo.root / log_path(other)).parent.mkdir(parents=True)
    repo.git("mv", NOTES, other)
    assert "approved" in repo.ask("explain", "--staged", f"{other}:3", "--offline").out
    repo.git("mv", LOG, log_path(other))
    repo.commit("rename")
    assert repo.rules()[FIRST] == "approved"
    repo.put(other, page(SECOND))
    repo.put(other, page(FIRST, SECOND))
    assert repo.rules()[FIRST] == "ungrounded"


def test_a_split_and_a_merged_document_keep_what_stayed(tmp_path: Path) -> None:
    """Claims that move to another document lose their approval, those that stay keep it."""
    repo = start(tmp_path / "work")
    repo.approve(NOTES)
    repo.commit("review")
    repo.write("memory-bank/second.md", page(SECOND))
    repo.put(NOTES, page(FIRST, THIRD), "split")
    assert repo.rules() == {FIRST: "approved", THIRD: "approved", SECOND: "ungrounded"}
    repo.write("memory-bank/second.md", None)
    repo.put(NOTES, page(FIRST, SECOND, THIRD), "merged again")
    assert repo.rules() == {FIRST: "approved", THIRD: "approved", SECOND: "ungrounded"}


@pytest.mark.parametrize("way", ["squash", "rebase", "merge"])
def test_however_a_change_lands_its_approvals_count(tmp_path: Path, way: str) -> None:
    """History is read by base's first parents, so every way to merge keeps approvals."""
    eve, ann = team(tmp_path)
    ann.git("switch", "-q", "-c", "work")
    ann.put(NOTES, page(FIRST, SECOND, "Search runs on an index that is rebuilt."), "one")
    ann.of(BOB).approve(f"{NOTES}:7")
    ann.commit("two")
    ann.put(NOTES, page(FIRST, "Search runs on an index that is rebuilt."), "three")
    eve.put("docs/other.md", page("Billing events arrive through a signed webhook."), "meanwhile")
    eve.git("fetch", "-q", str(ann.root), "work:work")
    match way:
        case "squash":
            eve.git("merge", "-q", "--squash", "work")
            eve.commit("squashed")
        case "rebase":
            eve.git("rebase", "-q", "main", "work")
            eve.git("switch", "-q", "main")
            eve.git("merge", "-q", "--ff-only", "work")
        case _:
            eve.git("merge", "-q", "--no-ff", "-m", "Merge work", "work")
    eve.git("push", "-q", "origin", "main")
    ann.git("switch", "-q", "main")
    ann.git("pull", "-q", "origin", "main")
    assert ann.rules()["Search runs on an index that is rebuilt."] == "approved"


def test_a_shallow_clone_does_not_know_whether_an_approval_holds(tmp_path: Path) -> None:
    """History that is cut off keeps no approval alive."""
    repo = landed(tmp_path)
    replayed(repo)
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.root}", str(tmp_path / "shallow"))
    shallow = Clone(tmp_path / "shallow", EVE)
    assert shallow.rules()[FIRST] == "ungrounded"
    assert "fetch-depth: 0" in shallow.ask("explain", f"{NOTES}:3", "--offline").out


def test_history_that_git_cannot_read_keeps_no_approval_alive(tmp_path: Path) -> None:
    """Missing objects keep no approval alive, and `explain` says so."""
    repo = landed(tmp_path)
    replayed(repo)
    repo.git("config", "uploadpack.allowFilter", "true")
    source = f"file://{repo.root}"
    repo.git("clone", "-q", "--filter=tree:0", source, str(tmp_path / "partial"))
    partial = Clone(tmp_path / "partial", EVE)
    assert partial.rules()[FIRST] == "ungrounded"
    said = partial.ask("explain", f"{NOTES}:3", "--offline").out
    assert (
        "git cannot read the commit with the approval on the base branch: use a full clone" in said
    )


def test_an_approval_does_not_lift_a_block(tmp_path: Path) -> None:
    """A blocked claim cannot be approved."""
    guess = "I think the worker takes its jobs from the table."
    repo = start(tmp_path / "work", ANN, guess)
    ran = repo.approve(f"{NOTES}:3")
    assert (ran.code, "cannot change that" in ran.err) == (1, True)


def test_a_rejection_that_landed_is_lifted_by_a_later_approval(tmp_path: Path) -> None:
    """Only once the approval has landed."""
    repo = start(tmp_path / "work")
    repo.review("reject", f"{NOTES}:3", "--reason", "no")
    repo.commit("no")
    repo.approve(f"{NOTES}:3")
    assert repo.rules()[FIRST] == "rejected"
    repo.commit("yes after all")
    assert repo.rules()[FIRST] == "approved"


def test_an_approval_of_its_own_stands_above_a_rejection_elsewhere(tmp_path: Path) -> None:
    """A rejection applies to equal texts elsewhere, unless these are approved themselves."""
    repo = landed(tmp_path)
    repo.put("docs/other.md", page(FIRST, title="Elsewhere"))
    repo.review("reject", "docs/other.md:3", "--reason", "not here")
    told = {d["path"]: d["rule"] for d in repo.report("--all")["decisions"] if d["claim"] == FIRST}
    assert told == {NOTES: "approved", "docs/other.md": "rejected"}


NESTED = '{"a":' + "[" * 20_000 + "]" * 20_000 + "}\n"


@pytest.mark.parametrize(
    "line", ["not json\n", NESTED, '{"id": 7}\n', "\0\n", '{"id":"\\ud800"}\n']
)
def test_beside_a_line_that_cannot_be_read_nothing_approves(tmp_path: Path, line: str) -> None:
    """A broken line may have been a revocation, so no approval of its log counts."""
    repo = landed(tmp_path)
    good = repo.read(LOG)
    assert repo.rules()[FIRST] == "approved"
    repo.write(LOG, good + line)
    report = repo.report("--all")
    (problem,) = [p for p in report["problems"] if p["path"] == LOG]
    assert (problem["rule"], problem["line"], problem["tier"]) == ("broken-record", 2, 3)
    assert "approved" not in repo.rules().values()
    assert repo.ask("check", "--all", "--offline").code == 1
    assert repo.ask("check", "--staged", "--offline").code == 0  # nothing of it is staged
    repo.git("add", "-A")
    assert repo.ask("check", "--staged", "--offline").code == 1


def test_a_line_that_landed_unreadable_waits_and_is_mended_by_a_change(tmp_path: Path) -> None:
    """A log that is broken on base is reported, but fails no run, so that it can be repaired."""
    repo = landed(tmp_path)
    good = repo.read(LOG)
    repo.put(LOG, good + "not json\n")
    told = repo.report("--all")["problems"]
    assert [(p["line"], p["tier"]) for p in told if p["path"] == LOG] == [(2, 2)]
    assert repo.ask("check", "--all", "--offline").code == 0
    repo.write(LOG, good)
    repo.git("add", "-A")
    assert repo.ask("check", "--staged", "--offline").code == 0
    assert [p for p in repo.report("--staged")["problems"] if p["path"] == LOG] == []


def test_a_rejection_holds_beside_a_line_that_cannot_be_read(tmp_path: Path) -> None:
    """Breaking a log lifts no rejection."""
    repo = landed(tmp_path)
    repo.review("reject", f"{NOTES}:3", "--reason", "wrong")
    repo.put(LOG, repo.read(LOG) + "not json\n")
    assert repo.rules()[FIRST] == "rejected"

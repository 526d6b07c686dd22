"""`review list|show|approve|reject|revoke|log`: what they say, write and refuse."""

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
    page,
    start,
)

OPEN = ("--state", "open")
"""What nobody doubts and nothing grounds is in no queue; it is listed and approved by name."""


def test_the_queue_is_listed_by_section(tmp_path: Path) -> None:
    """Text and JSON list the same claims in document order."""
    repo = start(tmp_path / "work")
    said = repo.review("list", *OPEN).out.splitlines()
    assert said[0] == f"{NOTES} § Notes"
    assert said[-1] == "3 claims (open)"
    assert said[1].startswith("  ungrounded: Cite the source of the claim")
    assert FIRST in said[2]
    found = repo.review("list", *OPEN, "--json").json
    assert [c["claim"] for c in found["claims"]] == [FIRST, SECOND, THIRD]
    assert {c["state"] for c in found["claims"]} == {"open"}


def test_an_approval_is_one_line_with_time_reviewer_and_reason(tmp_path: Path) -> None:
    """An approved claim leaves the queue and is advisory until it lands."""
    repo = start(tmp_path / "work")
    ran = repo.approve(f"{NOTES}:3", "--reason", "asked the team")
    assert "1 claim approved" in ran.out
    assert "an approval counts only after it is merged" in ran.out
    (line,) = repo.log()
    assert line["action"] == "approve"
    assert (line["reviewer"], line["reason"], line["claim"]) == (ANN, "asked the team", FIRST)
    assert line["section"] == "Notes"
    assert line["reviewed_at"].startswith("20")
    assert FIRST not in [c["claim"] for c in repo.review("list", *OPEN, "--json").json["claims"]]
    advisory = repo.review("list", "--state", "advisory", "--json").json["claims"]
    assert [c["claim"] for c in advisory] == [FIRST]


def test_approving_twice_is_once_and_by_two_people_twice(tmp_path: Path) -> None:
    """Equal approvals are not repeated in the log."""
    repo = start(tmp_path / "work")
    repo.approve(f"{NOTES}:3")
    assert "0 claims approved, 1 unchanged" in repo.approve(f"{NOTES}:3").out
    assert len(repo.log()) == 1
    repo.of(BOB).approve(f"{NOTES}:3")
    assert [line["reviewer"] for line in repo.log()] == [ANN, BOB]


def test_an_approval_that_was_taken_back_can_be_given_again(tmp_path: Path) -> None:
    repo = start(tmp_path / "work")
    repo.approve(f"{NOTES}:3")
    assert "1 claim taken back" in repo.review("revoke", f"{NOTES}:3").out
    assert "0 claims taken back" in repo.review("revoke", f"{NOTES}:3").out
    repo.approve(f"{NOTES}:3")
    assert [line["action"] for line in repo.log()] == ["approve", "revoke", "approve"]


def test_a_rejection_needs_a_reason_and_blocks(tmp_path: Path) -> None:
    """A rejected claim fails the check until the rejection is taken back."""
    repo = start(tmp_path / "work")
    assert repo.review("reject", f"{NOTES}:5").code == 2
    assert repo.log() == []
    assert repo.review("reject", f"{NOTES}:5", "--reason", "we use Redis").code == 0
    assert repo.rules()[SECOND] == "rejected"
    assert repo.ask("check", "--all", "--offline").code == 1
    assert repo.review("revoke", f"{NOTES}:5").code == 0
    assert repo.rules()[SECOND] == "ungrounded"


@pytest.mark.parametrize(
    "where", ["memory-bank/other.md", "docs/guide.md", NOTES], ids=["memory", "docs", "section"]
)
def test_a_rejected_claim_blocks_when_it_comes_back_elsewhere(tmp_path: Path, where: str) -> None:
    """Neither another place nor a comment helps a rejected text."""
    repo = start(tmp_path / "work")
    repo.review("reject", f"{NOTES}:5", "--reason", "we use Redis")
    repo.put(NOTES, page(FIRST, THIRD))
    assert SECOND not in repo.rules()
    repo.put(where, page(SECOND, title="Elsewhere"))
    assert repo.rules()[SECOND] == "rejected"
    assert repo.rules("--since", "HEAD~1")[SECOND] == "rejected"
    ignore = '<!-- grounded: ignore[rejected] reason="x" -->\n'
    repo.put(where, page(f"{ignore}{SECOND}", title="Elsewhere"))
    assert repo.rules()[SECOND] == "rejected"


def test_only_what_has_a_finding_is_in_the_queue(tmp_path: Path) -> None:
    """A filter alone means the queue, so that no approval is given to what nobody looked at."""
    repo = start(tmp_path / "work")
    repo.write("docs/adr/0001-keep-a-log.md", "# Keep a log\n\nStatus: accepted\n")
    wrong = "The ledger is kept for a year (ADR-7)."
    repo.put(NOTES, page(FIRST, wrong))
    found = repo.review("list", "--json").json["claims"]
    assert [(c["claim"], c["state"]) for c in found] == [(wrong, "pending")]
    repo.approve("--path", "memory-bank/**")
    assert [line["claim"] for line in repo.log()] == [wrong]


def test_bulk_actions_say_first_what_they_would_do(tmp_path: Path) -> None:
    """Several claims need --yes or a terminal."""
    repo = start(tmp_path / "work")
    ran = repo.review("approve", NOTES, "--dry-run")
    assert ran.code == 0
    assert ran.out.count("would approve") == 3
    assert "3 claims would be approved; nothing was written" in ran.out
    ran = repo.review("approve", NOTES)
    assert ran.code == 2
    assert "--yes" in ran.err
    assert repo.log() == []
    repo.approve(NOTES)
    assert len(repo.log()) == 3
    assert repo.review("approve").code == 2


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        (("--path", "docs/**"), 0),
        (("--path", "memory-bank"), 3),
        (("--section", "note"), 3),
        (("--section", "other"), 0),
        (("--rule", "ungrounded"), 3),
        (("--rule", "repeat"), 0),
        (("--source", "unknown"), 3),
        (("--source", "user"), 0),
        (("--author", "eve"), 3),
        (("--author", "ann"), 0),
        (("--age", "1d"), 3),
        (("--age", "900w"), 0),
    ],
)
def test_filters_narrow_the_queue(tmp_path: Path, filters: tuple[str, ...], count: int) -> None:
    repo = start(tmp_path / "work")
    assert len(repo.review("list", *OPEN, "--json", *filters).json["claims"]) == count


def test_show_has_everything_a_reviewer_needs(tmp_path: Path) -> None:
    """Sources, owners, authors, similar claims and the log."""
    repo = start(tmp_path / "work")
    repo.write("src/app.py", 'HOST = "db"\nGATEWAY_PORT = 8443\n')
    cited = "The gateway usually listens on port 8443 (`src/app.py:2`)."
    near = "The worker takes its jobs from the queue table of the database."
    repo.put(NOTES, page(FIRST, cited, near))
    repo.review("reject", f"{NOTES}:3", "--reason", "no")
    said = repo.review("show", f"{NOTES}:5").out
    assert "technical-hedge" in said
    assert "    2 | GATEWAY_PORT = 8443" in said
    assert "owners     none" in said
    assert "author     ann@example.org" in said
    (found,) = repo.review("show", f"{NOTES}:3", "--json").json["claims"]
    assert found["state"] == "rejected"
    assert [n["claim"] for n in found["nearest"]] == [near]
    assert [line["reason"] for line in found["log"]] == ["no"]


def test_the_log_is_shown_in_order(tmp_path: Path) -> None:
    repo = start(tmp_path / "work")
    repo.approve(f"{NOTES}:3")
    repo.of(BOB).review("reject", f"{NOTES}:5", "--reason", "we use Redis")
    said = repo.ask("review", "log").out
    assert "approve by ann@example.org" in said
    assert "reject by bob@example.org: we use Redis" in said
    found = repo.ask("review", "log", "--json", "--reviewer", "bob").json["lines"]
    assert [line["claim"] for line in found] == [SECOND]
    assert repo.ask("review", "log", "--json", "--path", "docs/**").json["lines"] == []


def test_agents_review_nothing(tmp_path: Path) -> None:
    """Neither with a variable of an agent nor with its address."""
    repo = start(tmp_path / "work")
    ran = repo.review("approve", f"{NOTES}:3", CLAUDECODE="1")
    assert (ran.code, "CLAUDECODE" in ran.err) == (2, True)
    for address in (AGENT, "198982749+Copilot@users.noreply.github.com", "x[bot]@example.org"):
        ran = repo.of(address).review("approve", f"{NOTES}:3")
        assert (ran.code, "agent" in ran.err) == (2, True)
    assert repo.log() == []


def test_who_wrote_a_claim_does_not_approve_it_where_others_may(tmp_path: Path) -> None:
    """Four eyes, if the document has other owners."""
    repo = start(tmp_path / "work")
    assert "1 claim approved" in repo.of(EVE).approve(f"{NOTES}:3").out
    repo.put("CODEOWNERS", f"* {EVE} {ANN}\n")
    ran = repo.of(EVE).approve(f"{NOTES}:5")
    assert (ran.code, "you wrote this claim" in ran.err) == (1, True)
    assert "1 claim approved" in repo.approve(f"{NOTES}:5").out


def test_what_is_not_committed_is_taken_for_the_reviewers_own(tmp_path: Path) -> None:
    repo = start(tmp_path / "work")
    repo.put("CODEOWNERS", f"* {ANN} {BOB}\n")
    repo.write(NOTES, page(FIRST, "Passwords are hashed with argon2 before they are saved."))
    assert "you wrote this claim" in repo.approve(f"{NOTES}:5").err


def test_a_reviewer_sees_and_decides_what_they_own(tmp_path: Path) -> None:
    """The queue of a reviewer is that of the owned documents."""
    repo = start(tmp_path / "work")
    repo.put("docs/guide.md", page("Search runs on an index that is rebuilt at night."))
    repo.put("CODEOWNERS", f"* {BOB}\n/docs/ {ANN}\n")
    said = repo.review("list", *OPEN).out
    assert FIRST not in said
    assert "3 claims with other owners are not listed; add --all-owners" in said
    assert FIRST in repo.review("list", *OPEN, "--all-owners").out
    ran = repo.approve(f"{NOTES}:3")
    assert (ran.code, "only an owner may decide: bob@example.org (CODEOWNERS:1)" in ran.err) == (
        1,
        True,
    )
    assert "1 claim approved" in repo.approve("docs/guide.md").out


def test_owners_come_from_base_not_from_the_work_tree(tmp_path: Path) -> None:
    """Nobody makes themselves an owner by an edit."""
    repo = start(tmp_path / "work")
    repo.put("CODEOWNERS", f"* {BOB}\n")
    repo.write("CODEOWNERS", f"* {ANN}\n")
    repo.write(".grounded-ingest.yaml", f'reviewers: {{"**": ["{ANN}"]}}\n')
    repo.git("add", "-A")
    assert repo.approve(f"{NOTES}:3").code == 1
    repo.git("checkout", "-q", "HEAD", "--", "CODEOWNERS")
    repo.write("CODEOWNERS", f"* {BOB}\n")
    repo.commit("reviewers")
    assert repo.approve(f"{NOTES}:3").code == 0


def test_a_log_that_cannot_be_read_is_said_and_not_written(tmp_path: Path) -> None:
    """A broken log is reported by every command and changed by none."""
    repo = start(tmp_path / "work")
    repo.approve(f"{NOTES}:3")
    broken = repo.read(LOG) + "<<<<<<< ours\n"
    repo.write(LOG, broken)
    ran = repo.review("approve", f"{NOTES}:5")
    assert (ran.code, f"{LOG}:2" in ran.err) == (2, True)
    assert repo.review("list").code == 0
    shown = repo.ask("review", "log")
    assert (shown.code, f"{LOG}:2" in shown.err, FIRST in shown.out) == (0, True, True)
    checked = repo.ask("check", "--all", "--offline")
    assert (checked.code, f"{LOG}:2: broken-record" in checked.out) == (1, True)
    assert repo.read(LOG) == broken


def test_a_log_is_not_written_through_a_link(tmp_path: Path) -> None:
    """A clone cannot lead writes out of the work tree."""
    repo = start(tmp_path / "work")
    (tmp_path / "outside").mkdir()
    (repo.root / ".grounded").symlink_to(tmp_path / "outside")
    ran = repo.review("approve", f"{NOTES}:3")
    assert (ran.code, "symbolic link" in ran.err) == (2, True)
    assert list((tmp_path / "outside").iterdir()) == []


def test_the_walk_needs_a_terminal(tmp_path: Path) -> None:
    ran = start(tmp_path / "work").ask("review")
    assert (ran.code, "review list" in ran.err) == (2, True)


def test_an_unknown_claim_is_an_error(tmp_path: Path) -> None:
    ran = start(tmp_path / "work").review("approve", "ffff0000")
    assert (ran.code, "no claim matches ffff0000" in ran.err) == (2, True)

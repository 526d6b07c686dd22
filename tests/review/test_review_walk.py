"""The walk on a real terminal: what it shows, its keys, and what is left when it ends early."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from reviewrepo import ANN, BOB, NOTES, Clone, page, start

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from terminal import Terminal, editor

# The queue holds what has a finding: here, a decision that is not on record.
FIRST = "The worker takes its jobs from the queue table (ADR-7)."
SECOND = "Sessions are stored in PostgreSQL for one day (ADR-7)."
THIRD = "Releases are cut from the main branch every Tuesday (ADR-7)."
FOURTH = "Uploads go straight to object storage (ADR-7)."
DECISION = "# Keep a log\n\nStatus: accepted\n"
PAGE = f"""# Notes

{FIRST}

Which queue?

{SECOND}

## Releases

{THIRD}
{FOURTH}
"""


@pytest.fixture
def repo(tmp_path: Path) -> Clone:
    repo = start(tmp_path / "work", ANN)
    repo.write("docs/adr/0001-keep-a-log.md", DECISION)
    repo.put(NOTES, PAGE)
    return repo.of(BOB)


def walk(repo: Clone, *args: str, **env: str) -> Terminal:
    return Terminal(repo, "review", "--offline", *args, **env)


def actions(repo: Clone) -> list[tuple[str, str]]:
    return [(line["action"], line["claim"]) for line in repo.log()]


def test_a_section_is_shown_as_it_reads_with_its_claims_marked(repo: Clone) -> None:
    at = walk(repo, NO_COLOR="1")
    shown = at.answer("s")
    lines = [line.rstrip() for line in shown.split("\n")]
    assert any(line.endswith("1 | # Notes") for line in lines)
    assert any("[1]" in line and line.endswith(f"3 | {FIRST}") for line in lines)
    assert any("[" not in line and line.endswith("5 | Which queue?") for line in lines)
    assert any("[2]" in line and line.endswith(f"7 | {SECOND}") for line in lines)
    assert "2 claims, sections left: 2" in shown
    second = at.answer("q")
    assert "9 | ## Releases" in second
    assert FIRST not in second
    assert at.end() == 0
    assert "no claim was decided" in at.screen


def test_sources_findings_and_nearest_memories_stand_beside(repo: Clone) -> None:
    repo.write("src/app.py", 'HOST = "db"\nGATEWAY_PORT = 8443\n')
    cited = "The gateway usually listens on port 8443 (`src/app.py:2`, ADR-7)."
    repo.put(
        "memory-bank/more.md", page(cited, "The worker takes its jobs from the queue (ADR-7).")
    )
    at = walk(repo, "--path", "memory-bank/more.md")
    shown = at.answer("q")
    assert "refuted-citation" in shown
    assert "no ADR 7" in shown
    assert "2  GATEWAY_PORT = 8443" in shown
    assert f"~ {NOTES}:3" in shown
    assert at.end() == 0


def test_all_some_reject_skip_and_quit(repo: Clone) -> None:
    at = walk(repo)
    at.answer("2")
    at.answer("r 1")
    at.answer("nobody uses that table", "because: ")
    at.answer("a")
    assert at.end() == 0
    assert actions(repo) == [
        ("approve", SECOND), ("reject", FIRST), ("approve", THIRD), ("approve", FOURTH),
    ]  # fmt: skip
    assert repo.log()[1]["reason"] == "nobody uses that table"
    assert "3 approved, 1 rejected" in at.screen
    assert "the queue is empty" in at.screen


def test_a_rejection_without_a_reason_is_none(repo: Clone) -> None:
    at = walk(repo)
    at.answer("r")
    at.answer("", "because: ")
    at.answer("q")
    assert at.end() == 0
    assert "a rejection needs a reason" in at.screen
    assert actions(repo) == []


@pytest.mark.parametrize("key", ["?", "x", "9", "0", "r 7", "1-9", "a 1", ""])
def test_what_is_no_answer_gets_the_help(repo: Clone, key: str) -> None:
    """A mistyped key decides nothing."""
    at = walk(repo)
    at.answer(key)
    at.answer("q")
    assert at.end() == 0
    assert "undo the last action" in at.screen
    assert actions(repo) == []


def test_undo_takes_the_last_action_back_and_shows_it_again(repo: Clone) -> None:
    at = walk(repo)
    at.answer("a")
    at.answer("u")
    assert FIRST in at.answer("1")
    at.answer("q")
    assert at.end() == 0
    assert actions(repo) == [
        ("approve", FIRST), ("approve", SECOND), ("revoke", FIRST), ("revoke", SECOND),
        ("approve", FIRST),
    ]  # fmt: skip
    pending = repo.review("list", "--json").json["claims"]
    assert [c["claim"] for c in pending] == [SECOND, THIRD, FOURTH]


def test_edit_opens_the_document_and_reads_the_queue_again(repo: Clone, tmp_path: Path) -> None:
    edit = editor(tmp_path / "editor", 'sed -i "s/one day/two days/" "$1"')
    at = walk(repo, EDITOR=edit)
    at.answer("e")
    shown = at.answer("2")
    assert SECOND.replace("one day", "two days") in shown
    at.answer("q")
    assert at.end() == 0
    assert actions(repo) == [("approve", SECOND.replace("one day", "two days"))]


@pytest.mark.parametrize("way", ["interrupt", "kill", "end of input"])
def test_nothing_is_lost_when_it_ends_early(repo: Clone, way: str) -> None:
    """Each decision is on disk before the next question."""
    at = walk(repo)
    at.answer("1")
    at.until("q,?] ")
    match way:
        case "interrupt":
            assert at.end("\x03") == 130
        case "kill":
            at.kill()
        case _:
            at.press("\x04")
            assert at.end() == 0
    assert actions(repo) == [("approve", FIRST)]
    again = walk(repo)
    shown = again.answer("q")
    assert "1 claim, sections left: 2" in shown
    assert again.end() == 0


@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"NO_COLOR": "1"}])
def test_dumb_terminals_get_plain_lines(repo: Clone, env: dict[str, str]) -> None:
    at = walk(repo, **env)
    at.answer("1")
    at.answer("q")
    assert at.end() == 0
    assert "\x1b[3" not in at.screen
    assert "\x1b[1;" not in at.screen
    assert actions(repo) == [("approve", FIRST)]


def test_control_characters_of_a_document_do_not_reach_the_terminal(repo: Clone) -> None:
    repo.put(NOTES, page("The worker \x1b[2Jtakes its jobs from \u202ethe table (ADR-7)."))
    at = walk(repo)
    shown = at.answer("q")
    assert at.end() == 0
    assert "\x1b[2J" not in shown
    assert "\u202e" not in shown


def test_what_a_reviewer_may_not_decide_stays(repo: Clone) -> None:
    """The interactive queue applies the same rules as the commands."""
    repo.put("CODEOWNERS", f"* {ANN} {BOB}\n")
    repo.write(NOTES, page("Passwords are hashed with argon2 before they are saved (ADR-7)."))
    at = walk(repo)
    at.answer("a")
    at.answer("q")
    assert at.end() == 0
    assert "you wrote this claim, so another owner has to approve it" in at.screen
    assert actions(repo) == []


def test_a_bulk_action_asks_on_a_terminal(repo: Clone) -> None:
    at = Terminal(repo, "review", "approve", "--offline", "--path", NOTES)
    at.answer("n", "[y/N]: ")
    assert at.end() == 0
    assert actions(repo) == []
    assert "nothing was written" in at.screen
    at = Terminal(repo, "review", "approve", "--offline", "--path", NOTES)
    assert FIRST in at.answer("y", "[y/N]: ")
    assert at.end() == 0
    assert len(actions(repo)) == 4


def test_an_empty_queue(tmp_path: Path) -> None:
    repo = start(tmp_path / "work", ANN)
    repo.put(NOTES, "# Notes\n")
    at = walk(repo)
    at.until("the queue is empty")
    assert at.end() == 0


def test_a_long_queue_opens_with_what_matters_most(tmp_path: Path) -> None:
    repo = start(tmp_path / "work", ANN)
    many = "\n\n".join(f"Part {n} of the ledger is kept in table {n} (ADR-7)." for n in range(12))
    repo.write("docs/adr/0001-keep-a-log.md", DECISION)
    repo.put("docs/a.md", f"# A\n\n{many}\n")
    repo.put(NOTES, "# Notes\n\nThe gateway is explained in [the guide](gone.md).\n")
    at = walk(repo.of(BOB), NO_COLOR="1")
    shown = at.answer("q")
    first = shown.index("The 10 most important claims come first:")
    assert shown[first:].split("\n")[1].strip().split(" ", 1)[1].startswith(f"{NOTES}:3: refuted")
    assert f"{NOTES} § Notes" in shown
    assert "docs/a.md § A" not in shown
    assert at.end() == 0

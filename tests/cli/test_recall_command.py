"""`recall` from the command line: codes, formats, and text that would do harm."""

from __future__ import annotations

import pytest
from clirepo import DOCUMENT, PAGE, Repo

GROUNDED = "Which port does the service use?"
NOTHING = "Who is on call this week?"


@pytest.fixture
def asked(repo: Repo) -> Repo:
    """The claim of the page is on the port; a second one waits."""
    return repo


def test_an_answer_with_its_ground(asked: Repo) -> None:
    ran = asked.ask("recall", "service port")
    assert ran.code == 0, ran.err
    first, second = ran.out.splitlines()[:2]
    assert first.startswith(f"{DOCUMENT}:3: ")
    assert "semantic, not approved, tier 2 (cited), confirmed by src/app.py:2" in second
    assert "\033" not in ran.out


def test_nothing_answers(asked: Repo) -> None:
    ran = asked.ask("recall", NOTHING)
    assert (ran.code, ran.out) == (1, "")
    assert "no claim answers the question" in ran.err


@pytest.mark.parametrize("question", ["what", "is it the one?", "???"])
def test_a_question_that_asks_nothing_is_not_answered(asked: Repo, question: str) -> None:
    assert asked.ask("recall", question).code == 1


def test_what_waits_is_said(asked: Repo) -> None:
    ran = asked.ask("recall", "Where are sessions stored?", "--grounded")
    assert (ran.code, ran.out) == (1, "")
    assert "use --pending to see them" in ran.err
    for more in ((), ("--pending",)):
        pending = asked.ask("recall", "Where are sessions stored?", *more)
        assert pending.code == 0
        assert "not approved, tier 2 (ungrounded)" in pending.out


def test_json(asked: Repo) -> None:
    found = asked.ask("recall", "service port", "--output-format", "json").json
    assert found["schema"] == "grounded-ingest/recall/2"
    assert (found["answered"], found["reason"]) == (True, "")
    result = found["results"][0]
    assert (result["path"], result["line"], result["tier"]) == (DOCUMENT, 3, 2)
    assert result["evidence"][0]["target"] == "src/app.py:2"
    assert result["tokens"] == -(-len(result["claim"]) // 4)
    assert found["tokens"] == sum(r["tokens"] for r in found["results"])
    none = asked.ask("recall", NOTHING, "--output-format", "json")
    assert none.code == 1
    assert (none.json["answered"], none.json["results"]) == (False, [])
    assert none.json["reason"] == "no claim answers the question"


def test_markdown(asked: Repo) -> None:
    ran = asked.ask("recall", "service port", "--output-format", "markdown")
    assert ran.out.startswith("- ")
    assert f"({DOCUMENT}:3, semantic, not approved" in ran.out
    none = asked.ask("recall", NOTHING, "--output-format", "markdown")
    assert (none.code, none.out) == (1, "No claim answers the question.\n")


def test_when_an_episode_was_written(asked: Repo) -> None:
    asked.commit(DOCUMENT, f"{PAGE}\nYesterday we migrated all the invoices to the new ledger.\n")
    found = asked.ask(
        "recall", "When were the invoices migrated?", "--pending", "--output-format", "json"
    ).json
    assert found["results"][0]["memory_type"] == "episodic"
    assert found["results"][0]["when"] == "2026-01-05"
    (time,) = found["results"][0]["times"]
    assert time == {"words": "Yesterday", "first": "2026-01-04", "last": "2026-01-04"}
    asked.write(DOCUMENT, f"{PAGE}\nOn Friday we migrated all the receipts to the new ledger.\n")
    unborn = asked.ask(
        "recall", "When were the receipts migrated?", "--pending", "--output-format", "json"
    ).json
    assert unborn["results"][0]["when"] == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["port", "--types", "semantics"], "unknown memory type: semantics"),
        (["port", "--types", "semantic,,"], "unknown memory type: (empty)"),
        (["port", "--types", "\x1b[31m"], "unknown memory type"),
        ([" "], "the question is empty"),
        (["port", "-k", "0"], "0 is not in the range"),
        (["port", "--budget", "0"], "0 is not in the range"),
        ([], "Missing argument"),
    ],
)
def test_bad_usage(asked: Repo, arguments: list[str], said: str) -> None:
    ran = asked.ask("recall", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "\x1b" not in ran.err

"""What a claim does to the memory: ADD, UPDATE with what it revises, SKIP with what covers it."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Files, Repo, page, stating

from grounded_ingest.api import validate
from grounded_ingest.model.claims import Decision
from grounded_ingest.report.as_json import decision_json as as_json
from grounded_ingest.statements.operations import read_statement

OLD = "memory-bank/old.md"
JOB = "The worker takes its next job from the queue table"
WORDIER = f"{JOB}, which lives in PostgreSQL."


def decided(tmp_path: Path, landed: Files, staged: Files, path: str = NOTES) -> list[Decision]:
    repo = Repo(tmp_path)
    repo.commit(landed)
    repo.stage(staged)
    return [d for d in repo.decisions() if d.place.path == path and d.changed]


def operation(decision: Decision) -> tuple[str, str]:
    of = decision.operation.of
    return decision.operation.name, of.claim.text if of else ""


PORT = "The API server listens on port 8443."
TIMEOUT = "The request timeout is 30 seconds."
BESIDE = [
    (f"{JOB}.", f"{JOB}.", "SKIP", "repeat"),
    (WORDIER, f"{JOB}.", "ADD", "ungrounded"),
    (f"{JOB}.", WORDIER, "ADD", "ungrounded"),
    (
        "The import copies rows from Postgres to Kafka.",
        "The import copies rows from Kafka to Postgres.",
        "ADD",
        "ungrounded",
    ),
]


@pytest.mark.parametrize(("landed", "claim", "name", "rule"), BESIDE)
def test_beside_what_is_stored(
    tmp_path: Path, landed: str, claim: str, name: str, rule: str
) -> None:
    (decision,) = decided(tmp_path, {OLD: page(landed)}, {NOTES: page(claim)})
    assert (operation(decision), decision.rule) == ((name, landed if name != "ADD" else ""), rule)


REVISED = [
    (TIMEOUT, "The request timeout is 60 seconds.", True),
    (TIMEOUT, "The request timeout was raised from 30 to 60 seconds.", True),
    (f"{JOB}.", f"{JOB.replace('queue', 'jobs')}.", True),
    (f"{JOB}.", f"{JOB} of the shared database.", True),
    (f"{JOB}.", "Deploys run from the main branch alone.", False),
    ("Use port 80.", "Use port 81.", False),
]


@pytest.mark.parametrize(("old", "new", "revises"), REVISED)
def test_a_claim_takes_the_place_of_another(
    tmp_path: Path, old: str, new: str, revises: bool
) -> None:
    other = "Deploys need two approvals."
    (decision,) = decided(tmp_path, {NOTES: page(old, other)}, {NOTES: page(new, other)})
    assert operation(decision) == (("UPDATE", old) if revises else ("ADD", ""))


def row(*cells: str) -> str:
    return f"| what | is |\n|---|---|\n| {' | '.join(cells)} |"


@pytest.mark.parametrize(
    ("new", "revises"),
    [
        (row("Cache of the gateway", "kept in memory since the rewrite of last year"), True),
        (row("Cache of the scheduler", "kept in memory since the rewrite of last year"), False),
    ],
)
def test_a_row_takes_the_place_of_the_one_with_its_first_cell(
    tmp_path: Path, new: str, revises: bool
) -> None:
    old = row("Cache of the gateway", "Redis with one replica per region")
    (decision,) = decided(tmp_path, {NOTES: page(old)}, {NOTES: page(new)})
    assert decision.operation.name == ("UPDATE" if revises else "ADD")


@pytest.mark.parametrize(("section", "name"), [("Notes", "UPDATE"), ("Elsewhere", "ADD")])
def test_less_has_to_be_alike_in_the_same_section(tmp_path: Path, section: str, name: str) -> None:
    old = "The gateway retries a failed call three times with backoff."
    new = "The gateway retries a failed call five times within one minute."
    landed, staged = f"# Notes\n\n{old}\n", f"# {section}\n\n{new}\n"
    (decision,) = decided(tmp_path, {NOTES: landed}, {NOTES: staged})
    assert decision.operation.name == name


def test_of_several_the_one_most_alike_is_revised(tmp_path: Path) -> None:
    landed = page("The read timeout is 30 seconds.", "The write timeout is 40 seconds.")
    staged = page("The write timeout is 50 seconds.")
    (decision,) = decided(tmp_path, {NOTES: landed}, {NOTES: staged})
    assert operation(decision) == ("UPDATE", "The write timeout is 40 seconds.")


def test_what_a_detector_found_is_revised(tmp_path: Path) -> None:
    code = {"data/said.txt": stating(PORT[:-1])}
    landed = f"{PORT[:-1]} (`data/said.txt:1`)."
    (decision,) = decided(
        tmp_path, {OLD: page(landed), **code}, {NOTES: page("The API server listens on port 9443.")}
    )
    assert decision.rule == "conflicting-update"
    assert operation(decision) == ("UPDATE", landed)


def test_two_values_in_one_change_revise_nothing(tmp_path: Path) -> None:
    found = decided(tmp_path, {}, {NOTES: page(TIMEOUT, TIMEOUT.replace("30", "60"))})
    assert [d.operation.name for d in found] == ["ADD", "ADD"]


def test_what_stood_before_adds_nothing(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({NOTES: page(f"{JOB}.", f"{JOB}.")})
    repo.stage({NOTES: page(f"{JOB}.", f"{JOB}.", PORT)})
    unchanged = [d for d in repo.check().report.decisions if not d.changed]
    assert {d.operation.name for d in unchanged} == {"ADD"}
    assert "repeat" in {d.rule for d in unchanged}


def test_the_report_names_the_claim(tmp_path: Path) -> None:
    (decision,) = decided(tmp_path, {OLD: page(f"{JOB}.")}, {NOTES: page(f"{JOB}.")})
    report = as_json(decision)
    assert report["operation"] == "SKIP"
    assert report["operation_of"] == report["conflicting_memory_id"] != ""


STORED = (
    "Redis stores the sessions.",
    "Sessions expire after 30 minutes.",
    "The branch is main.",
    "Lint with `ruff check`.",
    "Don't edit files in `out/` by hand.",
    "The default timeout of the proxy is 10 seconds.",
)
ADDED = [
    # The same words in another form.
    ("Sessions are stored in Redis.", "SKIP", STORED[0]),
    ("Sessions expire after thirty minutes.", "SKIP", STORED[1]),
    ("After half an hour, sessions expire.", "SKIP", STORED[1]),
    ("Use `ruff check` for linting.", "SKIP", STORED[3]),
    ("The timeout of the proxy defaults to 10s.", "SKIP", STORED[5]),
    # Another value, a denial, a change.
    ("Sessions expire after 60 minutes.", "UPDATE", STORED[1]),
    ("Redis no longer stores the sessions.", "UPDATE", STORED[0]),
    ("We moved the sessions from Redis to Valkey.", "UPDATE", STORED[0]),
    # Another subject, the other direction, a permission: other memories.
    ("Tokens expire after 60 minutes.", "ADD", ""),
    ("The sessions store Redis.", "ADD", ""),
    ("Sessions may expire after 30 minutes.", "ADD", ""),
    ("Kafka carries the audit events.", "ADD", ""),
    ("Don't edit files in `vendor/` by hand.", "ADD", ""),
    ("The default timeout of the database is 10 seconds.", "ADD", ""),
]


@pytest.mark.parametrize(("text", "name", "of"), ADDED)
def test_validate_and_check_agree_on_a_new_memory(
    tmp_path: Path, text: str, name: str, of: str
) -> None:
    repo = Repo(tmp_path)
    repo.commit({NOTES: page(*STORED)})
    validated = validate(text, repo=str(tmp_path), online=False)
    repo.stage({NOTES: page(*STORED, text)})
    (checked,) = (d for d in repo.decisions() if d.changed)
    assert operation(checked) == operation(validated) == (name, of)
    assert (checked.rule, checked.tier) == (validated.rule, validated.tier)


def test_another_order_of_steps_is_another_statement() -> None:
    one, other = "Run the build before the tests.", "Run the tests before the build."
    assert not read_statement(one).says_the_same(read_statement(other))


def test_validate_and_check_agree_on_a_contradiction(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({NOTES: page("We use Jest for unit tests.")})
    text = "We use Vitest for unit tests."
    validated = validate(text, repo=str(tmp_path), online=False)
    repo.stage({NOTES: page("We use Jest for unit tests.", text)})
    (checked,) = (d for d in repo.decisions() if d.changed)
    assert (checked.rule, operation(checked)) == (validated.rule, operation(validated))
    assert checked.rule == "contradiction"

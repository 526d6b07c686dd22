"""Which memory type a claim gets in its place: tables of claims, and what wins over what."""

from __future__ import annotations

import json

import pytest

from grounded_ingest.extract.documents import extract, role_of
from grounded_ingest.model.claims import Claim, DocClass, MemoryType

S, E, P, U = MemoryType

# Path, headings from the top, claim, type.
CLAIMS = [
    ("docs/storage.md", "Storage", "The ledger keeps its rows in PostgreSQL.", S),
    ("docs/storage.md", "Storage", "`ledger.py` — writes the rows of a payment.", S),
    ("docs/storage.md", "Storage", "See the [schema](schema.md) for the columns.", S),
    ("docs/adr/0001-queue.md", "1. Queue > Consequences", "Workers can restart at any time.", S),
    ("docs/storage.md", "Storage", "We moved the ledger to PostgreSQL on 2026-03-04.", E),
    ("docs/storage.md", "Storage", "The import was stopped yesterday.", E),
    ("docs/storage.md", "Storage", "The nightly import failed on Monday.", E),
    ("CHANGELOG.md", "Changelog > [1.2.0] > Added", "Added an export of invoices.", E),
    ("memory-bank/progress.md", "Progress > Completed", "Implemented the export of invoices.", E),
    ("docs/plans/2026-05-01-export.md", "Export > Tasks", "Add the export to the menu.", E),
    ("memory/2026-11-03.md", "Session", "✅ Merged the export and closed its issue.", E),
    ("CLAUDE.md", "Rules", "Never commit a secret.", P),
    ("CLAUDE.md", "Rules", "Every service must log its version.", P),
    ("CLAUDE.md", "Rules > Testing", "Run the tests before you push.", P),
    ("CONTRIBUTING.md", "Contributing > Setup", "Install the hooks with `make hooks`.", P),
    ("docs/runbook.md", "Queue > Resolution", "If the queue is full, restart the worker.", P),
    ("docs/storage.md", "Storage", "Do not edit the generated tables.", P),
    ("docs/storage.md", "Storage", "Always close the connection before you exit.", P),
    # A noun phrase, a state without a day, a habit and another language show no type.
    ("docs/storage.md", "Storage > Overview", "Append-only table of all payments", U),
    ("CHANGELOG.md", "Changelog > [1.2.0] > Fixed", "Rounding of invoices.", U),
    ("MEMORY.md", "Memories", "The parameter annotated with a type.", U),
    ("MEMORY.md", "Memories", "When Tom has a headache, he lies down in a dark room.", U),
    ("CLAUDE.md", "Regeln", "Jeder Dienst muss seine Version melden.", U),
    # The verb of a later clause says nothing about the first one.
    ("MEMORY.md", "Memories", "Answers in German unless she writes in English.", U),
]


def only(path: str, text: str) -> Claim:
    (claim,) = extract(text.encode(), path, DocClass.MEMORY).claims
    return claim


def placed(path: str, headings: str, claim: str) -> Claim:
    titles = headings.split(" > ")
    page = "\n\n".join(f"{'#' * level} {title}" for level, title in enumerate(titles, 1))
    return only(path, f"{page}\n\n- {claim}\n")


@pytest.mark.parametrize(("path", "headings", "claim", "expected"), CLAIMS)
def test_cues_tell_the_type(path: str, headings: str, claim: str, expected: MemoryType) -> None:
    found = placed(path, headings, claim)
    assert found.memory_type is expected, found.cues
    assert bool(found.cues) is (expected is not U)


@pytest.mark.parametrize(
    ("claim", "cue"),
    [
        ("Every service must log its version.", "main must"),
        ("Run the tests before you push.", "imperative"),
        ("We moved to PostgreSQL on 2026-03-04.", "past, dated"),
        ("`ledger.py` — writes the rows.", "term"),
    ],
)
def test_the_cues_that_decided_are_named(claim: str, cue: str) -> None:
    assert cue in placed("docs/storage.md", "Storage", claim).cues


def test_a_past_event_stays_an_event_whatever_follows_from_it() -> None:
    text = "The deploy failed on 2026-03-04, and since then nobody may deploy on a Friday."
    assert placed("docs/storage.md", "Storage", text).memory_type is E


def test_what_is_to_be_done_once_is_no_routine() -> None:
    step = "Add a column for the currency."
    assert placed("docs/plans/currency.md", "Currency > Tasks", step).memory_type is E
    assert placed("docs/runbook.md", "Runbook > How to add a currency", step).memory_type is P


def test_actions_of_one_subject_and_type_stay_one_claim() -> None:
    text = "The importer read the file, checked the sums and wrote the rows on 2026-03-04."
    claim = placed("docs/storage.md", "Storage", text)
    assert (claim.memory_type, claim.split) == (E, ())


@pytest.mark.parametrize("name", ["episodic", "procedural", "semantic"])
def test_a_declared_type_wins(name: str) -> None:
    record = {"text": "Every service must log its version.", "memory_type": name}
    for path, text in (
        ("memory/a.jsonl", json.dumps(record) + "\n"),
        ("memory/a.md", f"---\nmemory_type: {name}\n---\n\n{record['text']}\n"),
    ):
        claim = only(path, text)
        assert (claim.memory_type, claim.cues) == (name, ("declared",))


@pytest.mark.parametrize(
    ("declared", "claim", "split"),
    [
        ("semantic", "Never commit a secret, and always run the tests.", ("declared|procedural",)),
        ("procedural", "Never commit a secret, and always run the tests.", ()),
        # An unknown type does not contradict what the document declares.
        ("procedural", "Tools of the team.", ()),
    ],
)
def test_a_claim_that_is_another_type_than_declared(
    declared: str, claim: str, split: tuple[str, ...]
) -> None:
    text = f"---\nmemory_type: {declared}\n---\n\n# Rules\n\n- {claim}\n"
    assert only("CLAUDE.md", text).split == split


def test_cues_do_not_contradict_the_type_of_a_record() -> None:
    record = {"text": "Never commit a secret.", "memory_type": "semantic"}
    assert only("memory/a.jsonl", json.dumps(record) + "\n").split == ()


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("CHANGELOG.md", "changelog"),
        ("packages/agents-server/CHANGELOG.md", "changelog"),
        ("memory-bank/progress.md", "log"),
        ("docs/plans/2026-05-01-export.md", "plan dated"),
        ("docs/release-checklist.md", "runbook"),
        (".cursor/rules/planning.mdc", "rules"),
        ("apps/web/CLAUDE.md", "rules"),
        ("docs/adr/0007-queue.md", "decisions"),
        ("docs/storage.md", ""),
    ],
)
def test_the_name_of_a_document_gives_its_role(path: str, role: str) -> None:
    assert role_of(path, DocClass.DOCS) == role


def test_the_class_gives_a_role_if_the_name_gives_none() -> None:
    assert role_of("records/0007.md", DocClass.DECISIONS) == "decisions"
    assert role_of("records/progress.md", DocClass.DECISIONS) == "log"

"""Sentences become false and stay sentences; what cannot be changed sensibly is left alone."""

from __future__ import annotations

import random

import pytest

from grounded_ingest.bench import sentences
from grounded_ingest.bench.sentences import (
    inside_sentence,
    other_entity,
    readable,
    without_citations,
)

NAMES = ["HTTP", "JSON", "OAuth2", "PostgreSQL", "Redis"]
TWO = other_entity(["PostgreSQL", "Redis", "HTTP"])


def made(change: sentences.Falsifier, text: str) -> set[str | None]:
    return {change(text, random.Random(seed)) for seed in range(40)}


@pytest.mark.parametrize(
    ("change", "text", "expected"),
    [
        (sentences.number, "It waits 30 seconds.", "waits 60 seconds"),
        (sentences.number, "It holds 10,000 items.", "holds 20000 items"),
        (sentences.number, "The limit is 0 items.", "is 7 items"),
        (sentences.port, "It listens on port 8443.", "port 8080."),
        (sentences.version, "The database is PostgreSQL 15.", "PostgreSQL 17."),
        (sentences.version, "It needs release 1.2.3 of it.", "release 1.2.5 of"),
        (sentences.version, "The API is v2 now.", "v4 now"),
        (sentences.date, "Support ends on 2027-03-31.", "on 2026-03-31."),
        (sentences.unit, "It waits 30 seconds.", "30 minutes."),
        (sentences.negation, "The queue is bounded.", "is not bounded."),
        (sentences.negation, "The queue is not bounded.", "queue is bounded."),
        (sentences.negation, "It keeps 3 copies.", "does not keep 3"),
        (sentences.obligation, "Clients must not retry.", "may retry."),
        (sentences.obligation, "OAuth2 is required.", "is optional."),
        (TWO, "Sessions live in PostgreSQL.", "in Redis."),
    ],
)
def test_changes(change: sentences.Falsifier, text: str, expected: str) -> None:
    assert any(expected in (new or "") for new in made(change, text))
    assert text not in made(change, text)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (sentences.number, "It listens on port 8443."),
        (sentences.number, "The database is PostgreSQL 15."),
        (sentences.number, "Support ends on 2027-03-31."),
        (sentences.number, "It is written down (ADR-0003)."),
        (sentences.number, "It is written down (`src/a.py:12`)."),
        (sentences.number, "It came with commit 1234567."),
        (sentences.number, "OAuth2 and SHA-256 are used."),
        (sentences.number, "It was decided in 2024."),
        (sentences.unit, "It waits for some seconds."),
        (sentences.negation, "It has no backend and is small."),
        (sentences.obligation, "`must` be it."),
        (other_entity(["HTTP", "Redis"]), "It speaks HTTP."),
    ],
)
def test_what_is_left_alone(change: sentences.Falsifier, text: str) -> None:
    assert made(change, text) == {None}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Per ADR-0001, the ledger uses PostgreSQL 15.", "The ledger uses PostgreSQL 15."),
        ("The port is always 80 (`src/a.py:3`).", "The port is always 80."),
        ("Clients must talk JSON (ADR-0003).", "Clients must talk JSON."),
        ("The API must be small, see [ADR-5](adr/5.md).", "The API must be small."),
        ("The endpoints were added in commit 12345ab.", "The endpoints were added."),
        ("The choice is recorded in [ADR-0002](../adr/2.md).", None),
        ("ADR-0003 is the record of that choice.", None),
        ("The queue is kept in `src/queue.py`.", None),
    ],
)
def test_a_sentence_without_its_citation(text: str, expected: str | None) -> None:
    assert without_citations(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The queue is bounded in memory.", True),
        ("Status: superseded by another decision.", False),
        ("The queue might be bounded in memory.", False),
        ("the queue is bounded in memory.", False),
        ("Bounded queue in memory, as decided.", False),
        ("Is the queue bounded in memory?", False),
        ("The following limits are kept in memory:", False),
        ("This is what the council has decided.", False),
        ("Name: queue; Size: 5; State: is bounded", False),
        ("The queue is bounded. The cache is not.", False),
        ("Timeouts (what is kept open) by default", False),
    ],
)
def test_readable(text: str, expected: bool) -> None:
    assert readable(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The queue is full.", "the queue is full."),
        ("OAuth2 is required.", "OAuth2 is required."),
        ("Redis is gone.", "Redis is gone."),
        ("HTTP is spoken.", "HTTP is spoken."),
        ("A queue is full.", "a queue is full."),
        ("`queue` is full.", "`queue` is full."),
    ],
)
def test_identifiers_keep_their_case(text: str, expected: str) -> None:
    assert inside_sentence(text, NAMES) == expected


def test_everything_false_differs_and_stays_a_sentence() -> None:
    text = "Sessions must be kept in PostgreSQL for 14 days (`src/a.py:3`)."
    new = {sentences.falsified(text, NAMES, random.Random(seed)) for seed in range(60)}
    assert len(new) > 5
    assert all(n and n != text and n.endswith("(`src/a.py:3`).") for n in new)

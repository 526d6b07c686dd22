"""Facts of slots in other words: another value of the same thing."""

from __future__ import annotations

import random

import pytest

from grounded_ingest.bench.restatements import restated, reversed_claim
from grounded_ingest.bench.world import Decided, Seed, World

NOWHERE = World([], [], [], "", [], [], [], [], Decided(), "", [])


def made(text: str) -> set[str | None]:
    return {restated(text, random.Random(seed)) for seed in range(60)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The service listens on port 8443.", "The port of the service is 16887."),
        ("A request times out after 30 seconds.", "A request has a timeout of 61 seconds."),
        ("A delivery is retried at most 5 times.", "The retry limit of a delivery is 11."),
        ("Sessions are kept for 14 days.", "The retention period of sessions is 29 days."),
        ("A token is valid for 60 minutes.", "A token expires after 121 minutes."),
        ("The queue holds at most 10000 items.", "The size limit of the queue is 20001 items."),
        ("The service runs with 3 replicas.", "The service has 7 replicas."),
        ("The database is PostgreSQL 15.", "MySQL is the database."),
    ],
)
def test_another_value_in_other_words(text: str, expected: str) -> None:
    assert expected in made(text)
    assert text not in made(text)


@pytest.mark.parametrize("text", ["The log level is info.", "Clients must talk JSON over HTTP."])
def test_what_states_no_such_value_is_left_alone(text: str) -> None:
    assert made(text) == {None}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The database is PostgreSQL 15.", "PostgreSQL 15 is not the database."),
        ("The queue is bounded.", None),
    ],
)
def test_reversed(text: str, expected: str | None) -> None:
    plant = reversed_claim(Seed(text, text), NOWHERE, random.Random(1))
    assert (plant.text if plant else None) == expected

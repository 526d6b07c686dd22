"""Values in front of their slot: `Redis is not the cache`, `MySQL is what the ledger uses`."""

from __future__ import annotations

from functools import partial

import pytest

from grounded_ingest.facts import extraction
from grounded_ingest.facts.fact import Memory
from grounded_ingest.grounding.memory_index import Memories
from grounded_ingest.grounding.verify import verify_text

facts = partial(extraction.facts, persons=True)


# text: slot, value, subject, affirmed, time
STATED = {
    "MariaDB is the database": ("database", "MariaDB", "", True, "now"),
    "MariaDB 11 is not the database": ("database", "MariaDB", "", False, "now"),
    "Valkey isn't our cache": ("cache", "Valkey", "", False, "now"),
    "Valkey is not yet the cache of the search service": ("cache", "Valkey", "search", False, "now"),
    "NATS is no longer our queue": ("message_queue", "NATS", "", True, "before"),
    "NATS was the message queue": ("message_queue", "NATS", "", True, "before"),
    "NATS is not used as the message broker": ("message_queue", "NATS", "", False, "now"),
    "NATS isn't used as the message broker": ("message_queue", "NATS", "", False, "now"),
    "Nothing uses NATS": ("message_queue", "NATS", "", False, "now"),
    "Valkey never was our cache": ("cache", "Valkey", "", False, "before"),
    "SQLite is what the importer uses": ("database", "SQLite", "importer", True, "now"),
    "SQLite is not what the importer uses": ("database", "SQLite", "importer", False, "now"),
    "Woodpecker is the CI": ("ci_cd", "Woodpecker", "", True, "now"),
    "7070 is the port of the gateway": ("port", "7070", "gateway", True, "now"),
    "90 seconds is not the timeout": ("timeout", "90 seconds", "", False, "now"),
    "trunk is our default branch": ("default_branch", "trunk", "", True, "now"),
    "Priya is not the maintainer": ("maintainer", "Priya", "", False, "now"),
    "The billing team is the owner of the ledger": ("owner", "billing team", "ledger", True, "now"),
    "Python 3.13 is the minimum version": ("version", "3.13", "python", True, "now"),
    "ISC is not the license": ("license", "ISC", "", False, "now"),
    "The database isn't MariaDB": ("database", "MariaDB", "", False, "now"),
    "The mailer has a maximum of 9 retries": ("retries", "9", "mailer", True, "now"),
    "The gateway has a limit of 40 requests per second": (
        "rate_limit", "40 requests per second", "gateway", True, "now",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", STATED)
def test_what_is_stated(text: str) -> None:
    found = [(f.slot, f.value, f.subject, f.polarity, f.time) for f in facts(text)]
    assert STATED[text] in found


@pytest.mark.parametrize(
    "text",
    [
        "MariaDB is a database",
        "Dark mode is the default",
        "This is the default branch",
        "Testing is the owner's duty",
        "Which one is the database?",
        "Valkey might be the cache",
        "SQLite is what broke the importer",
    ],
)
def test_what_is_not(text: str) -> None:
    mine = [f for f in facts(text) if not f.slot.startswith("says") and f.time == "now"]
    assert mine == []


def test_more_than_one_is_said_of_what_is_not_the_only_one() -> None:
    (fact,) = [f for f in facts("MariaDB is not the only database") if f.slot == "database"]
    assert (fact.polarity, fact.time) == (True, "now")


PAIRS = [
    ("The database is MariaDB 11", "MariaDB 11 is not the database", True),
    ("The database is MariaDB", "SQLite is the database", True),
    ("The database is MariaDB", "SQLite is not the database", False),
    ("The database is MariaDB", "SQLite is a database", False),
    ("The database is MariaDB", "MariaDB is not the only database", False),
    ("The cache of the api is Valkey", "Valkey is not the cache of the worker", False),
    ("The importer uses SQLite", "MariaDB is what the importer uses", True),
    ("The importer uses SQLite", "MariaDB is what the exporter uses", False),
    ("CI runs on Woodpecker", "Woodpecker is not the CI", True),
    ("In production the cache is Valkey", "Valkey is not the cache in development", False),
    ("The mailer retries 3 times", "The mailer has a maximum of 9 retries", True),
    ("The mailer has a limit of 9 retries", "The mailer has a limit of 20 MB", False),
    ("The mailer has a limit of 20 MB", "The mailer has a limit of 30 MB", True),
    ("The timeout is 90 seconds", "1.5 minutes is the timeout", False),
]


@pytest.mark.parametrize(("one", "other", "contradicts"), PAIRS)
def test_pairs(one: str, other: str, contradicts: bool) -> None:
    for first, second in ((one, other), (other, one)):
        memories = [Memory("a", first, 1.0, 1.0), Memory("b", second, 1.0, 2.0)]
        assert bool(Memories(memories).contradictions) is contradicts


@pytest.mark.parametrize(
    ("memory", "text", "verdict"),
    [
        ("NATS is our queue", "The queue is NATS", "grounded"),
        ("NATS is our queue", "NATS is not our queue", "ungrounded"),
        ("NATS is our queue", "NATS is no longer our queue", "ungrounded"),
        ("NATS is not our queue", "The queue is NATS", "ungrounded"),
        ("NATS is not our queue", "The queue is not NATS", "grounded"),
        ("NATS is no longer our queue", "The queue is NATS", "ungrounded"),
        ("SQLite isn't what the importer uses", "The importer uses SQLite", "ungrounded"),
        ("The mailer retries 9 times", "The mailer has a maximum of 9 retries", "grounded"),
        ("The mailer retries 9 times", "The mailer has a maximum of 8 retries", "ungrounded"),
    ],
)
def test_verdicts(memory: str, text: str, verdict: str) -> None:
    assert verify_text(text, [Memory("a", memory)]).verdict == verdict

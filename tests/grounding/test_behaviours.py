"""What the tests of the library groundcheck assert on public results, in words of this project's own.

Where this project departs on purpose, docs/grounding.md gives the reason (section "Departures").
"""

from __future__ import annotations

from functools import partial

import pytest

from grounded_ingest.facts import extraction
from grounded_ingest.facts.fact import Memory
from grounded_ingest.grounding.memory_index import Memories
from grounded_ingest.grounding.verify import verify_text

facts = partial(extraction.facts, persons=True)


JOB, HOME = "User works at Ericsson", "User lives in Turin"
TWO_JOBS = ("User works at Nokia", "User works at Ericsson")
TWO_HOMES = ("User lives in Turin", "User lives in Porto")


def memories(*texts: str, trust: tuple[float, ...] = ()) -> list[Memory]:
    return [
        Memory(f"m{n}", text, trust[n] if trust else 0.9, float(n)) for n, text in enumerate(texts)
    ]


# what is held, with which trust, what is said, what comes of it
JUDGED = [
    ((JOB,), (), "You work at Ericsson", "grounded"),
    ((JOB,), (), "You work at Nokia", "ungrounded"),
    ((JOB, HOME), (), "You work at Nokia and live in Turin", "ungrounded"),
    ((), (), "You work at Ericsson", "ungrounded"),
    (("I work at Ericsson",), (), "You work at Ericsson", "grounded"),
    (("FACT: employer = Ericsson",), (), "You work at Ericsson", "grounded"),
    (("User works at ericsson",), (), "You work at Ericsson", "grounded"),
    ((JOB,), (), "I remember you work at Nokia", "ungrounded"),
    # trust
    (TWO_JOBS, (0.95, 0.1), "You work at Nokia", "grounded"),
    (TWO_JOBS, (0.3, 0.95), "You work at Ericsson", "grounded"),
    (TWO_JOBS, (0.9, 0.0), "You work at Nokia", "grounded"),
    (TWO_JOBS, (0.85, 0.85), "You work at Nokia", "undisclosed"),
    (TWO_JOBS, (0.9, 0.85), "You work at Ericsson", "undisclosed"),
    ((JOB, JOB), (0.3, 0.4), "You work at Ericsson", "grounded"),
    # disclosure
    (TWO_JOBS, (), "You work at Ericsson", "undisclosed"),
    (TWO_JOBS, (), "You work at Ericsson. You previously worked at Nokia.", "grounded"),
    (TWO_HOMES, (), "You live in Porto (moved from Turin)", "grounded"),
    (TWO_HOMES, (), "You live in Porto. Previously you lived in Turin.", "grounded"),
    (TWO_HOMES, (), "You used to live in Turin but now live in Porto", "grounded"),
    (TWO_HOMES, (), "You live in Porto (was Turin)", "grounded"),
    (TWO_JOBS, (), "You work at Jolla", "ungrounded"),
    # several values
    (("User knows Kotlin", "User knows Elm"), (), "You use Kotlin and Elm", "grounded"),
    (("User knows Kotlin", "User knows Elm"), (), "You use Kotlin, Elm, Perl, and Lua", "ungrounded"),
    # what conversation says of technology
    (("FACT: database = MariaDB",), (), "We ended up going with SQLite instead", "ungrounded"),
    (("FACT: database = SQLite",), (), "We migrated to SQLite", "grounded"),
    (("The release deadline is Friday",), (), "The release deadline is Monday", "ungrounded"),
    ((JOB,), (), "I remember you work at Nokia", "ungrounded"),
    ((JOB,), (), "I recall that you work at Ericsson", "grounded"),
    (("I work for myself",), (), "You are self-employed", "grounded"),
    (("I work for myself",), (), "You work for yourself", "grounded"),
    (("I work for myself",), (), "You work for Nokia", "ungrounded"),
    (("I don't like olives", "I hate olives"), (), "You dislike olives", "grounded"),
    (("I don't like olives",), (), "You like olives", "ungrounded"),
    # departures: nothing to verify is not grounded
    ((JOB,), (), "", "nothing-to-verify"),
    ((JOB,), (), "Good morning, how are you?", "nothing-to-verify"),
]  # fmt: skip


@pytest.mark.parametrize(("held", "trust", "said", "verdict"), JUDGED)
def test_verdicts(held: tuple[str, ...], trust: tuple[float, ...], said: str, verdict: str) -> None:
    assert verify_text(said, memories(*held, trust=trust)).verdict == verdict


def test_a_wrong_detail_is_named_and_the_right_one_mapped() -> None:
    result = verify_text("You work at Nokia and live in Turin", memories(JOB, HOME))
    assert [h.text for h in result.hallucinations] == ["Nokia"]
    assert result.grounding_map["Turin"] == ["m1"]


def test_correction_puts_in_what_is_held_or_the_disclosure() -> None:
    assert verify_text("You work at Nokia", memories(JOB)).corrected == "You work at Ericsson"
    assert verify_text("You work at Nokia", memories(JOB), mode="permissive").corrected == ""
    recalled = verify_text("I remember you work at Nokia", memories(JOB))
    assert recalled.corrected == "I remember you work at Ericsson"
    assert verify_text("You work for Nokia", memories("I work for myself")).corrected == ""
    told = verify_text("You work at Ericsson", memories(*TWO_JOBS))
    assert "Nokia" in told.corrected
    assert "changed from Nokia" in told.expected_disclosure


@pytest.mark.parametrize("trust", [0.4, 0.9, 0.95])
def test_confidence_follows_trust(trust: float) -> None:
    held = memories(JOB, trust=(trust,))
    assert verify_text("You work at Ericsson", held).confidence == trust
    assert verify_text("You work at Nokia", held).confidence == 0.0


@pytest.mark.parametrize(
    "listed",
    ["Kotlin, Scala, Elixir", "Kotlin, Scala and Elixir", "Kotlin, Scala, and Elixir",
     "Kotlin and Scala and Elixir", "Kotlin; Scala; Elixir", "Kotlin; Scala and Elixir"],
)  # fmt: skip
def test_lists_are_split(listed: str) -> None:
    found = [f.value for f in facts(f"User knows {listed}") if not f.slot.startswith("says")]
    assert sorted(found) == ["Elixir", "Kotlin", "Scala"]


def test_behind_a_semicolon_a_clause_is_no_item() -> None:
    found = [(f.slot, f.value) for f in facts("User knows Kotlin; lives in Turin")]
    assert ("skill", "Kotlin") in found
    assert not any(value.startswith("lives") for _, value in found)


def test_values_with_slashes_stay_whole_and_license_their_parts() -> None:
    held = memories("User knows Kotlin/Scala/Elixir")
    assert verify_text("You know Scala", held).grounded
    assert not verify_text("You know Perl", held).grounded


@pytest.mark.parametrize(
    ("texts", "slots"),
    [
        (TWO_JOBS, {"employer"}),
        (("User works at Ericsson", "User is employed by Ericsson"), set()),
        (("User works at Nokia in Oslo", "User works at Jolla in Porto"), {"employer", "location"}),
        (("User knows Kotlin", "User knows Elm"), set()),
        (("The release deadline is Friday", "Our release deadline is Friday"), set()),
        (("The release deadline is Friday", "The release deadline is Monday"), {"deadline"}),
    ],
)
def test_contradictions_by_slot(texts: tuple[str, ...], slots: set[str]) -> None:
    assert {c.slot for c in Memories(memories(*texts)).contradictions} == slots


@pytest.mark.parametrize(
    ("text", "slot", "value", "time"),
    [
        ("We migrated from MariaDB to SQLite", "database", "SQLite", "now"),
        ("We migrated from MariaDB to SQLite", "database", "MariaDB", "before"),
        ("Dropped Valkey, switched to Memcached", "cache", "Memcached", "now"),
        ("Ripped out Buildkite, happier with Woodpecker", "ci_cd", "Buildkite", "before"),
        ("We use Woodpecker for CI and Grafana for monitoring", "monitoring", "Grafana", "now"),
        ("Our backend is Flask with a Svelte frontend", "frontend_framework", "Svelte", "now"),
        ("Still on React, considering Svelte", "frontend_framework", "React", "now"),
        ("The API rate limit is 700 requests per minute", "rate_limit", "700 requests per minute", "now"),
        ("Max retries should be 8", "retries", "8", "now"),
    ],
)  # fmt: skip
def test_slot_values(text: str, slot: str, value: str, time: str) -> None:
    assert (slot, value, time) in [(f.slot, f.value, f.time) for f in facts(text)]

"""The form of a question says which types it is after."""

from __future__ import annotations

import pytest

from grounded_ingest.memory.routing import route, shares, tilted
from grounded_ingest.model import MemoryType

S, E, P = MemoryType.SEMANTIC, MemoryType.EPISODIC, MemoryType.PROCEDURAL


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How do I release a new version?", P),
        ("how to add a migration", P),
        ("Which command starts the worker?", P),
        ("Should tests run before merging?", P),
        ("What are the steps of a rollback?", P),
        ("When did we move to PostgreSQL?", E),
        ("What happened on Friday?", E),
        ("Why was the cache removed?", E),
        ("What changed last week?", E),
        ("history of the login page", E),
        ("What is the default port?", S),
        ("Which database do we use?", S),
        ("Where is the configuration?", S),
        ("How many replicas run?", S),
        ("Who owns the billing service?", S),
    ],
)
def test_the_heaviest_type(question: str, kind: MemoryType) -> None:
    weights = route(question)
    assert max(weights, key=lambda t: weights[t]) is kind
    assert sum(weights.values()) == pytest.approx(1)
    assert min(weights.values()) > 0


def test_no_cue_no_preference() -> None:
    assert set(route("zebra").values()) == {1 / 3}


def test_only_the_types_asked_for() -> None:
    weights = route("How do I release?", (S, P))
    assert set(weights) == {S, P}
    assert sum(weights.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("weights", "k", "expected"),
    [
        ({S: 0.6, E: 0.2, P: 0.2}, 20, {S: 12, E: 4, P: 4}),
        ({S: 0.5, E: 0.3, P: 0.2}, 5, {S: 3, E: 1, P: 1}),
        ({S: 0.2, E: 0.2, P: 0.6}, 4, {S: 0, E: 0, P: 4}),
        ({S: 1 / 3, E: 1 / 3, P: 1 / 3}, 20, {S: 8, E: 6, P: 6}),
        ({P: 1.0}, 3, {P: 3}),
    ],
)
def test_the_floor_of_each_and_the_rest_to_the_heaviest(
    weights: dict[MemoryType, float], k: int, expected: dict[MemoryType, int]
) -> None:
    assert shares(weights, k) == expected


def test_what_is_there_to_serve_tilts() -> None:
    form = route("How do I release?")
    none_there = tilted(form, [S] * 9 + [E])
    assert none_there[S] > none_there[E] > none_there[P] > 0
    assert sum(none_there.values()) == pytest.approx(1)
    equal = tilted(form, [S, E, P])
    assert max(equal, key=lambda t: equal[t]) is P

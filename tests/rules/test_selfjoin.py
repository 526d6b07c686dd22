"""The self-join finds every pair that comparing all with all finds, and grows with its answer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import combinations

import pytest

from grounded_ingest.audit.claim_pairs import Join, join, pairs
from grounded_ingest.language.word_keys import jaccard

Sets = list[frozenset[str]]


def small_vocabulary(rng: random.Random) -> Sets:
    words = [f"w{n}" for n in range(rng.choice([5, 12, 30]))]
    longest = min(len(words), rng.choice([5, 12, 30]))
    return [frozenset(rng.sample(words, rng.randint(0, longest))) for _ in range(120)]


def templates(rng: random.Random) -> Sets:
    core = [f"c{n}" for n in range(rng.choice([3, 10, 22, 23, 34, 36, 46, 60]))]
    slots, values = rng.choice([1, 2, 3]), rng.choice([5, 100, 10**6])
    return [
        frozenset([*core, *(f"{slot}.{rng.randrange(values)}" for slot in range(slots))])
        for _ in range(150)
    ]


def many_templates(rng: random.Random) -> Sets:
    found = []
    for _ in range(3):
        core = [f"c{n}" for n in rng.sample(range(70), rng.choice([22, 30, 46, 60]))]
        for _ in range(60):
            words = set(core)
            for _ in range(rng.randint(0, 4)):
                words.symmetric_difference_update({rng.choice([*core, f"n{rng.randrange(30)}"])})
            found.append(frozenset(words))
    return found


def written_out(found: Join) -> list[tuple[int, int]]:
    equal = [pair for group in found.groups for pair in combinations(group, 2)]
    return [*equal, *found.near()]


@pytest.mark.parametrize("sets_of", [small_vocabulary, templates, many_templates])
@pytest.mark.parametrize("threshold", [0.8, 0.92, 1.0])
def test_every_pair_and_no_other(
    sets_of: Callable[[random.Random], Sets], threshold: float
) -> None:
    for seed in range(8):
        sets = sets_of(random.Random(seed))
        expected = {
            (a, b)
            for a, b in combinations(range(len(sets)), 2)
            if sets[a] and jaccard(sets[a], sets[b]) >= threshold
        }
        found = written_out(join(sets, threshold))
        assert len(found) == len(set(found))
        assert set(found) == expected, seed


WORDS = " ".join(f"word{n}" for n in range(23))


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        (["One two three four five.", "one, two three four five"], [(0, 1)]),
        (["One two three four.", "one two three four"], []),
        ([WORDS, f"{WORDS} more"], [(0, 1)]),
        ([f"{WORDS} 8080", f"{WORDS} 8081"], [(0, 1)]),
        (["a b c d e f g h i j k", "a b c d e f g h i j k l"], []),
        (["", "…", ""], []),
    ],
)
def test_pairs_of_claims(claims: list[str], expected: list[tuple[int, int]]) -> None:
    assert list(pairs(claims)) == expected


@pytest.mark.parametrize("words", [12, 23, 40])
def test_a_template_is_no_quadratic_answer(words: int) -> None:
    """Its lines with other numbers are one block, or nothing; never a pair for each two."""
    core = [f"word{n}" for n in range(words)]
    started = time.process_time()
    found = join(([*core, f"{n}"] for n in range(20_000)), 0.92)
    assert time.process_time() - started < 10
    assert bool(found.blocks) is (words > 22)
    assert len(found.pairs) + len(found.blocks) < 10


def test_time_grows_with_the_claims() -> None:
    rng = random.Random(3)
    vocabulary = [f"w{n}" for n in range(5_000)]
    claims = [" ".join(rng.choices(vocabulary, k=rng.randint(6, 30))) for _ in range(20_000)]
    took = []
    for size in (2_500, 20_000):
        runs = []
        for _ in range(3):
            started = time.process_time()
            assert not list(pairs(claims[:size]))
            runs.append(time.process_time() - started)
        took.append(min(runs))
    assert took[1] < 8 * 2 * took[0]

"""What holds of any text: never grounded by default, no worse than linear, quick."""

from __future__ import annotations

import random
import statistics
import time
from functools import partial

import pytest

from grounded_ingest.facts import extraction
from grounded_ingest.facts.fact import Memory
from grounded_ingest.grounding.memory_index import Memories
from grounded_ingest.grounding.verify import verify_text

facts = partial(extraction.facts, persons=True)


PARTS = ["billing", "search", "mail", "orders", "stock", "media", "chat", "audit"]


def memory(number: int) -> Memory:
    draw = random.Random(number)
    name = f"{draw.choice(PARTS)}-{number}"
    text = draw.choice(
        [
            f"The {name} service listens on port {draw.randint(1000, 9999)}.",
            f"{name} has a timeout of {draw.randint(1, 90)} seconds and retries {draw.randint(1, 9)} times.",
            f"The {name} module is owned by the {draw.choice(PARTS)} team and written in Go.",
            f"Uploads to {name} are scanned by ClamAV and kept for {draw.randint(2, 99)} days.",
        ]
    )
    return Memory(f"m{number}", text, 0.9)


@pytest.mark.parametrize("seed", range(40))
def test_words_nobody_stated_are_never_grounded(seed: int) -> None:
    draw = random.Random(seed)
    words = ["".join(draw.choices("bcdfglmnprstvaeiou", k=draw.randint(5, 9))) for _ in range(6)]
    text = (
        f"The {words[0]} {words[1]} uses {words[2].title()} with {words[3]} {draw.randint(3, 900)}."
    )
    memories = [Memory("a", "User works at Nokia"), Memory("b", f"The {words[4]} is {words[5]}")]
    for given in ([], memories):
        assert not verify_text(text, given).grounded


@pytest.mark.parametrize("number", range(30))
def test_a_memory_grounds_its_own_words_among_many(number: int) -> None:
    index = Memories([memory(n) for n in range(300)])
    result = verify_text(memory(number).text, index)
    assert result.grounded, result.hallucinations
    assert f"m{number}" in {i for ids in result.grounding_map.values() for i in ids}


def test_positions_and_scope_are_sound() -> None:
    for number in range(50):
        text = f"{memory(number).text} {memory(number + 1).text}"
        result = verify_text(text, [memory(number)])
        assert 0 <= result.scope <= 1
        assert 0 <= result.confidence <= 1
        assert all(text[g.start : g.end] == g.text for g in result.grounding)
        assert all(text[f.start : f.end] == f.value for f in facts(text))


def spent(index: Memories, texts: list[str]) -> float:
    verify_text(texts[0], index)
    took = []
    for text in texts:
        began = time.process_time()
        verify_text(text, index)
        took.append(time.process_time() - began)
    return statistics.median(took)


def test_time_grows_no_faster_than_memories() -> None:
    small, large = Memories(map(memory, range(200))), Memories(map(memory, range(2000)))
    texts = [f"{memory(n).text.rstrip('.')} in build {n}." for n in range(40)]
    other = [f"{t} Really." for t in texts]
    assert spent(large, other) < 10 * spent(small, texts)


def test_a_long_text_takes_time_in_proportion() -> None:
    index = Memories(map(memory, range(5)))
    short = " ".join(f"The {n}th mail port is {n}." for n in range(100))
    long = " ".join(f"The {n}th chat port is {n}." for n in range(1000))
    began = time.process_time()
    verify_text(short, index)
    middle = time.process_time()
    verify_text(long, index)
    assert time.process_time() - middle < 30 * (middle - began)


@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "a, " * 20_000, "(" * 20_000, "not " * 20_000, "x-" * 20_000, "1." * 20_000],
)
def test_hostile_text_ends(text: str) -> None:
    began = time.process_time()
    assert not verify_text(text, [Memory("a", "User works at Nokia")]).grounded
    assert time.process_time() - began < 20

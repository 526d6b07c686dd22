"""Duplicates: the exact index, what counts as one, what never does, and when it blocks."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from repos import NOTES, Files, Repo, page, stating

from grounded_ingest.statements.near_duplicates import jaccard, set_keys
from grounded_ingest.text.reading import read_text

SOURCE = "(`data/said.txt:1`)"
LONG = "The worker takes its next job from the queue table and marks it as taken"
FACT = f"{LONG} {SOURCE}."
PLAIN = f"{LONG}."
OTHERS = tuple(f"Statement number {w} stands alone in this file." for w in "abcdef")
OLD = "memory-bank/old.md"
CODE: Files = {"data/said.txt": stating(f"{LONG} now and then, today")}


@pytest.mark.parametrize("threshold", [0.5, 0.7, 0.8, 0.85, 0.9, 0.92, 0.95, 0.99, 1.0])
def test_every_pair_at_or_above_the_threshold_shares_a_key(threshold: float) -> None:
    rng = random.Random(threshold)
    vocabulary = [f"w{n}" for n in range(60)]
    for _ in range(400):
        one = set(rng.sample(vocabulary, rng.randint(1, 45)))
        other = set(one)
        for _ in range(rng.randint(0, 8)):
            other.symmetric_difference_update({rng.choice(vocabulary)})
        a, b = frozenset(one), frozenset(other)
        if b and jaccard(a, b) >= threshold:
            assert {*set_keys(a, threshold)} & {*set_keys(b, threshold)}, (a, b)


def test_keys_are_few_at_the_default_threshold() -> None:
    counts = [len({*set_keys(frozenset(f"w{i}" for i in range(n)), 0.92)}) for n in range(5, 24)]
    assert max(counts) <= 6
    assert sum(counts) / len(counts) < 3.5
    assert counts[0] == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The `Port` is (8443).", ("the", "port", "is", "8443")),
        ("C++ is not C", ("c++", "is", "not", "c")),
        ("1.5 and 15", ("1.5", "and", "15")),
        ("— … !", ()),
    ],
)
def test_words(text: str, words: tuple[str, ...]) -> None:
    assert read_text(text).words == words


def rules(repo: Repo, document: str = NOTES) -> list[str]:
    return [d.rule for d in repo.decisions() if d.place.path == document]


@pytest.mark.parametrize(
    ("landed", "claim", "document", "rule"),
    [
        ({OLD: page(FACT)}, FACT, NOTES, "duplicate"),
        ({OLD: page(FACT)}, f"{LONG.upper()} {SOURCE}.", NOTES, "duplicate"),
        ({OLD: page(PLAIN)}, PLAIN, NOTES, "repeat"),
        ({OLD: page(FACT)}, FACT, "docs/a.md", "cited"),
        ({OLD: page(FACT)}, f"{LONG.upper()} {SOURCE}.", "docs/a.md", "repeat"),
        ({"docs/a.md": page(FACT)}, FACT, NOTES, "repeat"),
        ({OLD: page(f"{LONG} today {SOURCE}.")}, FACT, NOTES, "duplicate"),
        ({OLD: page(f"{LONG} now and then {SOURCE}.")}, FACT, NOTES, "cited"),
        ({OLD: page("Ports are fixed here always.")}, "Ports are fixed here always.", NOTES, "repeat"),
        ({OLD: page("Ports are fixed here.")}, "Ports are fixed here.", NOTES, "ungrounded"),
        ({OLD: page("Ports are fixed here always.")}, "All ports are fixed here always.", NOTES,
         "ungrounded"),
        ({OLD: page(PLAIN, PLAIN), "memory-bank/b.md": page(PLAIN)}, PLAIN, NOTES, "ungrounded"),
        ({OLD: page(PLAIN, PLAIN)}, PLAIN, NOTES, "repeat"),
        ({"docs/a.md": page(PLAIN)}, f"{LONG} ([a](../docs/a.md)).", NOTES, "cited"),
        ({OLD: "# T\n\n| a | b |\n|---|---|\n| one two three four five | six |\n"},
         "| a | b |\n|---|---|\n| one two three four five | six |", NOTES, "repeat"),
        ({OLD: "# T\n\n| a | b |\n|---|---|\n| one two three four five seven | six |\n"},
         "| a | b |\n|---|---|\n| one two three four five eight | six |", NOTES, "ungrounded"),
    ],
)  # fmt: skip
def test_rule(tmp_path: Path, landed: Files, claim: str, document: str, rule: str) -> None:
    repo = Repo(tmp_path)
    repo.commit(CODE | landed)
    assert repo.judge(claim, document).rule == rule


def test_rows_of_one_table_never_repeat_each_other(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(CODE)
    row = "| one two three four five | six |\n"
    repo.stage({NOTES: f"# T\n\n| a | b |\n|---|---|\n{row}{row}"})
    assert rules(repo) == ["ungrounded", "ungrounded"]


def test_the_later_one_repeats_the_earlier_one(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(CODE)
    repo.stage({NOTES: page(PLAIN, "Another statement of no interest here.", PLAIN)})
    assert rules(repo) == ["ungrounded", "ungrounded", "repeat"]


def test_moved_text_repeats_nothing(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(CODE | {OLD: page(FACT, *OTHERS)})
    repo.stage({OLD: page(*OTHERS), NOTES: page(FACT)})
    assert rules(repo) == ["cited"]


def test_a_renamed_document_repeats_nothing(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(CODE | {OLD: page(FACT, *OTHERS)})
    repo.stage({OLD: None, NOTES: page(FACT, *OTHERS, "One more statement was added.")})
    assert rules(repo) == ["ungrounded"]


@pytest.mark.parametrize(("common", "repeats"), [(6, False), (4, True)])
def test_mirrors_are_found(tmp_path: Path, common: int, repeats: bool) -> None:
    repo = Repo(tmp_path)
    claims = [f"{word} {PLAIN.lower()}" for word in ("Ab", "Cd", "Ef", "Gh", "Ij", "Kl")]
    repo.commit({"memory-bank/a.md": page(*claims)})
    repo.stage({"memory-bank/b.md": page(*claims[:common])})
    assert ("repeat" in rules(repo, "memory-bank/b.md")) is repeats


def test_mirrors_are_configured(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    config = 'mirrors: [[".cursor/rules/*.md", ".kiro/steering/*.md"]]\n'
    repo.commit({".grounded-ingest.yaml": config, ".cursor/rules/a.md": page(PLAIN)})
    repo.stage({".kiro/steering/a.md": page(PLAIN)})
    assert rules(repo, ".kiro/steering/a.md") == ["ungrounded"]
    repo.stage({NOTES: page(PLAIN)})
    assert rules(repo) == ["repeat"]


def test_other_memory_types_are_apart(tmp_path: Path) -> None:
    import json

    repo = Repo(tmp_path)
    repo.commit({"memory/a.jsonl": json.dumps({"text": PLAIN, "memory_type": "semantic"}) + "\n"})
    for kind, rule in (("procedural", "ungrounded"), ("semantic", "repeat")):
        repo.stage({"memory/b.jsonl": json.dumps({"text": PLAIN, "memory_type": kind}) + "\n"})
        assert rules(repo, "memory/b.jsonl") == [rule]


def test_thousands_of_like_lines_take_no_long_time(tmp_path: Path) -> None:
    import time

    repo = Repo(tmp_path)
    lines = [f"Step {n} of the run is done without any error at all." for n in range(1_500)]
    repo.stage({NOTES: page(*([PLAIN] * 1_500), *lines)})
    started = time.monotonic()
    assert set(rules(repo)) <= {"ungrounded", "repeat", "contradiction"}
    assert time.monotonic() - started < 25

"""The exact duplicate self-join of a file of claims, with pairs planted that have to be found."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.join_process import EXACT_WORDS, NEAR_WORDS, SELF_JOIN, THRESHOLD
from benchmarks.prose import Prose
from benchmarks.rows import Budget, Row, exponent, megabytes, seconds
from benchmarks.setup import Setup
from benchmarks.timing import Command, Series, interleave, take
from benchmarks.tools import PROJECT

WALL, MEMORY, GROWTH, FOUND = Budget(30), Budget(1000), Budget(1.1), Budget(1, least=True)
BUDGETED, FEW = 1_000_000, 3
"""The size the budget speaks of, and how often it is run at most."""
UPPER = 10_000
Pair = tuple[int, int]


class Planted(NamedTuple):
    """Claims in a file; pairs that are duplicates, and pairs that are nearly some."""

    path: str
    pairs: frozenset[Pair]
    decoys: frozenset[Pair]


def run(setup: Setup) -> Iterator[Row]:
    if not os.path.exists(f"{PROJECT}/{SELF_JOIN.replace('.', '/')}.py"):
        what = f"self-join of {setup.join_sizes[-1]:,} claims"
        yield Row("join", what, "not built", "", float("nan"), " s", 0, WALL)
        return
    timed: dict[int, Series] = {}
    for size in setup.join_sizes:
        rounds = min(FEW, setup.rounds) if size >= BUDGETED else setup.rounds
        setup.say(f"self-join of {size:,} claims, {rounds} rounds")
        claims = plant(setup.prose(size), size, f"{setup.directory}/claims-{size}.txt")
        command = _process("join", claims.path)._replace(tree=True)
        timed[size] = interleave([command], rounds, warm=size < BUDGETED)["join"]
        yield from _rows(size, claims, timed[size])
        if size == setup.join_sizes[0]:
            yield _against_all(size, claims)
    upper = tuple(s for s in setup.join_sizes if s >= UPPER)
    for sizes in (upper, setup.join_sizes):
        if len(sizes) > 1:
            points = [(float(s), timed[s].wall) for s in sizes]
            what = f"exponent of the self-join, {sizes[0]:,} to {sizes[-1]:,} claims"
            fewest = min(len(timed[s].runs) for s in sizes)
            yield Row("join", what, "", "", exponent(points), "", fewest, GROWTH)


def _process(how: str, path: str) -> Command:
    argv = (sys.executable, "-m", "benchmarks.join_process", how, path, f"{path}.{how}")
    return Command(how, argv, PROJECT)


def _rows(size: int, claims: Planted, series: Series) -> Iterator[Row]:
    found = _pairs(f"{claims.path}.join", claims.pairs | claims.decoys)
    rounds, large = len(series.runs), size == BUDGETED
    what = f"self-join of {size:,} claims"
    took = f"{seconds(series.wall)}, {seconds(series.cpu)} CPU"
    yield Row("join", what, took, "", series.wall, " s", rounds, WALL if large else None)
    peak = megabytes(series.memory)
    yield Row("join", "memory of the same, all processes", f"{peak:.0f} MB", "", peak, " MB",
              rounds, MEMORY if large else None)  # fmt: skip
    kept, wrong = len(found & claims.pairs), len(found & claims.decoys)
    right = (kept - wrong) / len(claims.pairs)
    said = f"{kept} found, {wrong} of {len(claims.decoys)} decoys taken for pairs"
    yield Row("join", f"pairs planted in {size:,} claims", said, f"{len(claims.pairs)} planted",
              right, "", rounds, FOUND)  # fmt: skip


def _against_all(size: int, claims: Planted) -> Row:
    """The answer against every claim compared with every other."""
    take(_process("exact", claims.path))
    found, true = _pairs(f"{claims.path}.join"), _pairs(f"{claims.path}.exact")
    same = len(found & true) / len(found | true) if true else 0.0
    what = f"pairs of {size:,} claims, all compared one by one"
    return Row("join", what, f"{len(found)} pairs", f"{len(true)} pairs", same, "", 1, FOUND)


def _pairs(path: str, wanted: frozenset[Pair] = frozenset()) -> set[Pair]:
    """The pairs of a file, only the wanted ones where some are."""
    found = set()
    with open(path, encoding="ascii") as file:
        for line in file:
            one, other = line.split()
            pair = (int(one), int(other))
            if not wanted or pair in wanted:
                found.add(pair)
    return found


def plant(prose: Prose, size: int, path: str) -> Planted:
    """Claims that all differ, and at the end copies of one in a hundred of them: as they are,
    in another order, with a word more or less, or with others; some differ by too much."""
    copies: list[tuple[int, str, str]] = []
    originals = size - size // 100
    with open(path, "w", encoding="utf-8") as file:
        for number in range(originals):
            text = _claim(prose, number)
            file.write(f"{text}\n")
            if number % 99 == 0 and len(copies) < size - originals:
                copies.append((number, text, _copy(text, number // 99)))
        file.writelines(f"{copy}\n" for _, _, copy in copies)
    alike = {(n, originals + i): _alike(a, b) for i, (n, a, b) in enumerate(copies)}
    pairs = frozenset(pair for pair, same in alike.items() if same)
    return Planted(path, pairs, frozenset(alike.keys() - pairs))


def _claim(prose: Prose, number: int) -> str:
    """Now and then twice as long: a word for another passes from 24 distinct words on."""
    text = prose.sentence()
    return f"{text} {prose.sentence()}" if number % 3 == 0 else text


def _copy(text: str, kind: int) -> str:
    words = text.split()
    match kind % 6:
        case 0:
            return " ".join([*words[:-1], "replacement"])
        case 1:
            return text
        case 2:
            return " ".join(reversed(words))
        case 3:
            return f"{text} addition"
        case 4:
            return " ".join(words[1:])
        case _:
            return " ".join([*words[2:], "other", "words"])


def _alike(one: str, other: str) -> bool:
    """Whether two claims are duplicates, by sets of words made here and not by the product."""
    a, b = ({w.lower().strip(".,;'-") for w in text.split()} - {""} for text in (one, other))
    enough = EXACT_WORDS if a == b else NEAR_WORDS
    return min(len(a), len(b)) >= enough and len(a & b) >= THRESHOLD * len(a | b)

"""The full check of knowledge bases of growing size, without cache and network."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.full import WHOLE
from benchmarks.repository import check
from benchmarks.rows import Row, exponent, megabytes, seconds
from benchmarks.setup import Setup
from benchmarks.timing import Series, interleave

FEW, LARGE = 3, 100_000
"""Rounds for what takes long, and from how many claims on it does."""


def run(setup: Setup) -> Iterator[Row]:
    timed: dict[int, Series] = {}
    for size in setup.sizes:
        command = check(setup.repository(size).root, "full", *WHOLE)
        command = command._replace(tree=True)
        long = size >= LARGE
        rounds = min(FEW, setup.rounds) if long else setup.rounds
        setup.say(f"full check of {size:,} claims, {rounds} rounds")
        timed[size] = interleave([command], rounds, warm=not long)["full"]
    for size, series in timed.items():
        rate = size / series.cpu
        ours = f"{seconds(series.cpu)}, {megabytes(series.memory):.0f} MB"
        what = f"full check of {size:,} claims"
        yield Row("growth", what, ours, "", rate, " claims/s", len(series.runs))
    for name, sizes in (("", setup.sizes), ("the upper part, ", setup.sizes[1:])):
        if len(sizes) > 1:
            points = [(float(s), timed[s].cpu) for s in sizes]
            what = f"exponent of the full check, {name}{sizes[0]:,} to {sizes[-1]:,} claims"
            fewest = min(len(timed[s].runs) for s in sizes)
            yield Row("growth", what, "", "", exponent(points), "", fewest)

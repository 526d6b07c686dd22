"""Times `verify` against files of memories of growing size."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator

from benchmarks.rows import Budget, Row, seconds
from benchmarks.setup import Setup
from benchmarks.timing import Command, interleave
from benchmarks.tools import ours

BUDGETS = {10_000: Budget(10_000)}
"""Milliseconds of the whole process, which reads all memories each time."""
PER_FILE = 250_000
"""Memories of one file: a file has 64 MiB at most."""
ASKED = "The mail-7 service listens on port 8007 and is owned by the search team."
_PARTS = ("billing", "search", "mail", "orders", "stock", "media", "chat", "audit")


def run(setup: Setup) -> Iterator[Row]:
    for size in setup.sizes:
        yield from _of(size, setup)


def _of(size: int, setup: Setup) -> Iterator[Row]:
    root = os.path.join(setup.directory, f"memories-{size}")
    files = _write(root, size, setup)
    given = [option for file in files for option in ("--memories", file)]
    command = Command("ours", (*ours(), "verify", "--text", ASKED, *given), root, codes=(0, 1))
    setup.say(f"reading {size:,} memories, and verifying")
    series = interleave([command], setup.rounds)["ours"]
    took = f"{seconds(series.wall)}, {seconds(series.cpu)} CPU, {series.memory / 1e6:.0f} MB"
    what = f"verify against {size:,} memories"
    yield Row("verify", what, took, "", series.wall * 1e3, " ms",
              len(series.runs), BUDGETS.get(size))  # fmt: skip


def _write(root: str, size: int, setup: Setup) -> list[str]:
    """Files of memories: one in two states facts, the others are prose."""
    os.makedirs(root)
    prose, draw = setup.prose(3), random.Random(3)
    files = []
    for start in range(0, size, PER_FILE):
        files.append(f"{root}/memories-{start}.jsonl")
        with open(files[-1], "w", encoding="utf-8") as file:
            for number in range(start, min(size, start + PER_FILE)):
                text = prose.sentence() if number % 2 else _fact(number, draw)
                file.write(json.dumps({"id": number, "text": text, "trust": 0.9}) + "\n")
    return files


def _fact(number: int, draw: random.Random) -> str:
    name = f"{draw.choice(_PARTS)}-{number}"
    return draw.choice(
        (
            f"The {name} service listens on port {draw.randint(1000, 9999)}.",
            f"{name} has a timeout of {draw.randint(1, 90)} seconds.",
            f"The {name} module is owned by the {draw.choice(_PARTS)} team and written in Go.",
            f"Uploads to {name} are kept for {draw.randint(2, 99)} days.",
        )
    )

"""`recall` over knowledge bases of growing size that were judged before: a question, a process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from benchmarks.rows import Budget, Row, seconds
from benchmarks.setup import Setup
from benchmarks.timing import Command, interleave
from benchmarks.tools import PROJECT, ours

WORK, WHOLE = {100_000: Budget(50)}, {1_000_000: Budget(100)}
"""Milliseconds by claims: of a question, and with telling whether what is kept still holds."""
QUESTIONS = 40
"""Each of words of two claims of the store."""


def run(setup: Setup) -> Iterator[Row]:
    for size in setup.sizes:
        yield from _of(size, setup)


def _of(size: int, setup: Setup) -> Iterator[Row]:
    root = setup.repository(size).root
    setup.say(f"judging {size:,} claims for recall, and asking")
    argv = [sys.executable, "-m", "benchmarks.recall_process", root, str(QUESTIONS)]
    done = subprocess.run(argv, cwd=PROJECT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"recall: {done.stderr.strip()[-500:]}")
    found = json.loads(done.stdout)
    work, took, slowest = median(found["cpu"]), median(found["answers"]), max(found["answers"])
    what = f"recall over {size:,} claims, the work of a question (CPU)"
    said = f"{seconds(took)} wall, slowest of {QUESTIONS} {seconds(slowest)}"
    yield Row("recall", what, said, "", work * 1e3, " ms", QUESTIONS, WORK.get(size))
    told = median(found["states"])
    what = "whether what is kept still holds, of the same"
    yield Row("recall", what, seconds(told), "", told * 1e3, " ms", len(found["states"]))
    what, whole = "both, of the same", told + took
    yield Row("recall", what, seconds(whole), "", whole * 1e3, " ms", QUESTIONS, WHOLE.get(size))
    question = found["question"]
    command = Command("recall", (*ours(), "recall", question, "--pending"), root, codes=(0, 1))
    series = interleave([command], setup.rounds)["recall"]
    yield Row("recall", "the whole process of the same", seconds(series.wall), "",
              series.wall * 1e3, " ms", len(series.runs))  # fmt: skip

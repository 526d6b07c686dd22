"""Claims in which nothing is to be checked, as a reader says and as the product says.

A label names a claim of class `memory` that cites nothing, at a commit of a public repository, by
its digest, and what it is: `checkable`, or why there is nothing to check. Texts are not kept: the
clones given hold them. Halves are of repositories; the held one was read after the classifier was
written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.intervals import wilson
from benchmarks.quality.memory_types import Read, read_labelled
from grounded_ingest.report.as_json import pretty

LABELS = Path(__file__).parents[1] / "corpus/nothing-to-check.jsonl"
CHECKABLE = "checkable"


class NothingRun(Struct, frozen=True):
    """A run, as JSON shows it. `labelled` and `called`: claims with nothing to check, by the reader
    and by the product; `by_label` how many of each label are called so. `wrong` are places of
    checkable claims that are."""

    schema: str
    half: str
    repositories: int
    claims: int
    labelled: int
    called: int
    right: int
    precision: float
    interval: tuple[float, float]
    recall: float
    by_label: dict[str, tuple[int, int]]
    wrong: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def measured(labels: str, repos: str, half: str = "") -> NothingRun:
    """Compare the labels of a file with what the product says. Raises GroundedIngestError."""
    read, left_out = read_labelled(labels, repos, half)
    return _figures(read, half, left_out)


def _figures(read: Sequence[Read], half: str, left_out: Sequence[str]) -> NothingRun:
    called = [r for r in read if r.claim.nothing]
    right = sum(r.labelled.type != CHECKABLE for r in called)
    labelled = sum(r.labelled.type != CHECKABLE for r in read)
    low, high = wilson(right, len(called))
    every, so = (Counter(r.labelled.type for r in some) for some in (read, called))
    return NothingRun(
        "grounded-ingest/bench-nothing-to-check/1",
        half,
        len({r.labelled.repo for r in read}),
        len(read),
        labelled,
        len(called),
        right,
        round(right / max(1, len(called)), 4),
        (round(low, 4), round(high, 4)),
        round(right / max(1, labelled), 4),
        {name: (so[name], count) for name, count in every.most_common()},
        tuple(
            f"{r.labelled.repo}:{r.labelled.path}:{r.labelled.line}: {r.claim.nothing}"
            for r in called
            if r.labelled.type == CHECKABLE
        ),
        tuple(left_out),
    )


def as_json(run: NothingRun) -> str:
    return pretty(msgspec.to_builtins(run))


def as_text(run: NothingRun) -> str:
    low, high = run.interval
    rows = [f"{name:12} {so:4} of {count:4}" for name, (so, count) in run.by_label.items()]
    lines = [
        f"{run.half or 'all'}: {run.claims} claims of {run.repositories} repositories, "
        f"{run.labelled} with nothing to check",
        f"called so: {run.called}, right {run.right}: P {run.precision:.3f} "
        f"({low:.3f} to {high:.3f}), R {run.recall:.3f}",
        "",
        "label        called so",
        *rows,
        *(f"wrong: {place}" for place in run.wrong),
        *(f"left out: {what}" for what in run.left_out),
    ]
    return "\n".join(lines) + "\n"

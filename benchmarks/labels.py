"""Labelled places of public repositories: the one format of `benchmarks/corpus/*.jsonl`.

A label names a place at a commit and says what a reader found there. Texts are not kept: clones
hold them. `benchmarks/README.md` says who read what, and what each task asks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError

CORPUS = Path(__file__).parent / "corpus"

Task = Literal[
    "agreement", "lost-source", "memory-sentence", "memory-type", "memory-update", "mention",
    "nothing-to-check",
]  # fmt: skip


class Label(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One reading. `split`: labels that were read while rules were written are `open`.

    The place is `path` and `line`, or two places `one` and `other` as `path:line`. `id` is the
    claim's, `sha256` of the line with its whitespace folded. `kind`, `name` and `of` say what is
    mentioned, `what` what a commit took away. `old_*` is the line that a commit revised. `first`
    is the first reading if the second, which counts, differs. `set` names the draw. `tools` are the
    tools that reported the place when it was read; `reader` found it without a tool.
    """

    task: Task
    split: Literal["open", "held"]
    repo: str
    commit: str
    label: str
    path: str = ""
    line: int = 0
    one: str = ""
    other: str = ""
    id: str = ""
    sha256: str = ""
    kind: str = ""
    name: str = ""
    of: str = ""
    what: str = ""
    form: str = ""
    set: str = ""
    weight: int = 0
    first: bool | str | None = None
    first_weight: int | None = None
    old_path: str = ""
    old_line: int = 0
    old_sha256: str = ""
    tools: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        if self.path:
            return ((self.path, self.line),)
        parts = (place.rpartition(":") for place in (self.one, self.other))
        return tuple((path, int(line)) for path, _, line in parts)


def read_labels(corpus: Path = CORPUS) -> list[Label]:
    """Reads every label of a directory. Raises GroundedIngestError that names a broken line."""
    labels = []
    for file in sorted(corpus.glob("*.jsonl")):
        for number, line in enumerate(file.read_bytes().splitlines(), 1):
            try:
                labels.append(msgspec.json.decode(line, type=Label))
            except msgspec.MsgspecError as error:
                raise GroundedIngestError(f"{file}:{number}: {error}") from None
    return labels


def clone_of(repo: str, clones: str) -> str:
    """Returns the clone of `owner/name` below a directory, empty if there is none."""
    for place in (f"{clones}/{repo.replace('/', '+')}", f"{clones}/{repo}"):
        for clone in (place, f"{place}/repo"):
            if any(os.path.exists(f"{clone}/{inside}") for inside in (".git", "HEAD")):
                return clone
    return ""


def fingerprint(line: str) -> str:
    """Returns the SHA-256 of a line, its whitespace folded."""
    return sha256(" ".join(line.split()).encode()).hexdigest()


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """Returns the 95% interval of a share (Wilson, 1927)."""
    if not trials:
        return 0.0, 1.0
    z, rate = 1.959964, hits / trials
    centre = rate + z * z / (2 * trials)
    spread = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def by_commit(labels: list[Label]) -> Iterator[tuple[tuple[str, str], list[Label]]]:
    """Yields labels grouped by repository and commit, in their order."""
    groups: dict[tuple[str, str], list[Label]] = {}
    for label in labels:
        groups.setdefault((label.repo, label.commit), []).append(label)
    yield from groups.items()

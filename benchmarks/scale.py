"""Large repositories: claims from one template, and a long history with many files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import count

from benchmarks.full import WHOLE
from benchmarks.hook import HOOK, stage
from benchmarks.prose import Prose
from benchmarks.repository import Repository, check, documents, git
from benchmarks.rows import Budget, Row, megabytes, seconds
from benchmarks.setup import Setup
from benchmarks.timing import interleave

FEW = 3
TEMPLATED, LARGER = Budget(10), Budget(1.5)


class Template(Prose):
    """Sentences that differ only in their numbers."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def sentence(self) -> str:
        n = next(self._numbers)
        return f"Service {n} of the gateway listens on port {n % 60_000} in region {n % 9}."


def run(setup: Setup) -> Iterator[Row]:
    yield from _templated(setup)
    yield from _many_files(setup)


def _templated(setup: Setup) -> Iterator[Row]:
    size = 50 * setup.sizes[0]
    root = os.path.join(setup.directory, "templated")
    os.makedirs(root)
    git(root, "init", "-q", "-b", "main", "--template=")
    for path, text in documents(size, Template()):
        os.makedirs(os.path.dirname(f"{root}/{path}"), exist_ok=True)
        with open(f"{root}/{path}", "w", encoding="utf-8") as file:
            file.write(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Write documents")
    setup.say(f"full check of {size:,} claims from one template")
    timed = interleave([check(root, "full", *WHOLE)], 1, warm=False)["full"]
    ours = f"{seconds(timed.cpu)} CPU, {megabytes(timed.memory):.0f} MB"
    what = f"full check of {size:,} claims from one template"
    yield Row("scale", what, ours, "", timed.cpu, " s", len(timed.runs), TEMPLATED)


def _many_files(setup: Setup) -> Iterator[Row]:
    """The hook in two repositories with the same documents, one with many more files."""
    few, many = setup.sizes[0] // 10, 100 * setup.sizes[0]
    commands = []
    for files in (few, many):
        setup.say(f"building a repository of {files // 2:,} commits and {files:,} files")
        root = os.path.join(setup.directory, f"files-{files}")
        repository = Repository(root, setup.sizes[0], setup.prose(files), files=files)
        prepare = partial(stage, repository, setup.claims)
        commands += [
            check(root, f"first {files}", *HOOK)._replace(prepare=prepare),
            check(root, f"again {files}", *HOOK),
        ]
    timed = interleave(commands, min(FEW, setup.rounds))
    for way in ("first", "again"):
        small, large = timed[f"{way} {few}"], timed[f"{way} {many}"]
        what = f"hook, {way}, {many // 2:,} commits and {many:,} files"
        to = f"{seconds(small.cpu)} with {few:,} files"
        ratio = large.cpu / small.cpu
        yield Row("scale", what, seconds(large.cpu), to, ratio, "x", len(large.runs), LARGER)

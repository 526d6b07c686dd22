"""Throughput on a documentation tree, beside linters of prose on the same files."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from shutil import ignore_patterns

from benchmarks.prose import markdown_files
from benchmarks.repository import check, git
from benchmarks.rows import Budget, Row, megabytes, seconds
from benchmarks.setup import Setup
from benchmarks.timing import Command, interleave, said
from benchmarks.tools import FINDS, PROJECT, call, find

FASTER = Budget(5, least=True)
WHOLE = ("--all", "--no-cache", "--fail-on", "never")
"""Copies with other words may say anything: what they are taken for does not matter here."""
OTHERS = ("proselint", "typos", "codespell")


def run(setup: Setup) -> Iterator[Row]:
    """MB/s of the whole check against theirs."""
    root = os.path.join(setup.directory, "documentation")
    files = _copy(setup, root)
    size = sum(os.path.getsize(f) for f in files) / 1e6
    _confirm(root, files)
    commands = [check(root, "ours", *WHOLE)._replace(tree=True)]
    commands += [
        Command(name, call(name, files), root, None, FINDS[name]) for name in OTHERS if find(name)
    ]
    setup.say(f"full check of {len(files)} documents, {size:.2f} MB, {setup.rounds} rounds")
    timed = interleave(commands, setup.rounds)
    ours = timed["ours"]
    rate = f"{size / ours.wall:.3g} MB/s, {seconds(ours.cpu)} CPU"
    what = f"throughput on {len(files)} documents, {size:.2f} MB, no network, no cache"
    for name in OTHERS:
        budget = FASTER if name == "proselint" else None
        if name not in timed:
            yield Row("full", what, rate, f"{name}: not installed", float("nan"), "x", 0, budget)
            continue
        theirs = timed[name]
        to = f"{size / theirs.wall:.3g} MB/s, {seconds(theirs.cpu)} CPU {name}"
        yield Row("full", what, rate, to, theirs.wall / ours.wall, "x", setup.rounds, budget)
    peak = megabytes(ours.memory)
    yield Row("full", "peak memory", f"{peak:.0f} MB", "", peak, " MB", setup.rounds)


def _confirm(root: str, files: list[str]) -> None:
    """That our check reads the same files. Raises RuntimeError."""
    command = check(
        root, "ours", "--all", "--no-cache", "--fail-on", "never", "--output-format", "json"
    )
    read = json.loads(said(command))["summary"]["documents"]
    if read != len(files):
        raise RuntimeError(f"{read} of {len(files)} files are documents; leave the others out")


def _copy(setup: Setup, root: str) -> list[str]:
    """A repository of the user's tree, or of copies of our own with other words in each."""
    source = os.path.abspath(setup.tree) if setup.tree else f"{PROJECT}/docs"
    prose = setup.prose(1)
    found = []
    for number in range(1 if setup.tree else setup.copies):
        for path in markdown_files(source):
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
            place = f"{root}/docs/tree-{number}/{os.path.relpath(path, source)}"
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                file.write(text if setup.tree else prose.page(text))
            found.append(place)
    if not found:
        raise RuntimeError(f"{source}: no Markdown below it")
    if not setup.tree:  # what the pages cite
        cited = f"{root}/grounded_ingest"
        shutil.copytree(f"{PROJECT}/grounded_ingest", cited, ignore=ignore_patterns("__pycache__"))
    git(root, "init", "-q", "-b", "main", "--template=")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Write documentation")
    return found

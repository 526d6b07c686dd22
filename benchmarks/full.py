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
from benchmarks.timing import Command, Series, interleave, said
from benchmarks.tools import PROJECT, TOOLS, call, runs

FASTER = Budget(1, least=True)
WHOLE = ("--all", "--no-cache", "--fail-on", "never")
SLOW = ("docs-drift",)
"""Takes a minute, and is run once, beside ours."""
LEFT_BEHIND = ".docs-drift"
"""What a tool keeps in the directory: it starts without, and no other tool reads it."""


def run(setup: Setup) -> Iterator[Row]:
    """MB/s of the whole check against theirs."""
    root = os.path.join(setup.directory, "documentation")
    files = _copy(setup, root)
    size = sum(os.path.getsize(f) for f in files) / 1e6
    _confirm(root, files)
    ours = check(root, "ours", *WHOLE)._replace(tree=True)
    others = [_other(name, files, root) for name in TOOLS if runs(name)]
    setup.say(f"full check of {len(files)} documents, {size:.2f} MB, {setup.rounds} rounds")
    timed = interleave([ours, *(c for c in others if c.name not in SLOW)], setup.rounds)
    slow = [c for c in others if c.name in SLOW]
    seldom = interleave([ours, *slow], 1, warm=False) if slow else {}
    for name in (other.name for other in others):
        yield _row(name, size, len(files), seldom if name in SLOW else timed)
    mine = timed["ours"]
    peak = megabytes(mine.memory)
    yield Row("full", "peak memory", f"{peak:.0f} MB", "", peak, " MB", setup.rounds)


def _other(name: str, files: list[str], root: str) -> Command:
    def prepare(_: int) -> None:
        shutil.rmtree(f"{root}/{LEFT_BEHIND}", ignore_errors=True)

    return Command(name, call(name, files), root, prepare, TOOLS[name].codes)


def _row(name: str, size: float, documents: int, timed: dict[str, Series]) -> Row:
    what = f"throughput on {documents} documents, {size:.2f} MB, no network, no cache"
    budget = FASTER if name == "proselint" else None
    ours, theirs = timed["ours"], timed[name]
    rate = f"{size / ours.wall:.3g} MB/s, {seconds(ours.cpu)} CPU"
    # What reads a directory chooses its files: its megabytes are not these.
    took = seconds(theirs.wall) if TOOLS[name].whole else f"{size / theirs.wall:.3g} MB/s"
    to = f"{took}, {seconds(theirs.cpu)} CPU {name}"
    return Row("full", what, rate, to, theirs.wall / ours.wall, "x", len(theirs.runs), budget)


def _confirm(root: str, files: list[str]) -> None:
    """That our check reads the same files. Raises RuntimeError."""
    command = check(
        root, "ours", "--all", "--no-cache", "--fail-on", "never", "--output-format", "json"
    )
    read = json.loads(said(command))["summary"]["documents"]
    if read != len(files):
        raise RuntimeError(f"{read} of {len(files)} files are documents; leave the others out")


def _copy(setup: Setup, root: str) -> list[str]:
    """A repository of the user's tree, or of our own pages with the code that they cite."""
    source = os.path.abspath(setup.tree) if setup.tree else f"{PROJECT}/docs"
    found = []
    for path in markdown_files(source):
        place = f"{root}/docs/{os.path.relpath(path, source)}"
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(path, place)
        found.append(place)
    if not found:
        raise RuntimeError(f"{source}: no Markdown below it")
    if not setup.tree:  # what the pages cite
        cited = f"{root}/grounded_ingest"
        shutil.copytree(f"{PROJECT}/grounded_ingest", cited, ignore=ignore_patterns("__pycache__"))
    git(root, "init", "-q", "-b", "main", "--template=")
    os.makedirs(f"{root}/.git/info", exist_ok=True)
    with open(f"{root}/.git/info/exclude", "w", encoding="utf-8") as file:
        file.write(f"{LEFT_BEHIND}/\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Write documentation")
    return found

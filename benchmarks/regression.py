"""Whether this checkout takes more CPU than a commit before it, both run in turns.

Each version works in its own clone of the same repository, as each drops what the other kept.
"""

from __future__ import annotations

import compileall
import io
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from benchmarks.prose import Prose, project_pages
from benchmarks.repository import Repository, check
from benchmarks.timing import Command, environment, take
from benchmarks.tools import PROJECT

ALLOWED = 1.25
"""Times the CPU of before."""
CLAIMS, NEW, ROUNDS = 1_000, 150, 7
KEPT = f"{PROJECT}/benchmarks/regression-base.txt"
"""The commit that is compared with where none is named: moved by hand, so that many small losses
cannot hide behind each other."""
_PACKAGE = "grounded_ingest"
_HOOK = ("--staged", "--write")
_Say = Callable[[str], None]


class NoBaseError(Exception):
    """The commit to compare with is not in this checkout, or does not run here."""


class Change(NamedTuple):
    """Median CPU seconds of one scenario before and now, all processes counted."""

    scenario: str
    before: float
    now: float

    @property
    def ratio(self) -> float:
        return self.now / self.before

    def __str__(self) -> str:
        took = f"{self.before * 1e3:.0f} ms before, {self.now * 1e3:.0f} ms now"
        return f"{self.scenario}: {self.ratio:.2f}x of the CPU ({took})"


def base_of(named: str) -> str:
    """The commit that is named, else the kept one. Raises NoBaseError where it is not here."""
    if not named:
        with open(KEPT, encoding="ascii") as file:
            named = file.readline().split()[0]
    command = ["git", "-C", PROJECT, "rev-parse", "--verify", "--quiet", f"{named}^{{commit}}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoBaseError(f"{named} is not in this checkout (shallow, or no checkout at all?)")
    return done.stdout.strip()


def extract(commit: str, place: str) -> str:
    """The package as a commit has it, below `place`, compiled. Raises NoBaseError."""
    done = subprocess.run(
        ["git", "-C", PROJECT, "archive", commit, "--", _PACKAGE], capture_output=True, check=False
    )
    if done.returncode:
        raise NoBaseError(f"{commit} has no {_PACKAGE}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(place, filter="data")
    return _compiled(place)


def copy(place: str) -> str:
    """The package as this checkout has it, below `place`, compiled."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(f"{PROJECT}/{_PACKAGE}", f"{place}/{_PACKAGE}", ignore=ignored)
    return _compiled(place)


def _compiled(place: str) -> str:
    compileall.compile_dir(place, quiet=2)
    return place


def compare(
    before: str, now: str, directory: str, say: _Say = lambda _: None, rounds: int = ROUNDS
) -> list[Change]:
    """Every scenario of the package below `before` and of the one below `now`. What seems slower
    than allowed is measured again, and the better of both counts: noise does not come twice.
    Raises NoBaseError where the one before does not run."""
    versions = [_scenarios(before, f"{directory}/before"), _scenarios(now, f"{directory}/now")]
    changes = _measured(versions, rounds)
    if any(change.ratio > ALLOWED for change in changes):
        for change in changes:
            say(f"{change}")
        say("measuring again")
        changes = [
            min(both, key=lambda change: change.ratio)
            for both in zip(changes, _measured(versions, rounds), strict=True)
        ]
    return changes


def _scenarios(tree: str, root: str) -> list[Command]:
    """The check of a change, again with nothing changed, and of everything with nothing kept."""
    program = ("env", f"PYTHONPATH={tree}", sys.executable, "-m", _PACKAGE)
    given = {"cwd": tree, "env": environment(), "capture_output": True, "text": True}
    done = subprocess.run([*program, "--version"], check=False, **given)  # type: ignore[call-overload]
    if done.returncode:
        raise NoBaseError(f"it does not run here: {done.stderr.strip()[-300:]}")
    repository = Repository(root, CLAIMS, Prose(project_pages(PROJECT), CLAIMS), program)
    stage = partial(_stage, repository)
    return [
        check(root, "hook, a change", *_HOOK, program=program)._replace(prepare=stage),
        check(root, "hook, again", *_HOOK, program=program),
        check(root, "full check", "--all", "--no-cache", program=program),
    ]


def _stage(repository: Repository, number: int) -> None:
    repository.stage(number, NEW)


def _measured(versions: Sequence[Sequence[Command]], rounds: int) -> list[Change]:
    """In turns, who begins changing from round to round; the first round does not count."""
    taken: list[list[list[float]]] = [[[] for _ in commands] for commands in versions]
    for number in range(rounds + 1):
        for scenario in range(len(versions[0])):
            for version in (0, 1) if number % 2 else (1, 0):
                command = versions[version][scenario]
                if command.prepare is not None:
                    command.prepare(number)
                cpu = take(command).cpu
                if number:
                    taken[version][scenario].append(cpu)
    before, now = ([statistics.median(runs) for runs in of] for of in taken)
    names = [command.name for command in versions[0]]
    return [Change(*row) for row in zip(names, before, now, strict=True)]


def run(named: str, say: _Say, rounds: int = ROUNDS) -> int:
    """Exit code: 0 no scenario takes more than allowed, 1 one does, 3 nothing to compare with."""
    try:
        base = base_of(named)
        say(f"this checkout beside {base[:10]}, {rounds} rounds")
        with tempfile.TemporaryDirectory(prefix="regression-") as place:
            before = extract(base, os.path.join(place, "tree-before"))
            now = copy(os.path.join(place, "tree-now"))
            changes = compare(before, now, place, say, rounds)
    except NoBaseError as error:
        say(f"not compared: {error}")
        return 3
    for change in changes:
        print(change)
    slower = [change.scenario for change in changes if change.ratio > ALLOWED]
    if slower:
        say(f"slower than {ALLOWED}x: {', '.join(slower)}")
    return int(bool(slower))

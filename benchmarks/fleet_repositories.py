"""A fleet of real repositories at different commits: time, memory, growth of a whole run.

    python -m benchmarks.fleet_repositories 10 100 1000 --clones LIST

LIST has a git directory a line. Each is in the fleet as often as it takes, at commits spread evenly
over its first parents, its objects shared: a fleet of a thousand is made in seconds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from benchmarks.rows import exponent, megabytes
from benchmarks.timing import Command, Taken, take
from benchmarks.tools import PROJECT

_CONFIG = '[core]\nbare = true\n[remote "origin"]\nurl = https://forge.example/{}.git'


class Fleet(NamedTuple):
    """What a run was over, and what it took."""

    repositories: int
    claims: int
    taken: Taken


def make_fleet(out: str, clones: Sequence[str], size: int) -> None:
    """`size` bare repositories below `out`."""
    each = -(-size // len(clones))
    histories = [_spread(_commits(clone), each) for clone in clones]
    made = 0
    for turn in range(each):
        for number, commits in enumerate(histories):
            if made < size and turn < len(commits):
                _at(f"{out}/r{number}/c{turn}", clones[number], commits[turn])
                made += 1
    if made < size:
        raise SystemExit(f"{len(clones)} clones have commits for {made} repositories only")


def _commits(clone: str) -> list[str]:
    command = ["git", "-C", clone, "rev-list", "--first-parent", "HEAD"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def _spread(commits: Sequence[str], wanted: int) -> list[str]:
    """So many of them, the newest first, at equal distances."""
    step = max(1, len(commits) // wanted)
    return [*islice(commits, 0, None, step)][:wanted]


def _at(directory: str, clone: str, commit: str) -> None:
    """A bare repository that shares a clone's objects and has this commit as its head."""
    os.makedirs(f"{directory}/objects/info")
    os.makedirs(f"{directory}/refs")
    name = "/".join(directory.rsplit("/", 2)[1:])
    for path, text in (
        ("HEAD", commit),
        ("config", _CONFIG.format(name)),
        ("objects/info/alternates", os.path.abspath(f"{clone}/objects")),
    ):
        with open(f"{directory}/{path}", "w", encoding="utf-8") as file:
            file.write(f"{text}\n")


def _measured(size: int, clones: Sequence[str], directory: str, workers: str) -> Fleet:
    fleet, out = f"{directory}/{size}", f"{directory}/{size}.out"
    make_fleet(fleet, clones, size)
    run = (sys.executable, "-m", "grounded_ingest", "fleet", "--workers", workers)
    argv = (*run, "--directory", fleet, "--out", out)
    taken = take(Command("fleet", argv, PROJECT, codes=(0, 1), tree=True))
    claims = _claims(out)
    shutil.rmtree(fleet)
    shutil.rmtree(out)
    return Fleet(size, claims, taken)


def _claims(out: str) -> int:
    from grounded_ingest.fleet.queries import answer_query

    [(failed, claims)] = answer_query(
        out,
        "SELECT count(*) FILTER (state NOT IN ('ok', 'empty')), sum(claims) FROM repositories",
        {},
    ).rows
    if failed:
        raise SystemExit(f"{failed} repositories failed")
    return int(claims)


def _told(fleets: Sequence[Fleet]) -> Iterator[str]:
    for one, other in pairwise(fleets):
        by_size = [(float(f.repositories), f.taken.cpu) for f in (one, other)]
        by_claims = [(float(f.claims), f.taken.cpu) for f in (one, other)]
        yield (
            f"exponent of CPU from {one.repositories:,}: {exponent(by_size):.2f} of repositories,"
            f" {exponent(by_claims):.2f} of claims"
        )


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--clones", required=True)
    parser.add_argument("--workers", default="2")
    given = parser.parse_args()
    with open(given.clones, encoding="utf-8") as file:
        clones = file.read().split()
    fleets = []
    with tempfile.TemporaryDirectory() as directory:
        for size in given.sizes:
            fleets.append(found := _measured(size, clones, directory, given.workers))
            taken = found.taken
            print(
                f"{size:>6,} repositories {found.claims:>9,} claims {taken.wall:8.1f} s"
                f" {taken.cpu:8.1f} s CPU {megabytes(taken.memory):6.0f} MB",
                flush=True,
            )
    print("\n".join(_told(fleets)))


if __name__ == "__main__":
    main()

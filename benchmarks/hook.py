"""The hook at a commit: three changed documents of agent memory in knowledge bases of all sizes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial

from benchmarks.repository import CHANGED, Repository, check
from benchmarks.rows import Budget, Row, exponent, megabytes, seconds
from benchmarks.setup import Setup
from benchmarks.timing import Command, Series, interleave, python
from benchmarks.tools import OF_PROSE, TOOLS, call, runs

PASS = "`python -c pass`"
WALL, LARGER, CPU, MEMORY = Budget(10), Budget(1.15), Budget(1), Budget(80)
COLD_ROUNDS = 3
HOOK = ("--staged", "--write")
Timed = dict[str, Series]


def run(setup: Setup) -> Iterator[Row]:
    """First check of a change and check of what did not change since, for every size of base."""
    repositories = {size: setup.repository(size) for size in setup.sizes}
    reference = repositories[setup.reference]
    commands = [python(reference.root)]
    for size, repository in repositories.items():
        prepare = partial(stage, repository, setup.claims)
        commands.append(check(repository.root, f"first {size}", *HOOK)._replace(prepare=prepare))
        commands.append(check(repository.root, f"again {size}", *HOOK))
    files = [f"{reference.root}/{path}" for path in CHANGED]
    commands += [
        Command(name, call(name, files), reference.root, None, TOOLS[name].codes)
        for name in OF_PROSE
        if runs(name)
    ]
    setup.say(f"the hook, {setup.rounds} rounds of {len(commands)} commands")
    timed = interleave(commands, setup.rounds)
    yield from _reference_rows(setup, timed)
    yield from _larger_rows(setup, timed)
    yield from _beside(setup, timed)
    for size, repository in repositories.items():
        yield from _cold(setup, size, repository, timed)
    yield from _memory(setup, timed)


def stage(repository: Repository, claims: int, number: int) -> None:
    """Stages a change, as a preparation of a timed command."""
    repository.stage(number, claims)


def _stage_cold(repository: Repository, claims: int, number: int) -> None:
    repository.stage(number, claims)
    shutil.rmtree(repository.cache)


def _base(size: int) -> str:
    return f"{size:,} claims in the base"


def _ratio(what: str, ours: Series, theirs: Series, budget: Budget | None) -> Row:
    """A row of wall time against `python -c pass`."""
    to = f"{seconds(theirs.wall)} {PASS}"
    ratio = ours.wall / theirs.wall
    return Row("hook", what, seconds(ours.wall), to, ratio, "x", len(ours.runs), budget)


def _reference_rows(setup: Setup, timed: Timed) -> Iterator[Row]:
    start, size = timed["python -c pass"], setup.reference
    first, again = timed[f"first {size}"], timed[f"again {size}"]
    what = f"first check of {setup.claims} new claims in 3 documents, {_base(size)}"
    yield _ratio(what, first, start, WALL)
    yield _ratio("the same again, nothing changed since", again, start, WALL)


def _larger_rows(setup: Setup, timed: Timed) -> Iterator[Row]:
    for way, what in (("first", "first check"), ("again", "again, nothing changed since")):
        one = timed[f"{way} {setup.reference}"]
        for size in (s for s in setup.sizes if s > setup.reference):
            other = timed[f"{way} {size}"]
            to = f"{seconds(one.wall)} with {setup.reference:,}"
            ratio = other.wall / one.wall
            yield Row(
                f"hook-{size // 1000}k" if size >= 1000 else "hook-larger",
                f"{what}, {_base(size)}",
                seconds(other.wall),
                to,
                ratio,
                "x",
                setup.rounds,
                LARGER if size <= 10 * setup.reference else None,
            )
        points = [(float(s), timed[f"{way} {s}"].wall) for s in setup.sizes]
        sizes = f"{setup.sizes[0]:,} to {setup.sizes[-1]:,}"
        took = " / ".join(seconds(y) for _, y in points)
        yield Row("hook", f"growth of {what}, {sizes} claims", took, "", exponent(points), "",
                  setup.rounds)  # fmt: skip


def _beside(setup: Setup, timed: Timed) -> Iterator[Row]:
    """Beside linters of prose on the same three files."""
    own = timed[f"first {setup.reference}"]
    for name in (n for n in OF_PROSE if n in timed):
        theirs = timed[name]
        for what, a, b in (("CPU", own.cpu, theirs.cpu), ("wall", own.wall, theirs.wall)):
            budget = CPU if (name, what) == ("proselint", "CPU") else None
            said = f"{what}, first check, beside {name} on the three files"
            to = f"{seconds(b)} {name}"
            yield Row("hook", said, seconds(a), to, a / b, "x", setup.rounds, budget)


def _cold(setup: Setup, size: int, repository: Repository, timed: Timed) -> Iterator[Row]:
    """The first run in a clone: nothing is indexed. The warm-up is left out, so that it is timed
    seldom enough for the largest."""
    setup.say(f"the hook without its index, {_base(size)}")
    stage = partial(_stage_cold, repository, setup.claims)
    command = check(repository.root, "cold", *HOOK)._replace(prepare=stage)
    cold = interleave([command], min(COLD_ROUNDS, setup.rounds), warm=False)["cold"]
    what = f"cold: index deleted, {_base(size)}"
    yield _ratio(what, cold, timed["python -c pass"], None)
    yield _peak(f"cold: index deleted, {_base(size)}", cold)


def _memory(setup: Setup, timed: Timed) -> Iterator[Row]:
    for size in setup.sizes:
        both = Series([*timed[f"first {size}"].runs, *timed[f"again {size}"].runs])
        yield _peak(_base(size), both)


def _peak(what: str, series: Series) -> Row:
    peak = megabytes(series.memory)
    return Row("memory", f"peak of a hook run, {what}", f"{peak:.0f} MB", "", peak, " MB",
               len(series.runs), MEMORY)  # fmt: skip

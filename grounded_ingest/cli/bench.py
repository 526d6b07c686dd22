"""`grounded-ingest bench`: the promise as figures, on any repository."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO

import click

from grounded_ingest.bench import replay as bench
from grounded_ingest.cli import (
    bench_contamination,
    bench_grounding,
    bench_locomo,
    bench_memory,
    bench_recall,
    bench_support,
    bench_types,
    contradicting,
)
from grounded_ingest.cli.terminal import done, emit
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git import Repo

if TYPE_CHECKING:
    from grounded_ingest.bench.friction_figures import FrictionRun
    from grounded_ingest.bench.writeback import Bench, Trial


@click.group()
def command() -> None:
    """Measure the promise on a repository, or grounding on labelled examples."""


def _emit(figures: ModuleType, run: object, form: str) -> None:
    """A run as the figures of its kind write it: `as_text`, `as_json`, `as_markdown`."""
    emit(getattr(figures, f"as_{form}")(run), exact=form == "json")


@command.command("writeback")
@click.option(
    "--repo",
    type=click.Path(exists=True, file_okay=False),
    help="The repository; one that is built for it if nothing is said.",
)
@click.option("--seed", default=0, help="Which trials are drawn.")
@click.option(
    "--n", default=30, type=click.IntRange(min=1), help="Trials of each mutation, at most."
)
@click.option("--trial", default="", metavar="ID", help="Show one trial of a former run.")
@click.option(
    "--output-format", "form", default="text", type=click.Choice(["text", "json", "markdown"])
)
def writeback(repo: str | None, seed: int, n: int, trial: str, form: str) -> None:
    """Plant falsehoods in a clone and count those that come out approved, or unseen.

    What agents read and nobody judged counts as written back. The repository itself is left alone.
    """
    from grounded_ingest.bench import figures
    from grounded_ingest.bench.friction import friction
    from grounded_ingest.bench.pages import Pages
    from grounded_ingest.bench.shipped import build
    from grounded_ingest.bench.workshop import Workshop
    from grounded_ingest.bench.writeback import Bench

    with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory, Pages() as pages:
        shipped = None if repo else build(directory)
        shop = Workshop(shipped.root if shipped else repo or ".", directory)
        bench = Bench(shop, pages)
        if trial:
            shown = bench.reproduce(seed, trial)
            text = figures.shown_as_text(shown)
            emit(figures.shown_as_json(shown) if form == "json" else text, exact=form == "json")
            return
        result = figures.gathered(
            _tried(bench, seed, n),
            repository=_name(repo) if repo else "shipped",
            revision=shop.head,
            seed=seed,
            n=n,
            friction=friction(shipped) if shipped else None,
        )
    _emit(figures, result, form)


@command.command("friction")
@click.option(
    "--references",
    type=click.Path(exists=True, dir_okay=False),
    help="Claims of real repositories, read and found true; the built one's if nothing is said.",
)
@click.option(
    "--repos",
    type=click.Path(exists=True, file_okay=False),
    help="Where their clones are, as owner+name or owner/name.",
)
@click.option(
    "--output-format", "form", default="text", type=click.Choice(["text", "json", "markdown"])
)
def friction(references: str | None, repos: str | None, form: str) -> None:
    """Count true claims, truly cited, that are not approved. Clones are only read."""
    from grounded_ingest.bench import friction_figures as figures

    if (references is None) != (repos is None):
        raise GroundedIngestError("--references and --repos go together")
    run = _of_references(references, repos) if references and repos else _of_shipped()
    _emit(figures, run, form)


def _of_references(path: str, repos: str) -> FrictionRun:
    from grounded_ingest.bench.friction_figures import of_references
    from grounded_ingest.bench.references import judged, read_references

    with _progress() as say:
        outcome = judged(read_references(path), repos, say)
    return of_references(outcome, os.path.basename(path))


def _of_shipped() -> FrictionRun:
    from grounded_ingest.bench.friction import friction
    from grounded_ingest.bench.friction_figures import of_shipped
    from grounded_ingest.bench.shipped import build

    with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory:
        return of_shipped(friction(build(directory)))


def _name(repo: str) -> str:
    return os.path.basename(os.path.realpath(repo))


def _tried(bench: Bench, seed: int, each: int) -> list[Trial]:
    from grounded_ingest.bench.mutations import MUTATIONS

    trials, names = [], list(MUTATIONS)
    with _progress() as say:
        for trial in bench.trials(seed, each):
            trials.append(trial)
            so_far = sum(t.mutation == trial.mutation for t in trials) / each
            say((names.index(trial.mutation) + so_far) / len(names), f"{len(trials)} trials")
    return trials


class _Progress:
    """A line on stderr that says how far it is and how long it takes, on a terminal alone."""

    def __init__(self) -> None:
        self.began = time.monotonic()

    def __call__(self, share: float, what: str) -> None:
        if sys.stderr.isatty():
            left = (time.monotonic() - self.began) * (1 - share) / share
            sys.stderr.write(f"\r\033[K{what}, {100 * share:.0f}%, {left:.0f} s left\r")


@contextmanager
def _progress() -> Iterator[_Progress]:
    try:
        yield _Progress()
    finally:
        done()


@command.command("replay")
@click.option(
    "--repo",
    default=".",
    type=click.Path(exists=True, file_okay=False),
    help="The repository.",
)
@click.option("--since", default="", metavar="REF", help="Leave out REF and what it reaches.")
@click.option("--max", "limit", default=200, type=click.IntRange(min=1), help="Commits at most.")
@click.option(
    "--state", type=click.Path(dir_okay=False), help="Keep results here and go on from them."
)
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
@click.option("--reviewed", is_flag=True, help="List what waits for review, too.")
def replay(repo: str, since: str, limit: int, state: str | None, form: str, reviewed: bool) -> None:
    """Walk history commit by commit as the hook would have seen it, network left alone.

    Counts commits that touch documents; merges and the first commit are left out.
    """
    rows = _former(state)
    finished = frozenset(r.commit for r in rows)
    with Repo(repo, own=repo == ".") as opened, _kept(state) as kept, _progress() as say:
        todo = [c for c in bench.commits(opened, since=since, limit=limit) if c[0] not in finished]
        for number, commit in enumerate(todo, 1):
            row = bench.replayed(opened, *commit)
            rows.append(row)
            if kept:
                kept.write(f"{bench.encode(row)}\n".encode())
                kept.flush()
            say(number / len(todo), f"{number}/{len(todo)} commits")
    emit(bench.as_json(rows) if form == "json" else bench.as_text(rows, reviewed))


def _former(state: str | None) -> list[bench.Replayed]:
    """Results of an interrupted run; a last line that was cut off is done again."""
    if not state or not os.path.exists(state):
        return []
    try:
        with open(state, encoding="utf-8", errors="replace") as file:
            whole = [line for line in file if line.endswith("\n")]
    except OSError as error:
        raise GroundedIngestError(f"{state}: {error.strerror}") from None
    rows = [row for line in whole if (row := bench.decode(line)) is not None]
    if whole and not rows:
        raise GroundedIngestError(f"{state} holds no results of a replay", "name another file")
    return rows


@contextmanager
def _kept(state: str | None) -> Iterator[BinaryIO | None]:
    """The file to go on in, without a last line that was cut off."""
    if not state:
        yield None
        return
    try:
        file = open(state, "a+b")  # noqa: SIM115
    except OSError as error:
        raise GroundedIngestError(f"{state}: {error.strerror}") from None
    with file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        yield file


for module in (
    bench_contamination,
    bench_grounding,
    bench_locomo,
    bench_memory,
    bench_recall,
    bench_support,
    bench_types,
    contradicting,
):
    command.add_command(module.command)

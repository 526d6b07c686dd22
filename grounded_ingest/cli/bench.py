"""`grounded-ingest bench`: the promise as figures, on a repository of yours."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

import click

from grounded_ingest.bench import replay as bench
from grounded_ingest.cli.terminal import emit, progress_line
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo

if TYPE_CHECKING:
    from grounded_ingest.bench.second_opinions import BenchJudge
    from grounded_ingest.bench.written import Part


@click.group()
def command() -> None:
    """Measure the promise on a repository."""


@command.command("writeback")
@click.option(
    "--repo",
    "repos",
    default=(".",),
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    help="The repository.",
)
@click.option(
    "--written",
    default=None,
    type=click.Path(exists=True, dir_okay=False),
    help="Judge sentences of this file over their sources in the repositories, instead.",
)
@click.option(
    "--part",
    default="all",
    type=click.Choice(["open", "held", "all"]),
    help="Which sentences of --written.",
)
@click.option("--judge", is_flag=True, help="With --written: ask the configured judge as well.")
@click.option(
    "--config",
    "config_file",
    default="",
    type=click.Path(dir_okay=False),
    help="With --judge: the configuration that names it, instead of this repository's.",
)
@click.option(
    "--each",
    default=0,
    type=click.IntRange(min=0),
    metavar="N",
    help="With --written: N sentences of each class at most.",
)
@click.option("--seed", default=0, help="Which trials are drawn.")
@click.option(
    "--n", default=30, type=click.IntRange(min=1), help="Trials of each mutation, at most."
)
@click.option("--trial", default="", metavar="ID", help="Show one trial of a former run.")
@click.option(
    "--output-format", "form", default="text", type=click.Choice(["text", "json", "markdown"])
)
def writeback(
    repos: tuple[str, ...],
    written: str | None,
    part: Part,
    judge: bool,
    config_file: str,
    each: int,
    seed: int,
    n: int,
    trial: str,
    form: str,
) -> None:
    """Plant falsehoods in a clone and count those that come out approved, or unseen.

    What agents read and nobody judged counts as written back. The repository itself is left alone.
    """
    if written:
        from grounded_ingest.bench import written as sentences

        items = sentences.read_items(written)
        asked = _judge(config_file) if judge else None
        told = sentences.written(items, repos, part, asked, each)
        emit(sentences.shown(told, form), exact=form == "json")
        return
    if judge or config_file or each:
        raise GroundedIngestError("--judge, --config and --each go with --written")
    if len(repos) > 1:
        raise GroundedIngestError("--repo is given once, unless with --written")
    root = repos[0]
    write_back(root, os.path.basename(os.path.realpath(root)), seed, n, trial, form)


def _judge(config_file: str) -> BenchJudge:
    from grounded_ingest.bench.second_opinions import configured_judge

    with Repo() as repo:
        return configured_judge(repo, config_file)


def write_back(root: str, name: str, seed: int, n: int, trial: str, form: str) -> None:
    """Print the figures of a run on a repository, or one of its trials."""
    from grounded_ingest.bench import figures
    from grounded_ingest.bench.mutations import MUTATIONS
    from grounded_ingest.bench.pages import Pages
    from grounded_ingest.bench.workshop import Workshop
    from grounded_ingest.bench.writeback import Bench

    with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory, Pages() as pages:
        shop = Workshop(root, directory)
        bench = Bench(shop, pages)
        if trial:
            shown = bench.reproduce(seed, trial)
            text = figures.shown_as_text(shown)
            emit(figures.shown_as_json(shown) if form == "json" else text, exact=form == "json")
            return
        trials, names = [], list(MUTATIONS)
        with progress_line() as say:
            for tried in bench.trials(seed, n):
                trials.append(tried)
                so_far = sum(t.mutation == tried.mutation for t in trials) / n
                say((names.index(tried.mutation) + so_far) / len(names), f"{len(trials)} trials")
        run = figures.gathered(trials, repository=name, revision=shop.head, seed=seed, n=n)
    emit(getattr(figures, f"as_{form}")(run), exact=form == "json")


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
    with Repo(repo, own=repo == ".") as opened, _kept(state) as kept, progress_line() as say:
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

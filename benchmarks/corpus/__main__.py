"""`python -m benchmarks.corpus`: the corpus for any tool, as trees to run in and a scorer."""

from __future__ import annotations

import os

import click
import msgspec

from benchmarks.quality.__main__ import run
from grounded_ingest.cli.terminal import emit
from grounded_ingest.errors import GroundedIngestError

_DIRECTORY = click.Path(exists=True, file_okay=False)
_SPLIT = click.option("--split", default="all", type=click.Choice(["open", "held", "all"]))


@click.group()
def command() -> None:
    """Measure any tool on labelled cases: README.md beside this is their card."""


@command.command("trees")
@click.option("--repos", required=True, type=_DIRECTORY, help="Clones, as owner+name.")
@click.option("--out", required=True, type=click.Path(file_okay=False), help="Where to make them.")
@click.option("--task", "tasks", multiple=True, metavar="TASK", help="Of these tasks alone.")
@_SPLIT
def trees(repos: str, out: str, tasks: tuple[str, ...], split: str) -> None:
    """Make the trees of cases whose repositories are at hand, and say what was left out.

    A tree is a repository at its commit, and of sentences a document with them. Clones may be bare;
    the trees share their objects.
    """
    from benchmarks.corpus.cases import WRONG, corpus
    from benchmarks.corpus.trees import made

    cases, plants = corpus()
    wanted = [c for c in cases if c.task in (tasks or WRONG) and split in ("all", c.split)]
    for said in made(dict.fromkeys(c.tree for c in wanted), plants, repos, out):
        emit(f"left out: {said}\n")


@command.command("cases")
@click.option("--trees", "directory", required=True, type=_DIRECTORY, help="Trees that were made.")
@_SPLIT
def cases(directory: str, split: str) -> None:
    """List the cases of trees at hand as JSON Lines, without their labels."""
    from benchmarks.corpus.cases import corpus

    there = set(os.listdir(directory))
    for case in corpus()[0]:
        if case.tree.name in there and split in ("all", case.split):
            row = {"id": case.id, "task": case.task, "tree": case.tree.name, "places": case.places}
            emit(msgspec.json.encode(row).decode() + "\n", exact=True)


@command.command("score")
@click.option("--tool", required=True, metavar="NAME", help="What the table calls it.")
@click.option("--trees", "directory", required=True, type=_DIRECTORY, help="Where it ran.")
@click.option("--sarif", type=click.Path(exists=True), help="A file, or TREE.sarif of each tree.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave out its results in SARIF.")
@click.option("--json", "rows", type=click.Path(exists=True), help="Likewise: rows of path, line.")
@_SPLIT
@click.option(
    "--output-format", "form", default="text", type=click.Choice(["text", "json", "markdown"])
)
def score(
    tool: str,
    directory: str,
    sarif: str | None,
    ignore: tuple[str, ...],
    rows: str | None,
    split: str,
    form: str,
) -> None:
    """Compare what a tool said, by path and line, with the labels."""
    from benchmarks.corpus import scores
    from benchmarks.corpus.cases import corpus
    from benchmarks.corpus.results import said

    if (sarif is None) == (rows is None):
        raise GroundedIngestError("name what the tool said", "--sarif PATH or --json PATH")
    results = said(sarif or rows or "", "sarif" if sarif else "json", directory, ignore)
    told = scores.scored(tool, corpus()[0], results, directory, split)
    if not told.trees:
        raise GroundedIngestError(
            f"{directory} holds no tree with results",
            "make them with `python -m benchmarks.corpus trees`, and run the tool in each",
        )
    emit(getattr(scores, f"as_{form}")(told), exact=form == "json")


if __name__ == "__main__":
    run(command)

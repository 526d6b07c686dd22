"""`grounded-ingest bench recall`: does what is served answer the question?"""

from __future__ import annotations

import os
import tempfile

import click

from grounded_ingest.cli.terminal import done, emit, progress
from grounded_ingest.git import Repo


@click.command("recall")
@click.option(
    "--questions",
    "path",
    required=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Questions with the lines that answer them, as JSON Lines.",
)
@click.option(
    "--repo",
    type=click.Path(exists=True, file_okay=False),
    help="The repository they are about; one that is built for it if nothing is said.",
)
@click.option(
    "--semantic",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Rank by meaning as well, as `recall --semantic`.",
)
@click.option("--pending", is_flag=True, help="Serve claims that are not grounded as well.")
@click.option(
    "--output-format", "form", default="text", type=click.Choice(["text", "json", "markdown"])
)
def command(path: str, repo: str | None, semantic: str | None, form: str, *, pending: bool) -> None:
    """Ask questions, some of which nothing answers, and count the right answers and silences.

    Flat BM25 over every claim is asked in the same run.
    """
    from grounded_ingest.bench import recall_figures as figures
    from grounded_ingest.bench.recall import measured, read_questions
    from grounded_ingest.bench.shipped import build
    from grounded_ingest.recalled import by_meaning, by_words

    questions, say = read_questions(path), progress()
    ranking = by_meaning(semantic, say) if semantic else by_words
    with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory:
        root = repo or build(directory).root
        name = os.path.basename(os.path.realpath(repo)) if repo else "shipped"
        with Repo(root, own=root == ".") as opened:
            run = measured(opened, name, questions, pending=pending, ranking=ranking, say=say)
    done()
    emit(getattr(figures, f"as_{form}")(run), exact=form == "json")

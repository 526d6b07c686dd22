"""`grounded-ingest recall`: grounded memories for a question."""

from __future__ import annotations

import sys
from typing import Any

import click

from grounded_ingest.cli.options import color_option
from grounded_ingest.cli.terminal import coloured, done, emit, progress, say
from grounded_ingest.errors import Exit, GroundedIngestError


@click.command()
@click.argument("query")
@click.option("-k", "k", default=20, type=click.IntRange(1, 1000), help="Memories at most.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="TOKENS",
    help="Stop before the results' text passes so many tokens of four characters.",
)
@click.option("--types", default="", metavar="TYPES", help="semantic, episodic, procedural.")
@click.option(
    "--semantic",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Rank by meaning as well, with the embedding model (ONNX) in this directory.",
)
@click.option("--pending", is_flag=True, help="Serve claims that are not grounded as well.")
@click.option(
    "--output-format", "form", default="text", type=click.Choice(["text", "json", "markdown"]),
    help="How the memories are written.",
)  # fmt: skip
@color_option
def command(
    query: str,
    k: int,
    budget: int | None,
    types: str,
    semantic: str | None,
    *,
    pending: bool,
    form: str,
    color: Any,
) -> None:
    """Serve the grounded memories that answer a question, with their evidence.

    Exit codes: 0 something answers, 1 nothing grounded does, 2 usage.
    """
    from grounded_ingest.git.repository import Repo
    from grounded_ingest.recall.answer import RecallQuery
    from grounded_ingest.recall.render import recall_json
    from grounded_ingest.recall.session import by_meaning, by_words, recall_in, timed
    from grounded_ingest.report import recall_page
    from grounded_ingest.report.verbosity import Look

    if not query.strip():
        raise GroundedIngestError("nothing is asked", 'name a question: recall "which port …"')
    wanted = RecallQuery(query, k, budget or 0, _types(types), pending)
    with Repo() as repo:
        ranking = by_meaning(semantic, progress()) if semantic else by_words
        answer = recall_in(repo, wanted, progress(), ranking)
        found = recall_json(answer, timed(repo, answer))
        done()
    if form == "json":
        from grounded_ingest.report.as_json import pretty

        emit(pretty(found), exact=True)
    elif form == "markdown":
        emit(recall_page.markdown(found), exact=True)
    else:
        look = Look(color=coloured(color))
        emit("".join(f"{line}\n" for line in recall_page.recall_lines(found, look)))
        if found["reason"]:
            say(found["reason"])
    sys.exit(Exit.OK if answer.results else Exit.FOUND)


def _types(named: str) -> tuple[Any, ...]:
    from grounded_ingest.model.claims import MemoryType

    if not named:
        return tuple(MemoryType)
    asked = [n.strip().lower() for n in named.split(",")]
    unknown = [n for n in asked if n not in {t.value for t in MemoryType}]
    if unknown:
        raise GroundedIngestError(
            f"unknown memory type: {unknown[0] or '(empty)'}", "semantic, episodic, procedural"
        )
    return tuple(t for t in MemoryType if t.value in asked)

"""`grounded-ingest bench memory-types`: the types cues give, beside those a reader gave."""

from __future__ import annotations

import click

from grounded_ingest.cli.terminal import emit


@click.command("memory-types")
@click.option(
    "--references",
    required=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Claims of real repositories with the type a reader gave them, as JSON Lines.",
)
@click.option(
    "--repos",
    required=True,
    type=click.Path(exists=True, file_okay=False),
    help="Where their clones are, as owner+name or owner/name.",
)
@click.option("--half", default="", metavar="NAME", help="The labels of this half alone.")
@click.option(
    "--output-format", "form", default="text", type=click.Choice(["text", "json", "markdown"])
)
def command(references: str, repos: str, half: str, form: str) -> None:
    """Compare the memory types of claims with those a reader gave. Clones are only read."""
    from grounded_ingest.bench import memory_types as types

    run = types.measured(references, repos, half)
    emit(getattr(types, f"as_{form}")(run), exact=form == "json")

"""`grounded-ingest bench contradictions`: what would be reported if every claim were trusted."""

from __future__ import annotations

import click

from grounded_ingest.cli.terminal import emit
from grounded_ingest.git import Repo


@click.command("contradictions")
@click.option(
    "--repo", default=".", type=click.Path(exists=True, file_okay=False), help="The repository."
)
@click.option(
    "--older",
    default=0,
    type=click.IntRange(min=0),
    metavar="N",
    help="Also against what up to N older commits held and HEAD does not.",
)
@click.option("--plant", type=int, metavar="SEED", help="Plant other values and count those found.")
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
def command(repo: str, older: int, plant: int | None, form: str) -> None:
    """List the claims that would contradict another one if every claim were trusted.

    For reading by eye: how precise the detector is shows on text that nobody wrote for it.
    """
    from grounded_ingest.bench import trusted

    with Repo(repo, own=repo == ".") as opened:
        run = trusted.measured(opened, older=older, seed=plant)
    emit(trusted.as_json(run) if form == "json" else trusted.as_text(run), exact=form == "json")

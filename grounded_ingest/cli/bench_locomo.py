"""`grounded-ingest bench locomo`: evidence of dialogues among what is served first."""

from __future__ import annotations

import click

from grounded_ingest.cli.terminal import emit


@click.command("locomo")
@click.option(
    "--dataset",
    required=True,
    type=click.Path(exists=True, dir_okay=False),
    help="LoCoMo's locomo10.json.",
)
@click.option(
    "--output-format", "form", default="text", type=click.Choice(["text", "json", "markdown"])
)
def command(dataset: str, form: str) -> None:
    """Evidence recall on LoCoMo, beside plain BM25; and what is left without an answer."""
    from grounded_ingest.bench import locomo as bench

    emit(getattr(bench, f"as_{form}")(bench.measured(dataset)), exact=form == "json")

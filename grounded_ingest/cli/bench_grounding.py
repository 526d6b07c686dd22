"""`grounded-ingest bench groundingbench`: labelled examples of grounding, judged."""

from __future__ import annotations

import click

from grounded_ingest.cli.terminal import emit


@click.command("groundingbench")
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, file_okay=False),
    help="The directory with native100.jsonl and the templates.",
)
@click.option(
    "--facts",
    type=click.Path(exists=True, dir_okay=False),
    help="Sentences with the slots they state; dataset.json of the directory if nothing is said.",
)
@click.option(
    "--folds",
    "count",
    default=0,
    type=click.IntRange(min=0),
    help="Judge each of so many folds without the lexicon entries that occur in it alone.",
)
@click.option(
    "--output-format", "form", default="text", type=click.Choice(["text", "json", "markdown"])
)
def command(data: str, facts: str | None, count: int, form: str) -> None:
    """Judge labelled examples of grounding, beside baselines and groundcheck where installed."""
    from grounded_ingest.bench import grounding_report as report

    result = report.run(data, facts or "", count)
    emit(getattr(report, f"as_{form}")(result), exact=form == "json")

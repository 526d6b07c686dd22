"""`grounded-ingest bench contamination`: contaminated memories that are planted and found."""

from __future__ import annotations

import tempfile

import click

from grounded_ingest.cli.terminal import emit


@click.command("contamination")
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
def command(form: str) -> None:
    """Plant memories that are not what their sources are, and count those that are found.

    Beside them stand true ones, of which none should be. The repository is built for it.
    """
    from grounded_ingest.bench import contamination

    with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory:
        run = contamination.measured(directory)
    emit(getattr(contamination, f"as_{form}")(run), exact=form == "json")

"""`grounded-ingest bench support`: claims compared with their sources, against labels."""

from __future__ import annotations

import click

from grounded_ingest.cli.terminal import emit
from grounded_ingest.errors import GroundedIngestError


@click.command("support")
@click.option(
    "--data",
    type=click.Path(exists=True, dir_okay=False),
    help="Claims with evidence and label, as JSON Lines.",
)
@click.option(
    "--pairs",
    type=click.Path(exists=True, dir_okay=False),
    help="True claims with the source they cite, as JSON Lines; false ones are made of them.",
)
@click.option(
    "--half", type=click.Choice(["a", "b"]), help="One half alone, by the hash of the id."
)
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
def command(data: str | None, pairs: str | None, half: str | None, form: str) -> None:
    """Compare claims with their sources, and the verdicts with labels."""
    from grounded_ingest.bench import support_figures as figures

    if (data is None) is (pairs is None):
        raise GroundedIngestError("name one file", "--data FILE or --pairs FILE")
    if data is not None:
        from grounded_ingest.bench.support import measured

        run = measured(data, half or "")
        emit(figures.as_json(run) if form == "json" else figures.as_text(run), exact=form == "json")
        return
    from grounded_ingest.bench.pairs import CURVE, read_pairs, trials

    read = read_pairs(str(pairs), half or "")
    curve = [figures.point(trials(read, coverage=at), at) for at in CURVE]
    write = figures.pairs_as_json if form == "json" else figures.pairs_as_text
    emit(write(list(trials(read)), curve), exact=form == "json")

"""`grounded-ingest bench memory`: what is extracted, and what is done to memories."""

from __future__ import annotations

import click

from grounded_ingest.cli.terminal import done, emit, progress
from grounded_ingest.errors import GroundedIngestError

_FILE = click.Path(exists=True, dir_okay=False)
_DIRECTORY = click.Path(exists=True, file_okay=False)


@click.command("memory")
@click.option(
    "--sentences", type=_FILE, help="Lines labelled claim or not, with a weight, as JSON Lines."
)
@click.option(
    "--updates", type=_FILE, help="Changed lines with the line they revise, as JSON Lines."
)
@click.option(
    "--repos",
    type=_DIRECTORY,
    help="Where the clones are, as owner+name or owner/name, with their history.",
)
@click.option(
    "--half", type=click.Choice(["a", "b"]), help="One half alone, by the hash of the line."
)
@click.option(
    "--draw", type=_DIRECTORY, metavar="CLONE", help="Print candidates to label, and do no more."
)
@click.option("--added", is_flag=True, help="With --draw: new lines rather than rewritten ones.")
@click.option("--n", default=24, type=click.IntRange(min=1), help="With --draw: commits drawn.")
@click.option("--seed", default=0, help="With --draw: which.")
@click.option(
    "--output-format", "form", default="text", type=click.Choice(["text", "json", "markdown"])
)
def command(
    sentences: str | None,
    updates: str | None,
    repos: str | None,
    half: str | None,
    draw: str | None,
    added: bool,
    n: int,
    seed: int,
    form: str,
) -> None:
    """Extraction and updates on labelled lines of real repositories, in the measures of HaluMem.

    Offline; clones are only read.
    """
    if draw is not None:
        _draw(draw, seed, n, added)
        return
    if repos is None or not (sentences or updates):
        raise GroundedIngestError(
            "nothing to measure", "--repos DIR with --sentences FILE, --updates FILE or both"
        )
    from grounded_ingest.bench import memory_figures as figures
    from grounded_ingest.bench.memory import Sentence, extracted, of_half, read_labels
    from grounded_ingest.bench.memory_updates import Revision, operations

    say = progress()
    lines = of_half(read_labels(sentences, Sentence), half or "") if sentences else []
    changes = of_half(read_labels(updates, Revision), half or "") if updates else []
    try:
        read, missing = extracted(lines, repos)
        judged, left_out = operations(changes, repos, say)
    finally:
        done()
    run = figures.gathered(figures.Outcome(read, judged, [*missing, *left_out]))
    if not read and not judged:
        raise GroundedIngestError(
            f"nothing could be measured: {run.left_out[0]}",
            "clone the repositories there as owner+name or owner/name, with their history",
        )
    emit(getattr(figures, f"as_{form}")(run), exact=form == "json")


def _draw(clone: str, seed: int, n: int, added: bool) -> None:
    import msgspec

    from grounded_ingest.bench.memory_mining import candidates
    from grounded_ingest.git import Repo

    with Repo(clone, own=False) as repo:
        for found in candidates(repo, seed, n, added=added):
            emit(msgspec.json.encode(found).decode() + "\n", exact=True)

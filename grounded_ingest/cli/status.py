"""`grounded-ingest status`: the state of the knowledge base."""

from __future__ import annotations

from typing import Any

import click

from grounded_ingest.cli.options import color_option
from grounded_ingest.cli.terminal import coloured, done, emit, progress
from grounded_ingest.git.hooks import find_hook
from grounded_ingest.git.repository import Repo
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.formats import Look
from grounded_ingest.repository.scope import Asked


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option(
    "--offline/--online", default=True, help="Look up pages and issues? Offline if not said."
)
@color_option
def command(*, as_json: bool, offline: bool, color: Any) -> None:
    """Show the knowledge base: classes, references, tiers, evidence, hook."""
    from grounded_ingest.report.status import status_json

    with Repo() as repo:
        result = run(repo, Asked("all"), Options(online=not offline), progress(quiet=as_json))
        found, hook = status_json(repo, result), find_hook(repo).said
        done()
        result.kb.index.close()
    if as_json:
        from grounded_ingest.report.as_json import format_json

        emit(format_json(found), exact=True)
        return
    from grounded_ingest.report.status import status_lines

    emit("".join(f"{line}\n" for line in status_lines(found, hook, Look(color=coloured(color)))))

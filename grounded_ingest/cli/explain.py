"""`grounded-ingest explain`: why a claim was decided as it was, or why there is none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from grounded_ingest.cli.options import color_option, network_option
from grounded_ingest.cli.terminal import coloured, done, emit, progress
from grounded_ingest.errors import Exit
from grounded_ingest.git.repository import Repo
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.explanation import explanation_lines
from grounded_ingest.report.formats import Look
from grounded_ingest.repository.scope import Asked
from grounded_ingest.review.claim_answers import NOTHING_JUDGED, explanation
from grounded_ingest.text.printable import printable


@click.command()
@click.argument("what", metavar="ID|TEXT|PATH:LINE")
@click.option("--staged", is_flag=True, help="Look at what is staged, as the hook does.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@network_option
@color_option
def command(what: str, *, staged: bool, as_json: bool, offline: bool, color: Any) -> None:
    """Say why a claim was decided as it was, or why a line is no claim.

    ID is the beginning of a claim's id, 4 digits or more. TEXT is the claim's text, or some of its
    words. What is only in the last failed run (a commit that was stopped) is found there.
    """
    with Repo() as repo:
        asked = Asked("staged") if staged else NOTHING_JUDGED
        result = run(repo, asked, Options(online=not offline), progress(quiet=as_json))
        answer = explanation(repo, result, what)
        done()
        result.kb.index.close()
    if as_json:
        from grounded_ingest.report.as_json import format_json

        emit(format_json({"schema": "grounded-ingest/explain/1", **answer}), exact=True)
    else:
        emit("".join(f"{line}\n" for line in _text(answer, Look(color=coloured(color)))))
    sys.exit(Exit.OK)


def _text(answer: dict[str, Any], look: Look) -> Iterator[str]:
    if answer["note"]:
        yield printable(answer["note"])
    if answer["found_in"] != "knowledge base":
        yield f"found in the {answer['found_in']}, not in the knowledge base as it stands"
    decisions = answer["decisions"]
    for number, decision in enumerate(decisions):
        if number:
            yield ""
        yield from explanation_lines(decision, look)

"""`grounded-ingest bench`: the promise as figures, on any repository."""

from __future__ import annotations

import os
import sys
import time
from typing import TextIO

import click

from grounded_ingest.bench import replay as bench
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git import Repo


@click.group()
def command() -> None:
    """Measure the promise on a repository: replay."""


@command.command("replay")
@click.option("--repo", default=".", type=click.Path(file_okay=False), help="The repository.")
@click.option("--since", default="", metavar="REF", help="Leave out REF and what it reaches.")
@click.option("--max", "limit", default=200, type=click.IntRange(min=1), help="Commits at most.")
@click.option(
    "--state", type=click.Path(dir_okay=False), help="Keep results here and go on from them."
)
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
@click.option("--reviewed", is_flag=True, help="List what waits for review, too.")
def replay(repo: str, since: str, limit: int, state: str | None, form: str, reviewed: bool) -> None:
    """Walk history commit by commit as the hook would have seen it, network left alone.

    Counts commits that touch documents; merges and the first commit are left out.
    """
    rows = _former(state)
    done = frozenset(r.commit for r in rows)
    kept = _append(state)
    with Repo(repo, own=repo == ".") as opened:
        todo = [c for c in bench.commits(opened, since=since, limit=limit) if c[0] not in done]
        began = time.monotonic()
        for number, commit in enumerate(todo, 1):
            row = bench.replayed(opened, *commit)
            rows.append(row)
            if kept:
                kept.write(bench.encode(row) + "\n")
                kept.flush()
            if sys.stderr.isatty():
                left = (time.monotonic() - began) / number * (len(todo) - number)
                sys.stderr.write(f"\r\033[K{number}/{len(todo)} commits, {left:.0f} s left\r")
    click.echo(bench.as_json(rows) if form == "json" else bench.as_text(rows, reviewed), nl=False)


def _former(state: str | None) -> list[bench.Replayed]:
    """Results of an interrupted run; a last line that was cut off is done again."""
    if not state or not os.path.exists(state):
        return []
    try:
        with open(state, encoding="utf-8") as file:
            return [row for line in file if (row := bench.decode(line)) is not None]
    except OSError as error:
        raise GroundedIngestError(f"{state}: {error.strerror}") from None


def _append(state: str | None) -> TextIO | None:
    try:
        return open(state, "a", encoding="utf-8") if state else None
    except OSError as error:
        raise GroundedIngestError(f"{state}: {error.strerror}") from None

"""`grounded-ingest bench`: what the hook would have stopped in a repository's history."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import click

from grounded_ingest.bench import replay as bench
from grounded_ingest.cli.terminal import emit, progress_line
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo


@click.group()
def command() -> None:
    """Show what the hook would have stopped in a repository's history."""


@command.command("replay")
@click.option(
    "--repo",
    default=".",
    type=click.Path(exists=True, file_okay=False),
    help="The repository.",
)
@click.option("--since", default="", metavar="REF", help="Leave out REF and what it reaches.")
@click.option("--max", "limit", default=200, type=click.IntRange(min=1), help="Commits at most.")
@click.option(
    "--state", type=click.Path(dir_okay=False), help="Keep results here and go on from them."
)
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
@click.option("--warnings", is_flag=True, help="List warnings, too.")
def replay(repo: str, since: str, limit: int, state: str | None, form: str, warnings: bool) -> None:
    """Check the commits of a history one by one, as the hook would have, offline.

    Counts commits that touch documents; merges and the first commit are left out.
    """
    rows = _former(state)
    finished = frozenset(r.commit for r in rows)
    with Repo(repo, own=repo == ".") as opened, _kept(state) as kept, progress_line() as say:
        todo = [c for c in bench.commits(opened, since=since, limit=limit) if c[0] not in finished]
        for number, commit in enumerate(todo, 1):
            row = bench.replayed(opened, *commit)
            rows.append(row)
            if kept:
                kept.write(f"{bench.encode(row)}\n".encode())
                kept.flush()
            say(number / len(todo), f"{number}/{len(todo)} commits")
    emit(bench.as_json(rows) if form == "json" else bench.as_text(rows, warnings))


def _former(state: str | None) -> list[bench.Replayed]:
    """Results of an interrupted run; a last line that was cut off is done again."""
    if not state or not os.path.exists(state):
        return []
    try:
        with open(state, encoding="utf-8", errors="replace") as file:
            whole = [line for line in file if line.endswith("\n")]
    except OSError as error:
        raise GroundedIngestError(f"{state}: {error.strerror}") from None
    rows = [row for line in whole if (row := bench.decode(line)) is not None]
    if whole and not rows:
        raise GroundedIngestError(f"{state} holds no results of a replay", "name another file")
    return rows


@contextmanager
def _kept(state: str | None) -> Iterator[BinaryIO | None]:
    """The file to go on in, without a last line that was cut off."""
    if not state:
        yield None
        return
    try:
        file = open(state, "a+b")  # noqa: SIM115
    except OSError as error:
        raise GroundedIngestError(f"{state}: {error.strerror}") from None
    with file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        yield file

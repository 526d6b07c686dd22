"""`grounded-ingest bench`: replays a history to see which commits the hook would have stopped."""

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
    """Show which commits of a history the hook would have stopped."""


@command.command("replay")
@click.option(
    "--repo",
    default=".",
    type=click.Path(exists=True, file_okay=False),
    help="A repository. Default: the current one.",
)
@click.option("--since", default="", metavar="REF", help="Leave out REF and its ancestors.")
@click.option(
    "--max",
    "limit",
    default=200,
    type=click.IntRange(min=1),
    help="Maximum of commits. Default: 200.",
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False),
    help="Keep results in this file, and continue from it.",
)
@click.option(
    "--output-format",
    "form",
    default="text",
    type=click.Choice(["text", "json"]),
    help="Format of the result.",
)
@click.option("--warnings", is_flag=True, help="Also list warnings.")
def replay(repo: str, since: str, limit: int, state: str | None, form: str, warnings: bool) -> None:
    """Check the commits of a history one by one, as the hook would have, offline.

    Only commits that touch documents count; merges and the first commit are left out.
    """
    rows = _read_state(state)
    finished = frozenset(r.commit for r in rows)
    with Repo(repo, own=repo == ".") as opened, _state_file(state) as kept, progress_line() as say:
        todo = [c for c in bench.commits(opened, since=since, limit=limit) if c[0] not in finished]
        for number, commit in enumerate(todo, 1):
            row = bench.replayed(opened, *commit)
            rows.append(row)
            if kept:
                kept.write(f"{bench.encode(row)}\n".encode())
                kept.flush()
            say(number / len(todo), f"{number}/{len(todo)} commits")
    emit(bench.as_json(rows) if form == "json" else bench.as_text(rows, warnings))


def _read_state(state: str | None) -> list[bench.Replayed]:
    """Returns the results of an interrupted run, without a last line that was cut off."""
    if not state or not os.path.exists(state):
        return []
    try:
        with open(state, encoding="utf-8", errors="replace") as file:
            whole = [line for line in file if line.endswith("\n")]
    except OSError as error:
        raise GroundedIngestError(f"{state}: {error.strerror}") from None
    rows = [row for line in whole if (row := bench.decode(line)) is not None]
    if whole and not rows:
        raise GroundedIngestError(f"{state} has no results of a replay in it", "give another file")
    return rows


@contextmanager
def _state_file(state: str | None) -> Iterator[BinaryIO | None]:
    """Opens the file to append results to, without a last line that was cut off."""
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

"""Defines `grounded-ingest fleet`: checks many repositories, and queries tables of the results.

The fleet modules are imported only when a command runs, because they need the extra `fleet` and
POSIX."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from grounded_ingest.cli.group import cli, format_option, offline_option, rare_option
from grounded_ingest.cli.terminal import emit, progress_line
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.report.as_json import format_json
from grounded_ingest.text.printable import number_of, printable

if TYPE_CHECKING:
    from grounded_ingest.fleet.run import FleetRun
    from grounded_ingest.fleet.tables import QueryAnswer


@cli.group("fleet", invoke_without_command=True)
@click.option(
    "--directory",
    type=click.Path(file_okay=False),
    help="Check every git repository in this directory, at most two levels deep.",
)
@click.option(
    "--out", type=click.Path(file_okay=False), help="Write the tables into this directory."
)
@rare_option(
    "--workers",
    type=click.IntRange(min=1),
    help="Number of repositories to check at the same time. Default: the number of cores.",
)
@rare_option(
    "--seconds",
    default=600.0,
    type=click.FloatRange(min=0, min_open=True),
    help="Maximum number of seconds for one repository. Default: 600.",
)
@rare_option(
    "--memory",
    "memory_mb",
    default=2048,
    type=click.IntRange(min=256),
    metavar="MB",
    help="Maximum memory for one repository, in megabytes. Default: 2048.",
)
@rare_option(
    "--config",
    type=click.Path(dir_okay=False),
    help="Use this configuration file for all repositories instead of their own.",
)
@rare_option(
    "--isolated", is_flag=True, help="Use the default settings and ignore every configuration file."
)
@offline_option
@rare_option(
    "--fresh",
    is_flag=True,
    help="Also check repositories that have not changed since the last run.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print only the repositories that failed.")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:
    """Check many repositories, and write tables with the results.

    \b
    grounded-ingest fleet --directory ~/work --out tables


    Exit codes: 0 all repositories were checked, 1 some could not be checked (the table says why),
    2 wrong usage or environment.
    """
    if ctx.invoked_subcommand is None:
        sys.exit(_fleet(**flags))


def _fleet(
    *,
    directory: str | None,
    out: str | None,
    workers: int | None,
    config: str | None,
    offline: bool,
    quiet: bool,
    **limits: Any,
) -> int:
    if os.name == "nt":  # the limits and locks for worker processes need POSIX
        raise GroundedIngestError("fleet does not run on Windows", "run it in WSL")
    # Imported late for a fast start: only this command needs the fleet modules.
    from grounded_ingest.fleet.jobs import Checking
    from grounded_ingest.fleet.run import clones_in, run_fleet

    for option, value in (("--directory", directory), ("--out", out)):
        if not value:
            raise GroundedIngestError(f"{option} is missing", f"add {option} DIR")
    config = os.path.abspath(config) if config else ""
    checking = Checking(config=config, online=not offline, **limits)
    repositories, tables = clones_in(directory or ""), os.path.abspath(out or "")
    with progress_line() as line:
        found = run_fleet(repositories, tables, checking, workers or os.cpu_count() or 1, line)
    emit("".join(f"{line}\n" for line in _summary(found, out, quiet=quiet)))
    return Exit.FOUND if found.failed else Exit.OK


def _summary(found: FleetRun, out: str | None, *, quiet: bool) -> Iterator[str]:
    yield from (f"{r['repository']}: {r['state']}: {r['reason']}" for r in found.failed)
    if not quiet:
        rows = found.repositories
        claims = sum(int(str(r["claims"])) for r in rows)
        wrong = sum(int(str(r["errors"])) for r in rows)
        repositories, errors = number_of(len(rows), "repository"), number_of(wrong, "error")
        yield (
            f"{repositories}, {len(found.failed)} failed; {claims:,} claims, {errors};"
            f" run {found.name} in {out}"
        )


@command.command()
@click.argument("query")
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False),
    help="Read the tables from this directory, which `fleet --out` wrote.",
)
@format_option("text", "json")
def query(query: str, out: str, form: str) -> None:
    """Query the tables of the last run. QUERY is one SELECT statement in SQL.

    \b
    grounded-ingest fleet query --out tables "SELECT * FROM repositories"
    """
    from grounded_ingest.fleet.tables import answer_query

    found = answer_query(os.path.abspath(out), query)
    if form == "json":
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
        emit(format_json(rows), exact=True)
    else:
        emit(_as_text(found))


def _as_text(found: QueryAnswer) -> str:
    rows = [found.columns, *([_cell(v) for v in row] for row in found.rows)]
    shown = [[printable(c).replace("\n", " ") for c in row] for row in rows]
    widths = [max(len(row[n]) for row in shown) for n in range(len(found.columns))]
    lines = ("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in shown)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)

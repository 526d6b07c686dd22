"""`grounded-ingest fleet`: many repositories, and one set of tables over them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from grounded_ingest.cli.terminal import emit, progress_line
from grounded_ingest.errors import Exit, GroundedIngestError

if TYPE_CHECKING:
    from grounded_ingest.fleet.manifest import FleetRepository
    from grounded_ingest.fleet.run import FleetRun


class FleetFlags(NamedTuple):
    """Options of the command, named as click names them."""

    manifest: str | None
    directory: str | None
    listing: str | None
    out: str | None
    cache: str | None
    workers: int | None
    engine: Literal["local", "daft", "spark"]
    cluster: str
    seconds: float
    memory: int
    config: str | None
    isolated: bool
    offline: bool
    fresh: bool
    sarif: bool
    quiet: bool


@click.group(invoke_without_command=True)
@click.option("--manifest", type=click.Path(dir_okay=False), help="A TOML file of [[repository]].")
@click.option("--directory", type=click.Path(file_okay=False), help="A directory of clones.")
@click.option(
    "--list",
    "listing",
    type=click.Path(allow_dash=True, dir_okay=False),
    help="A directory or URL a line; - is standard input.",
)
@click.option("--out", type=click.Path(file_okay=False), help="Where the tables go.")
@click.option(
    "--cache",
    type=click.Path(file_okay=False),
    help="Where remote repositories are cloned to. Default: below the user's cache directory.",
)
@click.option("--workers", type=click.IntRange(min=1), help="Repositories at once. Default: cores.")
@click.option(
    "--engine",
    default="local",
    type=click.Choice(["local", "daft", "spark"]),
    help="What spreads the work: processes here, Daft (with Ray), or Spark.",
)
@click.option("--cluster", default="", metavar="ADDRESS", help="A Ray or Spark cluster to run on.")
@click.option(
    "--seconds",
    default=600.0,
    type=click.FloatRange(min=0, min_open=True),
    help="Time for one repository, by the clock. Default: 600.",
)
@click.option(
    "--memory",
    default=2048,
    type=click.IntRange(min=256),
    metavar="MB",
    help="Memory for one repository. Default: 2048.",
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False),
    help="Judge all by this file, not each by its own configuration.",
)
@click.option("--isolated", is_flag=True, help="Judge all by the defaults alone.")
@click.option(
    "--offline/--online", default=True, help="Whether pages that claims cite are looked up."
)
@click.option("--fresh", is_flag=True, help="Read again what has not changed since the last run.")
@click.option("--sarif", is_flag=True, help="Write a SARIF file of each repository, too.")
@click.option("-q", "--quiet", is_flag=True, help="Say only what failed.")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:
    """Check many repositories, and write one set of tables over them.

    Exit codes: 0 all were read, 1 some could not be (their rows say why), 2 usage or environment.
    """
    if ctx.invoked_subcommand is None:
        sys.exit(_fleet(FleetFlags(**flags)))


def _fleet(flags: FleetFlags) -> int:
    from grounded_ingest.fleet.engines import engine_named
    from grounded_ingest.fleet.job import JobLimits, Judged
    from grounded_ingest.fleet.run import FleetSettings, run_fleet

    if not flags.out:
        raise GroundedIngestError("--out is missing", "name a directory for the tables")
    repositories = _repositories(flags)
    settings = FleetSettings(
        os.path.abspath(flags.out),
        os.path.abspath(flags.cache or _usual_cache()),
        Judged(
            os.path.abspath(flags.config) if flags.config else "", flags.isolated, not flags.offline
        ),
        JobLimits(flags.seconds, flags.memory),
        sarif=flags.sarif,
        fresh=flags.fresh,
    )
    workers = flags.workers or os.cpu_count() or 1
    with engine_named(flags.engine, workers, flags.cluster) as engine, progress_line() as line:
        found = run_fleet(engine, repositories, settings, line)
    emit(_told(found, flags))
    return Exit.FOUND if found.failed else Exit.OK


def _repositories(flags: FleetFlags) -> list[FleetRepository]:
    from grounded_ingest.fleet.manifest import from_directory, from_lines, from_manifest

    given = [o for o in (flags.manifest, flags.directory, flags.listing) if o]
    if len(given) != 1:
        raise GroundedIngestError("which repositories?", "give --manifest, --directory or --list")
    if flags.manifest:
        found = from_manifest(flags.manifest)
    elif flags.directory:
        found = from_directory(flags.directory)
    else:
        with click.open_file(given[0], encoding="utf-8") as file:
            found = from_lines(file, os.getcwd())
    if not found:
        raise GroundedIngestError("no repositories are named", given[0])
    return found


def _usual_cache() -> str:
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return f"{cache}/grounded-ingest/fleet"


def _told(found: FleetRun, flags: FleetFlags) -> str:
    lines = [f"{r['repository']}: {r['state']}: {r['reason']}" for r in found.failed]
    if not flags.quiet:
        rows = found.repositories
        claims = sum(int(str(r["claims"])) for r in rows)
        wrong = sum(int(str(r["wrong"])) for r in rows)
        lines.append(
            f"{len(rows)} repositories, {len(found.failed)} failed; {claims:,} claims,"
            f" {wrong:,} findings that something is wrong; run {found.tables.run} in {flags.out}"
        )
    return "".join(f"{line}\n" for line in lines)

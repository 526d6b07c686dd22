"""`grounded-ingest check`: the command, the hook and what the action runs."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from grounded_ingest import staging
from grounded_ingest.cli.reports import deliver, keep, targets
from grounded_ingest.cli.terminal import color_option, done, network_option, progress, say
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git import Repo
from grounded_ingest.pipeline import Options, Result, run
from grounded_ingest.report import FORMATS
from grounded_ingest.report.plain import printable
from grounded_ingest.scope import Asked, asked_of_environment


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--staged", is_flag=True, help="Check what is staged (the hook).")
@click.option("--since", metavar="REF", help="Check the commits since REF.")
@click.option("--range", "range_", metavar="A..B", help="Check what B changes against A.")
@click.option("--all", "all_", is_flag=True, help="Check every claim of the knowledge base.")
@click.option("--base", metavar="REF", default="", help="Judge against this branch.")
@click.option(
    "--fail-on", type=click.Choice(["block", "review", "never"]), help="What makes exit code 1."
)
@click.option("--locked", is_flag=True, help="Fail where evidence is missing or behind.")
@network_option
@click.option(
    "--timeout", type=click.FloatRange(min=0), metavar="S", help="Seconds for all of the network."
)
@click.option(
    "--output-format",
    "formats",
    multiple=True,
    type=click.Choice(list(FORMATS)),
    help="May be repeated, in pairs with --output-file.",
)
@click.option(
    "--output-file",
    "files",
    multiple=True,
    type=click.Path(dir_okay=False),
    help="Where the report of that place goes; - is stdout.",
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False),
    help="Judge by this configuration file.",
)
@click.option("--isolated", is_flag=True, help="Judge by the defaults alone.")
@click.option(
    "--select", multiple=True, metavar="RULE", help="Only these of the rules a policy may move."
)
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave these rules out.")
@click.option(
    "--jobs",
    default=0,
    type=click.IntRange(0, 64),
    metavar="N",
    help="Read new documents with N processes (0: as many as pay).",
)
@click.option("--no-cache", is_flag=True, help="Neither read nor write the local cache.")
@click.option("--write/--no-write", default=False, help="Write evidence files.")
@color_option
@click.option("-q", "--quiet", is_flag=True, help="Show only what blocks.")
@click.option("-v", "--verbose", is_flag=True, help="Show every claim that waits for review.")
def command(paths: tuple[str, ...], **flags: Any) -> None:
    """Sort claims into approve, review and block by their evidence.

    Without arguments: documents that differ from HEAD, untracked ones included.
    """
    wanted = targets(flags["formats"], flags["files"])
    _no_contradiction(flags)
    with Repo() as repo:
        asked = asked_of_environment(_asked(repo, paths, flags), os.environ)
        result = run(repo, asked, _options(flags), progress(quiet=flags["quiet"]))
        result, failed = staging.settle(
            repo,
            result,
            write=flags["write"],
            locked=flags["locked"],
            fail_on=flags["fail_on"] or "",
        )
        done()
        verbosity = -1 if flags["quiet"] else int(flags["verbose"])
        deliver(result.report, wanted, verbosity, flags["color"])
        _say_what_is_no_document(result)
        if failed:
            keep(repo, result.report)
        result.kb.index.close()
    sys.exit(Exit.FOUND if failed else Exit.OK)


def _no_contradiction(flags: dict[str, Any]) -> None:
    if flags["quiet"] and flags["verbose"]:
        raise GroundedIngestError("choose one of --quiet and --verbose")
    if flags["write"] and flags["locked"]:
        raise GroundedIngestError("choose one of --write and --locked")
    if flags["write"] and (flags["since"] or flags["range_"]):
        raise GroundedIngestError(
            "--write has nowhere to write in a range", "use --staged, PATHS or --all"
        )


def _say_what_is_no_document(result: Result) -> None:
    documents = [d.path for d in result.documents]
    for path in result.scoped.paths:
        if path != "." and not any(d == path or d.startswith(f"{path}/") for d in documents):
            shown = printable(path)
            say(f"{shown}: no document here (see: grounded-ingest explain {shown})")


def _asked(repo: Repo, paths: tuple[str, ...], flags: dict[str, Any]) -> Asked:
    for name in ("since", "range_", "config"):
        if flags[name] == "":  # an unset variable of a workflow must not judge something else
            raise GroundedIngestError(
                f"--{name.rstrip('_')} is empty", "check the variable behind it"
            )
    chosen = [n for n in ("staged", "since", "range_", "all_") if flags[n]]
    if len(chosen) > 1 or (paths and chosen):
        raise GroundedIngestError("choose one of PATHS, --staged, --since, --range and --all")
    base = flags["base"]
    if flags["staged"]:
        return Asked("staged", base=base)
    if flags["since"]:
        return Asked("range", start=flags["since"], base=base)
    if flags["range_"]:
        start, dots, end = flags["range_"].partition("..")
        if not dots or not start:
            raise GroundedIngestError(f"not a range: {flags['range_']}", "write it as A..B")
        return Asked("range", start=start, end=end.lstrip(".") or "HEAD", base=base)
    if flags["all_"]:
        return Asked("all", base=base)
    if paths:
        return Asked("paths", tuple(_from_root(repo, p) for p in paths), base=base)
    return Asked("worktree", base=base)


def _from_root(repo: Repo, path: str) -> str:
    """A path from the root; of a symbolic link where it leads, as documents are known by that."""
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(repo.root))
    if os.path.isabs(relative) or relative.split(os.sep)[0] == os.pardir:
        raise GroundedIngestError(f"{path} is outside the repository {repo.root}")
    if not os.path.lexists(path):
        raise GroundedIngestError(f"{path} does not exist")
    return relative.replace(os.sep, "/")


def _options(flags: dict[str, Any]) -> Options:
    return Options(
        config=flags["config"] or "",
        isolated=flags["isolated"],
        online=not flags["offline"],
        budget=flags["timeout"],
        cache=not flags["no_cache"],
        jobs=flags["jobs"],
        select=flags["select"],
        ignore=flags["ignore"],
    )

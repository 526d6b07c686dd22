"""`grounded-ingest check`: the command, the hook and what the action runs."""

from __future__ import annotations

import sys
from typing import Any

import click

from grounded_ingest.cli.check_run import CheckFlags, run_check
from grounded_ingest.cli.options import color_option, network_option
from grounded_ingest.report.formats import FORMATS


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--staged", is_flag=True, help="Check what is staged (the hook).")
@click.option("--since", metavar="REF", help="Check the commits since REF.")
@click.option("--range", "range_", metavar="A..B", help="Check what B changes against A.")
@click.option("--all", "all_", is_flag=True, help="Check every claim of the knowledge base.")
@click.option(
    "--base", metavar="REF", help="Use this branch as base instead of the configured one."
)
@click.option(
    "--fail-on",
    type=click.Choice(["wrong", "block", "review", "never"]),
    help=(
        "What makes exit code 1. wrong: errors; block: findings of tier 3 alone; review: errors and"
        " warnings; never: nothing. Default: as the preset says."
    ),
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option("--impacted", is_flag=True, help="List existing claims that rest on what changes.")
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
    help="A file for a report: the n-th one is for the n-th --output-format; - is stdout.",
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False),
    help="Judge by this configuration file.",
)
@click.option("--isolated", is_flag=True, help="Judge by the defaults alone.")
@click.option(
    "--select",
    multiple=True,
    metavar="RULES",
    help="Show and count findings of these rules alone: ids, beginnings of ids, ALL.",
)
@click.option(
    "--ignore", multiple=True, metavar="RULES", help="Neither show nor count findings of these."
)
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Neither show nor count the findings that this file accepts.",
)
@click.option("--update-baseline", is_flag=True, help="Write today's findings to the baseline.")
@click.option("--fix", is_flag=True, help="Rewrite references that have one right answer.")
@click.option("--diff", is_flag=True, help="Show what --fix would rewrite; write nothing.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the local cache.")
@click.option("--write/--no-write", default=False, help="Write evidence files.")
@click.option("--statistics", is_flag=True, help="Show counts by rule instead of the findings.")
@click.option(
    "--show-skipped", is_flag=True, help="List documents not read and references skipped, and why."
)
@click.option("--watch", is_flag=True, help="Check again whenever a file of it changes.")
@color_option
@click.option("-q", "--quiet", is_flag=True, help="Leave out the last line.")
@click.option(
    "-v",
    "--verbose",
    count=True,
    help="Show each claim, and how to ignore the finding; -vv lists what nobody has to act on.",
)
def command(**flags: Any) -> None:
    """Check documents: look up their references, sort their claims.

    Without arguments: documents that differ from HEAD, untracked ones included.
    """
    sys.exit(run_check(CheckFlags(**flags)))

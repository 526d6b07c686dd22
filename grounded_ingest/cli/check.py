"""Defines the commands `grounded-ingest check` and `grounded-ingest audit` with their options."""

from __future__ import annotations

import sys
from typing import Any

import click

from grounded_ingest.cli.check_run import CheckFlags, run_check
from grounded_ingest.cli.group import cli, color_option, network_option, rare_option
from grounded_ingest.report.formats import FORMATS


@cli.command("check")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--staged", is_flag=True, help="Check what is staged, as the commit hook does.")
@click.option("--since", metavar="REF", help="Check the changes after this commit.")
@rare_option("--range", "range_", metavar="A..B", help="Check the changes from commit A to B.")
@click.option(
    "--all", "--all-files", "all_", is_flag=True, help="Check every claim in every document."
)
@rare_option("--base", metavar="REF", help="Compare with this branch, of the remote if it has one.")
@click.option(
    "--fail-on",
    type=click.Choice(["wrong", "block", "review", "never"]),
    metavar="LEVEL",
    help="What fails the run: wrong, block, review or never.",
)
@rare_option("--exit-zero", is_flag=True, help="Exit with code 0 whatever is found.")
@rare_option("--locked", is_flag=True, help="Fail if an evidence file is out of date.")
@network_option
@rare_option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="S",
    help="Seconds for all network requests together.",
)
@click.option(
    "--output-format",
    "formats",
    multiple=True,
    type=click.Choice(list(FORMATS)),
    metavar="FORMAT",
    help=f"{', '.join(FORMATS)}.",
)
@rare_option(
    "--output-file",
    "files",
    multiple=True,
    type=click.Path(dir_okay=False),
    help="Write the report to this file.",
)
@rare_option("--config", type=click.Path(dir_okay=False), help="Use only this configuration file.")
@rare_option("--isolated", is_flag=True, help="Ignore every configuration file.")
@rare_option(
    "--select", multiple=True, metavar="RULES", help="Report only these rules (ids, prefixes, ALL)."
)
@rare_option("--ignore", multiple=True, metavar="RULES", help="Do not report these rules.")
@rare_option(
    "--baseline",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Do not report findings listed in this baseline file.",
)
@rare_option("--update-baseline", is_flag=True, help="Write all findings into the baseline file.")
@click.option("--fix", is_flag=True, help="Correct references that have one correction.")
@click.option("--diff", is_flag=True, help="Show what --fix would change.")
@rare_option("--no-cache", is_flag=True, help="Do not use the cache.")
@rare_option("--write/--no-write", default=False, help="Write evidence files if the check passes.")
@rare_option("--statistics", is_flag=True, help="Print the number of findings by rule.")
@rare_option("--show-skipped", is_flag=True, help="Also list what was not checked, and why.")
@color_option
@click.option("-q", "--quiet", is_flag=True, help="Do not print the last line (the counts).")
@click.option(
    "-v", "--verbose", count=True, help="Also show claims, all findings, how to ignore them."
)
def command(**flags: Any) -> None:
    """Check documents: look up their references and decide about their claims.

    \b
    grounded-ingest check                         what differs from HEAD
    grounded-ingest check --since origin/main     what this branch adds

    Exit codes: 0 passed, 1 a finding, 2 wrong usage.
    """
    sys.exit(run_check(CheckFlags(**flags)))


_CHECK_ONLY = frozenset(("staged", "since", "range_", "all_", "locked", "write"))
"""Options that only `check` has. `audit` checks whole documents, and writes no evidence."""


@cli.command("audit", params=[p for p in command.params if p.name not in _CHECK_ONLY])
def audit(**flags: Any) -> None:
    """Check every document, and find claims that have expired.

    \b
    grounded-ingest audit --fix --diff

    Exit codes: 0 passed, 1 a finding, 2 wrong usage.
    """
    sys.exit(run_check(CheckFlags(**flags, all_=not flags["paths"], audit=True)))

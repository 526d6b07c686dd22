"""Defines the commands `grounded-ingest check` and `grounded-ingest audit` with their options."""

from __future__ import annotations

import sys
from typing import Any

import click

from grounded_ingest.cli.check_run import CheckFlags, run_check
from grounded_ingest.cli.group import color_option, network_option
from grounded_ingest.report.formats import FORMATS


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--staged", is_flag=True, help="Check the staged changes. The commit hook uses this option."
)
@click.option("--since", metavar="REF", help="Check the changes in the commits after REF.")
@click.option(
    "--range", "range_", metavar="A..B", help="Check the changes from commit A to commit B."
)
@click.option("--all", "all_", is_flag=True, help="Check every claim in every document.")
@click.option(
    "--base", metavar="REF", help="Use this base branch instead of the configured base branch."
)
@click.option(
    "--fail-on",
    type=click.Choice(["wrong", "block", "review", "never"]),
    help=(
        "Which findings cause exit code 1. wrong: errors. block: findings of tier 3. review: errors"
        " and warnings. never: none. Default: the preset decides."
    ),
)
@click.option("--exit-zero", is_flag=True, help="Exit with code 0 even if there are findings.")
@click.option(
    "--impacted",
    is_flag=True,
    help="Also list unchanged claims if the change edits their cited source.",
)
@click.option("--locked", is_flag=True, help="Fail if an evidence file is missing or outdated.")
@network_option
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="S",
    help="Maximum number of seconds for all network requests together.",
)
@click.option(
    "--output-format",
    "formats",
    multiple=True,
    type=click.Choice(list(FORMATS)),
    help="Format of the report. For several reports, repeat it with an --output-file for each.",
)
@click.option(
    "--output-file",
    "files",
    multiple=True,
    type=click.Path(dir_okay=False),
    help="Write the report to this file; - means stdout. The first file gets the first format.",
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False),
    help="Use only this configuration file.",
)
@click.option(
    "--isolated", is_flag=True, help="Use the default settings and ignore every configuration file."
)
@click.option(
    "--select",
    multiple=True,
    metavar="RULES",
    help="Report only these rules: rule ids, beginnings of ids, or ALL, separated by commas.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="RULES",
    help="Do not report these rules (same syntax as --select).",
)
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Do not report findings that this baseline file accepts.",
)
@click.option(
    "--update-baseline",
    is_flag=True,
    help="Accept all current findings: write them to the baseline file.",
)
@click.option(
    "--fix",
    is_flag=True,
    help="Correct wrong references that have exactly one possible correction.",
)
@click.option(
    "--diff", is_flag=True, help="Show the changes that --fix would make, but write nothing."
)
@click.option("--no-cache", is_flag=True, help="Neither read nor write the local cache.")
@click.option("--write/--no-write", default=False, help="Write evidence files if the check passes.")
@click.option(
    "--statistics",
    is_flag=True,
    help="Print the number of findings for each rule instead of a list.",
)
@click.option(
    "--show-skipped",
    is_flag=True,
    help="Also list skipped references and unread documents, with the reason.",
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@color_option
@click.option(
    "-q", "--quiet", is_flag=True, help="Do not print the last line, which counts the findings."
)
@click.option(
    "-v",
    "--verbose",
    count=True,
    help="Also show claims and how to ignore findings. -vv: also list claims without findings.",
)
def command(**flags: Any) -> None:
    """Check documents: look up their references and sort their claims into tiers.

    Without arguments: check what differs from HEAD in the documents on disk.
    """
    sys.exit(run_check(CheckFlags(**flags)))


_CHECK_ONLY = frozenset(
    ("staged", "since", "range_", "all_", "impacted", "locked", "update_baseline", "write", "watch")
)
"""Options that `audit` does not have: they select a change, or write files besides documents."""


def _audit(**flags: Any) -> None:
    sys.exit(run_check(CheckFlags(**flags, all_=not flags["paths"], audit=True)))


audit_command = click.Command(
    "audit",
    params=[p for p in command.params if p.name not in _CHECK_ONLY],
    callback=_audit,
    help="""Check every document, and find claims that have expired.

    Without PATHS: check all documents.
    """,
)

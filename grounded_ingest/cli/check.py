"""`grounded-ingest check` and `grounded-ingest audit`: their options."""

from __future__ import annotations

import sys
from typing import Any

import click

from grounded_ingest.cli.check_run import CheckFlags, run_check
from grounded_ingest.cli.group import color_option, network_option
from grounded_ingest.report.formats import FORMATS


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--staged", is_flag=True, help="Check what is staged; the hook runs this.")
@click.option("--since", metavar="REF", help="Check the commits since REF.")
@click.option("--range", "range_", metavar="A..B", help="Check what B changes against A.")
@click.option("--all", "all_", is_flag=True, help="Check everything in every document.")
@click.option(
    "--base", metavar="REF", help="Use this branch as base instead of the configured one."
)
@click.option(
    "--fail-on",
    type=click.Choice(["wrong", "block", "review", "never"]),
    help=(
        "Exit with 1 for: wrong, an error; block, a finding of tier 3; review, an error or a"
        " warning; never, nothing. Default: what the preset says."
    ),
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if something is found.")
@click.option(
    "--impacted", is_flag=True, help="List unchanged claims whose source the change edits."
)
@click.option("--locked", is_flag=True, help="Fail if an evidence file is missing or outdated.")
@network_option
@click.option(
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
    help="Format of the report. May be repeated, each with its --output-file.",
)
@click.option(
    "--output-file",
    "files",
    multiple=True,
    type=click.Path(dir_okay=False),
    help="Write the report here; - is stdout. The first belongs to the first --output-format.",
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False),
    help="Use this configuration file and no other.",
)
@click.option("--isolated", is_flag=True, help="Use the defaults; ignore every configuration.")
@click.option(
    "--select",
    multiple=True,
    metavar="RULES",
    help="Report these rules only: ids, beginnings of ids, or ALL, separated by commas.",
)
@click.option("--ignore", multiple=True, metavar="RULES", help="Do not report these rules.")
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Do not report the findings that this file accepts.",
)
@click.option("--update-baseline", is_flag=True, help="Write today's findings to the baseline.")
@click.option("--fix", is_flag=True, help="Rewrite references that have one right answer.")
@click.option("--diff", is_flag=True, help="Show what --fix would rewrite; write nothing.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the local cache.")
@click.option("--write/--no-write", default=False, help="Write evidence files.")
@click.option("--statistics", is_flag=True, help="Count findings by rule instead of listing them.")
@click.option(
    "--show-skipped", is_flag=True, help="List skipped references and unread documents, and why."
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@color_option
@click.option("-q", "--quiet", is_flag=True, help="Leave out the last line.")
@click.option(
    "-v",
    "--verbose",
    count=True,
    help="Show each claim, and how to ignore its finding. -vv: also list what needs no action.",
)
def command(**flags: Any) -> None:
    """Check documents: look up their references, sort their claims.

    Without arguments: what differs from HEAD, in documents on disk.
    """
    sys.exit(run_check(CheckFlags(**flags)))


_CHECK_ONLY = frozenset(
    ("staged", "since", "range_", "all_", "impacted", "locked", "update_baseline", "write", "watch")
)
"""Options that `audit` lacks: they select a change, or write something else than documents."""


def _audit(**flags: Any) -> None:
    sys.exit(run_check(CheckFlags(**flags, all_=not flags["paths"], audit=True)))


audit_command = click.Command(
    "audit",
    params=[p for p in command.params if p.name not in _CHECK_ONLY],
    callback=_audit,
    help="""Check every document, and find claims that have expired.

    Without PATHS: all documents.
    """,
)

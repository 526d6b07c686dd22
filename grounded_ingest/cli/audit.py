"""`grounded-ingest audit`: `check --all`, and the claims that are past their date."""

from __future__ import annotations

import sys
from typing import Any

import click

from grounded_ingest.cli import check
from grounded_ingest.cli.check_run import CheckFlags, run_check

_NOT_HERE = frozenset(
    ("staged", "since", "range_", "all_", "impacted", "locked", "update_baseline", "write", "watch")
)
"""Options of `check` that are of changes, or write something else than documents."""


def _audit(**flags: Any) -> None:
    sys.exit(run_check(CheckFlags(**flags, all_=not flags["paths"], audit=True)))


command = click.Command(
    "audit",
    params=[p for p in check.command.params if p.name not in _NOT_HERE],
    callback=_audit,
    help="""Check every document, and look for claims that are past their date.

    Without PATHS: every document.
    """,
)

"""`grounded-ingest` without a command: what is wrong today, and what to type next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grounded_ingest.cli.check_run import CheckFlags, run_check
from grounded_ingest.cli.invocation import program
from grounded_ingest.cli.terminal import coloured, done, emit, progress, say
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Tier

if TYPE_CHECKING:
    from grounded_ingest.model.report import Report
    from grounded_ingest.pipeline import Result

STEPS = 4
"""What an audit says that it does, behind the check."""
MOST = 10
"""Findings of the past that are named."""
NEXT = (
    ("explain PATH:LINE", "why a line was decided so"),
    ("audit", "all that moved, changed or expired since it was written"),
    ("init", "set up the hook, asking before anything is written"),
)
"""Commands, behind the program's own words, and what they tell."""


def first_run(usage: str) -> int:
    """Check and audit all documents, offline, and write nothing, caches included. Outside of a
    repository show `usage`. Nothing found here makes it fail."""
    try:
        with Repo():
            pass
    except GroundedIngestError as error:
        emit(f"{usage}\n")
        say(str(error))
        return Exit.OK
    flags = CheckFlags(all_=True, offline=True, no_cache=True)
    run_check(flags, _beside_history)
    width = max(len(command) for command, _ in NEXT)
    rows = "".join(f"  {program()} {command:<{width}}  {what}\n" for command, what in NEXT)
    emit(f"\nNext:\n{rows}")
    return Exit.OK


def _beside_history(repo: Repo, result: Result, report: Report) -> None:
    """Print what became of citations since they were written, where the check says nothing."""
    from grounded_ingest.audit.render import since_written
    from grounded_ingest.audit.run import audit_of
    from grounded_ingest.report.verbosity import Look

    audited = audit_of(repo, result, progress=progress(steps=STEPS))
    done()
    said = {
        (d.place.path, d.place.claim.line)
        for d in report.decisions
        if d.tier is Tier.BLOCK or d.wrong
    }
    look = Look(color=coloured("auto"), program=program())
    rows = since_written(audited.report, look, said)
    if rows:
        emit("\nSince it was written:\n")
        emit("".join(f"{row}\n" for row in rows[:MOST]))
    if len(rows) > MOST:
        emit(f"{len(rows) - MOST} more: {program()} audit --offline\n")

"""`grounded-ingest` without a command: what is wrong today, and what to type next."""

from __future__ import annotations

from grounded_ingest.cli.check_run import CheckFlags, run_check
from grounded_ingest.cli.invocation import program
from grounded_ingest.cli.terminal import emit, say
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.repository import Repo

NEXT = (
    ("explain PATH:LINE", "why a line was decided so"),
    ("check --fix", "rewrite references that have one right answer"),
    ("init", "set up the hook, asking before anything is written"),
)
"""Commands, behind the program's own words, and what they tell."""


def first_run(usage: str) -> int:
    """Check all documents, offline, and write nothing, caches included. Outside of a
    repository show `usage`. Nothing found here makes it fail."""
    try:
        with Repo():
            pass
    except GroundedIngestError as error:
        emit(f"{usage}\n")
        say(str(error))
        return Exit.OK
    flags = CheckFlags(all_=True, offline=True, no_cache=True)
    run_check(flags)
    width = max(len(command) for command, _ in NEXT)
    rows = "".join(f"  {program()} {command:<{width}}  {what}\n" for command, what in NEXT)
    emit(f"\nNext:\n{rows}")
    return Exit.OK

"""Runs `check --watch`: checks again whenever a file that git does not ignore has changed.

The loop compares the modification times of all files, because a document may cite any file, even a
file that does not exist yet. Ctrl-C ends the loop.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection
from datetime import datetime
from typing import NoReturn

from grounded_ingest.cli.terminal import emit, say
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.records.evidence import DIRECTORY

EVERY_S = 0.5
"""Minimum pause between two comparisons, in seconds."""
SHARE = 10
"""The pause is at least this many times as long as the last comparison took."""
CLEAR = "\x1b[2J\x1b[H"

Stamps = dict[str, tuple[int, int]]


def watch(check: Callable[[], object], written: Collection[str]) -> NoReturn:
    """Calls `check` now and after every change in the repository.

    Ignores changes in `written`, the files that the check itself writes. Raises GroundedIngestError
    if the first check raises it, or if there is no terminal or work tree. Prints errors in later
    checks.
    """
    if not sys.stdout.isatty():
        raise GroundedIngestError(
            "--watch needs a terminal, but stdout is not a terminal", "run check without --watch"
        )
    own = {os.path.realpath(path) for path in written}
    first = True
    with Repo() as repo:
        if repo.bare:
            raise GroundedIngestError(
                "--watch needs a work tree; this repository is bare",
                "use --watch in a normal clone",
            )
        while True:
            before, _ = _stamps(repo, own)
            emit(CLEAR if os.environ.get("TERM") != "dumb" else "\n")
            try:
                check()
            except GroundedIngestError as error:
                if first:
                    raise
                say(f"grounded-ingest: {error}")
            first = False
            say(f"checked at {datetime.now():%H:%M:%S}; waiting for changes, press Ctrl-C to end")
            now, took = _stamps(repo, own)
            while now == before:
                time.sleep(max(EVERY_S, SHARE * took))
                now, took = _stamps(repo, own)


def _stamps(repo: Repo, own: Collection[str]) -> tuple[Stamps, float]:
    """Returns modification time and size by path, and the seconds that reading them took."""
    began = time.monotonic()
    root = os.path.realpath(repo.root)
    paths = {*repo.index(), *repo.untracked()}
    full = [f"{root}/{p}" for p in paths if not p.startswith(f"{DIRECTORY}/")]
    full.append(
        f"{repo.git_dir}/logs/HEAD"
    )  # a commit changes no file, but it changes which lines are new
    found: Stamps = {}
    for path in full:
        if path in own:
            continue
        try:
            stat = os.lstat(path)
        except OSError:
            continue
        found[path] = (stat.st_mtime_ns, stat.st_size)
    return found, time.monotonic() - began

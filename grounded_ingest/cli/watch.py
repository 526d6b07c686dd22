"""`check --watch`: checks again whenever a file that git does not ignore has changed.

It compares modification times again and again: a document may cite any file, even one that does not
exist yet. Ctrl-C ends it.
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
SHARE = 10
"""Of the time, comparing may take one part in this many."""
CLEAR = "\x1b[2J\x1b[H"

Stamps = dict[str, tuple[int, int]]


def watch(check: Callable[[], object], written: Collection[str]) -> NoReturn:
    """Checks now and after every change, except of `written`, the files that the check writes.

    Raises GroundedIngestError if the first check does; errors of later checks are printed.
    """
    if not sys.stdout.isatty():
        raise GroundedIngestError("--watch needs a terminal", "run check without --watch")
    own = {os.path.realpath(path) for path in written}
    first = True
    with Repo() as repo:
        if repo.bare:
            raise GroundedIngestError("--watch needs a work tree; this repository is bare")
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
            say(f"checked at {datetime.now():%H:%M:%S}; waiting for changes, Ctrl-C ends")
            now, took = _stamps(repo, own)
            while now == before:
                time.sleep(max(EVERY_S, SHARE * took))
                now, took = _stamps(repo, own)


def _stamps(repo: Repo, own: Collection[str]) -> tuple[Stamps, float]:
    """Returns modification time and size of each file, and the seconds it took to ask."""
    began = time.monotonic()
    root = os.path.realpath(repo.root)
    paths = {*repo.index(), *repo.untracked()}
    full = [f"{root}/{p}" for p in paths if not p.startswith(f"{DIRECTORY}/")]
    full.append(f"{repo.git_dir}/logs/HEAD")  # a commit changes what is new, but no file
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

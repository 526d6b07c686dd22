"""`check --watch`: the check again whenever a file that git does not ignore has changed.

By modification times, asked again and again: what a document cites may be any file, and may not be
there yet. Ctrl-C ends it."""

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
"""Looking takes one part in so many of the time."""
CLEAR = "\x1b[2J\x1b[H"

Stamps = dict[str, tuple[int, int]]


def watch(check: Callable[[], object], written: Collection[str]) -> NoReturn:
    """Check now, and after every change but that of files the check itself writes. What is wrong
    with the setup is said, and waits for the next change, too; at the first time it is raised."""
    if not sys.stdout.isatty():
        raise GroundedIngestError("--watch needs a terminal: elsewhere, run check when it is due")
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
            say(f"checked at {datetime.now():%H:%M:%S}; waiting for changes, Ctrl-C ends it")
            _wait(repo, own, before)


def _wait(repo: Repo, own: Collection[str], before: Stamps) -> None:
    """Return once the stamps differ."""
    now, took = _stamps(repo, own)
    while now == before:
        time.sleep(max(EVERY_S, SHARE * took))
        now, took = _stamps(repo, own)


def _stamps(repo: Repo, own: Collection[str]) -> tuple[Stamps, float]:
    """When files were changed last, how large they are, and how long it took to ask."""
    began = time.monotonic()
    paths = {*repo.index(), *repo.untracked()}
    # A commit changes what is new without a change of files.
    root = os.path.realpath(repo.root)
    full = [f"{root}/{p}" for p in paths if not p.startswith(f"{DIRECTORY}/")]
    full.append(f"{repo.git_dir}/logs/HEAD")
    found: Stamps = {}
    for path in full:
        try:
            stat = os.lstat(path)
        except OSError:
            continue
        found[path] = (stat.st_mtime_ns, stat.st_size)
    for path in own:
        found.pop(path, None)
    return found, time.monotonic() - began

"""Walks over history, by GitPython. Part of the git edge."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

_ROW = "--format=%x01%H%x02%P%x02%s%x02"

Logged = tuple[str, str, str, list[str]]


def walk_history(git_dir: str, env: Mapping[str, str], since: str) -> Iterator[Logged]:
    """(commit, parent, subject, paths) from HEAD back to `since`, newest first."""
    import git

    walker = git.Repo(git_dir)
    walker.git.update_environment(**env)
    options = ("--name-only", "--no-renames", "--no-merges", "-z", _ROW)
    process = walker.git.log(*options, f"{since}..HEAD" if since else "HEAD", as_process=True)
    try:
        rest = ""
        while part := process.stdout.read(1 << 16):
            *entries, rest = (rest + os.fsdecode(part)).split("\1")
            yield from (e for row in entries if (e := _logged(row)))
        if entry := _logged(rest):
            yield entry
    finally:
        process.terminate()
        walker.close()


def _logged(row: str) -> Logged | None:
    """A row of the log; None for the first commit and for nothing."""
    oid, _, rest = row.partition("\2")
    parents, _, rest = rest.partition("\2")
    subject, _, names = rest.partition("\2")
    paths = [n.strip("\n") for n in names.split("\0") if n.strip("\n")]
    return (oid, parents, subject, paths) if parents else None

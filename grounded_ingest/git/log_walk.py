"""Walks the git history with GitPython, in the same restricted environment as every other git
process of this package.

By default, GitPython starts git with the whole environment of this process and without our
restricting options. With `log.showSignature` in its configuration, a repository could then run a
program through `gpg.program`. `import git` runs only `git version`, which reads no repository."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import git

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.process import start_quietly

_ROW = "--format=%x01%H%x02%P%x02%s%x02"

Logged = tuple[str, str, str, list[str]]


class _HardenedGit(git.Git):
    """GitPython's git with the restricted command line and environment of this package. Only
    commands with streamed output can be run (`as_process`)."""

    def __init__(self, command: Sequence[str], root: str, env: Mapping[str, str]) -> None:
        super().__init__(root)
        self._root, self._begin, self._own_env = root, [*command], env

    def execute(  # type: ignore[override]  # all that GitPython runs ends here
        self, command: Sequence[str], *_: Any, as_process: bool = False, **__: Any
    ) -> git.Git.AutoInterrupt:
        if not as_process:
            raise NotImplementedError(command)
        process = start_quietly([*self._begin, *command[1:]], self._root, self._own_env)
        return self.AutoInterrupt(process, command)


def walk_history(
    command: Sequence[str], root: str, env: Mapping[str, str], since: str
) -> Iterator[Logged]:
    """Yields (commit, parent, subject, paths) from HEAD back to the commit `since`, newest first.

    Raises GroundedIngestError if git fails, because the history may then be incomplete."""
    options = ("--name-only", "--no-renames", "--no-merges", "-z", _ROW)
    revisions = f"{since}..HEAD" if since else "HEAD"
    process = _HardenedGit(command, root, env).log(*options, revisions, "--", as_process=True)
    try:
        rest = b""
        while part := process.stdout.read(1 << 16):
            *entries, rest = (rest + part).split(b"\1")
            yield from (e for row in entries if (e := _logged(row)))
        if entry := _logged(rest):
            yield entry
        process.wait()
    except git.GitCommandError:
        raise GroundedIngestError(f"git failed in {root} (git log {revisions})") from None
    finally:
        process.terminate()


def _logged(row: bytes) -> Logged | None:
    """Parses a row of the log. Returns None for the first commit in the history and for an empty
    row."""
    oid, _, rest = os.fsdecode(row).partition("\2")
    parents, _, rest = rest.partition("\2")
    subject, _, names = rest.partition("\2")
    paths = [n.strip("\n") for n in names.split("\0") if n.strip("\n")]
    return (oid, parents, subject, paths) if parents else None

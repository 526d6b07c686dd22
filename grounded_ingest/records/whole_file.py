"""Writes files that several processes share. Writes are under a common lock, and a file is replaced
completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo

_DRAFT = ".grounded-draft"


@contextmanager
def locked(repo: Repo) -> Iterator[None]:
    """Takes the lock for writing files in a repository. The operating system releases the lock when
    the process ends."""
    directory = repo.cache_directory
    os.makedirs(directory, exist_ok=True)
    with open(f"{directory}/lock", "a+b") as file:
        lock_file(file)
        yield


def lock_file(file: IO[bytes], *, wait: bool = True) -> None:
    """Locks an open file until the file is closed or the process ends.

    Raises OSError if locking fails. Without `wait`, raises BlockingIOError if another process has
    the lock."""
    if os.name == "nt":
        import msvcrt  # This module exists only on Windows.

        how = msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK  # type: ignore[attr-defined,unused-ignore]
        try:
            msvcrt.locking(file.fileno(), how, 1)  # type: ignore[attr-defined,unused-ignore]
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
    else:
        import fcntl  # This module exists only on POSIX systems.

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def refuse_links(root: str, path: str) -> None:
    """Raises GroundedIngestError if a path below `root`, or a directory above it, is a symbolic
    link. A malicious clone could use such a link to make the tool write outside the work tree."""
    parts = path.split("/")
    for depth in range(1, len(parts) + 1):
        above = "/".join(parts[:depth])
        if os.path.islink(f"{root}/{above}"):
            raise GroundedIngestError(
                f"{above} is a symbolic link", "replace the link by a normal file or directory"
            )


def write_whole(
    full: str, content: bytes, *, mode: int | None = None, durable: bool = False
) -> None:
    """Replaces the content of a file in a single step. If the process is killed, the old content
    remains.

    The content is first written to a temporary file beside the target or in `.grounded`. The caller
    must hold the lock, so an older temporary file belongs to a process that died, and is removed.
    `mode` contains the file permissions. By default, they follow the user's umask. With `durable`,
    the content is on disk before the function returns."""
    directory = os.path.dirname(full)
    os.makedirs(directory, exist_ok=True)
    above, below, _ = full.rpartition("/.grounded/")
    draft = f"{above}/.grounded/{_DRAFT}" if below else f"{directory}/{_DRAFT}"
    with suppress(FileNotFoundError):
        os.unlink(draft)
    try:
        with open(draft, "xb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if mode is not None:
            os.chmod(draft, mode)
        os.replace(draft, full)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise
    if durable and os.name != "nt":  # Windows cannot open a directory.
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

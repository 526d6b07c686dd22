"""Files that processes write at once: under one lock, each whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from grounded_ingest.git.repository import Repo

_DRAFT = ".grounded-draft"


@contextmanager
def locked(repo: Repo) -> Iterator[None]:
    """Hold the lock under which files of a repository are written, across processes. It ends with
    the process."""
    directory = f"{repo.common_dir}/grounded-ingest"
    os.makedirs(directory, exist_ok=True)
    with open(f"{directory}/lock", "a+b") as file:
        hold(file)
        yield


def hold(file: IO[bytes], *, wait: bool = True) -> None:
    """Lock an open file until it is closed, or the process ends. Raises OSError; BlockingIOError
    where another process holds it and this one is not to wait."""
    if os.name == "nt":
        import msvcrt

        how = msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK  # type: ignore[attr-defined,unused-ignore]
        try:
            msvcrt.locking(file.fileno(), how, 1)  # type: ignore[attr-defined,unused-ignore]
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
    else:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def write_whole(
    full: str, content: bytes, *, mode: int | None = None, durable: bool = False
) -> None:
    """Give a file its content at once: whoever dies on the way leaves it as it was. The caller
    holds the lock, so a draft that is there is of a process that died. It lies beside the file, or
    in `.grounded`, where the next to write below that takes it away. `mode`: its permissions, the
    user's default if not said; `durable`: on disk before the file has it."""
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
    if durable:
        _sync(directory)


def _sync(directory: str) -> None:
    if os.name == "nt":  # directories cannot be opened there
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""Work shared out to forked processes. What they find comes back as bytes, through files: a pipe
that nobody reads yet would stop them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import current_thread, main_thread
from typing import IO, TypeVar

from msgspec import Struct

T = TypeVar("T")
_LENGTH = 8
_END = b"\xff" * _LENGTH


class _Child(Struct):
    pid: int
    found: IO[bytes]
    over: bool = False

    def wait(self) -> None:
        if not self.over:
            with suppress(ChildProcessError):
                os.waitpid(self.pid, 0)
        self.over = True


def how_many(wanted: int, size: int, worth: int) -> int:
    """How many processes read documents of `size` bytes: as asked, or as many as pay (`worth`
    bytes each); one where processes cannot be forked, or not safely: in a server's thread."""
    if not hasattr(os, "fork") or current_thread() is not main_thread():
        return 1
    return wanted or max(1, min(os.cpu_count() or 1, 4, size // worth))


def shared(work: Callable[[T], bytes], shares: Sequence[Sequence[T]]) -> Iterator[bytes]:
    """What `work` makes of every item. The first share is done here, each other one in a process
    of its own; a share whose process fails is done here too."""
    children = [_forked(work, share) for share in shares[1:]]
    try:
        yield from map(work, shares[0] if shares else ())
        for share, child in zip(shares[1:], children, strict=True):
            child.wait()
            yield from _results(child.found) if _whole(child.found) else map(work, share)
    finally:
        for child in children:
            child.wait()
            child.found.close()


def _forked(work: Callable[[T], bytes], share: Sequence[T]) -> _Child:
    """A process that works and is gone: nothing of what others left to be done at the exit of this
    one (as multiprocessing has it) is let go of there."""
    from tempfile import TemporaryFile

    found = TemporaryFile()  # noqa: SIM115  closed when it has been read
    if not (pid := os.fork()):
        try:
            _write(work, share, found)
        finally:
            os._exit(0)
    return _Child(pid, found)


def _write(work: Callable[[T], bytes], share: Sequence[T], found: IO[bytes]) -> None:
    try:
        for result in map(work, share):
            found.write(len(result).to_bytes(_LENGTH, "big") + result)
        found.write(_END)
        found.flush()
    except BaseException:  # noqa: BLE001  whoever waits sees that the end is missing
        return


def _whole(found: IO[bytes]) -> bool:
    if found.seek(0, os.SEEK_END) < _LENGTH:
        return False
    found.seek(-_LENGTH, os.SEEK_END)
    return found.read() == _END


def _results(found: IO[bytes]) -> Iterator[bytes]:
    found.seek(0)
    while (length := found.read(_LENGTH)) != _END:
        yield found.read(int.from_bytes(length, "big"))


def shares_of(items: Sequence[T], size: Callable[[T], int], shares: int) -> list[list[T]]:
    """Shares of about the same size."""
    found: list[list[T]] = [[] for _ in range(shares)]
    for number, item in enumerate(sorted(items, key=size, reverse=True)):
        turn, at = divmod(number, shares)
        found[at if turn % 2 else shares - 1 - at].append(item)
    return found

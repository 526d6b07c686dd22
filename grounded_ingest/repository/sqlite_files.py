"""SQLite files that are safe to lose: which are damaged, which are of another format."""

from __future__ import annotations

import contextlib
import os
import sqlite3

DAMAGE = (sqlite3.Error, ValueError, TypeError, LookupError)
"""What reading a damaged file may raise: SQLite's own words for it, which need not be UTF-8, and
values of another type than was written."""

# Others are at it, or the place does not take it: that says nothing of what the file holds.
_ELSEWHERE = frozenset(
    (
        sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
    )
)  # fmt: skip


def broken(error: BaseException) -> bool:
    """Whether the file is to blame; where it is locked, full or read-only it is not."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & 0xFF not in _ELSEWHERE


def discard(path: str) -> None:
    """Remove a file with the journals beside it, which would be played back into the next one."""
    for end in ("-journal", "-wal", "-shm", ""):
        with contextlib.suppress(OSError):
            os.unlink(path + end)


def format_number(variant: str) -> int:
    """A number to tell formats by; never 0, which is a new file's."""
    from zlib import crc32

    return crc32(variant.encode()) & 0x7FFFFFFF or 1  # 0 is a new file's


def sealed(name: str, content: bytes) -> bytes:
    """Content with a checksum over its name and itself, which SQLite does not keep."""
    return _checksum(name, content) + content


def unsealed(name: str, kept: object) -> bytes:
    """Content as it was sealed under a name. Raises ValueError where it is not."""
    if not isinstance(kept, bytes) or _checksum(name, kept[4:]) != kept[:4]:
        raise ValueError("damaged content")
    return kept[4:]


def _checksum(name: str, content: bytes) -> bytes:
    from zlib import crc32

    return crc32(content, crc32(name.encode())).to_bytes(4, "big")

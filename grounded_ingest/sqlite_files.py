"""SQLite files that are safe to lose: which are broken, which are of another format."""

from __future__ import annotations

import sqlite3


def broken(error: sqlite3.Error) -> bool:
    """Whether the file is no sound database; locked, full and read-only ones are."""
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or (
        code == sqlite3.SQLITE_ERROR and "no such" in str(error)
    )


def stamp(variant: str) -> int:
    """A number to tell formats by; never 0, which is a new file's."""
    from zlib import crc32

    return crc32(variant.encode()) & 0x7FFFFFFF or 1  # 0 is a new file's

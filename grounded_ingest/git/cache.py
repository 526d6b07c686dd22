"""The one file that keeps results between runs: `cache.sqlite`, below the git directory.

A result is a row: its kind, its key, its content, and when it was used last. The key says all that
the result depends on, so no row can be stale; each kind makes its own keys. Parts that ask across
rows (the index of claims, the history of removals, recall) have tables of their own in the file.

The file is safe to lose. One that is damaged, or of another format, is thrown away and made anew;
one that is locked, full or read-only is gone without. Answers are the same in every case.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar
from zlib import crc32

FILE = "cache.sqlite"
FORMAT = 1
"""Raised when any table of the file, or what its rows mean, changes."""
ROOM = 128_000_000
"""Bytes of the file in use, from which on what is not needed is dropped. Rows may take half."""
STALE = 1000
"""Rows written since a row was used, before its next use is noted: reading seldom writes."""

MEMORY = ":memory:"
DAMAGE = (sqlite3.Error, ValueError, TypeError, LookupError)
"""What reading a damaged file may raise: SQLite's own message, which need not be UTF-8, and values
of another type than was written."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
  key BLOB NOT NULL, value BLOB NOT NULL, used INTEGER NOT NULL, UNIQUE (kind, key));
CREATE TABLE IF NOT EXISTS room (bytes INTEGER NOT NULL);
"""
_ROW = 100
"""Bytes that a row takes beside its value."""
_PATIENCE_S = 2.0
_FORMER = ("index.sqlite", "history.sqlite", "answers-1.sqlite3", "texts-1.sqlite3")
"""Files of earlier versions, which nobody reads any more."""

# The place is to blame, or another process is at work: that says nothing of what the file holds.
_ELSEWHERE = frozenset(
    (
        sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
    )
)  # fmt: skip

T = TypeVar("T")
_TABLE = re.compile(r"CREATE TABLE IF NOT EXISTS (\w+)")


class Cache:
    """Results by kind and key, in a file of `directory`; in memory if that is empty.

    `tables` are the statements that make the tables of a part. `on_loss` is called when the file
    fails and memory replaces it: the tables are empty then. It may raise.
    """

    def __init__(
        self, directory: str, tables: str = "", on_loss: Callable[[], None] = lambda: None
    ) -> None:
        self.path = f"{directory}/{FILE}" if directory else MEMORY
        self._tables, self._on_loss = tables, on_loss
        self._db: sqlite3.Connection | None = None
        self._stamp = 0
        self._again: set[tuple[str, bytes]] = set()
        """Rows that were used and were not for long."""

    def get(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Returns what is kept under these keys; damaged rows are left out."""
        found: dict[bytes, bytes] = {}

        def read(db: sqlite3.Connection) -> None:
            newest = _newest(db)
            for some in chunks(list(keys)):
                marks = ",".join("?" * len(some))
                sql = f"SELECT key, value, used FROM kept WHERE kind=? AND key IN ({marks})"  # noqa: S608
                for key, value, used in db.execute(sql, (kind, *some)).fetchall():
                    with contextlib.suppress(ValueError):
                        found[key] = unsealed(_name(kind, key), value)
                    if used < newest - STALE:
                        self._again.add((kind, key))

        self._try(read)
        return found

    def get_one(self, kind: str, key: bytes) -> bytes | None:
        """Returns what is kept under a key, None if nothing is."""
        return self.get(kind, (key,)).get(key)

    def put(self, kind: str, rows: Mapping[bytes, bytes], *, most: int = 0) -> None:
        """Keeps whole results; what is used least goes if there are too many bytes, or with `most`
        too many rows of this kind. Nothing is kept if the file cannot be written."""
        fitting = {k: v for k, v in rows.items() if len(v) <= ROOM // 4}

        def write(db: sqlite3.Connection) -> None:
            with transaction(db):
                newest = _newest(db)
                db.executemany(
                    "INSERT OR REPLACE INTO kept (kind, key, value, used) VALUES (?, ?, ?, ?)",
                    ((kind, k, sealed(_name(kind, k), v), newest) for k, v in fitting.items()),
                )
                if most:
                    db.execute(_BEYOND, (kind, kind, most))
                self._note_uses(db, newest)
                _make_room(db, sum(len(v) + _ROW for v in fitting.values()))

        if fitting:
            self._try(write)

    def _note_uses(self, db: sqlite3.Connection, newest: int) -> None:
        rows = ((newest, kind, key) for kind, key in self._again)
        db.executemany("UPDATE kept SET used=? WHERE kind=? AND key=?", rows)
        self._again.clear()

    def _try(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Does the work if the file lets it: only a short cut is lost otherwise."""
        try:
            work(self.connection())
        except (*DAMAGE, OSError) as error:
            if self.path != MEMORY and broken(error):
                self.leave_file(error)

    def use(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Does the work in the file; if that fails, in memory, after `on_loss`."""
        try:
            return work(self.connection())
        except (*DAMAGE, OSError) as error:
            if self.path == MEMORY:
                raise
            self.leave_file(error)
        return work(self.connection())

    def leave_file(self, error: BaseException) -> None:
        """Goes on in memory. A file that is to blame for the error is thrown away."""
        if self.path == MEMORY:
            return
        self._shut()
        if broken(error):
            discard(self.path)
        self.path = MEMORY
        self._on_loss()

    def use_memory(self) -> None:
        """Goes on in memory, without what was kept, and leaves the file as it is."""
        self._shut()
        self.path = MEMORY

    def connection(self) -> sqlite3.Connection:
        """The open file. Raises as SQLite does if it cannot be opened."""
        if self._db is None:
            if self.path != MEMORY:
                os.makedirs(os.path.dirname(self.path), exist_ok=True)
            self._db = self._connect()
        return self._db

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(
            self.path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
        )
        try:
            db.execute("PRAGMA synchronous=OFF")  # a cache: after a power cut it is made anew
            if _number(db, "user_version") != FORMAT:
                with transaction(db):
                    if _number(db, "user_version") != FORMAT:  # nobody else made it meanwhile
                        _clear(db)
                        self._remove_former()
            for tables in (_SCHEMA, self._tables):
                _make(db, tables)
            self._stamp = _number(db, "application_id")
        except DAMAGE as error:
            db.close()
            if self.path == MEMORY or not broken(error):
                raise
            discard(self.path)  # not a database any more: nothing of value is lost
            if os.path.exists(self.path):
                raise
            return self._connect()
        return db

    def _remove_former(self) -> None:
        if self.path == MEMORY:
            return
        folder = os.path.dirname(self.path)
        for name in _FORMER:
            discard(f"{folder}/{name}")
        with contextlib.suppress(OSError):
            for entry in os.scandir(f"{folder}/reports"):
                os.unlink(entry.path)
            os.rmdir(f"{folder}/reports")

    def changed_hands(self) -> bool:
        """Whether another process dropped documents under this run, or made the file anew: row
        numbers that this run knows may then be of other documents."""
        if self.path == MEMORY:
            return False
        try:
            return _number(self.connection(), "application_id") != self._stamp
        except DAMAGE:
            return True

    def stamp_anew(self, db: sqlite3.Connection) -> None:
        """Lets other processes see that row numbers they know are gone."""
        self._stamp = _stamp_anew(db)

    def close(self) -> None:
        """Notes which rows were used, and closes the file."""
        if self._again and self.path != MEMORY:
            with contextlib.suppress(*DAMAGE, OSError):
                db = self.connection()
                with transaction(db):
                    self._note_uses(db, _newest(db))
        self._shut()

    def _shut(self) -> None:
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError):  # Python 3.13 warns of connections left open
            self._shut()


_BEYOND = (
    "DELETE FROM kept WHERE kind=? AND id NOT IN"
    " (SELECT id FROM kept WHERE kind=? ORDER BY id DESC LIMIT ?)"
)
_LEAST_USED = (
    "DELETE FROM kept WHERE id IN (SELECT id FROM (SELECT id, sum(length(value) + ?) OVER"
    " (ORDER BY used DESC, id DESC) AS so_far FROM kept) WHERE so_far > ?)"
)


def _make_room(db: sqlite3.Connection, added: int) -> None:
    """Counts what was written, and drops the rows used least if there are too many bytes. The count
    is too high for rows that were replaced, until it is taken anew."""
    if not db.execute("UPDATE room SET bytes = bytes + ?", (added,)).rowcount:
        db.execute("INSERT INTO room VALUES (?)", (added,))
    if db.execute("SELECT bytes FROM room").fetchone()[0] > ROOM // 2:
        db.execute(_LEAST_USED, (_ROW, ROOM * 3 // 8))
        db.execute("UPDATE room SET bytes = (SELECT total(length(value) + ?) FROM kept)", (_ROW,))


def _newest(db: sqlite3.Connection) -> int:
    """The number of the row written last: uses are ordered by it, so that no clock is needed."""
    return int(db.execute("SELECT max(id) FROM kept").fetchone()[0] or 0)


def _make(db: sqlite3.Connection, tables: str) -> None:
    """Makes the tables of a part. Raises DatabaseError if only some of them are there."""
    names = _TABLE.findall(tables)
    marks = ",".join("?" * len(names))
    sql = f"SELECT count(*) FROM sqlite_master WHERE type='table' AND name IN ({marks})"  # noqa: S608
    found = db.execute(sql, names).fetchone()[0]
    if found == len(names):
        return
    if found:
        raise sqlite3.DatabaseError("a table is missing")
    with transaction(db):
        for statement in tables.split(";\n"):
            db.execute(statement)


def _clear(db: sqlite3.Connection) -> None:
    found = db.execute("SELECT name, sql FROM sqlite_master WHERE type='table'").fetchall()
    # A virtual table drops the tables it consists of.
    for name, _ in sorted(found, key=lambda row: not str(row[1]).startswith("CREATE VIRTUAL")):
        if not name.startswith("sqlite_"):
            db.execute(f'DROP TABLE IF EXISTS "{name}"')
    db.execute(f"PRAGMA user_version={FORMAT}")
    _stamp_anew(db)


def _stamp_anew(db: sqlite3.Connection) -> int:
    stamp = int.from_bytes(os.urandom(4)) >> 1
    db.execute(f"PRAGMA application_id={stamp}")
    return stamp


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Takes the right to write at once, and writes all or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def bytes_in_use(db: sqlite3.Connection) -> int:
    """Bytes of the pages in use."""
    pages = _number(db, "page_count") - _number(db, "freelist_count")
    return pages * _number(db, "page_size")


def _number(db: sqlite3.Connection, pragma: str) -> int:
    return int(db.execute(f"PRAGMA {pragma}").fetchone()[0])


def broken(error: BaseException) -> bool:
    """Whether the file is to blame for an error: not if it is locked, full or read-only."""
    code = getattr(error, "sqlite_errorcode", None)
    return not isinstance(error, OSError) and (code is None or code & 0xFF not in _ELSEWHERE)


def discard(path: str) -> None:
    """Removes a file, with the journals beside it, which would be played back into the next one."""
    for end in ("-journal", "-wal", "-shm", ""):
        with contextlib.suppress(OSError):
            os.unlink(path + end)


def sealed(name: str, content: bytes) -> bytes:
    """Returns content with a checksum over its name and itself, which SQLite does not keep."""
    return _checksum(name, content) + content


def unsealed(name: str, kept: object) -> bytes:
    """Returns content that was sealed under a name. Raises ValueError if it was not."""
    if not isinstance(kept, bytes) or _checksum(name, kept[4:]) != kept[:4]:
        raise ValueError("damaged content")
    return kept[4:]


def _checksum(name: str, content: bytes) -> bytes:
    return crc32(content, crc32(name.encode())).to_bytes(4, "big")


def _name(kind: str, key: bytes) -> str:
    return f"{kind} {key.hex()}"


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Splits what is asked for into questions that SQLite takes."""
    for start in range(0, len(items), 500):
        yield items[start : start + 500]

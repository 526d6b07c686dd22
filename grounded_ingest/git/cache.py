"""Stores results between runs in a single file, `cache.sqlite`, below the git directory.

Each result is stored under a kind, such as `landing`, and a key. The key covers everything that the
result depends on, so a result can never be out of date. When the file is full, the oldest results
are dropped. Searches need more than a key, so the index of claims, the history of removals and
`recall` have their own tables.

The file can be lost safely. A damaged file, or one in another format, is deleted and created again.
If the file is locked, full or read-only, the run works without it. The results are the same in all
cases."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar
from zlib import crc32

from msgspec import MsgspecError, msgpack

from grounded_ingest.model.digests import blake2b

FILE = "cache.sqlite"
FORMAT = 6
"""Format version. Raise the number if a table in the file changes or its rows get another
meaning."""
ROOM = 128_000_000
"""Maximum number of bytes in use. Rows by kind and key may take half of them, other tables the
rest."""

MEMORY = ":memory:"
DAMAGE = (sqlite3.Error, ValueError, TypeError, LookupError)
"""Exceptions that reading a damaged file may raise. For example, SQLite's message may not be valid
UTF-8, and values may have the wrong type."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
  key BLOB NOT NULL, value BLOB NOT NULL, UNIQUE (kind, key));
CREATE TABLE IF NOT EXISTS room (bytes INTEGER NOT NULL);
"""
_ROW = 100
"""Number of bytes that SQLite needs for a row in addition to the stored value."""
_PATIENCE_S = 2.0


# These errors mean that the file cannot be used at present, for example because another process
# locks it. They do not mean that the content is damaged.
_ELSEWHERE = frozenset((
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_INTERRUPT,
))  # fmt: skip

T = TypeVar("T")
_TABLE = re.compile(r"CREATE TABLE IF NOT EXISTS (\w+)")


class Cache:
    """Stores results by kind and key in a file in `directory`. If `directory` is empty, stores them
    in memory.

    `tables` contains the SQL statements that create additional tables. `on_loss` is called if the
    file fails and memory replaces the file. All tables are then empty. `on_loss` may raise an
    exception."""

    def __init__(
        self, directory: str, tables: str = "", on_loss: Callable[[], None] = lambda: None
    ) -> None:
        self.path = f"{directory}/{FILE}" if directory else MEMORY
        self._tables, self._on_loss = tables, on_loss
        self._db: sqlite3.Connection | None = None
        self._stamp = 0

    def get(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Returns the contents stored under these keys. Leaves out damaged rows."""
        found: dict[bytes, bytes] = {}

        def read(db: sqlite3.Connection) -> None:
            for some in chunks(list(keys)):
                marks = ",".join("?" * len(some))
                sql = f"SELECT key, value FROM kept WHERE kind=? AND key IN ({marks})"  # noqa: S608
                for key, value in db.execute(sql, (kind, *some)).fetchall():
                    with contextlib.suppress(ValueError):
                        found[key] = check_content(_name(kind, key), value)

        self._try(read)
        return found

    def get_one(self, kind: str, key: bytes) -> bytes | None:
        """Returns the content stored under a key. Returns None if there is none."""
        return self.get(kind, (key,)).get(key)

    def put(self, kind: str, rows: Mapping[bytes, bytes], *, most: int = 0) -> None:
        """Stores results, except those larger than a quarter of `ROOM`.

        If there are too many bytes, drops the oldest rows. With `most`, also limits
        the number of rows of this kind. Stores nothing if the file cannot be written."""
        fitting = {k: v for k, v in rows.items() if len(v) <= ROOM // 4}

        def write(db: sqlite3.Connection) -> None:
            with transaction(db):
                db.executemany(
                    "INSERT OR REPLACE INTO kept (kind, key, value) VALUES (?, ?, ?)",
                    ((kind, k, add_checksum(_name(kind, k), v)) for k, v in fitting.items()),
                )
                if most:
                    db.execute(_BEYOND, (kind, kind, most))
                _make_room(db, sum(len(v) + _ROW for v in fitting.values()))

        if fitting:
            self._try(write)

    def _try(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Runs `work` on the cache file. Ignores failures, because the cache only saves time."""
        try:
            work(self.connection())
        except (*DAMAGE, OSError) as error:
            if self.path != MEMORY and broken(error):
                self.leave_file(error)

    def use(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` on the cache file. If this fails, calls `on_loss` and runs `work` with an
        empty database in memory."""
        try:
            return work(self.connection())
        except (*DAMAGE, OSError) as error:
            if self.path == MEMORY:
                raise
            self.leave_file(error)
        return work(self.connection())

    def leave_file(self, error: BaseException) -> None:
        """Switches to a store in memory. Deletes the file if the error shows that the file is
        damaged."""
        if self.path == MEMORY:
            return
        self.close()
        if broken(error):
            discard(self.path)
        self.path = MEMORY
        self._on_loss()

    def use_memory(self) -> None:
        """Switches to an empty store in memory, and leaves the file unchanged."""
        self.close()
        self.path = MEMORY

    def connection(self) -> sqlite3.Connection:
        """The open database connection. Raises SQLite's exceptions if the file cannot be opened."""
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
            # No sync to disk: if a power cut damages the cache, it is created again.
            db.execute("PRAGMA synchronous=OFF")
            if _number(db, "user_version") != FORMAT:
                with transaction(db):
                    # Checks that no other process has created the file meanwhile.
                    if _number(db, "user_version") != FORMAT:
                        _clear(db)
            for tables in (_SCHEMA, self._tables):
                _make(db, tables)
            self._stamp = _number(db, "application_id")
        except DAMAGE as error:
            db.close()
            if self.path == MEMORY or not broken(error):
                raise
            discard(self.path)  # The file is not a database any more, so nothing of value is lost.
            if os.path.exists(self.path):
                raise
            return self._connect()
        return db

    def was_replaced(self) -> bool:
        """Returns whether another process deleted rows or created the file again during this run.
        Row numbers that this run has already read may then be wrong."""
        if self.path == MEMORY:
            return False
        try:
            return _number(self.connection(), "application_id") != self._stamp
        except DAMAGE:
            return True

    def mark_as_new(self, db: sqlite3.Connection) -> None:
        """Writes a new number into the file after rows were deleted, so that other processes notice
        that the row numbers they have read are no longer valid (`was_replaced`)."""
        self._stamp = _stamp_anew(db)

    def close(self) -> None:
        """Closes the file."""
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def __del__(self) -> None:
        # Python 3.13 warns about connections that are left open.
        with contextlib.suppress(AttributeError):
            self.close()


def copy_cache(directory: str, other: str) -> None:
    """Copies the cache file from one directory to another, if it can be read."""
    with contextlib.suppress(*DAMAGE, OSError):
        from pathlib import Path  # imported late for a fast start

        source = Path(directory, FILE).absolute().as_uri()
        with (
            contextlib.closing(sqlite3.connect(f"{source}?mode=ro", uri=True)) as one,
            contextlib.closing(sqlite3.connect(f"{other}/{FILE}")) as two,
        ):
            one.backup(two)


def remember(cache: Cache, kind: str, key: object, result: type[T], find: Callable[[], T]) -> T:
    """Returns the value that `find` computes, from the cache if an earlier run stored the value.
    `result` is the type of the value. `key` contains everything that the value depends on."""
    # `repr` also encodes a path that is not UTF-8.
    digest = blake2b(repr(key).encode(), digest_size=16).digest()
    if (kept := cache.get_one(kind, digest)) is not None:
        with contextlib.suppress(MsgspecError):
            return msgpack.decode(kept, type=result)
    found = find()
    with contextlib.suppress(UnicodeEncodeError):
        cache.put(kind, {digest: msgpack.encode(found)})
    return found


_BEYOND = (
    "DELETE FROM kept WHERE kind=? AND id NOT IN"
    " (SELECT id FROM kept WHERE kind=? ORDER BY id DESC LIMIT ?)"
)
_OLDEST = (
    "DELETE FROM kept WHERE id IN (SELECT id FROM (SELECT id, sum(length(value) + ?) OVER"
    " (ORDER BY id DESC) AS so_far FROM kept) WHERE so_far > ?)"
)


def _make_room(db: sqlite3.Connection, added: int) -> None:
    """Adds the written bytes to the total, and deletes the oldest rows above the limit. Replaced
    rows are counted twice until the next full count."""
    if not db.execute("UPDATE room SET bytes = bytes + ?", (added,)).rowcount:
        db.execute("INSERT INTO room VALUES (?)", (added,))
    if db.execute("SELECT bytes FROM room").fetchone()[0] > ROOM // 2:
        db.execute(_OLDEST, (_ROW, ROOM * 3 // 8))
        db.execute("UPDATE room SET bytes = (SELECT total(length(value) + ?) FROM kept)", (_ROW,))


def _make(db: sqlite3.Connection, tables: str) -> None:
    """Creates the tables if none of them exists. Raises DatabaseError if only some exist."""
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
    # Dropping a virtual table also drops the tables that it consists of.
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
    """Starts a write transaction immediately. Commits all changes, or none if an exception is
    raised."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def bytes_in_use(db: sqlite3.Connection) -> int:
    """Returns the size in bytes of the used database pages."""
    pages = _number(db, "page_count") - _number(db, "freelist_count")
    return pages * _number(db, "page_size")


def _number(db: sqlite3.Connection, pragma: str) -> int:
    return int(db.execute(f"PRAGMA {pragma}").fetchone()[0])


def broken(error: BaseException) -> bool:
    """Returns whether an error means that the file is damaged. A locked, full or read-only file is
    not damaged."""
    code = getattr(error, "sqlite_errorcode", None)
    return not isinstance(error, OSError) and (code is None or code & 0xFF not in _ELSEWHERE)


def discard(path: str) -> None:
    """Deletes a cache file and its journals; SQLite would apply them to the next file."""
    for end in ("-journal", "-wal", "-shm", ""):
        with contextlib.suppress(OSError):
            os.unlink(path + end)


def add_checksum(name: str, content: bytes) -> bytes:
    """Returns the content after a checksum of name and content. SQLite stores no checksums."""
    return _checksum(name, content) + content


def check_content(name: str, kept: object) -> bytes:
    """Returns the content without checksum. Raises ValueError if the checksum does not match."""
    if not isinstance(kept, bytes) or _checksum(name, kept[4:]) != kept[:4]:
        raise ValueError("damaged content")
    return kept[4:]


def _checksum(name: str, content: bytes) -> bytes:
    return crc32(content, crc32(name.encode())).to_bytes(4, "big")


def _name(kind: str, key: bytes) -> str:
    return f"{kind} {key.hex()}"


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Splits a list of values into parts that fit into a SQLite query."""
    for start in range(0, len(items), 500):
        yield items[start : start + 500]

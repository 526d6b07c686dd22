"""Confirmed answers of servers, kept for a while; safe to delete, and never in the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

FILE = "answers-1.sqlite3"
_SCHEMA = (
    "create table if not exists answers"
    "(key text primary key, at real not null, reason text not null, quote text not null,"
    " grounds integer not null) without rowid"
)
TEXTS_FILE = "texts-1.sqlite3"
_TEXTS_SCHEMA = (
    "create table if not exists texts"
    "(key text primary key, at real not null, size integer not null, content blob not null)"
)
_PUT = "insert or replace into answers values (?, ?, ?, ?, ?)"
_PUT_TEXT = "insert or replace into texts values (?, ?, ?, ?)"
# The oldest texts, beyond what the newest may take.
_MAKE_ROOM = (
    "delete from texts where at < ? or key in (select key from (select key, sum(size) over"
    " (order by at desc, key) as so_far from texts) where so_far > ?)"
)
TEXTS_LIMIT = 64 * 1024 * 1024
"""Bytes that all texts together may take."""

# Keys of one question: far below the number of variables SQLite takes.
_MANY = 500
_PATIENCE_S = 1.0


class ConfirmedAnswer(Struct, frozen=True):
    """What a server confirmed. `at` is in seconds since the epoch."""

    at: float
    reason: str = ""
    quote: str = ""
    grounds: bool = True


class CachedText(Struct, frozen=True):
    """What a page or an issue says, encoded. `at` is in seconds since the epoch."""

    at: float
    content: bytes


class Answers:
    """Confirmed answers and texts no older than `ttl` seconds, in a file of `directory`.

    Texts of this run are held in memory too, so that none is asked for twice where none is kept.

    Whatever fails leaves it empty or unwritten; nothing raises.
    """

    def __init__(self, directory: str, ttl: int, clock: Callable[[], float] = time.time) -> None:
        self._directory = directory
        self._ttl = ttl
        self._clock = clock
        self._texts: dict[str, CachedText] = {}

    def get(self, keys: Iterable[str]) -> dict[str, ConfirmedAnswer]:
        """The answers still good, by key."""
        wanted = list(dict.fromkeys(keys))
        if not wanted or not self._ttl:
            return {}
        return self._with(lambda db: self._read(db, wanted)) or {}

    def put(self, found: Mapping[str, ConfirmedAnswer]) -> None:
        """Keeps these; drops what is too old."""
        if not found or not self._ttl:
            return
        rows = [(k, h.at, h.reason, h.quote, int(h.grounds)) for k, h in found.items()]
        oldest = self._clock() - self._ttl

        def write(db: Connection) -> None:
            with db:
                db.executemany(_PUT, rows)
                db.execute("delete from answers where at < ?", (oldest,))

        self._with(write)

    def texts(self, keys: Iterable[str]) -> dict[str, CachedText]:
        """The texts still good, by key."""
        wanted = list(dict.fromkeys(keys))
        found = {key: self._texts[key] for key in wanted if key in self._texts}
        rest = [key for key in wanted if key not in found]
        if rest and self._ttl:
            found |= self._with(lambda db: self._read_texts(db, rest), TEXTS_FILE) or {}
        return found

    def put_texts(self, found: Mapping[str, CachedText]) -> None:
        """Keeps these; drops what is too old or too much."""
        self._texts |= found
        if not found or not self._ttl:
            return
        rows = [(key, kept.at, len(kept.content), kept.content) for key, kept in found.items()]
        oldest = self._clock() - self._ttl

        def write(db: Connection) -> None:
            with db:
                db.executemany(_PUT_TEXT, rows)
                db.execute(_MAKE_ROOM, (oldest, TEXTS_LIMIT))

        self._with(write, TEXTS_FILE)

    def _read_texts(self, db: Connection, wanted: list[str]) -> dict[str, CachedText]:
        now = self._clock()
        query = "select at, content from texts where key = ? and at between ? and ?"
        found = {}
        for key in wanted:
            row = db.execute(query, (key, now - self._ttl, now)).fetchone()
            if row is not None and isinstance(row[1], bytes):
                found[key] = CachedText(*row)
        return found

    def _read(self, db: Connection, wanted: list[str]) -> dict[str, ConfirmedAnswer]:
        now = self._clock()
        found = {}
        for start in range(0, len(wanted), _MANY):
            keys = wanted[start : start + _MANY]
            marks = ",".join("?" * len(keys))
            # Times to come are of a clock that was wrong, or of nobody's.
            query = f"select * from answers where key in ({marks}) and at between ? and ?"  # noqa: S608
            rows = db.execute(query, (*keys, now - self._ttl, now))
            found.update(
                {key: ConfirmedAnswer(at, why, quote, bool(gr)) for key, at, why, quote, gr in rows}
            )
        return found

    def _with(self, work: Callable[[Connection], T], file: str = FILE) -> T | None:
        """Does the work; a file that is no sound database is thrown away, and once tried again."""
        import os

        from grounded_ingest.repository.sqlite_files import DAMAGE, broken, discard

        for _ in range(2):
            try:
                return self._worked(work, file)
            except OSError:
                return None
            except DAMAGE as error:
                if not broken(error):
                    return None
                discard(os.path.join(self._directory, file))
        return None

    def _worked(self, work: Callable[[Connection], T], file: str) -> T:
        import os
        import sqlite3
        from contextlib import closing

        os.makedirs(self._directory, exist_ok=True)
        path = os.path.join(self._directory, file)
        with closing(sqlite3.connect(path, timeout=_PATIENCE_S)) as db:
            db.execute(_SCHEMA if file == FILE else _TEXTS_SCHEMA)
            return work(db)

"""The local index: extractions by blob id and an exact index of claim keys, in SQLite.

It lies in the git common directory, is shared by all work trees, and is safe to delete at any
time: it holds what blobs yield, never which documents are live. Without a place to put it, it
lives in memory and answers the same.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, TypeVar

import msgspec

from grounded_ingest.extract.unreadable import reader_failed
from grounded_ingest.model.claims import Extraction
from grounded_ingest.repository.index_record import (
    ExtractionKey,
    IndexRecord,
    KeysOf,
    batches,
    chunks,
    make_entry,
)
from grounded_ingest.repository.ledger import Ledger
from grounded_ingest.repository.sqlite_files import (
    DAMAGE,
    broken,
    discard,
    format_number,
    sealed,
    unsealed,
)
from grounded_ingest.version import __version__

_SCHEMA = """
CREATE TABLE IF NOT EXISTS blob (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE NOT NULL,
  content BLOB, keys BLOB, numbers BLOB);
CREATE TABLE IF NOT EXISTS gram (key INTEGER, blob INTEGER, claim INTEGER,
  PRIMARY KEY (key, blob, claim)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cites (name TEXT, blob INTEGER, claim INTEGER,
  PRIMARY KEY (name, blob, claim)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS import (blob INTEGER, target TEXT, UNIQUE (blob, target));
CREATE TABLE IF NOT EXISTS judged (key BLOB UNIQUE NOT NULL, said BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS written (digest BLOB PRIMARY KEY) WITHOUT ROWID;
"""
_FORMAT = "13"
_ROWS_OF = {"gram": "blob", "cites": "blob", "import": "blob", "blob": "id"}
_TABLES = (
    "blob", "gram", "cites", "import", "written", "judged", "recall_state",
    "recall_document", "recall_ground", "recall_relation", "recall_blob", "recall_text",
    "recall_vector",
)  # fmt: skip
KEPT = 20_000
"""Blobs that are not live, before they are dropped."""
ROOM, AGES = 64_000_000, 3
"""Bytes from which on they are dropped where they are so many times as many as the live ones: work
trees and branches take turns without reading each other's documents anew."""


T = TypeVar("T")
_ACCOMPANIED = (
    "SELECT DISTINCT :row, a.claim FROM asked a WHERE EXISTS (SELECT 1 FROM gram b"
    " JOIN live USING (blob) WHERE b.key=a.key AND (b.blob<>:row OR b.claim<>a.claim))"
)
_ALL_ACCOMPANIED = (
    "SELECT DISTINCT blob, claim FROM gram JOIN live USING (blob) WHERE key IN"
    " (SELECT key FROM gram JOIN live USING (blob) GROUP BY key HAVING count(*) > 1)"
)
_FEW, _SHARE = 8, 16
"""Documents asked about from which on, with their share of all, the answer for all is cheaper."""


Extract = Callable[[ExtractionKey], Extraction]


class Index(Ledger):
    """Open with the git common directory, or with an empty string to keep it in memory.

    Whatever happens to the file (locked, full, broken, pruned by others), answers are the same:
    what is missing is extracted again, and kept in memory."""

    def __init__(self, directory: str, variant: str, keys_of: KeysOf) -> None:
        self._keys_of = keys_of
        self._decode = msgspec.msgpack.Decoder(Extraction).decode
        self._loaded: dict[str, Extraction] = {}
        self._rows: dict[str, int] = {}
        self._sources: dict[str, tuple[ExtractionKey, Extract]] = {}
        self._live = False
        self._asked = 0
        self.reused = 0
        """Texts that an earlier run had read."""
        self._together: dict[int, frozenset[int]] = {}
        self._path = f"{directory}/grounded-ingest/index.sqlite" if directory else ":memory:"
        self._stamp = 0
        self._db = self._open(f"{_FORMAT}:{__version__}:{variant}")

    def _open(self, variant: str) -> sqlite3.Connection:
        try:
            if self._path != ":memory:":
                os.makedirs(os.path.dirname(self._path), exist_ok=True)
            return self._connect(self._path, variant)
        except (*DAMAGE, OSError):
            return self._connect(":memory:", variant)

    def _connect(self, path: str, variant: str) -> sqlite3.Connection:
        db = sqlite3.connect(path, timeout=2.0, isolation_level=None)
        try:
            db.execute("PRAGMA synchronous=OFF")
            number = format_number(variant)
            self._stamp = _number(db, "application_id")
            if _number(db, "user_version") != number:
                db.execute("BEGIN IMMEDIATE")
                if _number(db, "user_version") != number:  # nobody else made it meanwhile
                    _make_tables(db, number)
                self._stamp = _number(db, "application_id")
                db.execute("COMMIT")
        except DAMAGE as error:
            db.close()
            if path == ":memory:" or not broken(error):
                raise
            discard(path)  # not a database any more: nothing of value is lost
            if os.path.exists(path):
                raise
            return self._connect(path, variant)
        return db

    @property
    def path(self) -> str:
        """Where it lies, `:memory:` where the file failed."""
        return self._path

    def close(self) -> None:
        self._db.close()

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError, sqlite3.Error):  # Python 3.13 warns of open ones
            self._db.close()

    def ensure(self, keys: Sequence[ExtractionKey], extract: Extract) -> None:
        """Makes sure that every key is indexed; `extract` is called for the missing ones."""
        wanted = {str(k): k for k in keys if str(k) not in self._rows}
        if not wanted:
            return
        self._sources.update((name, (key, extract)) for name, key in wanted.items())
        known = self._known(list(wanted))
        self.reused += len(known)
        self._rows.update(known)
        missing = [key for name, key in wanted.items() if name not in self._rows]
        self._add(self._entry(key, extract(key)) for key in missing)

    def _known(self, names: list[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for some in chunks(names):
            marks = ",".join("?" * len(some))
            sql = f"SELECT key, id FROM blob WHERE key IN ({marks})"  # noqa: S608
            found.update(self._all(sql, some, (str, int)))
        return found

    def _entry(self, key: ExtractionKey, extraction: Extraction) -> IndexRecord:
        """What is kept of a document; where that cannot be made, of one that cannot be read."""
        try:
            return make_entry(key, extraction, self._keys_of)
        except Exception as error:  # noqa: BLE001  one document's failure is its own
            return make_entry(key, reader_failed(error, key.doc_class), self._keys_of)

    def _add(self, entries: Iterable[IndexRecord]) -> None:
        """Index entries, some at a time: they are made before the file is locked."""
        for some in batches(entries):
            self._guarded(lambda some=some: self._write(some))  # type: ignore[misc]

    def _write(self, entries: Iterable[IndexRecord]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._prune()
            self._insert(entries)
            self._db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise

    def _insert(self, entries: Iterable[IndexRecord]) -> None:
        """Insert entries, each under its former row where it had one."""
        grams: list[tuple[int, int, int]] = []
        cites, imports = [], []
        for entry in entries:
            row = self._row(entry)
            keys, numbers = array("q", entry.keys), array("q", entry.numbers)
            grams += zip(keys, repeat(row), numbers)
            cites += [(name, row, number) for name, number in entry.cites]
            imports += [(row, target) for target in entry.imports]
        grams.sort()  # neighbours fall into the same pages
        self._db.executemany("INSERT OR IGNORE INTO gram VALUES (?, ?, ?)", grams)
        self._db.executemany("INSERT OR IGNORE INTO cites VALUES (?, ?, ?)", cites)
        self._db.executemany("INSERT OR IGNORE INTO import VALUES (?, ?)", imports)

    def _row(self, entry: IndexRecord) -> int:
        self._db.execute(
            "INSERT OR IGNORE INTO blob VALUES (?, ?, ?, ?, ?)",
            (
                self._rows.get(entry.name),
                entry.name,
                sealed(entry.name, entry.content),
                entry.keys,
                entry.numbers,
            ),
        )
        found = self._db.execute("SELECT id FROM blob WHERE key=?", (entry.name,)).fetchone()
        self._rows[entry.name] = row = int(found[0])
        return row

    def _prune(self) -> None:
        dead = self._db.execute("SELECT count(*) FROM blob").fetchone()[0] - len(self._rows)
        if dead <= min(KEPT, AGES * len(self._rows)) or (dead <= KEPT and self._size() < ROOM):
            return
        live = ",".join(map(str, self._rows.values())) or "0"
        for table, column in _ROWS_OF.items():
            self._db.execute(f"DELETE FROM {table} WHERE {column} NOT IN ({live})")  # noqa: S608
        self._stamp = _restamped(self._db)

    def changed_hands(self) -> bool:
        """Whether another process pruned the file under this run, or made it anew for another
        version: what it answered may then be of no text of ours."""
        if self._path == ":memory:":
            return False
        try:
            return _number(self._db, "application_id") != self._stamp
        except DAMAGE:
            return True

    def _size(self) -> int:
        """Bytes of the pages in use."""
        pages = _number(self._db, "page_count") - _number(self._db, "freelist_count")
        return pages * _number(self._db, "page_size")

    def _guarded(self, work: Callable[[], T]) -> T:
        """Do it; where the file does not let it, in memory, with all that this run knows."""
        try:
            return work()
        except DAMAGE as error:
            if self._path == ":memory:":
                raise
            self._leave_file(error)
            return work()

    def _leave_file(self, error: BaseException) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._db.close()
        if broken(error):
            discard(self._path)
        self._path, self._live = ":memory:", False
        self._db = self._connect(":memory:", "memory")
        self._write(self._entry(self._sources[n][0], self._again(n)) for n in list(self._rows))

    def distrust(self) -> None:
        """Leave a file whose answers cannot be; the next run makes a new one."""
        if self._path != ":memory:":
            self._leave_file(sqlite3.DatabaseError("answers that cannot be"))

    def _again(self, name: str) -> Extraction:
        if name in self._loaded:
            return self._loaded[name]
        key, extract = self._sources[name]
        return extract(key)

    def _read_again(self, name: str) -> Extraction:
        """The extraction as the file would have it."""
        key = self._sources[name][0]
        try:
            return self._decode(self._entry(key, self._again(name)).content)
        except ValueError as error:
            return reader_failed(error, key.doc_class)

    def _all(
        self, sql: str, values: Sequence[object] = (), types: tuple[type, ...] = ()
    ) -> list[tuple[Any, ...]]:
        """The rows of a question; `types`: what their values are, or the file is damaged."""

        def ask() -> list[tuple[Any, ...]]:
            rows = self._db.execute(sql, values).fetchall()
            if types and any(tuple(map(type, row)) != types for row in rows):
                raise TypeError("values of another type than was written")
            return rows

        return self._guarded(ask)

    def extraction(self, key: ExtractionKey) -> Extraction:
        """The extraction of an indexed key."""
        name = str(key)
        if name not in self._loaded:
            rows = self._all("SELECT content FROM blob WHERE key=?", (name,))
            try:
                self._loaded[name] = self._decode(unsealed(name, rows[0][0]))
            except (IndexError, ValueError):
                self._loaded[name] = self._read_again(name)
        return self._loaded[name]

    def row(self, key: ExtractionKey) -> int:
        return self._rows[str(key)]

    def accompanied(self, row: int, live: Collection[int]) -> frozenset[int]:
        """Numbers of those claims of a blob that share a key with another claim of live blobs."""
        self._asked += 1
        every = self._asked > max(_FEW, len(live) // _SHARE)

        def ask() -> list[tuple[int, int]]:
            if not self._live:
                self._db.execute("CREATE TEMP TABLE IF NOT EXISTS live (blob INTEGER PRIMARY KEY)")
                self._db.executemany("INSERT OR IGNORE INTO live VALUES (?)", [(r,) for r in live])
                self._live = True
            if every:
                return self._db.execute(_ALL_ACCOMPANIED).fetchall()
            self._ask_for(row)
            return self._db.execute(_ACCOMPANIED, {"row": row}).fetchall()

        if row not in self._together:
            found: dict[int, set[int]] = {r: set() for r in (live if every else (row,))}
            for blob, number in self._guarded(ask):
                found[blob].add(number)
            self._together.update((r, frozenset(numbers)) for r, numbers in found.items())
        return self._together[row]

    def _ask_for(self, row: int) -> None:
        """Note the keys of a document's claims: to look for them by document takes all keys."""
        self._db.execute("CREATE TEMP TABLE IF NOT EXISTS asked (key INTEGER, claim INTEGER)")
        self._db.execute("DELETE FROM asked")
        found = self._db.execute("SELECT keys, numbers FROM blob WHERE id=?", (row,)).fetchone()
        keys, numbers = (array("q", packed) for packed in found or (b"", b""))
        self._db.executemany("INSERT INTO asked VALUES (?, ?)", zip(keys, numbers, strict=True))

    def sharing(self, keys: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
        """For each key the (blob row, claim number) of the claims under it, live or not."""
        found: dict[int, list[tuple[int, int]]] = {key: [] for key in keys}
        for some in chunks(list(found)):
            marks = ",".join("?" * len(some))
            sql = f"SELECT key, blob, claim FROM gram WHERE key IN ({marks})"  # noqa: S608
            for key, blob, claim in self._all(sql, some, (int, int, int)):
                found[key].append((blob, claim))
        return found

    def citing(self, names: Iterable[str]) -> Iterator[tuple[int, int]]:
        """(blob row, claim number) of claims that cite a file of one of these names."""
        for some in chunks(list(names)):
            marks = ",".join("?" * len(some))
            sql = f"SELECT blob, claim FROM cites WHERE name IN ({marks})"  # noqa: S608
            yield from self._all(sql, some, (int, int))

    def imports(self, keys: Iterable[ExtractionKey]) -> list[tuple[int, str]]:
        """(blob row, import as written) of indexed keys."""
        rows = [self._rows[str(k)] for k in keys]
        found: list[tuple[int, str]] = []
        for some in chunks(rows):
            marks = ",".join("?" * len(some))
            sql = f"SELECT blob, target FROM import WHERE blob IN ({marks}) ORDER BY blob, rowid"  # noqa: S608
            found += self._all(sql, some, (int, str))
        return found


def _number(db: sqlite3.Connection, pragma: str) -> int:
    return int(db.execute(f"PRAGMA {pragma}").fetchone()[0])


def _make_tables(db: sqlite3.Connection, number: int) -> None:
    for table in _TABLES:
        db.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _SCHEMA.split(";"):
        db.execute(statement)
    db.execute(f"PRAGMA user_version={number}")
    _restamped(db)


def _restamped(db: sqlite3.Connection) -> int:
    """A new number for the file, by which others see that they know it no more."""
    stamp = int.from_bytes(os.urandom(4)) >> 1
    db.execute(f"PRAGMA application_id={stamp}")
    return stamp

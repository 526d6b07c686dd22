"""The local index: extractions by blob id and an exact index of claim keys, in SQLite.

It lies in the git common directory, is shared by all work trees, and is safe to delete at any
time: it holds what blobs yield, never which documents are live. Without a place to put it, it
lives in memory and answers the same.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from grounded_ingest import __version__
from grounded_ingest.ledger import Ledger
from grounded_ingest.model import Citation, CitationKind, DocClass, Extraction, Place

_SCHEMA = """
CREATE TABLE IF NOT EXISTS blob (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE NOT NULL,
  content BLOB);
CREATE TABLE IF NOT EXISTS gram (key INTEGER, blob INTEGER, claim INTEGER,
  PRIMARY KEY (key, blob, claim)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cites (name TEXT, blob INTEGER, claim INTEGER,
  PRIMARY KEY (name, blob, claim)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS import (blob INTEGER, target TEXT, UNIQUE (blob, target));
CREATE TABLE IF NOT EXISTS settled (document TEXT, sidecar TEXT,
  PRIMARY KEY (document, sidecar)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS written (digest BLOB PRIMARY KEY) WITHOUT ROWID;
"""
_FORMAT = "3"
_ROWS_OF = {"gram": "blob", "cites": "blob", "import": "blob", "blob": "id"}
KEPT = 20_000
"""Blobs kept before those that are not live are dropped."""


T = TypeVar("T")
_ACCOMPANIED = (
    "SELECT DISTINCT a.claim FROM gram a WHERE a.blob=? AND EXISTS (SELECT 1 FROM gram b"
    " JOIN live USING (blob) WHERE b.key=a.key AND (b.blob<>a.blob OR b.claim<>a.claim))"
)


class Key(NamedTuple):
    """What an extraction depends on: the bytes, the class, how the name is read."""

    oid: str
    doc_class: DocClass
    extension: str

    def __str__(self) -> str:
        return f"{self.oid}:{self.doc_class}:{self.extension}"


Extract = Callable[[Key], Extraction]


class Index(Ledger):
    """Open with the git common directory, or with an empty string to keep it in memory.

    Whatever happens to the file (locked, full, broken, pruned by others), answers are the same:
    what is missing is extracted again, and kept in memory."""

    def __init__(
        self, directory: str, variant: str, keys_of: Callable[[Place], Iterable[int]]
    ) -> None:
        self._keys_of = keys_of
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(Extraction).decode
        self._loaded: dict[str, Extraction] = {}
        self._rows: dict[str, int] = {}
        self._sources: dict[str, tuple[Key, Extract]] = {}
        self._live = False
        self._path = f"{directory}/grounded-ingest/index.sqlite" if directory else ":memory:"
        self._db = self._open(f"{_FORMAT}:{__version__}:{variant}")

    def _open(self, variant: str) -> sqlite3.Connection:
        try:
            if self._path != ":memory:":
                os.makedirs(os.path.dirname(self._path), exist_ok=True)
            return self._connect(self._path, variant)
        except (sqlite3.Error, OSError):
            return self._connect(":memory:", variant)

    def _connect(self, path: str, variant: str) -> sqlite3.Connection:
        db = sqlite3.connect(path, timeout=2.0, isolation_level=None)
        try:
            db.execute("PRAGMA synchronous=OFF")
            if db.execute("PRAGMA user_version").fetchone()[0] != _stamp(variant):
                db.execute("BEGIN IMMEDIATE")
                for table in ("blob", "gram", "cites", "import", "settled", "written"):
                    db.execute(f"DROP TABLE IF EXISTS {table}")
                for statement in _SCHEMA.split(";"):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version={_stamp(variant)}")
                db.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            db.close()
            if path == ":memory:" or not _broken(error):
                raise
            os.unlink(path)  # not a database any more: nothing of value is lost
            return self._connect(path, variant)
        return db

    def close(self) -> None:
        self._db.close()

    def ensure(self, keys: Sequence[Key], extract: Extract) -> None:
        """Make sure that every key is indexed; `extract` is called for the missing ones."""
        wanted = {str(k): k for k in keys if str(k) not in self._rows}
        if not wanted:
            return
        self._sources.update((name, (key, extract)) for name, key in wanted.items())
        self._rows.update(self._known(list(wanted)))
        missing = [name for name in wanted if name not in self._rows]
        for name in missing:  # before the file is locked
            self._loaded[name] = extract(wanted[name])
        if missing:
            self._guarded(lambda: self._write(missing))

    def missing(self, keys: Iterable[Key]) -> list[Key]:
        """Those keys that are not indexed yet."""
        wanted = {str(k): k for k in keys if str(k) not in self._rows}
        known = self._known(list(wanted))
        return [key for name, key in wanted.items() if name not in known]

    def _known(self, names: list[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for some in _chunks(names):
            marks = ",".join("?" * len(some))
            found.update(self._all(f"SELECT key, id FROM blob WHERE key IN ({marks})", some))  # noqa: S608
        return found

    def _write(self, names: Iterable[str]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._prune()
            for name in names:
                self._add(name)
            self._db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise

    def _add(self, name: str) -> None:
        """Index one extraction; under its former row where it had one."""
        extraction, doc_class = self._loaded[name], self._sources[name][0].doc_class
        self._db.execute(
            "INSERT OR IGNORE INTO blob (id, key, content) VALUES (?, ?, ?)",
            (self._rows.get(name), name, self._encode(extraction)),
        )
        row = self._db.execute("SELECT id FROM blob WHERE key=?", (name,)).fetchone()[0]
        self._rows[name] = row
        grams, cites = [], []
        for number, claim in enumerate(extraction.claims):
            place = Place("", doc_class, claim)
            grams += [(key, row, number) for key in self._keys_of(place)]
            cites += [
                (cited, row, number) for cited in {_name(c) for c in claim.citations} if cited
            ]
        self._db.executemany("INSERT OR IGNORE INTO gram VALUES (?, ?, ?)", grams)
        self._db.executemany("INSERT OR IGNORE INTO cites VALUES (?, ?, ?)", cites)
        self._db.executemany(
            "INSERT OR IGNORE INTO import VALUES (?, ?)", [(row, i) for i in extraction.imports]
        )

    def _prune(self) -> None:
        count = self._db.execute("SELECT count(*) FROM blob").fetchone()[0]
        if count <= KEPT + len(self._rows):
            return
        live = ",".join(map(str, self._rows.values())) or "0"
        for table, column in _ROWS_OF.items():
            self._db.execute(f"DELETE FROM {table} WHERE {column} NOT IN ({live})")  # noqa: S608
        self._db.execute("DELETE FROM settled")

    def _guarded(self, work: Callable[[], T]) -> T:
        """Do it; where the file does not let it, in memory, with all that this run knows."""
        try:
            return work()
        except sqlite3.Error as error:
            if self._path == ":memory:":
                raise
            self._leave_file(error)
            return work()

    def _leave_file(self, error: sqlite3.Error) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._db.close()
        if _broken(error):
            with contextlib.suppress(OSError):
                os.unlink(self._path)
        self._path, self._live = ":memory:", False
        self._db = self._connect(":memory:", "memory")
        for name in self._rows:
            self._loaded[name] = self._again(name)
        self._write(self._rows)

    def _again(self, name: str) -> Extraction:
        if name in self._loaded:
            return self._loaded[name]
        key, extract = self._sources[name]
        return extract(key)

    def _all(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._guarded(lambda: self._db.execute(sql, values).fetchall())

    def extraction(self, key: Key) -> Extraction:
        """The extraction of an indexed key."""
        name = str(key)
        if name not in self._loaded:
            rows = self._all("SELECT content FROM blob WHERE key=?", (name,))
            try:
                self._loaded[name] = self._decode(rows[0][0])
            except (IndexError, TypeError, msgspec.MsgspecError):
                self._loaded[name] = self._again(name)
        return self._loaded[name]

    def row(self, key: Key) -> int:
        return self._rows[str(key)]

    def accompanied(self, row: int, live: Iterable[int]) -> frozenset[int]:
        """Numbers of those claims of a blob that share a key with another claim of live blobs."""
        rows = [(r,) for r in live]

        def ask() -> list[tuple[int]]:
            if not self._live:
                self._db.execute("CREATE TEMP TABLE IF NOT EXISTS live (blob INTEGER PRIMARY KEY)")
                self._db.executemany("INSERT OR IGNORE INTO live VALUES (?)", rows)
                self._live = True
            return self._db.execute(_ACCOMPANIED, (row,)).fetchall()

        return frozenset(number for (number,) in self._guarded(ask))

    def sharing(self, keys: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
        """For each key the (blob row, claim number) of the claims under it, live or not."""
        found: dict[int, list[tuple[int, int]]] = {key: [] for key in keys}
        for some in _chunks(list(found)):
            marks = ",".join("?" * len(some))
            sql = f"SELECT key, blob, claim FROM gram WHERE key IN ({marks})"  # noqa: S608
            for key, blob, claim in self._all(sql, some):
                found[key].append((blob, claim))
        return found

    def citing(self, names: Iterable[str]) -> Iterator[tuple[int, int]]:
        """(blob row, claim number) of claims that cite a file of one of these names."""
        for some in _chunks(list(names)):
            marks = ",".join("?" * len(some))
            yield from self._all(f"SELECT blob, claim FROM cites WHERE name IN ({marks})", some)  # noqa: S608

    def imports(self, keys: Iterable[Key]) -> list[tuple[int, str]]:
        """(blob row, import as written) of indexed keys."""
        rows = [self._rows[str(k)] for k in keys]
        found: list[tuple[int, str]] = []
        for some in _chunks(rows):
            marks = ",".join("?" * len(some))
            sql = f"SELECT blob, target FROM import WHERE blob IN ({marks}) ORDER BY blob, rowid"  # noqa: S608
            found += self._all(sql, some)
        return found


def _broken(error: sqlite3.Error) -> bool:
    """Whether the file is no sound database; locked, full and read-only ones are."""
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or (
        code == sqlite3.SQLITE_ERROR and "no such" in str(error)
    )


def _name(citation: Citation) -> str:
    """The last component of a cited path, lower case; ADRs by number."""
    if citation.kind is CitationKind.PATH:
        return citation.raw.rstrip("/").rpartition("/")[2].lower()
    return (
        f"adr {int(citation.raw)}"
        if citation.kind is CitationKind.ADR and citation.raw.isdigit()
        else ""
    )


def _stamp(variant: str) -> int:
    from zlib import crc32

    return crc32(variant.encode()) & 0x7FFFFFFF or 1  # 0 is a new file's


def _chunks(items: Sequence[object]) -> Iterator[Sequence[object]]:
    for start in range(0, len(items), 500):
        yield items[start : start + 500]

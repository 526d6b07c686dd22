"""Stores the full-text index of passages in SQLite (FTS5). Words are stemmed, and matches are
scored with BM25.

The tables of the index are in the local cache file. The first `recall` creates the tables. The
commit hook never creates them. The index contains the passages of one state of the repository."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from grounded_ingest.retrieval.query import spread

TABLES = """
CREATE TABLE IF NOT EXISTS recall_blob (id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT UNIQUE NOT NULL, texts INTEGER, content BLOB);
CREATE VIRTUAL TABLE IF NOT EXISTS recall_text USING fts5(text, over, content='',
  tokenize='porter unicode61 remove_diacritics 2');
"""
_SHIFT = 24
OVER = 0.7
"""Weight of a word above the passage (headings, lead-ins). A word in the passage itself has the
weight 1."""


SearchText = tuple[str, str]
"""A passage: its text, and the headings and sentences that introduce it."""


class Shelf:
    """The tables for full-text search in an SQLite file.

    A blob is one version of a document. The row id of a passage is `blob << 24 | number`. The
    passages of a blob are numbered from 0, so that the rows beside a row are its neighbours."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def make(self) -> None:
        """Creates the tables. Raises sqlite3.OperationalError if SQLite has no FTS5."""
        for statement in TABLES.split(";\n"):
            self.db.execute(statement)

    def ids(self) -> dict[str, int]:
        """Maps the key of each indexed document version (its content and class) to its number."""
        return dict(self.db.execute("SELECT key, id FROM recall_blob"))

    def add(self, key: str, texts: Sequence[SearchText], content: bytes = b"") -> int:
        """Adds the passages of a blob, stores `content` with the blob, and returns its id."""
        sql = "INSERT INTO recall_blob (key, texts, content) VALUES (?, ?, ?)"
        blob = int(self.db.execute(sql, (key, len(texts), content)).lastrowid or 0)
        sql = "INSERT INTO recall_text (rowid, text, over) VALUES (?, ?, ?)"
        self.db.executemany(sql, _rows(blob, texts))
        return blob

    def drop(self, blob: int, texts: Sequence[SearchText]) -> None:
        """Removes a blob from the index. The FTS5 table does not store the texts, so `texts` must
        be the same texts that were passed to `add`."""
        sql = "INSERT INTO recall_text (recall_text, rowid, text, over) VALUES ('delete', ?, ?, ?)"
        self.db.executemany(sql, _rows(blob, texts))
        self.db.execute("DELETE FROM recall_blob WHERE id=?", (blob,))

    def content(self, blobs: Iterable[int]) -> dict[int, bytes]:
        """Returns the stored content of each blob by its id."""
        marks = ",".join(map(str, blobs))
        return dict(self.db.execute(f"SELECT id, content FROM recall_blob WHERE id IN ({marks})"))  # noqa: S608

    def sizes(self) -> dict[int, int]:
        """Maps each indexed document version (blob) to its number of passages."""
        return dict(self.db.execute("SELECT id, texts FROM recall_blob"))

    def count(self, word: str) -> int:
        """Returns the number of passages that have the stemmed word in their text or above it."""
        sql = "SELECT count(*) FROM recall_text WHERE recall_text MATCH ?"
        return int(self.db.execute(sql, (f'"{word}"',)).fetchone()[0])

    def scores(self, word: str) -> dict[int, float]:
        """Returns the BM25 score of every row that contains the word in its text, or in the
        headings and lead-ins above it, by row id. Scores of several words can be added."""
        score = f"SELECT rowid, -bm25(recall_text, 1.0, {OVER}) FROM recall_text"  # noqa: S608
        return dict(self.db.execute(f"{score} WHERE recall_text MATCH ?", (f'"{word}"',)))


def row_of(blob: int, number: int) -> int:
    return blob << _SHIFT | number


def parted(row: int) -> tuple[int, int]:
    """Splits a row id into blob id and passage number, or a node into document and claim number."""
    return row >> _SHIFT, row & ((1 << _SHIFT) - 1)


def _rows(blob: int, texts: Sequence[SearchText]) -> Iterator[tuple[int, str, str]]:
    for number, (text, over) in enumerate(texts):
        yield row_of(blob, number), spread(text), spread(over)

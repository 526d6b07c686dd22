"""Stores the full-text index of claims in SQLite (FTS5). Words are stemmed, and matches are scored
with BM25.

The tables of the index are in the local cache file. The first `recall` creates the tables, and the
commit hook never does. The index contains claims from several states of the repository. `store.py`
records which claims belong to which state.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grounded_ingest.retrieval.query import query_terms, spread

TABLES = """
CREATE TABLE IF NOT EXISTS recall_blob (id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT UNIQUE NOT NULL, texts INTEGER, content BLOB);
CREATE VIRTUAL TABLE IF NOT EXISTS recall_text USING fts5(text, section, content='',
  tokenize='porter unicode61 remove_diacritics 2');
"""
_SHIFT = 24


class SearchText(NamedTuple):
    """The text of a claim that is searched. `section` is the path of headings above the claim."""

    text: str
    section: str = ""


class Shelf:
    """The full-text tables in an SQLite file.

    A blob is one version of a document. The row id of a claim is `blob << 24 | claim number`.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def make(self) -> None:
        """Creates the tables. Raises sqlite3.OperationalError if SQLite has no FTS5."""
        for statement in TABLES.split(";\n"):
            self.db.execute(statement)

    def blobs(self) -> dict[str, int]:
        """Returns the ids of the indexed blobs by their cache keys."""
        return dict(self.db.execute("SELECT key, id FROM recall_blob"))

    def add(self, key: str, texts: Sequence[SearchText], content: bytes = b"") -> int:
        """Adds the claims of a blob, stores `content` with the blob, and returns its id."""
        sql = "INSERT INTO recall_blob (key, texts, content) VALUES (?, ?, ?)"
        blob = int(self.db.execute(sql, (key, len(texts), content)).lastrowid or 0)
        self.db.executemany(
            "INSERT INTO recall_text (rowid, text, section) VALUES (?, ?, ?)", _rows(blob, texts)
        )
        return blob

    def drop(self, blob: int, texts: Sequence[SearchText]) -> None:
        """Removes a blob from the index. The FTS5 table does not store the texts, so `texts` must
        be the same texts that were passed to `add`."""
        self.db.executemany(
            "INSERT INTO recall_text (recall_text, rowid, text, section) VALUES ('delete',?,?,?)",
            _rows(blob, texts),
        )
        self.db.execute("DELETE FROM recall_blob WHERE id=?", (blob,))

    def content(self, blobs: Iterable[int]) -> dict[int, bytes]:
        """Returns the stored content of each blob by its id."""
        marks = ",".join(map(str, blobs))
        return dict(self.db.execute(f"SELECT id, content FROM recall_blob WHERE id IN ({marks})"))  # noqa: S608

    def size(self) -> int:
        """Returns the number of indexed claims."""
        return int(self.db.execute("SELECT total(texts) FROM recall_blob").fetchone()[0])

    def count(self, word: str) -> int:
        """Returns the number of claims that have the stemmed word in their text or section."""
        sql = "SELECT count(*) FROM recall_text WHERE recall_text MATCH ?"
        return int(self.db.execute(sql, (f'"{word}"',)).fetchone()[0])

    def scores(self, word: str, section: float) -> dict[int, float]:
        """Returns the BM25 score of every row that contains the word, by row id. A match in the
        headings counts `section` times as much as a match in the text. Scores of several words can
        be added."""
        sql = (
            f"SELECT rowid, -bm25(recall_text, 1.0, {section}) FROM recall_text"  # noqa: S608
            " WHERE recall_text MATCH ?"
        )
        return dict(self.db.execute(sql, (f'"{word}"' if section else f'text : "{word}"',)))

    def flat(self, question: str) -> dict[int, float]:
        """Returns the plain BM25 score of each row by row id, computed without headings, synonyms
        and neighbouring claims. The benchmarks compare other scores with this score."""
        found: dict[int, float] = {}
        for word in query_terms(question):
            for row, score in self.scores(word, 0.0).items():
                found[row] = found.get(row, 0.0) + score
        return found


def row_of(blob: int, number: int) -> int:
    return blob << _SHIFT | number


def parted(row: int) -> tuple[int, int]:
    """Splits a row id into the blob id and the claim number."""
    return row >> _SHIFT, row & ((1 << _SHIFT) - 1)


def _rows(blob: int, texts: Sequence[SearchText]) -> Iterator[tuple[int, str, str]]:
    for number, found in enumerate(texts):
        yield row_of(blob, number), spread(found.text), spread(found.section)

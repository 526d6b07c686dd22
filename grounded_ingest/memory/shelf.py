"""The shelf: claims in a full-text table, ranked by BM25 over stemmed words (SQLite FTS5).

The tables lie in the file of the local index, are made by the first `recall` and never by the hook.
They hold what blobs yield; which of them are live is kept apart (`memory.kept`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import log
from typing import NamedTuple, Protocol

from grounded_ingest.lexicon import function_words as words
from grounded_ingest.patterns import compiled

TABLES = """
CREATE TABLE IF NOT EXISTS recall_blob (id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT UNIQUE NOT NULL, texts INTEGER, content BLOB);
CREATE VIRTUAL TABLE IF NOT EXISTS recall_text USING fts5(text, section, content='',
  tokenize='porter unicode61 remove_diacritics 2');
"""
SECTION, BESIDE = 0.3, 0.25
"""What a word of the heading, and the score of a claim beside, are worth against a claim's own."""
MOST, FEWEST = 12_000, 2
"""Rows that are scored at most, so that a question costs the same in a large store: the commonest
words are left out for it. The rarest two never are."""
_SHIFT = 24
_WORD = compiled(r"[^\W_]+")
_CAMEL = compiled(r"[^\W\d_]*[a-z][A-Z][^\W_]*|[A-Z]+[A-Z][a-z][^\W_]*")
_PART = compiled(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_ZEROS = compiled(r"\b0+(?=[1-9])\d+\b")


class Text(NamedTuple):
    """What is searched of a claim. `section` is the path of headings above it."""

    text: str
    section: str = ""


class Term(NamedTuple):
    """A word of a question; `weight` is its inverse document frequency, `rows` have it."""

    word: str
    weight: float
    rows: int


class Ranker(Protocol):
    """Whatever scores texts of a shelf for a question: higher is better, absent is nothing."""

    def ranked(self, question: str) -> Mapping[int, float]: ...


class Shelf:
    """The full-text table of one SQLite file. A row is `blob << 24 | number of the claim`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def make(self) -> None:
        """Make the tables. Raises sqlite3.OperationalError where SQLite has no FTS5."""
        for statement in TABLES.split(";\n"):
            self.db.execute(statement)

    def blobs(self) -> dict[str, int]:
        """What stands on the shelf, by the keys of the index."""
        return dict(self.db.execute("SELECT key, id FROM recall_blob"))

    def add(self, key: str, texts: Sequence[Text], content: bytes = b"") -> int:
        """Put a blob's claims on the shelf; returns its id. `content` is kept for `content`."""
        sql = "INSERT INTO recall_blob (key, texts, content) VALUES (?, ?, ?)"
        blob = int(self.db.execute(sql, (key, len(texts), content)).lastrowid or 0)
        self.db.executemany(
            "INSERT INTO recall_text (rowid, text, section) VALUES (?, ?, ?)", _rows(blob, texts)
        )
        return blob

    def drop(self, blob: int, texts: Sequence[Text]) -> None:
        """Take a blob off; `texts` are those it was put there with: the table holds no text."""
        self.db.executemany(
            "INSERT INTO recall_text (recall_text, rowid, text, section) VALUES ('delete',?,?,?)",
            _rows(blob, texts),
        )
        self.db.execute("DELETE FROM recall_blob WHERE id=?", (blob,))

    def content(self, blobs: Iterable[int]) -> dict[int, bytes]:
        """What was kept with blobs."""
        marks = ",".join(map(str, blobs))
        return dict(self.db.execute(f"SELECT id, content FROM recall_blob WHERE id IN ({marks})"))  # noqa: S608

    def ranked(self, question: str) -> dict[int, float]:
        """Rows that share a word with a question and their BM25; what stands beside counts in."""
        own = self.scored(_telling(self.weighed(question)), SECTION)
        near = own.get
        return {r: s + BESIDE * (near(r - 1, 0.0) + near(r + 1, 0.0)) for r, s in own.items()}

    def scored(self, asked: Iterable[str], section: float = 0.0) -> dict[int, float]:
        """Plain BM25 of the rows that have one of these words; `section` weighs the headings."""
        either = " OR ".join(f'"{word}"' for word in asked)
        if not either:
            return {}
        sql = (
            f"SELECT rowid, -bm25(recall_text, 1.0, {section}) FROM recall_text"  # noqa: S608
            " WHERE recall_text MATCH ?"
        )
        return dict(self.db.execute(sql, (either if section else f"text : ({either})",)))

    def weighed(self, question: str) -> list[Term]:
        """The words of a question with their weights; one that no claim has weighs most."""
        found = self.db.execute("SELECT total(texts) FROM recall_blob").fetchone()
        count = "SELECT count(*) FROM recall_text WHERE recall_text MATCH ?"
        sizes = {w: self.db.execute(count, (f'"{w}"',)).fetchone()[0] for w in terms(question)}
        total = max(found[0], *sizes.values(), 1) if sizes else 1
        return [Term(w, log(1 + (total - n + 0.5) / (n + 0.5)), n) for w, n in sizes.items()]

    def holding(self, word: str, rows: Iterable[int]) -> set[int]:
        """Those rows whose text, headings left aside, has a word."""
        marks = ",".join(map(str, rows))
        sql = f"SELECT rowid FROM recall_text WHERE recall_text MATCH ? AND rowid IN ({marks})"  # noqa: S608
        return {row for (row,) in self.db.execute(sql, (f'text : "{word}"',))}


def row_of(blob: int, number: int) -> int:
    return blob << _SHIFT | number


def parted(row: int) -> tuple[int, int]:
    """The blob of a row, and the number of the claim in it."""
    return row >> _SHIFT, row & ((1 << _SHIFT) - 1)


def _rows(blob: int, texts: Sequence[Text]) -> Iterator[tuple[int, str, str]]:
    for number, found in enumerate(texts):
        yield row_of(blob, number), spread(found.text), spread(found.section)


def spread(text: str) -> str:
    """A text with the parts of its identifiers after it: camelCase as two words, 0003 as 3. What
    punctuation parts (snake_case, dotted names, paths) the tokenizer parts."""
    parts = [p for word in _CAMEL.findall(text) for p in _PART.findall(word)]
    parts += [number.lstrip("0") for number in _ZEROS.findall(text)]
    return f"{text} {' '.join(parts)}" if parts else text


@cache
def _empty() -> Collection[str]:
    kinds = (
        words.SELF, words.PRONOUNS, words.DETERMINERS, words.PREPOSITIONS, words.CONJUNCTIONS,
        words.AUXILIARIES,
    )  # fmt: skip
    return frozenset(w for kind in kinds for w in kind.split())


def terms(question: str) -> list[str]:
    """The words a question is searched by, lower case, function words left out where it has
    others."""
    found = list(dict.fromkeys(w.lower() for w in _WORD.findall(spread(question))))
    return [w for w in found if w not in _empty()] or found


def _telling(weighed: Iterable[Term]) -> Iterator[str]:
    """The rarest words, up to where more than MOST rows would have to be scored."""
    rows = 0
    for number, term in enumerate(sorted(weighed, key=lambda t: t.rows)):
        rows += term.rows
        if rows > MOST and number >= FEWEST:
            return
        yield term.word

"""Stores the decisions about the claims of a repository, so that `recall` can search them, and the
full-text index of their passages in SQLite (FTS5).

Words are stemmed, and matches are scored with BM25. The tables are in the local cache file. The
first `recall` creates the tables. The commit hook never creates them.

A state of the repository is identified by a digest of everything that decisions depend on. The
store contains one state: the documents, tiers, evidence, and relations between claims. A second
state would count in BM25 and in the limit of rows, and so change the answers about the first."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from grounded_ingest.git.cache import transaction
from grounded_ingest.model.claims import Decision, Evidence, MemoryType, Tier
from grounded_ingest.retrieval.passages import CODE, RecallPassage
from grounded_ingest.retrieval.query import spread
from grounded_ingest.statements.relations import Edge
from grounded_ingest.version import code_stamp

TABLES = """
CREATE TABLE IF NOT EXISTS recall_blob (id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT UNIQUE NOT NULL, texts INTEGER, content BLOB);
CREATE VIRTUAL TABLE IF NOT EXISTS recall_text USING fts5(text, over, content='',
  tokenize='porter unicode61 remove_diacritics 2');
CREATE TABLE IF NOT EXISTS recall_state (digest BLOB, code TEXT);
CREATE TABLE IF NOT EXISTS recall_document (number INTEGER PRIMARY KEY, path TEXT, class TEXT,
  blob INTEGER, marks BLOB);
CREATE TABLE IF NOT EXISTS recall_ground (number INTEGER PRIMARY KEY, content BLOB);
CREATE TABLE IF NOT EXISTS recall_relation (source INTEGER, target INTEGER, kind TEXT,
  PRIMARY KEY (source, target, kind)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS recall_inverse ON recall_relation (target);
"""
_OF_STATE = ("recall_state", "recall_document", "recall_ground", "recall_relation")
_NAMES = (*_OF_STATE, "recall_blob", "recall_text")
_TYPES = tuple(MemoryType)
_OUTDATED = 1 << 4
_CITED, _WRONG = 1 << 5, 1 << 6
_FIRST = 1 << 7
_SHIFT = 24
OVER = 0.7
"""Weight of a word above the passage (headings, lead-ins). A word in the passage itself has the
weight 1."""

SearchText = tuple[str, str]
"""A passage: its text, and the headings and sentences that introduce it."""


class StoredClaim(Struct, frozen=True, array_like=True):
    """A stored claim. `timestamp` and `valid_until` are dates in its record, or empty."""

    id: str
    text: str
    section: str
    line: int
    end_line: int
    memory_type: MemoryType
    timestamp: str = ""
    valid_until: str = ""


class StoredBlob(Struct, frozen=True, array_like=True):
    """The claims in a version of a document, passage by passage. `passages` has for each passage
    its text, and the headings and texts that introduce it."""

    claims: list[StoredClaim]
    passages: list[SearchText]


class Ground(Struct, frozen=True, array_like=True):
    """The rule that decided a claim, and the evidence for the decision."""

    rule: str
    evidence: tuple[Evidence, ...] = ()


class JudgedDocument(NamedTuple):
    """A document with its decisions, in the order of its claims. Each passage lists the numbers of
    its claims. `key` identifies the document's content and class in the full-text index."""

    path: str
    doc_class: str
    key: str
    decisions: Sequence[Decision]
    passages: Sequence[RecallPassage]

    @property
    def order(self) -> list[int]:
        """Returns the numbers of the claims, passage by passage. The store numbers claims in this
        order."""
        return [claim for passage in self.passages for claim in passage.claims]


class SelectionKey(NamedTuple):
    """The properties of a claim by which `recall` decides whether to return it.

    If several documents contain the claim, the one with the smallest key is returned; keys are
    compared field by field. `outdated` is true if another claim replaces the claim. `tier` is 1
    (approved), 2 (open) or 3 (blocked). `node` is the claim's number in the store: `document number
    << 24 | claim number`. `cited` is true if the claim is not approved but has right references, or
    is a code block. `wrong` is true if a reference is wrong, or if the claim is blocked or hidden
    from readers."""

    outdated: bool
    tier: int
    node: int
    memory_type: MemoryType
    cited: bool = False
    wrong: bool = False


class StoredDocument(NamedTuple):
    """A document in a stored state. `key` identifies the document's content and class in the index
    of claims, and starts with its git object id."""

    path: str
    doc_class: str
    blob: int
    key: str


class JudgedState:
    """The decisions about the repository at one point in time (the state), in the local cache file,
    with the full-text index of their passages.

    A blob is one version of a document. The row id of a passage is `blob << 24 | number`. The
    passages of a blob are numbered from 0, so that the rows beside a row are its neighbours."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def has(self, digest: bytes) -> bool:
        """Returns whether the stored state has this digest."""
        return self._stored("digest") == digest

    def _stored(self, column: str) -> bytes | str | None:
        try:
            row = self.db.execute(f"SELECT {column} FROM recall_state").fetchone()  # noqa: S608
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
            return None
        return row[0] if row else None

    def whole(self) -> bool:
        """Returns whether all tables of the store exist."""
        try:
            for table in _NAMES:
                self.db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall()  # noqa: S608
        except sqlite3.OperationalError:
            return False
        return True

    def forget(self) -> None:
        """Drops all tables of the store, with the vectors of its blobs."""
        for table in (*_NAMES, "recall_vector"):
            self.db.execute(f"DROP TABLE IF EXISTS {table}")

    def keep(
        self, digest: bytes, documents: Sequence[JudgedDocument], edges: Iterable[Edge]
    ) -> None:
        """Stores the decisions about a repository's documents in place of the stored state.

        The full-text index keeps the documents that both states have, unless another version of
        this program stored them. `digest` identifies the state."""
        with transaction(self.db):
            if self._stored("code") != code_stamp():
                # Other code may split words differently, and the index has no texts to compare.
                self.forget()
            self.make()
            for table in _OF_STATE:
                self.db.execute(f"DELETE FROM {table}")  # noqa: S608
            self._keep(digest, documents, list(edges))

    def _keep(self, digest: bytes, documents: Sequence[JudgedDocument], edges: list[Edge]) -> None:
        self.db.execute("INSERT INTO recall_state VALUES (?, ?)", (digest, code_stamp()))
        blobs = self._shelved(documents)
        nodes = _numbered(documents)
        outdated = _outdated(edges, documents, nodes)
        for number, held in enumerate(documents):
            decisions = [held.decisions[n] for n in held.order]
            marks = _marks(held, {parted(n)[1] for n in outdated if parted(n)[0] == number})
            row = (number, os.fsencode(held.path), held.doc_class, blobs[held.key], marks)
            self.db.execute("INSERT INTO recall_document VALUES (?, ?, ?, ?, ?)", row)
            grounds = _packed({n: Ground(d.rule, _told(d)) for n, d in enumerate(decisions)})
            self.db.execute("INSERT INTO recall_ground VALUES (?, ?)", (number, grounds))
        self.db.executemany(
            "INSERT OR IGNORE INTO recall_relation VALUES (?, ?, ?)",
            (
                (nodes[e.source], nodes[e.target], e.kind)
                for e in edges
                if e.source in nodes and e.target in nodes
            ),
        )

    def _shelved(self, documents: Sequence[JudgedDocument]) -> dict[str, int]:
        """Drops the blobs that no document has from the index, and adds the new ones. Returns the
        ids of all blobs by their keys."""
        blobs = self.ids()
        gone = blobs.keys() - {held.key for held in documents}
        for blob, stored in self.blobs([blobs.pop(key) for key in gone]).items():
            self.drop(blob, stored.passages)
        for held in documents:
            if held.key not in blobs:
                stored = _stored(held)
                content = msgspec.msgpack.encode(stored)
                blobs[held.key] = self.add(held.key, stored.passages, content)
        return blobs

    def marks(self) -> dict[int, list[tuple[int, bytes]]]:
        """Maps each document version (blob) to the documents with this content, as (document
        number, bytes). There is one byte for each claim (`mark_of`). Its highest bit is set if the
        claim is the first in a passage."""
        found: dict[int, list[tuple[int, bytes]]] = {}
        sql = "SELECT blob, number, marks FROM recall_document"
        for blob, number, marks in self.db.execute(sql):
            found.setdefault(blob, []).append((number, marks))
        return found

    def documents(self, numbers: Collection[int]) -> dict[int, StoredDocument]:
        some = ",".join(map(str, numbers))
        columns = "number, path, class, blob, key"
        joined = "recall_document d JOIN recall_blob b ON b.id = d.blob"
        sql = f"SELECT {columns} FROM {joined} WHERE number IN ({some})"  # noqa: S608
        return {
            n: StoredDocument(os.fsdecode(path), *rest) for n, path, *rest in self.db.execute(sql)
        }

    def blobs(self, blobs: Iterable[int]) -> dict[int, StoredBlob]:
        decode = msgspec.msgpack.Decoder(StoredBlob).decode
        some = ",".join(map(str, blobs))
        found = self.db.execute(f"SELECT id, content FROM recall_blob WHERE id IN ({some})")  # noqa: S608
        return {blob: decode(content) for blob, content in found}

    def grounds(self, number: int) -> dict[int, Ground]:
        sql = "SELECT content FROM recall_ground WHERE number=?"
        row = self.db.execute(sql, (number,)).fetchone()
        return msgspec.msgpack.decode(row[0], type=dict[int, Ground]) if row else {}

    def relatives(self, nodes: Iterable[int]) -> Iterator[tuple[int, str, bool]]:
        """Yields each relation between one of the claims `nodes` (numbers in the store) and another
        claim: the other claim's number, the kind of relation (`statements.relations`), and whether
        the relation leads from the other claim to the one in `nodes`."""
        marks = ",".join(map(str, nodes))
        ends = (("source", "target", False), ("target", "source", True))
        for here, there, inverse in ends:
            sql = (
                f"SELECT {there}, kind FROM recall_relation"  # noqa: S608
                f" WHERE {here} IN ({marks}) ORDER BY {here}, {there}, kind"
            )
            for other, kind in self.db.execute(sql):
                yield other, kind, inverse

    # The full-text index

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


def mark_of(number: int, claim: int, marks: bytes) -> SelectionKey:
    """Decodes the properties by which `recall` selects a claim. `number` is the number of the
    document and `claim` the position of the claim in it.

    `marks` has one byte for each claim of the document, which encodes the claim's tier, its memory
    type and three yes-or-no properties."""
    byte = marks[claim]
    return SelectionKey(
        bool(byte & _OUTDATED), byte & 3, row_of(number, claim), _TYPES[byte >> 2 & 3],
        bool(byte & _CITED), bool(byte & _WRONG),
    )  # fmt: skip


def passage_starts(marks: bytes) -> list[int]:
    """Returns the positions of the claims that begin a passage, decoded from `marks`."""
    return [n for n, byte in enumerate(marks) if byte & _FIRST]


def _marks(held: JudgedDocument, outdated: Collection[int]) -> bytes:
    first = {passage.claims[0] for passage in held.passages}
    return bytes(
        int(d.tier)
        | _TYPES.index(d.place.claim.memory_type) << 2
        | _OUTDATED * (n in outdated)
        | _CITED * (d.rule in ("cited", CODE) and not d.place.claim.only_refers)
        | _WRONG * (d.tier is Tier.BLOCK or bool(d.wrong) or d.rule == "hidden-text")
        | _FIRST * (claim in first)
        for n, claim in enumerate(held.order)
        for d in (held.decisions[claim],)
    )


def _packed(grounds: Mapping[int, Ground]) -> bytes:
    """Returns the rule and evidence of each claim encoded as bytes. If a path is not UTF-8, only
    the rules are encoded, without the evidence."""
    try:
        return msgspec.msgpack.encode(grounds)
    except UnicodeEncodeError:
        return msgspec.msgpack.encode({n: Ground(g.rule) for n, g in grounds.items()})


def _told(decision: Decision) -> tuple[Evidence, ...]:
    return tuple(msgspec.structs.replace(e, origins=()) for e in decision.evidence)


def _stored(held: JudgedDocument) -> StoredBlob:
    claims = [
        StoredClaim(
            c.id, c.text, c.section, c.line, c.end_line, c.memory_type, c.timestamp, c.valid_until
        )
        for n in held.order
        for c in (held.decisions[n].place.claim,)
    ]  # fmt: skip
    return StoredBlob(claims, [(p.text, p.over) for p in held.passages])


def _numbered(documents: Sequence[JudgedDocument]) -> dict[tuple[str, int], int]:
    """Maps (path of a document, number of a claim in the document) to the claim's number in the
    store."""
    return {
        (held.path, claim): row_of(number, n)
        for number, held in enumerate(documents)
        for n, claim in enumerate(held.order)
    }


def _outdated(
    edges: Iterable[Edge], documents: Sequence[JudgedDocument], nodes: Mapping[tuple[str, int], int]
) -> set[int]:
    """Returns the numbers of the claims that an approved claim replaces. If two claims replace each
    other, neither of them is outdated."""
    pairs = {
        (e.source, e.target) for e in edges if e.replaces and {e.source, e.target} <= nodes.keys()
    }
    decisions = {held.path: held.decisions for held in documents}
    return {
        nodes[target]
        for source, target in pairs
        if decisions[source[0]][source[1]].tier is Tier.APPROVE and (target, source) not in pairs
    }

"""The local index of the claims in each file content (blob). It finds claims that may repeat or
contradict each other, and claims that cite the same name. The index is a part of the cache file,
which all work trees share. It also contains blobs of documents that no longer exist."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

import msgspec
from msgspec import Struct

from grounded_ingest.extract.assertions import assertions_in
from grounded_ingest.extract.documents import reader_failed, role_of
from grounded_ingest.git.cache import (
    ROOM,
    Cache,
    add_checksum,
    bytes_in_use,
    check_content,
    chunks,
    transaction,
)
from grounded_ingest.model.claims import Citation, CitationKind, DocClass, Extraction, Place
from grounded_ingest.model.digests import blake2b
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled
from grounded_ingest.version import __version__

KeysOf = Callable[[Place], Iterable[int]]
"""Function that returns the keys of a claim. Keys are 64-bit integers. Claims that must be compared
have a key in common."""

MENTION = "`"
"""Prefix for names that a claim mentions in backticks. The name of a cited file has no prefix."""
VERSIONED = "#version"
"""The name under which the index lists claims that may state a version."""
SHORTEST = 3
"""Minimum length in characters for a name in the index."""
_MOST_NAMES = 24
KEPT = 20_000
"""Maximum number of blobs in the index that are the content of no present document."""
AGES = 3
"""When the file is full, the index keeps up to this many old blobs for each present document, so
that claims need not be extracted again if the user switches between work trees or branches."""

_TABLES = """
CREATE TABLE IF NOT EXISTS blob (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE NOT NULL,
  content BLOB, keys BLOB, numbers BLOB);
CREATE TABLE IF NOT EXISTS gram (key INTEGER, blob INTEGER, claim INTEGER,
  PRIMARY KEY (key, blob, claim)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cites (name TEXT, blob INTEGER, claim INTEGER,
  PRIMARY KEY (name, blob, claim)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS import (blob INTEGER, target TEXT, UNIQUE (blob, target));
"""
_ROWS_OF = {"gram": "blob", "cites": "blob", "import": "blob", "blob": "id"}
_ACCOMPANIED = (
    "SELECT DISTINCT a.claim FROM asked a WHERE EXISTS (SELECT 1 FROM gram b"
    " JOIN live USING (blob) WHERE b.key=a.key AND (b.blob<>:row OR b.claim<>a.claim))"
)
_RUNTIME = compiled(words.RUNTIME)
_NUMBERED = compiled(r"(?<![\w./-])[A-Za-z][\w./-]*+[`'\"*]*+[ :;@=~^<>]{1,4}v?\d")
"""Matches a word before a number, which may be a package and its version."""
_MENTIONED = compiled(rf"[^\W\d][\w-]{{{SHORTEST - 1},}}")


class ExtractionKey(Struct, frozen=True):
    """Identifies the claims that are extracted from a file, by all inputs of the extraction: the
    blob (the file's content), the document's class and role, and the extension, which selects the
    reader."""

    oid: str
    doc_class: DocClass
    extension: str
    role: str = ""

    def __str__(self) -> str:
        return f"{self.oid}:{self.doc_class}:{self.extension}:{self.role}"


Extract = Callable[[ExtractionKey], Extraction]


class IndexRecord(Struct, frozen=True):
    """The rows that the index stores for a document.

    `name` identifies the document's content and class. `content` contains the encoded claims.
    `keys` and `numbers` have the same length: the index lists claim `numbers[i]` under the number
    `keys[i]`, which claims that have to be compared share. `cites` has pairs (name, claim number):
    the claim cites a file or decision record by this name, or has this code name in backticks."""

    name: str
    content: bytes
    keys: array[int]
    numbers: array[int]
    cites: list[tuple[str, int]]
    imports: tuple[str, ...]


def key_of(path: str, oid: str, doc_class: DocClass) -> ExtractionKey:
    """Returns the key under which the index stores the claims in a file. The path, the blob and the
    class of the file determine the key."""
    return ExtractionKey(oid, doc_class, path.rpartition(".")[2].lower(), role_of(path, doc_class))


def make_record(key: ExtractionKey, extraction: Extraction, keys_of: KeysOf) -> IndexRecord:
    """Returns the rows to store for the claims that were extracted from a document. `keys_of`
    returns the numbers under which the index lists a claim."""
    keys, numbers = array("q"), array("q")
    cites: list[tuple[str, int]] = []
    for number, claim in enumerate(extraction.claims):
        keys.extend(keys_of(Place("", key.doc_class, claim)))
        numbers.extend([number] * (len(keys) - len(numbers)))
        if "`" in claim.text:
            cites += [(f"{MENTION}{name}", number) for name in names_in(claim.text)]
            cites += [(_file_name(a.path), number) for a, _, _ in assertions_in(claim.text)]
        if _RUNTIME.search(claim.text) or _NUMBERED.search(claim.text):
            cites.append((VERSIONED, number))
        if claim.citations:
            cites += [(name, number) for name in {_cited_name(c) for c in claim.citations} if name]
    content = msgspec.msgpack.encode(extraction)
    return IndexRecord(str(key), content, keys, numbers, cites, extraction.imports)


def names_in(text: str) -> tuple[str, ...]:
    """Returns the first 24 code names in backticks in a text."""
    found = (name for span in code_spans(text) for name in _MENTIONED.findall(span.text))
    return tuple(dict.fromkeys(found))[:_MOST_NAMES]


def _file_name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].lower()


def _cited_name(citation: Citation) -> str:
    """Returns the name under which the index finds a citation.

    For a path, or a URL that shows a file, the name is the last component in lower case. For a
    decision record (ADR), the name is the ADR's number. For any other citation, the name is empty.
    """
    if citation.kind is CitationKind.PATH:
        # In AsciiDoc, the file in `xref:module:page.adoc` is `page.adoc`.
        return _file_name(citation.raw.replace(":", "/").replace("$", "/"))
    if citation.kind is CitationKind.URL and any(s in citation.raw for s in ("/blob/", "/tree/")):
        return _file_name(citation.raw.partition("#")[0].partition("?")[0])
    if citation.kind is CitationKind.ADR and citation.raw.isdigit():
        return f"adr {int(citation.raw)}"
    return ""


class Index:
    """The index of claims in the cache file below a directory. If the directory is empty, the index
    is in memory.

    `variant` is a text that changes with everything else that the rows depend on, such as the
    thresholds in `keys_of`. Damage to the file does not change any result: missing rows are
    extracted again and kept in memory."""

    def __init__(self, directory: str, variant: str, keys_of: KeysOf) -> None:
        named = f"{__version__}:{variant}".encode()
        self.variant = blake2b(named, digest_size=6).digest().hex()
        self.cache = Cache(directory, _TABLES, self._refill)
        self._keys_of = keys_of
        self._decode = msgspec.msgpack.Decoder(Extraction).decode
        self._loaded: dict[str, Extraction] = {}
        self._rows: dict[str, int] = {}
        self._sources: dict[str, tuple[ExtractionKey, Extract]] = {}
        self._has_live_table = False

    def close(self) -> None:
        self.cache.close()

    def _name(self, key: ExtractionKey) -> str:
        return f"{self.variant}:{key}"

    def ensure(self, keys: Sequence[ExtractionKey], extract: Extract) -> None:
        """Makes sure that the index has the claims for all these keys. Calls `extract` for each key
        that is missing."""
        wanted = {n: k for k in keys if (n := self._name(k)) not in self._rows}
        if not wanted:
            return
        self._sources.update((name, (key, extract)) for name, key in wanted.items())
        self._rows.update(self._all_in("SELECT key, id FROM blob WHERE key IN", wanted, (str, int)))
        missing = [(name, key) for name, key in wanted.items() if name not in self._rows]
        for some in chunks(missing):
            # The records are built before the file is locked.
            records = [self._record(name, key, extract(key)) for name, key in some]
            self.cache.use(lambda db, new=records: self._write(db, new))  # type: ignore[misc]

    def _record(self, name: str, key: ExtractionKey, extraction: Extraction) -> IndexRecord:
        """Returns the index record for a document. If computing its keys fails, returns the record
        of an unreadable document."""
        try:
            made = make_record(key, extraction, self._keys_of)
        except Exception as error:  # noqa: BLE001  one document must not stop the others
            made = make_record(key, reader_failed(error, key.doc_class), self._keys_of)
        return msgspec.structs.replace(made, name=name)

    def _write(self, db: sqlite3.Connection, records: Iterable[IndexRecord]) -> None:
        with transaction(db):
            self._prune(db)
            self._insert(db, records)

    def _insert(self, db: sqlite3.Connection, records: Iterable[IndexRecord]) -> None:
        """Inserts records. A record that had a row before gets the same row number again."""
        grams: list[tuple[int, int, int]] = []
        cites, imports = [], []
        for record in records:
            row = self._insert_blob(db, record)
            grams += zip(record.keys, repeat(row), record.numbers)
            cites += [(name, row, number) for name, number in record.cites]
            imports += [(row, target) for target in record.imports]
        grams.sort()  # Sorted, so that neighbouring rows are on the same database pages.
        db.executemany("INSERT OR IGNORE INTO gram VALUES (?, ?, ?)", grams)
        db.executemany("INSERT OR IGNORE INTO cites VALUES (?, ?, ?)", cites)
        db.executemany("INSERT OR IGNORE INTO import VALUES (?, ?)", imports)

    def _insert_blob(self, db: sqlite3.Connection, record: IndexRecord) -> int:
        name, packed = record.name, (record.keys.tobytes(), record.numbers.tobytes())
        row = (self._rows.get(name), name, add_checksum(name, record.content), *packed)
        db.execute("INSERT OR IGNORE INTO blob VALUES (?, ?, ?, ?, ?)", row)
        found = db.execute("SELECT id FROM blob WHERE key=?", (name,)).fetchone()
        self._rows[name] = int(found[0])
        return self._rows[name]

    def _prune(self, db: sqlite3.Connection) -> None:
        dead = db.execute("SELECT count(*) FROM blob").fetchone()[0] - len(self._rows)
        if dead <= min(KEPT, AGES * len(self._rows)):
            return
        if dead <= KEPT and bytes_in_use(db) < ROOM:
            return
        live = ",".join(map(str, self._rows.values())) or "0"
        for table, column in _ROWS_OF.items():
            db.execute(f"DELETE FROM {table} WHERE {column} NOT IN ({live})")  # noqa: S608
        self.cache.mark_as_new(db)

    def _refill(self) -> None:
        """Copies everything that this run has indexed into the index in memory, under the same row
        numbers."""
        self._has_live_table = False
        records = (
            self._record(name, self._sources[name][0], self._extract_again(name))
            for name in list(self._rows)
        )
        self._write(self.cache.connection(), records)

    def distrust(self) -> None:
        """Stops using the cache file because it returned impossible results. The next run creates a
        new file."""
        self.cache.leave_file(
            sqlite3.DatabaseError("the index file is damaged: impossible results")
        )

    def _extract_again(self, name: str) -> Extraction:
        if name in self._loaded:
            return self._loaded[name]
        key, extract = self._sources[name]
        return extract(key)

    def _all(
        self, sql: str, values: Sequence[object], types: tuple[type, ...]
    ) -> list[tuple[Any, ...]]:
        """Returns the rows of a query. Raises TypeError if a value does not have the given type,
        which means that the file is damaged."""

        def ask(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
            rows = db.execute(sql, values).fetchall()
            if any(tuple(map(type, row)) != types for row in rows):
                raise TypeError("the index file is damaged: a value has the wrong type")
            return rows

        return self.cache.use(ask)

    def _all_in(
        self, sql: str, values: Iterable[object], types: tuple[type, ...], order: str = ""
    ) -> Iterator[Any]:
        """Yields the rows of a query that ends with `IN`, for a list of any length."""
        for some in chunks(list(values)):
            marks = ",".join("?" * len(some))
            yield from self._all(f"{sql} ({marks}) {order}", some, types)

    def extraction(self, key: ExtractionKey) -> Extraction:
        """Returns the claims and problems of a document in the index."""
        name = self._name(key)
        if name not in self._loaded:
            sql = "SELECT content FROM blob WHERE key=?"
            rows = self.cache.use(lambda db: db.execute(sql, (name,)).fetchall())
            try:
                self._loaded[name] = self._decode(check_content(name, rows[0][0]))
            except (IndexError, ValueError):
                self._loaded[name] = self._read_again(name, key)
        return self._loaded[name]

    def _read_again(self, name: str, key: ExtractionKey) -> Extraction:
        """Extracts a document again. The result is encoded and decoded, so that it is equal to a
        result from the cache file."""
        try:
            return self._decode(self._record(name, key, self._extract_again(name)).content)
        except ValueError as error:
            return reader_failed(error, key.doc_class)

    def row(self, key: ExtractionKey) -> int:
        """Returns the number of a document's content in the index. Other methods return this number
        in place of the document."""
        return self._rows[self._name(key)]

    def accompanied(self, row: int, live: Collection[int]) -> frozenset[int]:
        """Returns the positions of the claims in the file content `row` that share a key with
        another claim in the contents `live`, so that the two have to be compared."""

        def ask(db: sqlite3.Connection) -> list[tuple[int]]:
            if not self._has_live_table:
                db.execute("CREATE TEMP TABLE IF NOT EXISTS live (blob INTEGER PRIMARY KEY)")
                db.executemany("INSERT OR IGNORE INTO live VALUES (?)", [(r,) for r in live])
                self._has_live_table = True
            _list_keys(db, row)
            return db.execute(_ACCOMPANIED, {"row": row}).fetchall()

        return frozenset(number for (number,) in self.cache.use(ask))

    def sharing(self, keys: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
        """Returns the claims that the index lists under each key, as pairs (id of a version of a
        document, position of the claim in it). The document may no longer exist."""
        found: dict[int, list[tuple[int, int]]] = {key: [] for key in keys}
        sql = "SELECT key, blob, claim FROM gram WHERE key IN"
        for key, blob, claim in self._all_in(sql, found, (int, int, int)):
            found[key].append((blob, claim))
        return found

    def citing(self, names: Iterable[str]) -> Iterator[tuple[int, int]]:
        """Yields the claims that cite a file or mention a name in `names`, as pairs (number of a
        file content, position of the claim)."""
        return self._all_in("SELECT blob, claim FROM cites WHERE name IN", names, (int, int))

    def imports(self, keys: Iterable[ExtractionKey]) -> list[tuple[int, str]]:
        """Returns pairs (number of a file content, import as written) for the imports in the
        documents with these keys."""
        sql = "SELECT blob, target FROM import WHERE blob IN"
        return [*self._all_in(sql, map(self.row, keys), (int, str), "ORDER BY blob, rowid")]

    def note_written(self, contents: Iterable[bytes]) -> None:
        """Stores the digests of evidence files that this tool writes, so that it can recognise
        edits by other people."""
        self.cache.put("written", {_digest(c): b"" for c in contents})

    def wrote(self, content: bytes) -> bool:
        """Returns whether this tool has written an evidence file with this content."""
        return self.cache.get_one("written", _digest(content)) is not None


def _list_keys(db: sqlite3.Connection, row: int) -> None:
    """Copies the keys of a blob's claims into the temporary table `asked`, because a search by blob
    in the table `gram` would scan all its rows."""
    db.execute("CREATE TEMP TABLE IF NOT EXISTS asked (key INTEGER, claim INTEGER)")
    db.execute("DELETE FROM asked")
    found = db.execute("SELECT keys, numbers FROM blob WHERE id=?", (row,)).fetchone()
    keys, numbers = (array("q", packed) for packed in found or (b"", b""))
    db.executemany("INSERT INTO asked VALUES (?, ?)", zip(keys, numbers, strict=True))


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()

"""Finds the files in a tree that contain given words, with an index of the words in each file."""

from __future__ import annotations

import os
import re
import sqlite3
import zlib
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from weakref import WeakKeyDictionary

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.cache import MEMORY, ROOM, Cache, bytes_in_use, chunks, transaction
from grounded_ingest.git.repository import SUBMODULE, SYMLINK, Repo
from grounded_ingest.git.trees import CommitTree, Tree, WorkTree

LARGEST = 16 * 1024 * 1024
"""Size in bytes of the largest file to read. A larger file counts as containing every word."""
BATCH = 2_000_000
"""Number of new words in the index after which they are written to the cache."""
KEPT, AGES = 20_000, 3
"""The index is emptied if it has more than `KEPT` + `AGES` * n files, for a tree with n files."""

Chosen = Callable[[str], bool]
"""Function that returns whether the file at a path is searched."""

_TABLES = """
CREATE TABLE IF NOT EXISTS spelled (number INTEGER PRIMARY KEY, oid TEXT UNIQUE NOT NULL);
CREATE TABLE IF NOT EXISTS word (word BLOB, first INTEGER, files, PRIMARY KEY (word, first))
  WITHOUT ROWID;
"""
"""`spelled` gives each file content (blob) in the index a number. A row of `word` lists the blobs
of one batch with this word, as offsets from the number `first`."""

_PIECE = re.compile(rb"[A-Za-z0-9_]+")
_PLAIN = re.compile(rb"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*")
_CHAIN = re.compile(rb"\w+(?:-\w+)+")
_OF_WORDS = frozenset(c for c in range(128) if chr(c).isalnum() or chr(c) == "_")
_ONLY_WORDS = bytes(c if c in _OF_WORDS or c == ord("-") else 32 for c in range(256))
"""Table that translates every byte outside words to a blank, three times as fast as a regular
expression."""
_PARTS = 8
"""Maximum number of parts of an indexed word with hyphens. Longer words are looked up by their
parts."""
_EVERY = b""
"""The key of files that are too large to be indexed, and so may contain any word."""


def all_except(endings: str) -> Chosen:
    """Returns a function that is true for every path except paths with one of these endings and the
    tool's own files in `.grounded/`."""
    suffixes = tuple(f".{end}" for end in endings.split())
    return lambda path: not (path.lower().endswith(suffixes) or path.startswith(".grounded/"))


NO_PROSE = all_except(
    "md mdx mdc markdown rst txt adoc jsonl lock svg csv ipynb"
    " png jpg jpeg gif webp ico pdf woff woff2 ttf mp3 mp4 mov zip gz"
)
"""Chooses the files where code defines, reads or creates names."""


def files_with(
    repo: Repo, tree: Tree, words: Iterable[str], chosen: Chosen = bool, *, cache: Cache
) -> dict[str, list[str]]:
    """Maps each word to the sorted files for which `chosen` is true and that contain it as a whole
    word, compared by bytes. The index is kept in the directory of `cache`. Raises
    GroundedIngestError if the content of a file is missing."""
    asked = {w: w.encode() for w in words if w and "\n" not in w}
    directory = "" if cache.path == MEMORY else os.path.dirname(cache.path)
    indexes = _indexes.setdefault(repo, {})
    if asked and directory not in indexes:
        indexes[directory] = WordIndex(directory)
    return indexes[directory].files(tree, asked, chosen) if asked else {}


class _IndexLostError(Exception):
    """Raised if the cache file failed, or if another process emptied the index."""


class WordIndex:
    """The words in file contents. Each content is read only once, and later runs use the cache.

    `directory` is the directory of the cache. If it is an empty string, the index is kept only in
    memory."""

    def __init__(self, directory: str) -> None:
        self._cache = Cache(directory, _TABLES, self._begin_again)
        self._stored: dict[str, int] | None = None
        self._new: dict[str, int] = {}
        self._words: dict[bytes, array[int]] = {}
        self._size = 0
        self._is_full = False

    def _begin_again(self) -> None:
        self._stored, self._new, self._words, self._size = None, {}, {}, 0
        raise _IndexLostError

    def files(self, tree: Tree, asked: Mapping[str, bytes], chosen: Chosen) -> dict[str, list[str]]:
        """Returns the files for `files_with`. `asked` maps words to their bytes."""
        try:
            return self._files(tree, asked, chosen)
        except _IndexLostError:
            return self._files(tree, asked, chosen)  # The index is in memory now.

    def _files(
        self, tree: Tree, asked: Mapping[str, bytes], chosen: Chosen
    ) -> dict[str, list[str]]:
        paths = _paths_by_content(tree, chosen)
        self._learn(tree, paths)
        pieces = {w: _pieces(word) for w, word in asked.items()}
        wanted = {_EVERY, *(p for some in pieces.values() for p in some)}
        holding = self._holding(wanted, paths)
        every = holding.pop(_EVERY, set())
        found: dict[str, set[str]] = {}
        possible: dict[str, list[str]] = {}
        for word, some in pieces.items():
            sets = [holding.get(p, set()) for p in some] or [{p for o in paths.values() for p in o}]
            held = set.intersection(*sets)
            found[word] = every | held if some == [asked[word]] else set(every)
            for path in held - found[word]:
                possible.setdefault(path, []).append(word)
        for path, several in possible.items():
            for word in _contained(_content(tree, path), several, asked):
                found[word].add(path)
        return {word: sorted(held) for word, held in found.items() if held}

    def _learn(self, tree: Tree, paths: Mapping[str, Sequence[str]]) -> None:
        if self._stored is None:
            self._stored = self._cache.use(lambda db: self._load(db, len(tree.files)))
        missing = [o for o in paths if o not in self._stored and o not in self._new]
        if not isinstance(tree, WorkTree):
            tree.repo.objects.look_up(missing)
        for oid in missing:
            path = paths[oid][0]
            large = tree.size(path) > LARGEST
            words = (_EVERY,) if large else _words_in(_content(tree, path))
            number = self._new[oid] = len(self._new)
            for word in words:
                if (numbers := self._words.get(word)) is None:
                    numbers = self._words[word] = array("I")
                numbers.append(number)
            self._size += len(words)
            if self._size > BATCH:
                self._store()
        if missing and self._cache.path != MEMORY:
            self._store()

    def _load(self, db: sqlite3.Connection, files: int) -> dict[str, int]:
        stored = dict(db.execute("SELECT oid, number FROM spelled").fetchall())
        if len(stored) > KEPT + AGES * files:
            with transaction(db):
                db.execute("DELETE FROM spelled")
                db.execute("DELETE FROM word")
                self._cache.mark_as_new(db)
            return {}
        return stored

    def _store(self) -> None:
        """Writes the new words to the cache. A full cache keeps what it has, and the words stay in
        memory."""
        self._is_full = self._is_full or self._cache.use(bytes_in_use) > ROOM
        if self._is_full:
            return
        rows = sorted((w, _packed(n)) for w, n in self._words.items())

        def write(db: sqlite3.Connection) -> int:
            with transaction(db):
                first = int(db.execute("SELECT max(number) FROM spelled").fetchone()[0] or 0) + 1
                new = ((first + n, oid) for oid, n in self._new.items())
                db.executemany("INSERT OR IGNORE INTO spelled VALUES (?, ?)", new)
                db.executemany(
                    "INSERT INTO word VALUES (?, ?, ?)", ((w, first, n) for w, n in rows)
                )
            return first

        first = self._cache.use(write)
        assert self._stored is not None
        self._stored.update((oid, first + n) for oid, n in self._new.items())
        self._new, self._words, self._size = {}, {}, 0

    def _holding(
        self, words: Collection[bytes], paths: Mapping[str, Sequence[str]]
    ) -> dict[bytes, set[str]]:
        assert self._stored is not None
        found: dict[bytes, set[str]] = {}
        new = {n: paths[oid] for oid, n in self._new.items() if oid in paths}
        for word in words if new else ():
            for number in self._words.get(word, ()):
                found.setdefault(word, set()).update(new.get(number, ()))
        stored = {self._stored[oid]: some for oid, some in paths.items() if oid in self._stored}

        def ask(db: sqlite3.Connection) -> None:
            for some in chunks(list(words)):
                marks = ",".join("?" * len(some))
                sql = f"SELECT word, first, files FROM word WHERE word IN ({marks})"  # noqa: S608
                for word, first, packed in db.execute(sql, some).fetchall():
                    own = found.setdefault(word, set())
                    for number in _unpacked(packed):
                        own.update(stored.get(first + number, ()))

        self._cache.use(ask)
        if self._cache.was_replaced():
            self._cache.use_memory()
            self._begin_again()
        return found


_indexes: WeakKeyDictionary[Repo, dict[str, WordIndex]] = WeakKeyDictionary()


@lru_cache(maxsize=8)
def _paths_by_content(tree: Tree, chosen: Chosen) -> dict[str, list[str]]:
    """Maps the object id of each regular file that is chosen to its paths."""
    found: dict[str, list[str]] = {}
    for path in filter(chosen, tree.files):
        entry = tree.entry(path)
        if entry is not None and entry.mode not in (SYMLINK, SUBMODULE):
            found.setdefault(entry.oid, []).append(path)
    return found


def _content(tree: Tree, path: str) -> bytes:
    content = tree.read(path)
    if content is None:
        raise GroundedIngestError(f"{path}: the content is not in this clone; use a full clone")
    return b"" if b"\0" in content[:8000] else content


def _pieces(word: bytes) -> list[bytes]:
    plain = _PLAIN.fullmatch(word) is not None and word.count(b"-") < _PARTS
    return [word] if plain else _PIECE.findall(word)


def _contained(content: bytes, words: Iterable[str], asked: Mapping[str, bytes]) -> list[str]:
    return [word for word in words if _contains(content, asked[word])]


def _contains(content: bytes, word: bytes) -> bool:
    """Returns whether a text contains a word as a whole word, not as a part of a longer word."""
    at = content.find(word)
    while at >= 0:
        end = at + len(word)
        if content[at - 1 : at] and content[at - 1] in _OF_WORDS:
            pass
        elif end == len(content) or content[end] not in _OF_WORDS:
            return True
        at = content.find(word, at + 1)
    return False


def _packed(numbers: array[int]) -> str | bytes:
    """Encodes file numbers for SQLite: as text if they are few, because most words are in few files
    and compression takes longer than everything else."""
    if len(numbers) < _FEW:
        return " ".join(map(str, numbers))
    gaps = (b - a for a, b in pairwise((0, *numbers)))
    return zlib.compress(array("I", gaps).tobytes(), 1)


_FEW = 50
"""Number of file numbers from which they are compressed."""


def _unpacked(packed: str | bytes) -> Iterable[int]:
    if isinstance(packed, str):
        return map(int, packed.split())
    try:
        return accumulate(array("I", zlib.decompress(packed)))
    except zlib.error as error:
        raise ValueError("damaged content") from error


def _words_in(content: bytes) -> Collection[bytes]:
    """Returns the words in a text. For a word with hyphens, returns the whole word and also its
    parts."""
    tokens = set(content.translate(_ONLY_WORDS).split())
    joined = {t for t in tokens if b"-" in t}
    if not joined:
        return tokens
    text = b" ".join(joined)
    found = (tokens - joined).union(text.replace(b"-", b" ").split())
    for chain in set(_CHAIN.findall(text)):
        parts = chain.split(b"-")
        for start in range(len(parts) - 1):
            ends = range(start + 2, min(len(parts), start + _PARTS) + 1)
            found.update(b"-".join(parts[start:end]) for end in ends)
    return found


def files_with_part(repo: Repo, tree: Tree, word: str, patterns: Sequence[str]) -> set[str]:
    """Returns the files that contain a word in any case, also as a part of another word. `patterns`
    are git pathspecs. Raises GroundedIngestError if git fails."""
    where = tree.commit if isinstance(tree, CommitTree) else "--cached"
    where = "--untracked" if isinstance(tree, WorkTree) else where
    out = repo.run(
        "grep", "-I", "-l", "-i", "-F", "-z", "--full-name", "-e", word, where, "--", *patterns,
        ok=(0, 1),
    )  # fmt: skip
    return {path.removeprefix(f"{where}:") for path in os.fsdecode(out).split("\0")[:-1]}

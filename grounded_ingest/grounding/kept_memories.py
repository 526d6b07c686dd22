"""The index over files of memories, kept from one run to the next; safe to delete.

A kept index is of what the files hold, byte for byte, of the trust rule and of the code that reads:
whatever differs makes another one, from the readings of all memories whose text is in the old.
"""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cached_property
from itertools import groupby, islice
from typing import Any, Generic, TypeVar, overload
from weakref import finalize

import msgspec

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.facts.fact import Contradiction, Fact, Memory
from grounded_ingest.grounding.memory_index import (
    DIFFERENCE,
    SUBJECTS,
    THRESHOLD,
    HeldFact,
    HeldMemories,
    Memories,
    MemoriesInMaking,
    MemoryReading,
    MemorySentence,
    among,
    read_memory,
    tells,
)
from grounded_ingest.knowledge.sqlite_files import DAMAGE, discard, sealed, unsealed
from grounded_ingest.model.digests import blake2b
from grounded_ingest.version import code_stamp

FORMAT = b"memories 1"
"""Raised when what is kept changes its meaning."""
SMALL = 16_384
"""Bytes of memories that are read as quickly as an index of them is opened."""
KEPT = 4
"""Indexes that are kept, each of a list of files."""
FEW = 256
"""Sentences of a key that are read at once: more are seldom asked for."""
BATCH = 256
CHUNK = 4_096
"""Memories that are held at once while an index is made."""
WORTH_A_PROCESS = 100_000
"""Characters of memories from which on another process pays: about half a second."""

_READ_BY = ("language", os.path.join("language", "lexicon"), "facts", "grounding")
_SCHEMA = """
create table meta (name text primary key, content blob);
create table memories
  (number integer primary key, first integer, digest blob, record blob, reading blob);
create table sentences (key text primary key, count integer, few blob, every blob);
create table held (subject text, slot text, facts blob, primary key (subject, slot));
create table subjects (slot text primary key, names blob);
create table words (word text primary key, subjects blob);
"""
_STAGED = """
create temp table posted (key text, unit integer);
create temp table named (subject text, unit integer);
create temp table worded (word text, subject integer);
create temp table stated
  (number integer primary key, subject text, slot text, value text, fact blob);
"""
"""What is sorted before it is written."""
_INDEXES = """
create index memories_by_first on memories (first);
create index memories_by_digest on memories (digest);
"""
_QUOTED = {ord(c): f"%{ord(c):x}" for c in "%?#"}
"""As SQLite reads a path in a URI: the standard library's way costs an import."""
_Progress = Callable[[str], Any]
_encode = msgspec.msgpack.Encoder().encode
_decode_memory = msgspec.msgpack.Decoder(Memory).decode
_decode_reading = msgspec.msgpack.Decoder(MemoryReading).decode
_decode_readings = msgspec.msgpack.Decoder(list[MemoryReading]).decode
_decode_fact = msgspec.msgpack.Decoder(HeldFact).decode
_decode_facts = msgspec.msgpack.Decoder(list[HeldFact]).decode
_decode_names = msgspec.msgpack.Decoder(list[str]).decode
_decode_retracted = msgspec.msgpack.Decoder(set[tuple[int, str]]).decode
_decode_contradictions = msgspec.msgpack.Decoder(tuple[Contradiction, ...]).decode

K = TypeVar("K")
V = TypeVar("V")


def memories_of_files(
    files: Sequence[tuple[str, bytes]],
    directory: str,
    progress: _Progress = lambda _: None,
) -> HeldMemories:
    """The index over files of memories (name, content), taken from `directory` or made there; made
    in memory where that is impossible. Raises GroundedIngestError for bad memories."""
    if sum(len(content) for _, content in files) < SMALL or not directory:
        return Memories(read_files(files))
    path = os.path.join(directory, f"{_name(files)}.sqlite3")
    key = _key(files)
    with suppress(*DAMAGE, OSError):
        return KeptMemories(path, key)
    count = _counted(files, progress)
    with suppress(*DAMAGE, OSError):  # full, read-only: answer all the same
        _make(files, count, path, key, progress)
        _make_room(directory)
        return KeptMemories(path, key)
    return Memories(read_files(files))


def without_kept(memories: HeldMemories, files: Sequence[tuple[str, bytes]]) -> HeldMemories:
    """The same index made anew, after one of DAMAGE came out of a kept one, which is discarded."""
    if not isinstance(memories, KeptMemories):
        return memories
    discard(memories.path)
    return Memories(read_files(files))


def read_files(files: Iterable[tuple[str, bytes]]) -> list[Memory]:
    """The memories of files (name, content). Raises GroundedIngestError, for an id that stands
    twice as well."""
    from grounded_ingest.grounding.memory_files import read_memories

    found: list[Memory] = []
    places: dict[str, str] = {}
    for path, content in files:
        for memory in read_memories(content, path):
            if memory.id in places:
                raise GroundedIngestError(
                    f"{path}: the id {memory.id!r} stands in {places[memory.id]} too"
                )
            places[memory.id] = path
            found.append(memory)
    return found


def _each(files: Iterable[tuple[str, bytes]]) -> Iterator[Memory]:
    from grounded_ingest.grounding.memory_files import each_memory

    for path, content in files:
        yield from each_memory(content, path)


def _counted(files: Sequence[tuple[str, bytes]], progress: _Progress) -> int:
    """How many memories there are. Raises GroundedIngestError as `read_files` does."""
    ids: set[str] = set()
    for memory in _each(files):
        if memory.id in ids:
            return len(read_files(files))  # which says where
        ids.add(memory.id)
        if not len(ids) % CHUNK:
            progress(f"opening memories, {len(ids):,}")
    return len(ids)


class _Rows(Generic[K, V]):
    """Values by key, each read when it is first asked for; None of `read` is no value."""

    def __init__(self, read: Callable[[K], V | None], count: int = 0) -> None:
        self._read, self._count = read, count
        self._known: dict[K, V | None] = {}

    def get(self, key: K, default: Any = None, /) -> Any:
        if key not in self._known:
            self._known[key] = self._read(key)
        found = self._known[key]
        return default if found is None else found

    def __getitem__(self, key: K, /) -> V:
        found = self.get(key)
        if found is None:
            raise LookupError(key)
        assert found is not None
        value: V = found
        return value

    def __len__(self) -> int:
        return self._count


class _Posted(Sequence[int]):
    """The sentences of a key. `few` are its first; all are read where more are asked for."""

    def __init__(self, count: int, few: Sequence[int], every: Callable[[], Sequence[int]]) -> None:
        self._count, self._few, self._every = count, few, every

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> Sequence[int]: ...
    def __getitem__(self, at: int | slice, /) -> int | Sequence[int]:
        if isinstance(at, slice) and not at.start and at.stop is not None and 0 <= at.stop <= FEW:
            return self._few[at]
        return self._all[at]

    def __iter__(self) -> Iterator[int]:
        return iter(self._all)

    @cached_property
    def _all(self) -> Sequence[int]:
        return self._every()


class KeptMemories(HeldMemories):
    """An index in a file, of which as much is read as a judgement asks for."""

    def __init__(self, path: str, key: bytes) -> None:
        """Raises one of DAMAGE or OSError where the file does not hold the index of this key."""
        self.path = path
        self._db = _opened(path)
        finalize(self, self._db.close)
        if self._meta("key") != key:
            raise LookupError("of other memories")
        self.threshold, self.difference = msgspec.msgpack.decode(self._meta("trust"))
        memories, sentences = msgspec.msgpack.decode(self._meta("counts"))
        self._trust: dict[str, float] = {}
        self._readings: _Rows[int, tuple[int, MemoryReading]] = _Rows(self._reading)
        self.all = _Rows(self._memory, memories)
        self.units = _Rows(self._unit, sentences)
        self.by_memory = _Rows(self._units_of)
        self.by_key = _Rows(self._posted)
        self.held = _Rows(self._held)
        self.subjects = _Rows(self._subjects)
        self.retracted = _decode_retracted(self._meta("retracted"))

    @cached_property
    def contradictions(self) -> tuple[Contradiction, ...]:
        return _decode_contradictions(self._meta("contradictions"))

    @cached_property
    def subjects_by_word(self) -> _Rows[str, frozenset[int]]:
        return _Rows(self._named)

    @property
    def trust_by_id(self) -> dict[str, float]:
        """Of the memories that were read, and a judgement names no others."""
        return self._trust

    def _row(self, query: str, *values: object) -> Any:
        return self._db.execute(query, values).fetchone()

    def _meta(self, name: str) -> bytes:
        row = self._row("select content from meta where name = ?", name)
        return unsealed(name, row and row[0])

    def _memory(self, number: int) -> Memory | None:
        row = self._row("select record from memories where number = ?", number)
        if row is None:
            return None
        memory = _decode_memory(unsealed(f"m{number}", row[0]))
        self._trust[memory.id] = memory.trust
        return memory

    def _reading(self, number: int) -> tuple[int, MemoryReading] | None:
        row = self._row("select first, digest, reading from memories where number = ?", number)
        if row is None:
            return None
        return int(row[0]), _decode_reading(unsealed(row[1].hex(), row[2]))

    def _unit(self, unit: int) -> MemorySentence | None:
        query = "select number from memories where first <= ? order by first desc, number desc"
        number = self._row(f"{query} limit 1", unit)[0]
        first, read = self._readings[number]
        return MemorySentence(number, *read.sentences[unit - first])

    def _units_of(self, number: int) -> Sequence[int]:
        first, read = self._readings[number]
        return range(first, first + len(read.sentences))

    def _posted(self, key: str) -> _Posted | None:
        row = self._row("select count, few from sentences where key = ?", key)
        if row is None:
            return None
        few = _numbers(unsealed(f"few {key}", row[1]))
        return _Posted(row[0], few, lambda: self._every(key) if row[0] > FEW else few)

    def _every(self, key: str) -> Sequence[int]:
        row = self._row("select every from sentences where key = ?", key)
        return _numbers(unsealed(f"every {key}", row[0]))

    def _held(self, of: tuple[str, str]) -> list[HeldFact] | None:
        row = self._row("select facts from held where subject = ? and slot = ?", *of)
        return row and _decode_facts(unsealed("\0".join(of), row[0]))

    def _subjects(self, slot: str) -> list[str] | None:
        row = self._row("select names from subjects where slot = ?", slot)
        return row and _decode_names(unsealed(slot, row[0]))

    def _named(self, word: str) -> frozenset[int] | None:
        row = self._row("select subjects from words where word = ?", word)
        return row and frozenset(_numbers(unsealed(word, row[0])))


def _name(files: Iterable[tuple[str, bytes]]) -> str:
    paths = "\0".join(os.path.abspath(path) for path, _ in files)
    return blake2b(os.fsencode(paths), digest_size=16).hexdigest()


def _key(files: Iterable[tuple[str, bytes]]) -> bytes:
    digest = blake2b(_code(), digest_size=16)
    for _, content in files:
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.digest()


def _code() -> bytes:
    return b"%s\n%s" % (FORMAT, os.fsencode(code_stamp(*_READ_BY)))


def _digest(memory: Memory) -> bytes:
    """Of all that a reading depends on, but the code."""
    return blake2b(_encode((memory.text, memory.section)), digest_size=16).digest()


def _numbers(content: bytes) -> array[int]:
    found = array("I")
    found.frombytes(content)
    return found


def _opened(path: str) -> sqlite3.Connection:
    if not os.path.isfile(path):
        raise FileNotFoundError(path)
    # Nobody writes into a file that has this name: a new one takes its place.
    return sqlite3.connect(f"file:{path.translate(_QUOTED)}?mode=ro&immutable=1", uri=True)


@contextmanager
def _readings_of(path: str) -> Iterator[Callable[[bytes], MemoryReading | None]]:
    """What an older index of the same code says of a text's digest."""
    with ExitStack() as stack:
        current: sqlite3.Connection | None = None
        with suppress(*DAMAGE, OSError):
            db = stack.enter_context(closing(_opened(path)))
            row = db.execute("select content from meta where name = 'code'").fetchone()
            current = db if unsealed("code", row and row[0]) == _code() else None

        def known(digest: bytes) -> MemoryReading | None:
            query = "select reading from memories where digest = ?"
            with suppress(*DAMAGE):
                row = current.execute(query, (digest,)).fetchone() if current else None
                return row and _decode_reading(unsealed(digest.hex(), row[0]))
            return None

        yield known


def _readings(
    memories: Sequence[Memory],
    digests: Sequence[bytes],
    known: Callable[[bytes], MemoryReading | None],
    progress: Callable[[int], Any],
) -> list[MemoryReading]:
    """What each memory says, read by several processes where there is much to read; `progress` is
    told how many of them are read."""
    from grounded_ingest.knowledge.worker_pool import how_many, shared

    found = [known(digest) for digest in digests]
    unread = [number for number, read in enumerate(found) if read is None]
    batches = [unread[at : at + BATCH] for at in range(0, len(unread), BATCH)]
    size = sum(len(memories[number].text) for number in unread)
    shares = max(1, min(len(batches), how_many(0, size, WORTH_A_PROCESS)))

    def read(batch: Sequence[int]) -> bytes:
        return _encode([read_memory(memories[number]) for number in batch])

    parts = [batches[len(batches) * n // shares : len(batches) * (n + 1) // shares]
             for n in range(shares)]  # fmt: skip
    done = len(memories) - len(unread)
    for batch, said in zip(batches, shared(read, parts), strict=True):
        for number, reading in zip(batch, _decode_readings(said), strict=True):
            found[number] = reading
        done += len(batch)
        progress(done)
    return [reading for reading in found if reading is not None]


def _make(
    files: Sequence[tuple[str, bytes]], count: int, path: str, key: bytes, progress: _Progress
) -> None:
    """Write the index beside its place and put it there."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    draft = f"{path}.{os.getpid()}"
    discard(draft)
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as db:
            db.execute("pragma journal_mode = off")
            db.execute("pragma synchronous = off")
            db.executescript(_SCHEMA + _STAGED)
            db.execute("begin")
            made = _Draft(db)
            with _readings_of(path) as known:
                made.read(_each(files), count, known, progress)
            progress("indexing memories")
            made.relate()
            made.write(key)
            db.execute("commit")
            db.executescript(_INDEXES)
        os.replace(draft, path)
    finally:
        discard(draft)


class _Draft(MemoriesInMaking):
    """An index in the making. Whatever grows with the memories is in the file or staged in tables
    that SQLite sorts on disk; only what they withdraw and contradict is held."""

    threshold, difference = THRESHOLD, DIFFERENCE

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._count = self._units = self._facts = self._read_facts = 0
        self._telling: list[int] = []
        self._found: tuple[Contradiction, ...] = ()
        self.retracted = set()
        self.all = _Fresh(self._memory)
        self.held = _Fresh(self._held)

    @property
    def contradictions(self) -> tuple[Contradiction, ...]:
        return self._found

    def read(
        self,
        memories: Iterator[Memory],
        count: int,
        known: Callable[[bytes], MemoryReading | None],
        progress: _Progress,
    ) -> None:
        """Take in what each memory says by itself, a chunk at a time."""
        while chunk := list(islice(memories, CHUNK)):
            before = self._count
            digests = [_digest(memory) for memory in chunk]
            readings = _readings(
                chunk, digests, known,
                lambda done, before=before: progress(  # type: ignore[misc]
                    f"reading memories, {before + done:,} of {count:,}"
                ),
            )  # fmt: skip
            for memory, digest, reading in zip(chunk, digests, readings, strict=True):
                self._take_in(memory, digest, reading)

    def _take_in(self, memory: Memory, digest: bytes, read: MemoryReading) -> None:
        number = self._count
        record = sealed(f"m{number}", _encode(memory))
        row = (number, self._units, digest, record, sealed(digest.hex(), _encode(read)))
        _insert(self._db, "memories", [row])
        for fact in read.facts:
            self.hold(fact, number)
        for unit, (subject, keys) in enumerate(read.sentences, self._units):
            _insert(self._db, "posted", ((key, unit) for key in keys))
            _insert(self._db, "named", [(subject, unit)])
        self._count += 1
        self._units += len(read.sentences)
        if tells(memory):
            self._telling.append(number)

    def hold(self, fact: Fact, number: int) -> None:
        held = _encode(HeldFact(fact, number))
        row = (self._facts, fact.subject, fact.slot, fact.normal.key, held)
        _insert(self._db, "stated", [row])
        self._facts += 1

    def relate(self) -> None:
        """What memories do to each other, once all are read."""
        self._read_facts = self._facts
        self._db.execute("create index temp.stated_where on stated (subject, slot)")
        self._db.execute("create index temp.stated_what on stated (value)")
        for number in self._telling:
            self.retract(number)
        found: list[tuple[int, list[Contradiction]]] = []
        for first, _, facts in self._groups():
            if len(facts) > 1:
                listed = _decode_facts(_encode(facts))
                found.append((first, among(listed, self)))
        found.sort(key=lambda group: group[0])
        self._found = tuple(c for _, listed in found for c in listed)

    def _groups(self) -> Iterator[tuple[int, tuple[str, str], list[msgspec.Raw]]]:
        """The facts of each subject and slot, encoded, with the number of the first."""
        rows = self._db.execute("select * from stated order by subject, slot, number")
        for of, group in groupby(rows, key=lambda row: (row[1], row[2])):
            listed = list(group)
            yield listed[0][0], of, [msgspec.Raw(row[4]) for row in listed]

    def _memory(self, number: int) -> Memory:
        query = "select record from memories where number = ?"
        row = self._db.execute(query, (number,)).fetchone()
        return _decode_memory(unsealed(f"m{number}", row[0]))

    def _held(self, of: tuple[str, str]) -> list[HeldFact]:
        query = "select fact from stated where subject = ? and slot = ? order by number"
        return [_decode_fact(row[0]) for row in self._db.execute(query, of)]

    def _stating(self, value: str) -> Iterator[HeldFact]:
        query = "select fact from stated where value = ? and number < ? order by number"
        rows = self._db.execute(query, (value, self._read_facts))
        return (_decode_fact(row[0]) for row in rows)

    def write(self, key: bytes) -> None:
        """All that is looked up."""
        meta = {
            "code": _code(), "key": key, "trust": _encode((self.threshold, self.difference)),
            "counts": _encode((self._count, self._units)),
            "retracted": _encode(self.retracted), "contradictions": _encode(self._found),
        }  # fmt: skip
        _insert(self._db, "meta", ((name, sealed(name, said)) for name, said in meta.items()))
        _insert(self._db, "sentences", self._sentence_rows())
        held = ((*of, sealed("\0".join(of), _encode(facts))) for _, of, facts in self._groups())
        _insert(self._db, "held", held)
        _insert(self._db, "subjects", self._subject_rows())
        _insert(self._db, "words", self._word_rows())

    def _sentence_rows(self) -> Iterator[tuple[str, int, bytes, bytes]]:
        for key, units in _grouped(self._db, "select key, unit from posted order by key, unit"):
            few = sealed(f"few {key}", units[:FEW].tobytes())
            every = sealed(f"every {key}", units.tobytes()) if len(units) > FEW else b""
            yield key, len(units), few, every

    def _subject_rows(self) -> Iterator[tuple[str, bytes]]:
        rows = self._db.execute(
            "select slot, subject from stated group by slot, subject order by slot, min(number)"
        )
        for slot, listed in groupby(rows, key=lambda row: row[0]):
            names = [subject for _, subject in islice(listed, SUBJECTS)]
            yield slot, sealed(slot, _encode(names))

    def _word_rows(self) -> Iterator[tuple[str, bytes]]:
        """A subject is told apart by the first sentence about it."""
        subjects = self._db.execute("select subject, min(unit) from named group by subject")
        words = ((word, first) for subject, first in subjects for word in {*subject.split()})
        _insert(self._db, "worded", words)
        query = "select word, subject from worded order by word, subject"
        for word, listed in _grouped(self._db, query):
            yield word, sealed(word, listed.tobytes())


class _Fresh(Generic[K, V]):
    """Values by key, read whenever they are asked for."""

    def __init__(self, read: Callable[[K], V]) -> None:
        self._read = read

    def get(self, key: K, default: Any = None, /) -> Any:
        return self._read(key) or default

    def __getitem__(self, key: K, /) -> V:
        return self._read(key)

    def __len__(self) -> int:
        raise NotImplementedError


def _grouped(db: sqlite3.Connection, query: str) -> Iterator[tuple[str, array[int]]]:
    """The numbers of each text, of rows in order."""
    for text, rows in groupby(db.execute(query), key=lambda row: row[0]):
        yield text, array("I", (number for _, number in rows))


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    rows = iter(rows)
    first = next(rows, None)
    if first is not None:
        query = f"insert into {table} values ({', '.join('?' * len(first))})"  # noqa: S608
        db.execute(query, first)
        db.executemany(query, rows)


def _make_room(directory: str) -> None:
    """Keeps the newest indexes."""
    found = sorted(os.scandir(directory), key=lambda e: e.stat().st_mtime_ns, reverse=True)
    for entry in [e for e in found if e.name.endswith(".sqlite3")][KEPT:]:
        discard(entry.path)

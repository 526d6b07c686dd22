"""`recall` on a repository: what is kept of its state, judged anew where that differs.

The digest of that state is of all that the decisions of `check --all --offline` depend on: HEAD
and its branch, every ref (base, reachability, which objects there are), the remotes, the index,
what the file system says of every tracked and untracked file (contents are not read, and git's
filters never run), the environment that names base or an agent, and this version.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import VERSION
from grounded_ingest.git.repository import SUBMODULE, Repo
from grounded_ingest.knowledge.sqlite_files import DAMAGE, broken, discard
from grounded_ingest.language.lexicon.agents import ENVIRONMENT
from grounded_ingest.model.claims import MemoryType
from grounded_ingest.model.digests import blake2b
from grounded_ingest.pipeline import Progress
from grounded_ingest.retrieval.answer import Answer, Recall, RecallQuery, RecallResult
from grounded_ingest.retrieval.bm25 import Lexical, Ranker
from grounded_ingest.retrieval.fulltext import Shelf
from grounded_ingest.retrieval.store import JudgedDocument, JudgedStates
from grounded_ingest.version import __version__

if TYPE_CHECKING:
    from grounded_ingest.pipeline import Result as Checked

_NAMELESS = b"?"
"""The state of a store in memory, which holds one."""


class Opened(NamedTuple):
    """A store that holds a repository's state."""

    kept: JudgedStates
    state: int


Ranking = Callable[[Opened], Ranker]
"""How the claims of a store are ranked."""


def by_words(store: Opened) -> Ranker:
    """The ranking that needs no model."""
    return Lexical(store.kept.shelf)


def recall_in(
    repo: Repo,
    wanted: RecallQuery,
    progress: Progress = lambda _: None,
    ranking: Ranking = by_words,
) -> Answer:
    """Answer a question from a repository's memories; judges them where no kept judgement holds."""
    try:
        with opened(repo, progress) as found:
            return Recall(*found, ranking(found)).answer(wanted)
    except DAMAGE as error:  # further in than its tables
        if broken(error):
            discard(_index_of(repo))
        with opened(repo, progress, file=False) as found:
            return Recall(*found, ranking(found)).answer(wanted)


def by_meaning(directory: str, progress: Progress = lambda _: None) -> Ranking:
    """Ranking with the embedding model of a directory. Raises GroundedIngestError without one."""
    from grounded_ingest.retrieval.embeddings import Embedder
    from grounded_ingest.retrieval.hybrid import Semantic

    embedder = Embedder(directory)
    return lambda found: Semantic(found.kept, found.state, embedder, progress)


def timed(repo: Repo, answer: Answer) -> dict[str, str]:
    """When results were written down, by place: what their record says, and of episodes the day of
    the commit that brought the line. Empty where the document is not as HEAD has it."""
    found = {r.place: r.memory.timestamp for r in answer.results if r.memory.timestamp}
    head = repo.head()
    for result in answer.results:
        if not _untimed(result, repo, head):
            continue
        out = os.fsdecode(repo.run(*_blame(result, head), ok=(0, 128)))
        at = re.search(r"^committer-time (\d+)$", out, re.MULTILINE)
        if at:
            found[result.place] = datetime.fromtimestamp(int(at[1]), tz=UTC).date().isoformat()
    return found


def _untimed(result: RecallResult, repo: Repo, head: str) -> bool:
    if result.memory.memory_type is not MemoryType.EPISODIC or result.memory.timestamp or not head:
        return False
    committed = repo.objects.get(f"{head}:{result.document.path}")
    return committed is not None and result.document.key.startswith(f"{committed.oid}:")


def _blame(result: RecallResult, head: str) -> tuple[str, ...]:
    """Of the commit: of the work tree git would run the repository's filters."""
    line = str(result.memory.line)
    return (
        "-c", "blame.ignoreRevsFile=", "blame", "--no-textconv", "--porcelain",
        "-L", f"{line},{line}", head, "--", result.document.path,
    )  # fmt: skip


@contextmanager
def opened(
    repo: Repo, progress: Progress = lambda _: None, *, file: bool = True
) -> Iterator[Opened]:
    """The store with the repository's present state in it; in memory where the file fails, or is
    not to be used."""
    digest = state_of(repo) if file else b""
    db = _kept(_index_of(repo), digest)
    db = db or _judged(repo, digest, progress)
    with closing(db):
        kept = JudgedStates(Shelf(db))
        state = kept.state(digest or _NAMELESS)
        assert state is not None
        yield Opened(kept, state)


def _index_of(repo: Repo) -> str:
    return f"{repo.common_dir}/grounded-ingest/index.sqlite"


def _connect(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=2.0, isolation_level=None)
    db.execute("PRAGMA synchronous=OFF")
    return db


def _kept(path: str, digest: bytes) -> sqlite3.Connection | None:
    """The file, where it holds this state. Tables that are not whole are dropped."""
    if not digest or not os.path.isfile(path):
        return None
    with suppress(sqlite3.Error):
        db = sqlite3.connect(path, timeout=2.0, isolation_level=None)
        with suppress(*DAMAGE):
            kept = JudgedStates(Shelf(db))
            if kept.state(digest) is not None:
                if kept.whole():
                    return db
                kept.forget()
        db.close()
    return None


def _judged(repo: Repo, digest: bytes, progress: Progress) -> sqlite3.Connection:
    """A connection to a store that holds the judgement of the present state."""
    from grounded_ingest.knowledge.scope import Asked
    from grounded_ingest.pipeline import Options, run

    result = run(repo, Asked("all"), Options(online=False), progress)
    where = result.kb.index.path
    result.kb.index.close()
    progress("putting claims on the shelf")
    if where != ":memory:" and digest and state_of(repo) == digest:
        with suppress(*DAMAGE):  # locked, full, read-only, damaged: answer all the same
            db = _connect(where)
            try:
                _keep(db, digest, result)
            except DAMAGE:
                db.close()
                raise
            return db
    db = _connect(":memory:")
    _keep(db, digest or _NAMELESS, result)
    return db


def _keep(db: sqlite3.Connection, digest: bytes, result: Checked) -> None:
    from grounded_ingest.memory.relations import edges

    findings = [(d.place, f) for d in result.report.decisions for f in d.findings]
    try:
        JudgedStates(Shelf(db)).keep(digest, list(_held(result)), edges(result.documents, findings))
    except sqlite3.OperationalError as error:
        if "fts5" in str(error):
            raise GroundedIngestError(
                "this Python's SQLite has no FTS5", "recall needs it; other commands do not"
            ) from None
        raise


def _held(result: Checked) -> Iterator[JudgedDocument]:
    decisions = {(d.place.path, d.place.claim.key): d for d in result.report.decisions}
    for document in result.documents:
        key = str(result.kb.documents[document.path])
        own = [decisions[document.path, c.key] for c in document.extraction.claims]
        yield JudgedDocument(document.path, document.doc_class.value, key, own)


FORMAT = 3
"""Raised when what is kept for `recall` changes its meaning."""
_HEAD = ("rev-parse", "--verify", "--quiet", "HEAD")
_BRANCH = ("symbolic-ref", "--quiet", "HEAD")
_REMOTES = ("config", "--get-regexp", r"^remote\..*\.url$")
_REFS = ("for-each-ref", "--format=%(objectname) %(refname) %(symref)")
# Of the whole work tree, wherever below it this runs.
_INDEX = ("ls-files", "--stage", "-z", "--full-name", "--", ":/")
_OTHERS = ("ls-files", "--others", "--exclude-standard", "-z", "--full-name", "--", ":/")
_TICK_NS = 10_000_000
"""How far apart two writes may be and have the same time."""


def state_of(repo: Repo) -> bytes:
    """The digest; empty where it cannot be told, as a file is being written just now."""
    asked = (_REFS,) if repo.bare else (_REFS, _INDEX, _OTHERS)
    perhaps = (_HEAD, _BRANCH, _REMOTES)
    for command in (*perhaps, *asked):
        repo.begin(*command)
    digest = blake2b(digest_size=16)
    try:
        known = [repo.run(*command, ok=(0, 1)) for command in perhaps]
        outputs = [repo.run(*command) for command in asked]
        for part in (*_surroundings(repo), *known, *outputs, *_on_disk(repo, outputs)):
            digest.update(b"%d\0" % len(part))
            digest.update(part)
    except (GroundedIngestError, OSError, ValueError):
        return b""
    return digest.digest()


def _surroundings(repo: Repo) -> Iterator[bytes]:
    yield f"{FORMAT} {__version__} {VERSION}".encode()
    yield os.environ.get("GITHUB_BASE_REF", "").encode(errors="surrogateescape")
    yield b"agent" if any(os.environ.get(name) for name in ENVIRONMENT) else b""
    yield b"shallow" if repo.shallow else b""


def _on_disk(repo: Repo, outputs: list[bytes]) -> Iterator[bytes]:
    """What the file system says of the files of the work tree. Raises ValueError for one that was
    written in this moment: the next write may leave no trace."""
    if repo.bare:
        return
    recent = time.time_ns() - _TICK_NS
    root = os.fsencode(repo.root)
    for path in _files(*outputs[1:]):
        try:
            found = os.lstat(b"%s/%s" % (root, path))
        except OSError:
            yield b"none"
            continue
        if found.st_ctime_ns > recent:
            raise ValueError(path)
        yield b"%d %d %d %d %d" % (
            found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns,
        )  # fmt: skip


def _files(index: bytes, others: bytes) -> Iterator[bytes]:
    submodule = SUBMODULE.encode()
    for row in index.split(b"\0")[:-1]:
        about, _, path = row.partition(b"\t")
        if not about.startswith(submodule):
            yield path
    yield from others.split(b"\0")[:-1]

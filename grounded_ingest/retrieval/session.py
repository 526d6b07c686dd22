"""Runs `recall` on a repository. Checks the repository first, unless it has not changed since its
decisions were stored."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.cache import DAMAGE, FILE, MEMORY, broken, discard
from grounded_ingest.git.repository import Repo, epoch_seconds
from grounded_ingest.model.claims import MemoryType, Tier
from grounded_ingest.pipeline import Options, Progress, Result, run
from grounded_ingest.references.kept_parses import page_text
from grounded_ingest.repository.repository_state import state_of
from grounded_ingest.repository.scope import Asked
from grounded_ingest.retrieval.answer import Answer, Recall, RecallQuery, RecallResult
from grounded_ingest.retrieval.bm25 import Lexical, Ranker
from grounded_ingest.retrieval.store import JudgedDocument, JudgedState
from grounded_ingest.rules.reference_rules import WRONG

Ranking = Callable[[JudgedState], Ranker]
"""A function that returns the ranker for an open store."""


def recall_in(
    repo: Repo,
    wanted: RecallQuery,
    progress: Progress = lambda _: None,
    ranking: Ranking = Lexical,
) -> Answer:
    """Answers a question with the claims of a repository.

    Checks the repository first if there are no stored decisions for its current state. If the store
    is damaged, deletes the cache file and answers from a store in memory. Raises
    GroundedIngestError if the question is empty, or if `wanted.k` is less than 1."""
    if not wanted.question.strip():
        raise GroundedIngestError("the question is empty", "ask in words: “Which port …?”")
    if wanted.k < 1:
        raise GroundedIngestError(f"k: {wanted.k} is less than 1", "ask for at least one memory")
    try:
        with opened(repo, progress) as store:
            return _answer(store, ranking, wanted)
    except DAMAGE as error:  # the file is damaged although all its tables exist
        if broken(error):
            discard(_index_of(repo))
        with opened(repo, progress, file=False) as store:
            return _answer(store, ranking, wanted)


def _answer(store: JudgedState, ranking: Ranking, wanted: RecallQuery) -> Answer:
    ranker = ranking(store)
    store.db.execute("BEGIN")  # A run in another work tree may replace the state meanwhile.
    return Recall(store, ranker).answer(wanted)


def by_meaning(directory: str, progress: Progress = lambda _: None) -> Ranking:
    """Returns the ranking that also uses the embedding model in a directory.

    Raises GroundedIngestError if the model cannot be loaded."""
    # Imported late, because the extra `semantic` may be missing.
    from grounded_ingest.retrieval.embeddings import Embedder, Semantic

    embedder = Embedder(directory)
    return lambda store: Semantic(store, embedder, progress)


def timed(repo: Repo, answer: Answer) -> dict[str, str]:
    """Returns the dates when the claims in an answer were written, by place (`path:line`).

    The date is the timestamp in the claim's record. An episodic claim without a timestamp gets the
    day of the last commit that changed its line. Leaves out other claims without a timestamp, and
    such claims in a document with uncommitted changes."""
    found = {r.place: r.memory.timestamp for r in answer.results if r.memory.timestamp}
    head = repo.head()
    for result in answer.results:
        if not _untimed(result, repo, head):
            continue
        # Without a commit, git would read the work tree and run the filters that the repository
        # configures.
        out = repo.run(
            "-c", "blame.ignoreRevsFile=", "blame", "--no-textconv", "--porcelain",
            "-L", f"{result.memory.line},{result.memory.line}", head, "--", result.document.path,
            ok=(0, 128),
        )  # fmt: skip
        if at := re.search(rb"^committer-time (\d+)$", out, re.MULTILINE):
            day = datetime.fromtimestamp(epoch_seconds(at[1]), tz=UTC).date()
            found[result.place] = day.isoformat()
    return found


def _untimed(result: RecallResult, repo: Repo, head: str) -> bool:
    if result.memory.memory_type is not MemoryType.EPISODIC or result.memory.timestamp or not head:
        return False
    committed = repo.objects.get(f"{head}:{result.document.path}")
    return committed is not None and result.document.key.startswith(f"{committed.oid}:")


@contextmanager
def opened(
    repo: Repo, progress: Progress = lambda _: None, *, file: bool = True
) -> Iterator[JudgedState]:
    """Yields a store that contains the current state of the repository.

    The store is in memory if `file` is false or if the cache file cannot be used."""
    digest = state_of(repo) if file else b""
    db = _kept(_index_of(repo), digest)
    db = db or _judged(repo, digest, progress)
    with closing(db):
        yield JudgedState(db)


def _index_of(repo: Repo) -> str:
    return f"{repo.cache_directory}/{FILE}"


def _connect(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=2.0, isolation_level=None)
    try:
        db.execute("PRAGMA synchronous=OFF")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _kept(path: str, digest: bytes) -> sqlite3.Connection | None:
    """Returns a connection to the cache file if it contains the state of the repository with this
    digest.

    Returns None otherwise. If a table is missing, drops all tables and returns None."""
    if not digest or not os.path.isfile(path):
        return None
    with suppress(sqlite3.Error):
        db = _connect(path)
        with suppress(*DAMAGE):
            kept = JudgedState(db)
            if kept.has(digest):
                if kept.whole():
                    return db
                kept.forget()
        db.close()
    return None


def _judged(repo: Repo, digest: bytes, progress: Progress) -> sqlite3.Connection:
    """Checks the repository, stores its decisions, and returns a connection to the store."""
    result = run(repo, Asked("all"), Options(online=False), progress)
    where = result.kb.index.cache.path
    result.kb.index.close()
    progress("indexing the claims")
    if where != MEMORY and digest and state_of(repo) == digest:
        with suppress(*DAMAGE):  # if the file is locked or damaged, a store in memory is used
            db = _connect(where)
            try:
                _keep(db, digest, result)
            except DAMAGE:
                db.close()
                raise
            return db
    db = _connect(MEMORY)
    _keep(db, digest, result)
    return db


def _keep(db: sqlite3.Connection, digest: bytes, result: Result) -> None:
    from grounded_ingest.statements.relations import edges

    findings = [(d.place, f) for d in result.report.decisions for f in d.findings]
    try:
        JudgedState(db).keep(digest, list(_held(result)), edges(result.documents, findings))
    except sqlite3.OperationalError as error:
        if "fts5" in str(error):
            raise GroundedIngestError(
                "the SQLite library of this Python has no FTS5 extension",
                "use a Python whose SQLite has FTS5; only `recall` needs this extension",
            ) from None
        raise


def _held(result: Result) -> Iterator[JudgedDocument]:
    from grounded_ingest.retrieval.passages import code_decisions, passages

    decisions = {(d.place.path, d.place.claim.key): d for d in result.report.decisions}
    wrong: dict[str, set[int]] = {}
    for problem in result.report.problems:
        if problem.rule.startswith(WRONG):
            wrong.setdefault(problem.path, set()).add(problem.line)
    for document in result.documents:
        key = f"{result.kb.documents[document.path]}:{result.kb.index.variant}"
        own = [decisions[document.path, c.key] for c in document.extraction.claims]
        bad = wrong.get(document.path, set())
        for d in own:
            if d.wrong or d.tier is Tier.BLOCK:
                bad.update(range(d.place.claim.line, d.place.claim.end_line + 1))
        text = page_text(document.path, result.kb.tree) or ""
        own += code_decisions(document, text, bad)
        parts = passages(document.extraction, [d.place.claim for d in own])
        yield JudgedDocument(document.path, document.doc_class.value, key, own, parts)

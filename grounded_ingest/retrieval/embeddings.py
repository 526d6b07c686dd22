"""Ranks passages by words and by meaning: BM25 and the cosine of embeddings (extra `semantic`).

The embedding model is in a local directory, which must contain `tokenizer.json`, and `model.onnx`
or `onnx/model.onnx`. The model is never downloaded. The vectors of each document version (blob) are
stored next to the full-text index, in half precision and for each model. A question then needs one
embedding and one matrix product. `covered` is the mean of the share that is covered by words and
the cosine of the nearest passage."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.digests import sha256
from grounded_ingest.pipeline import Progress
from grounded_ingest.retrieval.bm25 import CANDIDATES, Lexical, Scored
from grounded_ingest.retrieval.store import JudgedState, passage_starts, row_of
from grounded_ingest.version import install_command

if TYPE_CHECKING:
    from numpy import ndarray

TOKENS = 256
"""Maximum number of tokens that are read from a text. Claims are sentences and rarely longer."""
BATCH = 32

_MODELS = ("model.onnx", "onnx/model.onnx")


class Embedder:
    """An embedding model that is loaded from a directory.

    Raises GroundedIngestError if a file or a Python package is missing, or if the model is invalid.
    """

    def __init__(self, directory: str) -> None:
        self._model = _found(directory, _MODELS)
        self._words = _found(directory, ("tokenizer.json",))
        try:
            # Imported late, because the extra `semantic` may be missing.
            from onnxruntime import InferenceSession
            from tokenizers import Tokenizer
        except ImportError as error:
            raise GroundedIngestError(
                f"--semantic needs the package {error.name}",
                f"install it: {install_command('semantic')}",
            ) from None
        try:
            self._tokenizer = Tokenizer.from_file(self._words)
            self._session: Any = InferenceSession(self._model, providers=["CPUExecutionProvider"])
        except Exception as error:  # noqa: BLE001  each library raises its own kinds
            said = str(error).partition("\n")[0][:200]
            message = f"the model in {directory} cannot be loaded: {said}"
            raise GroundedIngestError(message) from None
        self._tokenizer.enable_truncation(TOKENS)
        self._tokenizer.enable_padding()
        self._inputs = {i.name for i in self._session.get_inputs()}

    @property
    def name(self) -> str:
        """Returns the key under which vectors of this model are cached. The key changes if the size
        or the modification time of a model file changes."""
        stats = (os.stat(path) for path in (self._model, self._words))
        known = [(s.st_size, s.st_mtime_ns) for s in stats]
        return sha256(repr([os.path.realpath(self._model), *known]).encode()).hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> ndarray[Any, Any]:
        """Returns a matrix with one unit vector for each text: the normalized mean of the last
        hidden states of its tokens."""
        import numpy

        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))  # similar lengths together
        found: list[Any] = [None] * len(texts)
        for at in range(0, len(order), BATCH):
            some = order[at : at + BATCH]
            for number, row in zip(some, self._batch([texts[n] for n in some]), strict=True):
                found[number] = row
        return numpy.array(found, dtype=numpy.float32)

    def _batch(self, texts: list[str]) -> ndarray[Any, Any]:
        import numpy

        encoded = self._tokenizer.encode_batch(texts)
        mask = numpy.array([e.attention_mask for e in encoded], dtype=numpy.int64)
        fed = {
            "input_ids": numpy.array([e.ids for e in encoded], dtype=numpy.int64),
            "attention_mask": mask,
            "token_type_ids": numpy.zeros_like(mask),
        }
        wanted = {name: value for name, value in fed.items() if name in self._inputs}
        hidden = self._session.run(None, wanted)[0]
        weight = mask[:, :, None].astype(numpy.float32)
        mean = (hidden * weight).sum(axis=1) / numpy.maximum(weight.sum(axis=1), 1)
        length = numpy.linalg.norm(mean, axis=1, keepdims=True)
        result: ndarray[Any, Any] = mean / numpy.maximum(length, 1e-12)
        return result


def _found(directory: str, names: Sequence[str]) -> str:
    for name in names:
        if os.path.isfile(path := os.path.join(directory, name)):
            return path
    raise GroundedIngestError(
        f"{directory} has no file {names[0]}",
        "--semantic expects a directory with tokenizer.json and model.onnx",
    )


# Ranking

TABLE = """CREATE TABLE IF NOT EXISTS recall_vector (blob INTEGER, model TEXT, content BLOB,
  PRIMARY KEY (blob, model)) WITHOUT ROWID"""
MEANING = 0.35
"""Weight of the cosine in the score. The score by words has the remaining weight."""
OFFSET = -0.12
"""Is added to `covered`, so that the minimum for words also suits this ranking
(docs/decisions/memory.md)."""


class Semantic:
    """Ranks passages by shared words and by embeddings, computing missing vectors."""

    def __init__(
        self, kept: JudgedState, embedder: Embedder, progress: Progress = lambda _: None
    ) -> None:
        self._lexical = Lexical(kept)
        self._embedder = embedder
        self._rows, self._vectors = _matrix(kept, embedder, progress)
        self._at = {row: at for at, row in enumerate(self._rows)}

    def ranked(self, question: str, serves: Callable[[int], bool]) -> list[Scored]:
        """Returns the passages whose row ids pass the test `serves`, best first. Their score
        combines the shared words with the similarity of meaning."""
        if not self._rows:
            return []
        cosines = self._vectors @ self._embedder.embed([question])[0]
        order = (-cosines).argsort(kind="stable").tolist()
        near = list(islice((r for at in order if serves(r := self._rows[at])), CANDIDATES))
        nearest = max((float(cosines[self._at[row]]) for row in near[:1]), default=0.0)
        by_words = {s.row: s for s in self._lexical.ranked(question, serves)}
        most = max((s.score for s in by_words.values()), default=1.0) or 1.0
        found = [
            _together(row, by_words.get(row), most, float(cosines[self._at[row]]), nearest)
            for row in {*by_words, *near}
        ]
        return sorted(found, key=lambda s: (-s.score, s.row))


def _together(row: int, words: Scored | None, most: float, cosine: float, nearest: float) -> Scored:
    score = words.score / most if words else 0.0
    covered = words.covered if words else 0.0
    return Scored(
        row,
        (1 - MEANING) * score + MEANING * max(cosine, 0.0),
        min((covered + max(nearest, 0.0)) / 2 + OFFSET, 1.0),
    )


def _matrix(
    kept: JudgedState, embedder: Embedder, progress: Progress
) -> tuple[list[int], ndarray[Any, Any]]:
    """Returns the row ids of the stored passages, and a matrix with one vector for each
    passage."""
    # Imported late, because the extra `semantic` may be missing.
    import numpy

    rows: list[int] = []
    parts: list[Any] = []
    for blob, count, vectors in _vectors(kept, embedder, progress):
        rows += [row_of(blob, n) for n in range(count)]
        parts.append(vectors)
    if not rows:
        return [], numpy.zeros((0, 1), dtype=numpy.float32)
    return rows, numpy.concatenate(parts)


def _vectors(
    kept: JudgedState, embedder: Embedder, progress: Progress
) -> Iterator[tuple[int, int, ndarray[Any, Any]]]:
    import numpy

    live = kept.marks()
    known = _known(kept.db, embedder.name)
    missing = [blob for blob in live if blob not in known]
    if missing:
        progress(f"computing embeddings for the passages in {len(missing)} documents")
    for blob in missing:
        texts = [text for text, _ in kept.blobs([blob])[blob].passages]
        known[blob] = embedder.embed(texts).astype(numpy.float16).tobytes() if texts else b""
        _keep(kept.db, blob, embedder.name, known[blob])
    for blob in sorted(live):
        if known[blob]:
            packed = numpy.frombuffer(known[blob], dtype=numpy.float16)
            count = len(passage_starts(live[blob][0][1]))
            yield blob, count, packed.reshape(count, -1).astype(numpy.float32)


def _known(db: sqlite3.Connection, model: str) -> dict[int, bytes]:
    try:
        db.execute(TABLE)
        gone = "DELETE FROM recall_vector WHERE blob NOT IN (SELECT id FROM recall_blob)"
        db.execute(gone)
        found = db.execute("SELECT blob, content FROM recall_vector WHERE model=?", (model,))
        return dict(found.fetchall())
    except sqlite3.Error:  # the file is locked or read-only: compute the vectors again
        return {}


def _keep(db: sqlite3.Connection, blob: int, model: str, content: bytes) -> None:
    with suppress(sqlite3.Error):
        db.execute("INSERT OR REPLACE INTO recall_vector VALUES (?, ?, ?)", (blob, model, content))

"""Embeddings of a model in a directory: mean over tokens, unit length, clear errors."""

from __future__ import annotations

from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy", reason="of the extra slow")
pytest.importorskip("onnx", reason="of the extra slow")

from smallmodel import small_model

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.retrieval.embeddings import BATCH, Embedder

pytestmark = pytest.mark.slow  # needs onnxruntime, tokenizers and numpy, 180 MB


def test_words_of_one_meaning_are_near(tmp_path: Path) -> None:
    rows = Embedder(small_model(tmp_path / "m")).embed(["port", "socket listens", "queue"])
    near = rows @ rows.T
    assert near[0, 1] == pytest.approx(1)
    assert near[0, 2] == pytest.approx(0)


def test_a_text_has_one_vector_whatever_stands_beside_it(tmp_path: Path) -> None:
    embedder = Embedder(small_model(tmp_path / "m"))
    texts = ["port queue " * n for n in range(1, BATCH + 9)] + ["queue"]
    together = embedder.embed(texts)
    assert numpy.allclose(together[-1], embedder.embed(["queue"])[0])
    assert numpy.allclose(numpy.linalg.norm(together, axis=1), 1, atol=1e-5)


def test_an_empty_text_has_a_vector(tmp_path: Path) -> None:
    assert numpy.isfinite(Embedder(small_model(tmp_path / "m")).embed(["", "port"])).all()


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_what_is_missing_is_named(tmp_path: Path, missing: str) -> None:
    directory = small_model(tmp_path / "m")
    (tmp_path / "m" / missing).unlink()
    with pytest.raises(GroundedIngestError, match=missing):
        Embedder(directory)


def test_a_broken_model_is_said(tmp_path: Path) -> None:
    directory = small_model(tmp_path / "m")
    (tmp_path / "m/model.onnx").write_bytes(b"no model")
    with pytest.raises(GroundedIngestError, match="no model that can be read"):
        Embedder(directory)


def test_another_model_has_another_name(tmp_path: Path) -> None:
    one = Embedder(small_model(tmp_path / "one")).name
    (tmp_path / "two").mkdir()
    two = Embedder(small_model(tmp_path / "two")).name
    assert one != two

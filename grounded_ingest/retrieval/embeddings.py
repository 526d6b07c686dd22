"""Turns texts into vectors with an embedding model in a local directory (extra `semantic`).

The directory must contain `tokenizer.json`, and `model.onnx` or `onnx/model.onnx`. The model is
never downloaded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.digests import sha256
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

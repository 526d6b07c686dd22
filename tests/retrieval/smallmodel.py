"""A model small enough to be built in a test: a vector per word, looked up by a real runtime."""

from __future__ import annotations

from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

MEANINGS = (
    ("pad unk", (0.0, 0.0, 0.01)),
    ("port listens socket", (1.0, 0.0, 0.0)),
    ("queue retries backlog", (0.0, 1.0, 0.0)),
)
"""Words of one meaning have one vector."""


def small_model(directory: Path) -> str:
    """The directory, with a model and its tokenizer in it."""
    directory.mkdir(exist_ok=True)
    words = [(word, vector) for group, vector in MEANINGS for word in group.split()]
    tokenizer = Tokenizer(WordLevel({w: n for n, (w, _) in enumerate(words)}, unk_token="unk"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(directory / "tokenizer.json"))
    table = numpy.array([vector for _, vector in words], dtype=numpy.float32)
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])
    mask = helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "length"])
    hidden = helper.make_tensor_value_info(
        "last_hidden_state", TensorProto.FLOAT, ["batch", "length", 3]
    )
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    graph = helper.make_graph(
        nodes, "small", [ids, mask], [hidden], [numpy_helper.from_array(table, "table")]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(directory / "model.onnx"))
    return str(directory)

"""Measures `verify --memories` on a file of the data set GroundingBench, or on examples in its
format.

The rows have the fields of the data set's card (`retrieved_context`, `generated_output`, `label`)
or of its template files (`memories` with `output`, or with a right and a wrong output)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.report.as_json import format_json
from grounded_ingest.text.printable import printable
from grounded_ingest.verify.memory_files import memories_of
from grounded_ingest.verify.memory_index import Memories
from grounded_ingest.verify.result import Memory, Verification
from grounded_ingest.verify.verify import verify_text

_PAIRS = (
    ("factual_grounding", "output_grounded", "output_hallucinated"),
    ("contradictions", "output_with_disclosure", "output_without_disclosure"),
)
"""Fields of the template files: category, right output, wrong output."""


class LabelledText(NamedTuple):
    """A text, the memories to compare it with, and the result that the benchmark expects.
    `disclosure` is true if the memories disagree about a value in the text, so that the text is
    right only if it mentions this."""

    id: str
    category: str
    text: str
    memories: tuple[Memory, ...]
    grounded: bool
    disclosure: bool = False


class Measured(NamedTuple):
    """An example, and what `verify` says about its text."""

    example: LabelledText
    result: Verification

    @property
    def right(self) -> bool:
        """Returns whether the result is right. If by the label the text has to mention a
        contradiction, the result must say so too; else `grounded` must be as labelled."""
        if self.example.disclosure:
            return self.result.requires_disclosure
        return self.literal

    @property
    def literal(self) -> bool:
        """Returns whether `grounded` is as labelled, even if the label also demands something
        else."""
        return self.result.grounded is self.example.grounded


def measure(examples: Iterable[LabelledText]) -> list[Measured]:
    """Verifies the text of each example against the example's memories."""
    return [Measured(e, verify_text(e.text, Memories(e.memories))) for e in examples]


def read_examples(path: str) -> list[LabelledText]:
    """Reads examples from a JSON Lines file or a JSON list. Raises GroundedIngestError with file
    and line or number if a row cannot be read."""
    try:
        text = Path(path).read_text("utf-8-sig")
        listed = json.loads(text) if text.lstrip().startswith("[") else None
    except (OSError, ValueError) as error:
        raise GroundedIngestError(f"{path} cannot be read: {error}") from None
    rows = text.splitlines() if listed is None else listed
    found: list[LabelledText] = []
    for number, row in enumerate(rows, 1):
        place = f"{path}:{number}"
        if isinstance(row, str) and not row.strip():
            continue
        try:
            found += _examples(json.loads(row) if isinstance(row, str) else row, place)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise GroundedIngestError(
                f"{place}: the row is not an example of GroundingBench"
                f" ({type(error).__name__}: {error})",
                'write {"category": "…", "retrieved_context": [{"id": "m1", "text": "…"}],'
                ' "generated_output": "…", "label": {"grounded": true}}',
            ) from None
    return found


def _examples(row: dict[str, Any], place: str) -> Iterator[LabelledText]:
    """Yields the examples in a row: one, or two in a template row with a right and a wrong
    output."""
    given = row["retrieved_context"] if "label" in row else row["memories"]
    memories = tuple(memories_of((f"{place}: memory {n}", m) for n, m in enumerate(given, 1)))
    name = str(row.get("id", place))
    if "label" in row:
        label, category = row["label"], str(row["category"])
        disclosure = bool(label.get("requires_contradiction_disclosure"))
        text = str(row["generated_output"])
        yield LabelledText(name, category, text, memories, bool(label["grounded"]), disclosure)
        return
    if "output" in row:
        grounded = bool(row["expected_grounded"])
        yield LabelledText(name, "paraphrasing", str(row["output"]), memories, grounded)
        return
    category, right, wrong = next(names for names in _PAIRS if names[1] in row)
    disclosure = category == "contradictions" and bool(row["expected_requires_disclosure"])
    yield LabelledText(f"{name} right", category, str(row[right]), memories, grounded=True)
    yield LabelledText(f"{name} wrong", category, str(row[wrong]), memories, disclosure, disclosure)


def figures(measured: Sequence[Measured]) -> dict[str, dict[str, float | None]]:
    """Returns the figures of each category, and of all examples under the key `all`.

    `accuracy` is the share of examples with `Measured.right`, `literal` the share with
    `Measured.literal`. `majority` is the accuracy if every text got the most frequent label of its
    category. For precision, recall and F1, the positive texts are those with a label that says
    "not grounded" or "the sources contradict each other"."""
    categories = dict.fromkeys(m.example.category for m in measured)
    found = {c: _figures([m for m in measured if m.example.category == c]) for c in categories}
    majority = sum(_majority([m for m in measured if m.example.category == c]) for c in categories)
    return found | {"all": {**_figures(measured), "majority": _share(majority, len(measured))}}


def _majority(measured: Sequence[Measured]) -> int:
    labels = Counter((m.example.grounded, m.example.disclosure) for m in measured)
    return max(labels.values(), default=0)


def _figures(measured: Sequence[Measured]) -> dict[str, float | None]:
    count = len(measured)
    bad = [not m.example.grounded or m.example.disclosure for m in measured]
    stopped = [not m.result.grounded for m in measured]
    hits = sum(b and s for b, s in zip(bad, stopped, strict=True))
    return {
        "examples": count,
        "right": sum(m.right for m in measured),
        "accuracy": _share(sum(m.right for m in measured), count),
        "literal": _share(sum(m.literal for m in measured), count),
        "majority": _share(_majority(measured), count),
        "precision": _share(hits, sum(stopped)),
        "recall": _share(hits, sum(bad)),
        "f1": _share(2 * hits, sum(bad) + sum(stopped)),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def measured_as_json(measured: Sequence[Measured]) -> str:
    """Returns the figures and every wrong result as one JSON object."""
    wrong = [
        {"id": m.example.id, "label": m.example.grounded, "verdict": m.result.verdict}
        for m in measured
        if not m.right
    ]
    return format_json({"figures": figures(measured), "wrong": wrong})


def measured_as_text(measured: Sequence[Measured]) -> str:
    """Returns the wrong results, one in a line, and a table of the figures."""
    wrong = (m for m in measured if not m.right)
    lines = [f"{printable(m.example.id)}: {m.result.verdict}, which is wrong" for m in wrong]
    rows = figures(measured)
    lines.append("".join(f"{name:>10}" for name in rows["all"]) + "  category")
    for category, row in rows.items():
        lines.append("".join(map(_cell, row.values())) + f"  {printable(category)}")
    return "".join(f"{line}\n" for line in lines)


def _cell(value: float | None) -> str:
    shown = "-" if value is None else str(value) if isinstance(value, int) else f"{value:.3f}"
    return f"{shown:>10}"

"""Labelled examples of grounding, beside baselines and another library."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.facts.fact import Memory, Verification
from grounded_ingest.grounding.memory_index import Memories
from grounded_ingest.grounding.source_words import read_words
from grounded_ingest.grounding.verify import verify_text

DISPUTED = {
    **dict.fromkeys(
        ("multihop_006", "multihop_007", "multihop_008", "para_008"),
        "the memories do not entail the text",
    ),
    **dict.fromkeys(
        ("contra_015", "contra_016", "contra_019", "contra_021", "contra_025"),
        "additive facts are called contradictory",
    ),
}  # fmt: skip
"""Examples of native100 whose labels do not hold, and why; counted apart."""

NO_CORRECTION = "Partial grounding with hallucinations"
"""What stands in the data where nobody wrote a correction."""


class Example(NamedTuple):
    """`grounded` and `disclosure` are what the label demands; `label` holds the rest of it."""

    id: str
    category: str
    difficulty: str
    memories: tuple[Memory, ...]
    text: str
    grounded: bool
    disclosure: bool
    label: dict[str, Any]


class Judgement(NamedTuple):
    grounded: bool
    disclosure: bool
    seconds: float = 0.0
    result: Verification | None = None


Judging = Callable[[Example], Judgement]


def load(directory: str) -> tuple[list[Example], list[Example]]:
    """The native examples of a directory and those of its templates."""
    native: list[Example] = []
    templates: list[Example] = []
    names = sorted(n for n in os.listdir(directory) if n.endswith(".jsonl"))
    for name in names:
        for row in _rows(f"{directory}/{name}"):
            if "retrieved_context" in row:
                native.append(_native(row))
            elif "memories" in row:
                templates.extend(_of_template(row, name.removesuffix(".jsonl")))
    if not native and not templates:
        raise GroundedIngestError(
            f"{directory} holds no examples", "name the directory with native100.jsonl"
        )
    return native, templates


def _rows(path: str) -> Iterable[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise GroundedIngestError(f"{path}:{number}: not JSON ({error})") from None


def _memories(rows: Iterable[dict[str, Any]]) -> tuple[Memory, ...]:
    return tuple(Memory(r["id"], r["text"], r.get("trust", 1.0), r.get("timestamp")) for r in rows)


def _native(row: dict[str, Any]) -> Example:
    label = row["label"]
    return Example(
        row["id"],
        row["category"],
        row.get("difficulty", ""),
        _memories(row["retrieved_context"]),
        row["generated_output"],
        bool(label["grounded"]),
        bool(label.get("requires_contradiction_disclosure")),
        label,
    )


_OUTPUTS = {
    "output": (True, False),
    "output_grounded": (True, False),
    "output_hallucinated": (False, False),
    "output_with_disclosure": (True, False),
    "output_without_disclosure": (False, True),
}


def _of_template(row: dict[str, Any], category: str) -> Iterable[Example]:
    for field, (grounded, disclosure) in _OUTPUTS.items():
        if field in row:
            yield Example(
                f"{row['id']}:{field}",
                category,
                "",
                _memories(row["memories"]),
                row[field],
                grounded,
                disclosure,
                {},
            )


def right(example: Example, judgement: Judgement) -> bool:
    """Right is `grounded`, and where the label asks for disclosure, that it is asked for."""
    if example.disclosure:
        return judgement.disclosure
    return judgement.grounded is example.grounded


def ours(example: Example) -> Judgement:
    began = time.perf_counter()
    result = verify_text(example.text, Memories(example.memories))
    return Judgement(
        result.grounded, result.requires_disclosure, time.perf_counter() - began, result
    )


def always_grounded(example: Example) -> Judgement:
    del example
    return Judgement(grounded=True, disclosure=False)


def majority(examples: Sequence[Example]) -> Judging:
    """The most frequent label of each category."""
    most: dict[str, Judgement] = {}
    for category in {e.category for e in examples}:
        labels = [(e.grounded, e.disclosure) for e in examples if e.category == category]
        best = max(set(labels), key=lambda x: (labels.count(x), x))
        most[category] = Judgement(best[0] and not best[1], best[1])
    return lambda example: most[example.category]


def word_overlap(example: Example) -> Judgement:
    """Grounded when every content word of the text stands in some memory."""
    held = {w.stem for m in example.memories for w in read_words(m.text).words}
    said = {w.stem for w in read_words(example.text).words}
    return Judgement(said <= held, disclosure=False)


def groundcheck() -> tuple[Judging | None, str]:
    """The library of that name, where it is installed; else why it does not judge."""
    if find_spec("groundcheck") is None:
        return None, "not installed"
    try:
        library: Any = import_module("groundcheck")
        checker = library.GroundCheck()
        checker.verify("You work at Acme", [library.Memory(id="m", text="User works at Acme")])
    except FileNotFoundError as error:
        return None, f"installed, but its package lacks a file it needs: {error.filename}"
    except Exception as error:  # noqa: BLE001  another's library may be broken in any way
        return None, f"installed, but it does not run: {error}"

    def judge(example: Example) -> Judgement:
        memories = [
            library.Memory(id=m.id, text=m.text, trust=m.trust, timestamp=m.timestamp)
            for m in example.memories
        ]
        began = time.perf_counter()
        report = checker.verify(example.text, memories)
        spent = time.perf_counter() - began
        return Judgement(bool(report.passed), bool(report.requires_disclosure), spent)

    return judge, ""


def facts_of(path: str) -> list[dict[str, Any]]:
    """The sentences of a `dataset.json` with the slots they state."""
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    return [row for row in rows if "text" in row and "expected" in row]

"""The lines of the corpus: one type for each task, the files that hold them, and their schema."""

from __future__ import annotations

from inspect import cleandoc
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, field

from benchmarks.quality.agreement import PairLabel
from benchmarks.quality.alerts import AlertLabel
from benchmarks.quality.labels import Reference, Split, read_lines
from benchmarks.quality.memory import Sentence
from benchmarks.quality.memory_types import Labelled
from benchmarks.quality.memory_updates import Revision
from benchmarks.quality.tree_references import Label

HERE = Path(__file__).parent


class Written(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="written",
    rename={"sentence_class": "class"},
):  # fmt: skip
    """Three sentences that cite one place, the first false and the others true. `read` is the
    verdict of a second reader, who was not told the first."""

    id: str
    repo: str
    commit: str
    kind: str
    source: str
    sentence_class: str
    false: str
    near: str
    free: str
    why: str = ""
    split: Split = "open"
    read: dict[str, str] = field(default_factory=dict)

    @property
    def agreed(self) -> bool:
        """Whether the second reader, where there was one, found what the writer meant."""
        return all(verdict == str(form != "false").lower() for form, verdict in self.read.items())


class Twin(Struct, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="twin"):
    """A sentence beside the text that bears it out, or says otherwise."""

    id: str
    claim: str
    label: Literal["SUPPORTS", "REFUTES"]
    evidence: list[str]
    page: str
    split: Split


class Typed(Labelled, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="memory-type"):
    """A claim and its memory type; `kind` is of its document, `form` of the claim."""

    type: Literal["semantic", "episodic", "procedural", "mixed"]
    kind: str = ""
    form: str = ""
    first: str = ""
    split: Split = "open"


class Uncited(
    Labelled, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="nothing-to-check"
):
    """A claim that cites nothing: `checkable`, or why it is not."""

    type: Literal["checkable", "instruction", "label", "plan", "history", "fragment"]
    split: Split = "open"


Line: TypeAlias = (
    Reference | Label | Written | Twin | PairLabel | AlertLabel
    | Uncited | Sentence | Typed | Revision
)  # fmt: skip


def files() -> list[Path]:
    return sorted(HERE.glob("*.jsonl"))


def read(path: Path) -> list[Line]:
    """The lines of a file. Raises GroundedIngestError, naming the line that is none."""
    kind: Any = Line
    return read_lines(str(path), kind)


def schema() -> dict[str, Any]:
    """The JSON Schema of a line, whatever its task. Each says its task, split and label."""
    made = msgspec.json.schema(Line)
    for definition in made["$defs"].values():
        if said := definition.get("description"):  # Python 3.13 takes the indentation away itself
            definition["description"] = cleandoc(said)
        named = [n for n in ("task", "split", "label") if n in definition["properties"]]
        definition["required"] = [*named, *(n for n in definition["required"] if n not in named)]
        for name in named:
            definition["properties"][name].pop("default", None)
        if "commit" in definition["properties"]:
            definition["properties"]["commit"]["pattern"] = "^[0-9a-f]{40}$"
        if "line" in definition["properties"]:
            definition["properties"]["line"]["minimum"] = 1
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}

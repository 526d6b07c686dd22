"""Examples of rules: texts that a rule reports and lookalikes that it passes.

The examples of a rule are `examples/<rule>.yaml`. The tests run each of them through the whole
check, and `grounded-ingest rule` and the pages below docs/rules show them. A check itself never
reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

from msgspec import Struct

from grounded_ingest.text.yaml_text import nodes_of, value_of

MEMORY = "CLAUDE.md"
"""The document of class memory that examples are added to."""


class Example(Struct, frozen=True):
    """A text that a change adds to the document `path` of a small repository, in place of `was`.

    Base holds the files of `base`, the accepted decision ADR-0001 with the text `adr`, the
    configuration `config`, and the `review` that a person recorded for `was` or `text`.
    `change` are more files of the change; None removes a file. `breaks` names a rule whose
    detector raises an error, or `citations`.
    """

    text: str = ""
    path: str = MEMORY
    was: str = ""
    base: Mapping[str, str | bytes] = {}
    change: Mapping[str, str | bytes | None] = {}
    adr: str = ""
    config: str = ""
    review: Literal["", "approve", "reject", "approve in the change"] = ""
    online: bool = False
    breaks: str = ""


class Examples(Struct, frozen=True):
    """The examples of a rule, or of one group of its words: `flags` are reported, `passes` not."""

    flags: tuple[Example | str, ...]
    passes: tuple[Example | str, ...]
    group: str = ""


@cache
def examples_of(rule: str) -> tuple[Examples, ...]:
    """Reads the examples of a rule by its id, in the order of their file."""
    file = resources.files("grounded_ingest.rules").joinpath("examples", f"{rule}.yaml")
    (root,) = nodes_of(file.read_text("utf-8"))
    return tuple(
        Examples(_read(g.get("flags", ())), _read(g["passes"]), g.get("group", ""))
        for g in value_of(root)
    )


def _read(entries: list[Any]) -> tuple[Example | str, ...]:
    return tuple(e if isinstance(e, str) else Example(**e) for e in entries)

"""Reads the examples of a rule: texts that the rule reports, and similar texts that are fine.

The file `examples/<rule>.yaml` has the examples of one rule. The tests run every example through
the whole check. The command `grounded-ingest rule` and the pages in docs/rules show the examples.
A check never reads the examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

from msgspec import Struct

from grounded_ingest.text.yaml_text import nodes_of, value_of

MEMORY = "CLAUDE.md"
"""Path of the document that an example is added to, unless the example names another path. The
document has the class `memory`."""


class Example(Struct, frozen=True):
    """A change in a small test repository, for which a rule reports a finding or must not.

    The change replaces the text `was` in the document `path` by `text`. The base branch has the
    files in `base` and the configuration `config`. If `adr` is set, the base branch also has the
    accepted decision record ADR-0001 with this text. `review` is what a person recorded about `was`
    or `text`, or empty. `change` has further files that the change writes; None removes the file.
    `online` allows the check to use the network. `breaks` names a rule whose detector raises an
    error in this example; `citations` stands for the lookup of citations. If it is empty, nothing
    fails.
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
    """Examples for one rule. The rule reports the texts in `flags` and does not report the texts
    in `passes`. If a rule looks for several groups of words, `group` is the name of one group."""

    flags: tuple[Example | str, ...]
    passes: tuple[Example | str, ...]
    group: str = ""


@cache
def examples_of(rule: str) -> tuple[Examples, ...]:
    """Returns the examples of the rule with the id `rule`, in the order of the example file."""
    file = resources.files("grounded_ingest.rules").joinpath("examples", f"{rule}.yaml")
    (root,) = nodes_of(file.read_text("utf-8"))
    return tuple(
        Examples(_read(g.get("flags", ())), _read(g["passes"]), g.get("group", ""))
        for g in value_of(root)
    )


def _read(entries: list[Any]) -> tuple[Example | str, ...]:
    return tuple(e if isinstance(e, str) else Example(**e) for e in entries)

"""Memories, and the result of verifying a text beside them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from grounded_ingest.statements.facts import Fact

Reason = Literal["wrong-value", "unsupported", "negated", "past", "uncertain"]
Verdict = Literal["grounded", "ungrounded", "undisclosed", "nothing-to-verify"]


class Memory(Struct, frozen=True):
    """A statement that is taken for true. `timestamp` is in seconds since 1970; `path` and `line`
    are its place."""

    id: str
    text: str
    trust: float = 1.0
    timestamp: float | None = None
    source: str = ""
    path: str = ""
    line: int = 0
    section: str = ""


class Contradiction(Struct, frozen=True):
    """Values of one slot that exclude each other. The entries of the tuples at one index belong to
    one value."""

    slot: str
    subject: str
    values: tuple[str, ...]
    memory_ids: tuple[str, ...]
    trust_scores: tuple[float, ...]
    timestamps: tuple[float | None, ...]
    places: tuple[str, ...]
    most_recent: str
    most_trusted: str
    used: bool = False
    disclosed: bool = False


class Hallucination(Struct, frozen=True):
    """A span of the text that no memory grounds. `expected` is the value that memories have."""

    text: str
    start: int
    end: int
    reason: Reason
    slot: str = ""
    expected: str = ""
    memory_ids: tuple[str, ...] = ()


class Grounding(Struct, frozen=True):
    """A span of the text, and the memories that ground it together."""

    text: str
    start: int
    end: int
    memory_ids: tuple[str, ...]


class Verification(Struct, frozen=True):
    """The result of verifying a text.

    `scope` is the share of its words that could be checked, from 0 to 1. `checked` is false if the
    text states no slot and names no value of a memory.
    """

    text: str
    mode: Literal["strict", "permissive"]
    grounded: bool
    verdict: Verdict
    hallucinations: tuple[Hallucination, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    requires_disclosure: bool = False
    expected_disclosure: str = ""
    corrected: str = ""
    grounding: tuple[Grounding, ...] = ()
    confidence: float = 0.0
    facts: tuple[Fact, ...] = ()
    scope: float = 0.0
    checked: bool = False

    @property
    def grounding_map(self) -> dict[str, list[str]]:
        """The ids of memories by the spans that they ground."""
        found: dict[str, list[str]] = {}
        for entry in self.grounding:
            ids = found.setdefault(entry.text, [])
            ids.extend(i for i in entry.memory_ids if i not in ids)
        return found

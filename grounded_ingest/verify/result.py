"""Types for memories and for the result of verifying a text against memories."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from grounded_ingest.statements.facts import Fact

Reason = Literal["wrong-value", "unsupported", "negated", "past", "uncertain"]
Verdict = Literal["grounded", "ungrounded", "undisclosed", "nothing-to-verify"]


class Memory(Struct, frozen=True):
    """A statement that a text is verified against, from `line` of the file `path`. `trust` is from
    0 to 1. `timestamp` is in seconds since 1970."""

    id: str
    text: str
    trust: float = 1.0
    timestamp: float | None = None
    source: str = ""
    path: str = ""
    line: int = 0
    section: str = ""


class Contradiction(Struct, frozen=True):
    """Values from memories that exclude each other for one subject and slot. A slot is a property
    such as `employer`.

    Entries at the same index of the tuples belong to the same value. `most_recent` and
    `most_trusted` are the values of the newest and of the most trusted memory. `used` is true if
    the text uses one of the values. `disclosed` is true if the text names more than one of the
    values.
    """

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
    """A span of the text that no memory supports.

    `expected` is the value that the memories state instead. `expected` is empty if the memories
    state no other value.
    """

    text: str
    start: int
    end: int
    reason: Reason
    slot: str = ""
    expected: str = ""
    memory_ids: tuple[str, ...] = ()


class Grounding(Struct, frozen=True):
    """A span of the text, and the memories that support the span."""

    text: str
    start: int
    end: int
    memory_ids: tuple[str, ...]


class Verification(Struct, frozen=True):
    """The result of verifying a text against memories. `scope` is the share of the words that could
    be checked. `checked` is false if the text states no fact and names no value from a memory.
    `confidence` is from 0 to 1. `corrected` is the corrected text, or empty if there is nothing to
    correct."""

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
        """Returns for each supported span of the text the ids of the memories that support it."""
        found: dict[str, list[str]] = {}
        for entry in self.grounding:
            ids = found.setdefault(entry.text, [])
            ids.extend(i for i in entry.memory_ids if i not in ids)
        return found

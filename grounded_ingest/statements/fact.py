"""What the engine takes in and gives back, as types."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from grounded_ingest.text.values import Normal

Time = Literal["now", "before", "planned", "ever"]


Reason = Literal["wrong-value", "unsupported", "negated", "past", "uncertain"]


Verdict = Literal["grounded", "ungrounded", "undisclosed", "nothing-to-verify"]


class Fact(Struct, frozen=True):
    """What one place in a text states. `start` and `end` are the value's characters in the text.

    `subject` is empty for the speaker or the project as a whole; `setting` says where it holds
    (`production`). `many`: a slot that can have several values.
    """

    subject: str
    slot: str
    value: str
    normal: Normal
    start: int
    end: int
    polarity: bool = True
    time: Time = "now"
    setting: str = ""
    many: bool = False


class Memory(Struct, frozen=True):
    """What is held to be so. `timestamp` in seconds since 1970; `path` and `line`: its place."""

    id: str
    text: str
    trust: float = 1.0
    timestamp: float | None = None
    source: str = ""
    path: str = ""
    line: int = 0
    section: str = ""


class Contradiction(Struct, frozen=True):
    """Values of one slot that cannot all hold; the fields of equal place belong together."""

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
    """A span of the text that no memory licenses. `expected` is what memories say instead."""

    text: str
    start: int
    end: int
    reason: Reason
    slot: str = ""
    expected: str = ""
    memory_ids: tuple[str, ...] = ()


class Grounding(Struct, frozen=True):
    """A span of the text and the memories that license it, several where it takes several."""

    text: str
    start: int
    end: int
    memory_ids: tuple[str, ...]


class Verification(Struct, frozen=True):
    """The result. `scope` is the share of the text's words that could be checked; `checked` is
    false if the text states no slot and names no value that the memories hold."""

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
        found: dict[str, list[str]] = {}
        for entry in self.grounding:
            ids = found.setdefault(entry.text, [])
            ids.extend(i for i in entry.memory_ids if i not in ids)
        return found

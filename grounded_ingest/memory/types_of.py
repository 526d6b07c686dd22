"""The memory type of a claim, decided by its cues without a model (docs/adr/0023)."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Any, NamedTuple

from grounded_ingest.lexicon.memory_weights import BIAS, WEIGHTS
from grounded_ingest.memory.cues import cues_of
from grounded_ingest.memory.splits import split_of
from grounded_ingest.model import MemoryType

_TYPES = (MemoryType.SEMANTIC, MemoryType.EPISODIC, MemoryType.PROCEDURAL)
_NAMED = 3
_SURE = 0.9
"""Cues that are named as those that decided; certainty from which a claim's own cues speak against
the type its document declares."""


class Typed(NamedTuple):
    """A claim's memory type, the cues that decided, how sure they are (0.5 to 1), and what is mixed
    in it: empty, or a name and the parts."""

    memory_type: MemoryType
    cues: tuple[str, ...]
    certainty: float
    split: tuple[str, ...] = ()


def typed(text: str, masked: str, fields: Mapping[str, Any], role: str = "") -> Typed:
    """The type of a claim in a document of a role; `fields` are its other ones, with `section` and
    `form`. The type that its record or document declares (`memory_type`) wins."""
    found = _decided(cues_of(text, masked, fields["section"], fields["form"], role))
    declared: MemoryType | None = fields.get("memory_type")
    if declared is None:
        return found._replace(split=split_of(text, masked))
    against = found.memory_type is not declared and found.certainty >= _SURE
    split = (f"declared|{found.memory_type}",) if against else ()
    return Typed(declared, ("declared",), 1.0, split)


def _decided(cues: list[str]) -> Typed:
    known = [(cue, WEIGHTS[cue]) for cue in dict.fromkeys(cues) if cue in WEIGHTS]
    sums = [BIAS[at] + sum(weights[at] for _, weights in known) for at in range(3)]
    winner, second = sorted(range(3), key=lambda at: -sums[at])[:2]
    certainty = 1 / sum(exp(other - sums[winner]) for other in sums)
    spoke = sorted(known, key=lambda cue: cue[1][second] - cue[1][winner])[:_NAMED]
    named = tuple(cue for cue, weights in spoke if weights[winner] > weights[second])
    return Typed(_TYPES[winner], named, round(max(0.5, certainty), 2))

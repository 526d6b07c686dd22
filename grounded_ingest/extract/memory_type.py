"""The memory type of a claim, decided by its cues without a model (docs/adr/0023)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp
from typing import Any, NamedTuple

from grounded_ingest.extract.memory_cues import cues_of
from grounded_ingest.extract.mixed_claims import split_of
from grounded_ingest.language.lexicon.memory_weights import BIAS, WEIGHTS
from grounded_ingest.language.reading import Reading
from grounded_ingest.model.claims import Form, MemoryType

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
    `form`. The type that its record or document declares (`memory_type`) wins; a record speaks of
    this claim alone, so that nothing is said against it."""
    tokens = Reading(text, masked).cues
    found = _decided(cues_of(text, tokens, fields["section"], fields["form"], role))
    declared: MemoryType | None = fields.get("memory_type")
    if declared is None:
        return found._replace(split=split_of(text, masked, tokens))
    other = found.memory_type is not declared and fields["form"] is not Form.RECORD
    against = other and found.certainty >= _SURE
    split = (f"declared|{found.memory_type}",) if against else ()
    return Typed(declared, ("declared",), 1.0, split)


def _decided(cues: Iterable[str]) -> Typed:
    known = [(cue, WEIGHTS[cue]) for cue in dict.fromkeys(cues) if cue in WEIGHTS]
    sums = list(BIAS)
    for _, weights in known:
        sums[0] += weights[0]
        sums[1] += weights[1]
        sums[2] += weights[2]
    best = max(sums)
    winner = sums.index(best)
    second = max((at for at in range(3) if at != winner), key=sums.__getitem__)
    certainty = 1 / sum(exp(other - best) for other in sums)
    spoke = [(w[second] - w[winner], cue) for cue, w in known if w[winner] > w[second]]
    named = tuple(cue for _, cue in sorted(spoke)[:_NAMED])
    return Typed(_TYPES[winner], named, round(max(0.5, certainty), 2))

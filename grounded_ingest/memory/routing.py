"""Which memory types a question asks for, and how much of an answer each may have; pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import floor

from grounded_ingest.lexicon import routing_cues as cues
from grounded_ingest.model import MemoryType
from grounded_ingest.patterns import compiled

TILT, LEAST = 0.25, 0.25
"""How far the form of a question counts beside what is found; what a type has that is not found."""
_WORD = compiled(r"[^\W_]+")
Weights = Mapping[MemoryType, float]


def route(question: str, types: Collection[MemoryType] = tuple(MemoryType)) -> Weights:
    """Weights of the types asked for; they sum to 1."""
    said = f" {' '.join(_WORD.findall(question.lower()))} "
    points = {t: cues.EACH + _started(said, t) + _anywhere(said, t) for t in MemoryType}
    asked = {t: points[t] for t in MemoryType if t in types}
    total = sum(asked.values())
    return {t: p / total for t, p in asked.items()}


def _started(said: str, kind: MemoryType) -> float:
    """The longest opening wins: `what is the procedure` is not `what is`."""
    own = _opening(said, kind)
    longest = max(_opening(said, t) for t in MemoryType)
    return cues.START_WEIGHT if own and own == longest else 0.0


def _opening(said: str, kind: MemoryType) -> int:
    return max((len(c) for c in cues.START[kind] if said.startswith(f" {c} ")), default=0)


def _anywhere(said: str, kind: MemoryType) -> float:
    return cues.ANYWHERE_WEIGHT * any(f" {c} " in said for c in cues.ANYWHERE[kind])


def tilted(form: Weights, found: Sequence[MemoryType]) -> Weights:
    """Weights of a question's form for what there is to serve: the types of the claims that rank
    first, tilted by the form. Where nothing is found of a type, little room is kept for it."""
    points = {t: form[t] ** TILT * (found.count(t) + LEAST) for t in form}
    total = sum(points.values())
    return {t: p / total for t, p in points.items()}


def shares(weights: Weights, k: int) -> dict[MemoryType, int]:
    """How many of `k` each type may fill: floor(w * k), what is left to the heaviest."""
    found = {t: floor(w * k + 1e-9) for t, w in weights.items()}
    heaviest = max(weights, key=lambda t: weights[t])
    found[heaviest] += k - sum(found.values())
    return found

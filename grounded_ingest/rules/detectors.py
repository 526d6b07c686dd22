"""Claims to findings. Pure: detectors ask the knowledge base through `Knowledge`, no I/O here.

A new detector is a file, a line in DETECTORS, its examples and its section in the docs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from grounded_ingest.model.claims import Finding, Form, Place
from grounded_ingest.rules.conflicting_update import find_conflicts, masks
from grounded_ingest.rules.contradiction import find_contradictions, slot_keys
from grounded_ingest.rules.duplicate import duplicate_keys, find_duplicates
from grounded_ingest.rules.hedges import find_hedges
from grounded_ingest.rules.knowledge_protocol import Knowledge
from grounded_ingest.rules.repeat_covered import cover_keys, find_covers


def _hedges(place: Place, knowledge: Knowledge) -> Iterable[Finding]:
    del knowledge
    return find_hedges(place.claim)


def _hidden(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    del knowledge
    if place.claim.form is Form.HIDDEN:
        yield Finding("hidden-text", "a rendered page does not show this text")


def _repeats(place: Place, knowledge: Knowledge) -> Iterable[Finding]:
    """What says the same; else what says it among other things."""
    return [*find_duplicates(place, knowledge)] or find_covers(place, knowledge)


def _conflicts(place: Place, knowledge: Knowledge) -> Iterable[Finding]:
    """The same words with one value changed; else another value in other words."""
    return [*find_conflicts(place, knowledge)] or find_contradictions(place, knowledge)


DETECTORS: dict[str, Callable[[Place, Knowledge], Iterable[Finding]]] = {
    "speculation technical-hedge": _hedges,
    "hidden-text": _hidden,
    "duplicate repeat": _repeats,
    "conflicting-update contradiction": _conflicts,
}
"""The rules a detector may report, and the detector."""


def detect(place: Place, knowledge: Knowledge) -> tuple[Finding, ...]:
    """Everything the detectors see in one claim."""
    return tuple(f for find in DETECTORS.values() for f in find(place, knowledge))


def index_keys(place: Place, threshold: float) -> set[int]:
    """The keys under which the index must hold a claim, so that detectors find it."""
    return {
        *duplicate_keys(place, threshold),
        *cover_keys(place),
        *(m.key for m in masks(place)),
        *slot_keys(place),
    }

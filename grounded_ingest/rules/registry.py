"""The rows of the decision table, a file each, in their order. `rules.problems` has what else a
report can name.

A new rule is a file (CONTRIBUTING.md), a line here, and its page below `docs/rules/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from grounded_ingest.model.claims import Finding, Place
from grounded_ingest.rules import (
    approved,
    check_failed,
    conflicting_update,
    contamination,
    contradicted_by_source,
    contradiction,
    duplicate,
    hidden_text,
    ignored,
    refuted_citation,
    rejected,
    repeat,
    speculation,
    stated_decision,
    stated_preference,
    technical_hedge,
    trusted_source,
    ungrounded,
    unsupported,
    unverified_citation,
    verified_citation,
)
from grounded_ingest.rules.rule import Case, Rule

if TYPE_CHECKING:
    from types import ModuleType

    from grounded_ingest.rules.knowledge_protocol import Knowledge

    Detector = Callable[[Place, Knowledge], Iterable[Finding]]

TABLE: tuple[ModuleType, ...] = (
    rejected,
    speculation,
    conflicting_update,
    duplicate,
    approved,
    check_failed,
    contradicted_by_source,
    contradiction,
    technical_hedge,
    repeat,
    refuted_citation,
    ignored,
    contamination,
    hidden_text,
    unsupported,
    unverified_citation,
    verified_citation,
    trusted_source,
    stated_decision,
    stated_preference,
    ungrounded,
)
"""The order is the contract (docs/adr/0002): the first row that applies decides."""

_DETECTED: tuple[tuple[ModuleType, ...], ...] = (
    (speculation, technical_hedge),
    (hidden_text,),
    (duplicate, repeat),
    (conflicting_update, contradiction),
)
"""Rules that are detected together, in the order in which reports list what was found."""

ROWS: tuple[str, ...] = tuple(m.META.id for m in TABLE)
RULES: dict[str, Rule] = {m.META.id: m.META for m in TABLE}
APPLIES: dict[str, Callable[[Case], bool]] = {m.META.id: m.applies for m in TABLE}
DETECTORS: dict[str, tuple[Detector, ...]] = {
    " ".join(m.META.id for m in together): tuple(m.detect for m in together if hasattr(m, "detect"))
    for together in _DETECTED
}
"""The detectors by the rules they may report; of one line the first that finds anything counts."""

_KEYS = tuple(m.index_keys for m in TABLE if hasattr(m, "index_keys"))


def detect_all(place: Place, knowledge: Knowledge) -> tuple[Finding, ...]:
    """Everything the detectors see in one claim."""
    return tuple(f for d in DETECTORS.values() for f in first_found(d, place, knowledge))


def first_found(
    detectors: Iterable[Detector], place: Place, knowledge: Knowledge
) -> tuple[Finding, ...]:
    """What the first detector that finds anything has found."""
    return next((found for d in detectors if (found := (*d(place, knowledge),))), ())


def all_index_keys(place: Place, threshold: float) -> set[int]:
    """The keys under which the index must hold a claim, so that detectors find it."""
    return {key for keys in _KEYS for key in keys(place, threshold)}

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
    cited,
    conflicting_update,
    contradiction,
    duplicate,
    hidden_text,
    ignored,
    judge_denies,
    judged,
    nothing_to_check,
    pointer,
    proved,
    quoted,
    refuted_citation,
    rejected,
    repeat,
    speculation,
    stated_decision,
    stated_preference,
    technical_hedge,
    trusted_source,
    ungrounded,
)
from grounded_ingest.rules.rule import Case, Rule
from grounded_ingest.text.reading import read_claim
from grounded_ingest.text.word_keys import set_keys

if TYPE_CHECKING:
    from types import ModuleType

    from grounded_ingest.statements.knowledge_protocol import Knowledge

    Detector = Callable[[Place, Knowledge], Iterable[Finding]]

TABLE: tuple[ModuleType, ...] = (
    rejected,
    speculation,
    conflicting_update,
    duplicate,
    approved,
    check_failed,
    refuted_citation,
    contradiction,
    judge_denies,
    hidden_text,
    technical_hedge,
    repeat,
    ignored,
    proved,
    quoted,
    judged,
    pointer,
    trusted_source,
    stated_decision,
    stated_preference,
    cited,
    nothing_to_check,
    ungrounded,
)
"""The order is the contract (docs/decisions/deciding.md): the first row that applies decides."""

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

_BESIDE_OTHERS = frozenset(m.detect for m in (duplicate, conflicting_update))
"""Detectors that find nothing for a claim that shares no key with another one."""


def detect_all(place: Place, knowledge: Knowledge) -> tuple[Finding, ...]:
    """Returns everything the detectors see in one claim."""
    if place.claim.only_refers:
        return ()
    alone = knowledge.alone(place)
    found: list[Finding] = []
    for together in DETECTORS.values():
        for detect in together:
            if alone and detect in _BESIDE_OTHERS:
                continue
            if seen := tuple(detect(place, knowledge)):
                found += seen
                break
    return tuple(found)


def all_index_keys(place: Place, threshold: float) -> set[int]:
    """The keys under which the index must hold a claim, so that detectors find it."""
    if place.claim.only_refers:
        return set()
    reading = read_claim(place.claim)
    found = set(set_keys(reading.word_set, threshold))  # near-duplicates
    found.update(conflicting_update.index_keys(place, reading))
    return found

"""What a claim does to the memory, and what contaminates it; before the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from grounded_ingest.memory.operations import ADD, Former, operation
from grounded_ingest.model.claims import DocClass, Evidence, Finding, Operation, Place
from grounded_ingest.rules.contamination import ComparedCitation, left_behind, of_type, suspicious

if TYPE_CHECKING:
    from grounded_ingest.decide.base_view import BaseView
    from grounded_ingest.decide.support_stage import Compared


class Remembered(Struct, frozen=True):
    """`findings` are those of rule `contamination`; `failed` says why it could not be known."""

    findings: tuple[Finding, ...] = ()
    operation: Operation = ADD
    failed: str = ""


def remembered(
    place: Place,
    findings: tuple[Finding, ...],
    evidence: tuple[Evidence, ...],
    compared: Compared | None,
    former: Former | None,
    standing: BaseView,
) -> Remembered:
    """The operation of a claim, and how it is contaminated; a check that breaks waits for review.
    `former` holds what the change takes out of its document; None for a claim that no change
    brings."""
    try:
        return _remembered(place, findings, evidence, compared, former, standing)
    except Exception as error:  # noqa: BLE001
        failed = f"{type(error).__name__}: {error}"
        return Remembered((Finding("check-failed", failed),), failed=failed)


def _remembered(
    place: Place,
    findings: tuple[Finding, ...],
    evidence: tuple[Evidence, ...],
    compared: Compared | None,
    former: Former | None,
    standing: BaseView,
) -> Remembered:
    does = operation(place, findings, former, standing) if former is not None else ADD
    if place.doc_class is not DocClass.MEMORY:
        return Remembered((), does)
    found: list[Finding] = []
    # What contaminates a memory is asked of those alone that could be.
    if place.claim.split:
        found += of_type(place.claim)
    if compared is not None and compared.judged:
        read = _read(evidence, compared)
        if suspicious(compared.said, read):
            from grounded_ingest.rules.faithfulness import of_sources

            own = sum(e.own for e in evidence)
            found += of_sources(place, compared.said, read, whole=len(read) == own)
    if former is not None and does.of is not None and any(does.of is p for p in former.places):
        found += left_behind(place, does.of, standing)
    return Remembered(tuple(found), does)


def _read(evidence: tuple[Evidence, ...], compared: Compared) -> list[ComparedCitation]:
    """What a claim cites itself, as far as it was compared."""
    return [
        ComparedCitation(evidence[n], *both)
        for n, both in compared.judged.items()
        if evidence[n].own
    ]

"""What a claim does to the memory, and what contaminates it; before the decision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from grounded_ingest.memory.operations import ADD, Former
from grounded_ingest.model.claims import DocClass, Evidence, Finding, Operation, Place

if TYPE_CHECKING:
    from grounded_ingest.decide.base_view import BaseView
    from grounded_ingest.decide.support_stage import Compared


class Remembered(NamedTuple):
    """`findings` are those of rule `contamination`; `failed` says why it could not be known."""

    findings: tuple[Finding, ...] = ()
    operation: Operation = ADD
    failed: str = ""


def remembered(
    place: Place,
    does: Operation,
    evidence: tuple[Evidence, ...],
    compared: Compared | None,
    former: Former | None,
    standing: BaseView,
) -> Remembered:
    """The operation of a claim, and how it is contaminated. `former` holds what the change takes
    out of its document; None for a claim that no change brings."""
    if place.doc_class is not DocClass.MEMORY:
        return Remembered((), does)
    return Remembered(tuple(_found(place, evidence, compared, does, former, standing)), does)


def _found(
    place: Place,
    evidence: tuple[Evidence, ...],
    compared: Compared | None,
    does: Operation,
    former: Former | None,
    standing: BaseView,
) -> Iterator[Finding]:
    """What contaminates a memory; asked of those alone that could be."""
    if place.claim.split:
        from grounded_ingest.rules.contamination import of_type

        yield from of_type(place.claim)
    if compared is not None and compared.judged:
        from grounded_ingest.rules.contamination import ComparedCitation, suspicious

        read = [
            ComparedCitation(evidence[n], *both)
            for n, both in compared.judged.items()
            if evidence[n].own
        ]
        if suspicious(compared.said, read):
            from grounded_ingest.rules.faithfulness import of_sources

            own = sum(e.own for e in evidence)
            yield from of_sources(place, compared.said, read, whole=len(read) == own)
    if former is not None and does.of is not None and any(does.of is p for p in former.places):
        from grounded_ingest.rules.contamination import left_behind

        yield from left_behind(place, does.of, standing)

"""Writes what `audit` advises about memory records: one line for all records together."""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.extract.memory_type import typed
from grounded_ingest.model.claims import Claim, DocClass, Form, MemoryType
from grounded_ingest.model.report import Report
from grounded_ingest.text.dates import dates_in
from grounded_ingest.text.printable import printable
from grounded_ingest.text.reading import read_claim

_SHOWN = 3
"""Maximum number of places that the advice names for each kind."""


def memory_advice(report: Report) -> str:
    """Returns advice about memory records with their places, or an empty string if no record needs
    any.

    A record should have one type. An event should have a date, and should not be stored as a rule.
    """
    found: dict[str, list[str]] = {}
    for decision in report.decisions:
        place = decision.place
        if place.doc_class is DocClass.MEMORY and place.claim.form is Form.RECORD:
            for lack in _lacks(place.claim):
                found.setdefault(lack, []).append(f"{printable(place.path)}:{place.claim.line}")
    parts = []
    for lack, places in found.items():
        more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
        parts.append(f"{lack} ({', '.join(places[:_SHOWN])}{more})")
    return f"memory records: {'; '.join(parts)}" if parts else ""


def _lacks(claim: Claim) -> Iterator[str]:
    words = read_claim(claim).cues
    read = typed(claim.text, claim.masked, words, {"section": claim.section, "form": claim.form})
    if read.split:
        yield "split a record with two types"
    if claim.memory_type is MemoryType.EPISODIC and not (
        claim.timestamp or any(dates_in(claim.text))
    ):
        yield "add the date of an event"
    if claim.memory_type is MemoryType.PROCEDURAL and read.by_cues is MemoryType.EPISODIC:
        yield "store an event as an event, not as a rule"

"""Pairs of claims that repeat or contradict each other, as the check's rules found them."""

from __future__ import annotations

from collections.abc import Callable

from grounded_ingest.audit.model import ClaimPair
from grounded_ingest.model.claims import Finding, Place
from grounded_ingest.model.report import Report

CONTRADICTIONS = ("contradiction", "conflicting-update")
REPEATS = ("duplicate", "repeat")


def pairs_of(
    report: Report, rules: tuple[str, ...], is_dated: Callable[[str, str], bool]
) -> tuple[ClaimPair, ...]:
    """Returns every pair that these rules found, once. `dated` is true if one of the two claims
    tells of a day."""
    found: dict[frozenset[tuple[str, int, str]], ClaimPair] = {}
    for decision in report.decisions:
        for finding in decision.findings:
            if finding.rule in rules and finding.other is not None:
                both = (decision.place, finding.other)
                old = any(is_dated(p.path, p.claim.id) for p in both)
                pair = _pair(decision.place, finding.other, finding, dated=old)
                found.setdefault(frozenset(map(_name, both)), pair)
    return tuple(found.values())


def _name(place: Place) -> tuple[str, int, str]:
    return (place.path, place.claim.line, place.claim.id)


def _pair(place: Place, other: Place, finding: Finding, *, dated: bool) -> ClaimPair:
    return ClaimPair(
        place.path,
        place.claim.line,
        place.claim.text,
        other.path,
        other.claim.line,
        other.claim.text,
        finding.rule,
        finding.similarity,
        finding.message,
        dated,
    )

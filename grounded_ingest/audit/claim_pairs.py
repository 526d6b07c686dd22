"""Claims that repeat or contradict each other, across the whole knowledge base."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

from grounded_ingest.audit.model import ClaimPair
from grounded_ingest.audit.self_join import join
from grounded_ingest.language.reading import read_claim
from grounded_ingest.model.claims import Finding, Place
from grounded_ingest.pipeline import Result
from grounded_ingest.rules.duplicate import TEMPLATE
from grounded_ingest.rules.near_duplicates import repeats

_COMPARED = 200_000
"""Near pairs that are looked at: templates make many of no use."""

_RULES = ("contradiction", "conflicting-update")


def contradictions(result: Result) -> tuple[ClaimPair, ...]:
    """Every pair the detectors found, once."""
    found: dict[frozenset[tuple[str, int, str]], ClaimPair] = {}
    for decision in result.report.decisions:
        for finding in decision.findings:
            if finding.rule in _RULES and finding.other is not None:
                both = frozenset((_name(decision.place), _name(finding.other)))
                found.setdefault(both, _pair(decision.place, finding.other, finding))
    return tuple(found.values())


def duplicates(result: Result) -> tuple[ClaimPair, ...]:
    """Every pair of claims of which one repeats the other, mirrors and templates left out."""
    places = [Place(d.path, d.doc_class, c) for d in result.documents for c in d.extraction.claims]
    standing = result.judge.standing
    found = []
    for one, other in islice(_close(places, standing.threshold), _COMPARED):
        for place, earlier in ((one, other), (other, one)):
            if similarity := repeats(place, earlier, standing):
                said = f"says again what {earlier.path}:{earlier.claim.line} says"
                finding = Finding("repeat", said, similarity=round(similarity, 4))
                found.append(_pair(place, earlier, finding))
                break
    return tuple(sorted(found, key=lambda p: (p.path, p.line, p.other_path, p.other_line)))


def _close(places: list[Place], threshold: float) -> Iterator[tuple[Place, Place]]:
    """Pairs with as many words in common; of a text that stands often, none."""
    joined = join((read_claim(p.claim).word_set for p in places), threshold)
    crowded = set()
    for group in joined.groups:
        if len(group) > TEMPLATE:
            crowded.update(group)
            continue
        for a, b in combinations(group, 2):
            yield places[a], places[b]
    for a, b in joined.near():
        if a not in crowded and b not in crowded:
            yield places[a], places[b]


def _name(place: Place) -> tuple[str, int, str]:
    return (place.path, place.claim.line, place.claim.id)


def _pair(place: Place, other: Place, finding: Finding) -> ClaimPair:
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
    )

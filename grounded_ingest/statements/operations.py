"""Finds the memory operation of a new claim: the claim is an addition, updates an older claim, or
is covered by an existing claim.

The operation follows from the findings of the detectors and from the claims that the change removes
from the same document. In doubt a claim is an addition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil

from grounded_ingest.model.claims import Claim, DocClass, Finding, Form, Operation, Place
from grounded_ingest.statements.conflicts import masks
from grounded_ingest.statements.knowledge_protocol import Knowledge, have_different_types
from grounded_ingest.text.reading import read_claim

ADD = Operation()

COVERING = ("duplicate", "repeat")
REVISING = ("conflicting-update", "contradiction")

IN_OTHER_SECTION, IN_SECTION = 0.6, 0.45
"""Minimum Jaccard similarity of a new claim and the removed claim that it updates. For two claims
that differ in only one value, `IN_SECTION` is the minimum."""

SHORTEST = 4
"""Minimum number of words in a claim that updates another claim. One of these words may differ."""

COMPARED = 128
"""Maximum number of removed claims that one new claim is compared with. Removed claims with the
rarest words of the new claim come first. So the right line is found even among many lines made from
one template."""


class Former:
    """The claims that a change removes from a document, indexed by their words."""

    def __init__(self, path: str, doc_class: DocClass, removed: Sequence[Claim]) -> None:
        self.places = [Place(path, doc_class, claim) for claim in removed]
        self._words = [read_claim(claim).word_set for claim in removed]
        self._masks: dict[int, frozenset[int]] = {}
        self._holding: dict[str, list[int]] = {}
        self._rows: dict[str, list[Place]] = {}
        for number, words in enumerate(self._words):
            for word in words:
                self._holding.setdefault(word, []).append(number)
        for old in self.places:
            if old.claim.form is Form.ROW:
                self._rows.setdefault(_first(old), []).append(old)

    def updated_by(self, place: Place) -> Place | None:
        """Returns the removed claim that a new claim updates, or None. Prefers a removed claim that
        differs in only one value to the most similar removed claim."""
        if not self.places:
            return None
        best, nearest = 0.0, None
        own = _mask_keys(place)
        for number, share in self._near(read_claim(place.claim).word_set):
            old = self.places[number]
            if old.claim.id == place.claim.id or have_different_types(place, old):
                continue
            if number not in self._masks:
                self._masks[number] = _mask_keys(old)
            if not own.isdisjoint(self._masks[number]):
                share += 1
            if share >= _least(place, old) and share > best:
                best, nearest = share, old
        return nearest or self._row(place)

    def _row(self, place: Place) -> Place | None:
        """Returns the removed row of a table with the same first cell, if there is exactly one."""
        if place.claim.form is not Form.ROW:
            return None
        rows = self._rows.get(_first(place), ())[: COMPARED + 1]
        alike = [p for p in rows if _least(place, p) == IN_SECTION]
        one = len(alike) == 1 and alike[0].claim.id != place.claim.id
        return alike[0] if one and not have_different_types(place, alike[0]) else None

    def _near(self, words: frozenset[str]) -> Iterator[tuple[int, float]]:
        """Yields pairs (number of a removed claim, Jaccard similarity) for the removed claims that
        are similar enough to a text with these words. Each of them has at least one of the rarest
        of these words."""
        rare = sorted(words, key=lambda w: (len(self._holding.get(w, ())), w))
        fewest = len(words) - ceil(len(words) * IN_SECTION) + 1
        found: dict[int, None] = {}
        for word in rare[:fewest]:
            for number in self._holding.get(word, ())[: COMPARED - len(found)]:
                found[number] = None
        for number in sorted(found):
            theirs = self._words[number]
            common = len(words & theirs)
            share = common / (len(words) + len(theirs) - common)
            if share >= IN_SECTION and common >= SHORTEST - 1:
                yield number, share


def _least(place: Place, old: Place) -> float:
    """Returns the minimum Jaccard similarity at which a claim counts as an update of the removed
    claim `old`."""
    return IN_SECTION if place.claim.section == old.claim.section else IN_OTHER_SECTION


def _mask_keys(place: Place) -> frozenset[int]:
    return frozenset(m.key for m in masks(read_claim(place.claim)))


def _first(place: Place) -> str:
    return place.claim.text.partition("; ")[0]


def operation(
    place: Place, findings: Iterable[Finding], former: Former, knowledge: Knowledge
) -> Operation:
    """Returns the memory operation of a claim that a change adds. `former` has the claims that the
    change removes from the same document."""
    if place.claim.only_refers:
        return ADD
    found = [f for f in findings if f.other is not None]
    for finding in found:
        if finding.rule in COVERING:
            return Operation("SKIP", finding.other)
    for finding in found:
        if finding.rule in REVISING and finding.other and knowledge.on_base(finding.other):
            return Operation("UPDATE", finding.other)
    revised = former.updated_by(place)
    return Operation("UPDATE", revised) if revised else ADD

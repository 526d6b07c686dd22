"""What a claim does to the memory: it is added, revises a claim, or is covered by one (DESIGN 10).

Told from what the detectors found and from what the change takes out of the same document. In
doubt a claim is added.
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

ALIKE, BESIDE, NEAR, SHORTEST = 0.6, 0.45, 0.45, 4
"""Jaccard from which on a claim revises one that the change takes out, in another or in the same
section, or may where nothing but one value differs; words of the shortest such claim."""

FORMER = 128
"""Claims that a change takes out which are compared with one it brings: those with its rarest words
first, so that of a template's lines the one with the same filling is among them."""


class Former:
    """The claims that a change takes out of a document, by what new ones have in common."""

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

    def of(self, place: Place) -> Place | None:
        """The claim this one takes the place of: the same words but for one value, else the one
        most alike."""
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
        """The one row of the same table whose first cell is the same."""
        if place.claim.form is not Form.ROW:
            return None
        rows = self._rows.get(_first(place), ())[: FORMER + 1]
        alike = [p for p in rows if _least(place, p) == BESIDE]
        one = len(alike) == 1 and alike[0].claim.id != place.claim.id
        return alike[0] if one and not have_different_types(place, alike[0]) else None

    def _near(self, words: frozenset[str]) -> Iterator[tuple[int, float]]:
        """Claims with nearly half of all words in common, and how many. Each holds one
        of the words that are rare among them."""
        rare = sorted(words, key=lambda w: (len(self._holding.get(w, ())), w))
        fewest = len(words) - ceil(len(words) * NEAR) + 1
        found: dict[int, None] = {}
        for word in rare[:fewest]:
            for number in self._holding.get(word, ())[: FORMER - len(found)]:
                found[number] = None
        for number in sorted(found):
            theirs = self._words[number]
            common = len(words & theirs)
            share = common / (len(words) + len(theirs) - common)
            if share >= NEAR and common >= SHORTEST - 1:
                yield number, share


def _least(place: Place, old: Place) -> float:
    """How alike a claim has to be to one that the change takes out: less in the same section."""
    return BESIDE if place.claim.section == old.claim.section else ALIKE


def _mask_keys(place: Place) -> frozenset[int]:
    return frozenset(m.key for m in masks(read_claim(place.claim)))


def _first(place: Place) -> str:
    return place.claim.text.partition("; ")[0]


def operation(
    place: Place, findings: Iterable[Finding], former: Former, knowledge: Knowledge
) -> Operation:
    """The operation of a claim that a change brings; `former` holds what the change takes out of
    its document."""
    if place.claim.only_refers:
        return ADD
    found = [f for f in findings if f.other is not None]
    for finding in found:
        if finding.rule in COVERING:
            return Operation("SKIP", finding.other)
    for finding in found:
        if finding.rule in REVISING and finding.other and knowledge.on_base(finding.other):
            return Operation("UPDATE", finding.other)
    revised = former.of(place)
    return Operation("UPDATE", revised) if revised else ADD

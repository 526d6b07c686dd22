"""What a claim does to the memory: it is added, revises a claim, or is covered by one (DESIGN 10).

Told from what the detectors found and from what the change takes out of the same document. In
doubt a claim is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from grounded_ingest.detect.contradictions import slots
from grounded_ingest.detect.knowledge import Knowledge, told_apart
from grounded_ingest.detect.updates import disclosed, masks
from grounded_ingest.detect.words import bare, jaccard, word_set
from grounded_ingest.lexicon import disclosures
from grounded_ingest.model import Claim, Finding, Operation, Place
from grounded_ingest.patterns import compiled

if TYPE_CHECKING:
    import re

    from grounded_ingest.grounding.facts import Fact

ADD = Operation()

COVERING = ("duplicate", "repeat")
REVISING = ("conflicting-update", "contradiction")

ALIKE, SHORTEST = 0.6, 4
"""Jaccard from which on a claim revises one that the change takes out, and the fewest words they
have in common."""

_NOW = compiled(r" now (?=\S)")

COMPARED = 64
"""Claims with a slot in common that are read for what a disclosed change has changed."""


def operation(
    place: Place, findings: Iterable[Finding], removed: Iterable[Claim], knowledge: Knowledge
) -> Operation:
    """The operation of a claim that a change brings; `removed` are claims the change takes out of
    its document."""
    found = [f for f in findings if f.other is not None]
    for finding in found:
        if finding.rule in COVERING:
            return Operation("SKIP", finding.other)
    for finding in found:
        if finding.rule in REVISING and finding.other and knowledge.on_base(finding.other):
            return Operation("UPDATE", finding.other)
    former = _former(place, removed) or _disclosed(place, knowledge)
    return Operation("UPDATE", former) if former else ADD


def _former(place: Place, removed: Iterable[Claim]) -> Place | None:
    """The claim this one takes the place of: the same words but for one value, else the one most
    alike."""
    words, keys = word_set(place.claim.text), {m.key for m in masks(place)}
    best, nearest = 0.0, None
    for claim in removed:
        old = Place(place.path, place.doc_class, claim)
        if told_apart(place, old):
            continue
        theirs = word_set(claim.text)
        share = jaccard(words, theirs) if len(words & theirs) >= SHORTEST else 0.0
        if share < 1 and any(m.key in keys for m in masks(old)):
            share = max(share, 1.0)
        if share >= ALIKE and share > best:
            best, nearest = share, old
    return nearest


def _disclosed(place: Place, knowledge: Knowledge) -> Place | None:
    """The memory whose value a claim says has changed ("is now 60 s, previously 30 s")."""
    if not disclosed(place.claim.text):
        return None
    return _masked(place, knowledge) or _of_slot(place, knowledge)


def _masked(place: Place, knowledge: Knowledge) -> Place | None:
    """The memory that says the same of the value before."""
    for said, was in _changes(place.claim.text):
        own = {m.key for m in masks(_saying(place, said))}
        for other in islice(knowledge.sharing(own), COMPARED):
            if _is_older(place, other, knowledge) and any(
                m.key in own and m.word.lower() == was.lower() for m in masks(other)
            ):
                return other
    return None


def _of_slot(place: Place, knowledge: Knowledge) -> Place | None:
    """The memory of the same document that states what was so before."""
    from grounded_ingest.detect.settled import plain_text
    from grounded_ingest.grounding.contradictions import agree
    from grounded_ingest.grounding.extraction import facts

    own = slots(place)
    before = [f for f in facts(plain_text(place), place.claim.section) if f.time == "before"]
    if not own or not before:
        return None

    def states(other: Place) -> Iterator[Fact]:
        return (f for f in facts(plain_text(other), other.claim.section) if f.time == "now")

    beside = (p for p in knowledge.beside(place) if not own.isdisjoint(slots(p)))
    for other in islice(beside, COMPARED):
        if _is_older(place, other, knowledge) and any(
            agree(was, fact) for was in before for fact in states(other)
        ):
            return other
    return None


def _is_older(place: Place, other: Place, knowledge: Knowledge) -> bool:
    if other.claim.id == place.claim.id or told_apart(place, other):
        return False
    return knowledge.on_base(other) and not disclosed(other.claim.text)


def _saying(place: Place, text: str) -> Place:
    from msgspec.structs import replace

    return replace(place, claim=replace(place.claim, text=text))


def _changes(text: str) -> Iterator[tuple[str, str]]:
    """(the claim without its disclosure, the value before) as a text may be read."""
    plain = _NOW.sub(" ", text)
    for pattern, between in _patterns():
        for found in pattern.finditer(plain):
            said = f"{plain[: found.start()]}{between}{plain[found.end() :]}"
            yield said, bare(found["was"])


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((compiled(f"(?i){p}"), between) for p, between in disclosures.PATTERNS)

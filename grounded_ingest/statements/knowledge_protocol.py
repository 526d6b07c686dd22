"""What detectors may ask about the knowledge base, as it will be after the change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from grounded_ingest.model.claims import DocClass, Place

if TYPE_CHECKING:
    from grounded_ingest.statements.agreed_facts import AgreedFacts


class Loaded(Protocol):
    """What files for coding agents state, and which of them are loaded together."""

    def on_base(self, place: Place) -> bool:
        """Whether the claim stands in its document on base."""

    def agreed(self, path: str) -> AgreedFacts:
        """What a document's claims state of what agents' files have to agree on."""

    def loaded_with(self, path: str) -> Sequence[str]:
        """The other documents that agents load together with one; none where they load it not."""


class Knowledge(Loaded, Protocol):
    """The knowledge base behind one run."""

    threshold: float
    exact_words: int
    near_words: int

    def sharing(self, keys: Iterable[int]) -> Iterable[Place]:
        """Claims that have one of the keys (`all_index_keys`)."""

    def alone(self, place: Place) -> bool:
        """Whether it is known that no other claim shares a key with this one."""

    def grounded(self, place: Place) -> bool:
        """Whether the claim is tier 1 on base, or has references of its own that all hold there."""

    def mirrored(self, one: str, other: str) -> bool:
        """Whether two documents mirror each other."""

    def beside(self, place: Place) -> Iterable[Place]:
        """The claims of the document a claim stands in."""


def told_apart(place: Place, other: Place) -> bool:
    """Whether two claims are memories of different types: an event and a rule neither repeat nor
    contradict each other. Elsewhere types hide no pair."""
    if place.claim.memory_type is other.claim.memory_type:
        return False
    return place.doc_class is other.doc_class is DocClass.MEMORY


def comes_after(place: Place, other: Place, knowledge: Loaded) -> bool:
    """What stands on base came first; else the order of paths and lines decides."""
    mine, theirs = knowledge.on_base(place), knowledge.on_base(other)
    if mine != theirs:
        return theirs
    return (other.path, other.claim.line, other.claim.column) < (
        place.path,
        place.claim.line,
        place.claim.column,
    )

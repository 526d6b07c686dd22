"""Defines the interface through which detectors read other claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from grounded_ingest.model.claims import DocClass, MemoryType, Place

if TYPE_CHECKING:
    from grounded_ingest.statements.agreed_facts import AgreedFacts


class Knowledge(Protocol):
    """Gives access to all claims in the repository during one run. `threshold`, `exact_words` and
    `near_words` are the values in the setting `dedup`."""

    threshold: float
    exact_words: int
    near_words: int

    def on_base(self, place: Place) -> bool:
        """Returns whether the base branch already has the claim in the same document."""

    def agreed(self, path: str) -> AgreedFacts:
        """Returns the facts in a document on which all files for agents have to agree, such as the
        package manager. If `path` is empty, returns those of all documents."""

    def loaded_with(self, path: str) -> Sequence[str]:
        """Returns the other documents that agents load together with the document at `path`."""

    def sharing(self, keys: Iterable[int]) -> Iterable[Place]:
        """Yields the claims with one of these index keys. Claims to be compared share a key."""

    def alone(self, place: Place) -> bool:
        """Returns true if no other claim shares an index key with this claim, so that no comparison
        is needed. Returns false in doubt."""

    def grounded(self, place: Place) -> bool:
        """Returns whether the claim is grounded on the base branch: approved (tier 1), or with
        references in its own sentence that are all right."""

    def mirrored(self, one: str, other: str) -> bool:
        """Returns whether the setting `mirrors` declares two documents to be copies."""


def have_different_types(place: Place, other: Place) -> bool:
    """Returns whether two memories differ in memory type. For example, an event and a rule neither
    repeat nor contradict each other. Returns false if a type is unknown, and outside of memory
    documents."""
    types = {place.claim.memory_type, other.claim.memory_type}
    if len(types) == 1 or MemoryType.UNKNOWN in types:
        return False
    return place.doc_class is other.doc_class is DocClass.MEMORY


def comes_after(place: Place, other: Place, knowledge: Knowledge) -> bool:
    """Returns whether `place` is the later of two claims. A claim that is not on the base branch is
    later than one that is. Otherwise, the order of paths and lines decides."""
    mine, theirs = knowledge.on_base(place), knowledge.on_base(other)
    if mine != theirs:
        return theirs
    return position(other) < position(place)


def position(place: Place) -> tuple[str, int, int]:
    """Returns path, line and column, by which claims are sorted."""
    return place.path, place.claim.line, place.claim.column

"""Who stands behind approvals that a range brings: a signature, or a review of its head commit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from grounded_ingest.model.claims import Claim, Place
from grounded_ingest.records.authority import Authority, Ownership, Person
from grounded_ingest.records.authorship import Authorship
from grounded_ingest.records.review_log import Review
from grounded_ingest.records.signatures import Signatures


class HeadReviews(Protocol):
    """Reviews of the head commit, as the tracker has them."""

    def approvers(self) -> tuple[tuple[Person, bool], ...]:
        """People who approved it, and whether each belongs to the project."""

    @property
    def reason(self) -> str:
        """Why nobody did, as far as could be found out."""


class Vouching:
    """Implements `reviewed.Vouchers` for one range. `claims_of` are a document's at its end."""

    def __init__(
        self,
        signatures: Signatures,
        authority: Authority,
        authorship: Authorship,
        claims_of: Callable[[str], tuple[Claim, ...]],
        reviews: HeadReviews | None,
        *,
        only_signed: bool,
    ) -> None:
        self._signatures, self._authority, self._authorship = signatures, authority, authorship
        self._claims_of, self._reviews, self._only_signed = claims_of, reviews, only_signed

    def objection(self, place: Place, given: Review) -> str:
        """Why an approval counts only once it has landed; empty where it counts now."""
        if self._authority.is_agent(given.reviewer):
            return "an agent approves nothing"
        why = self._signatures.objection(place.path, given)
        why = why or self._against(place, Person(given.reviewer))
        if not why or self._only_signed or self._reviews is None:
            return why
        for person, belongs in self._reviews.approvers():
            if not self._against(place, person) and self._permitted(place, person, belongs):
                return ""
        return f"{why}, {self._reviews.reason}" if self._reviews.reason else why

    def _against(self, place: Place, person: Person) -> str:
        """Why a person's word does not count for this claim."""
        owners = self._authority.owners(place.path)
        if not self._authority.may(place.path, person):
            return f"{person.address} may not approve here ({owners.said})"
        claims = self._claims_of(place.path)
        written = self._authorship.of(place.path, place.claim.key, claims)
        if person.names & with_forge_names(written.addresses) and self._authority.others(
            place.path, person
        ):
            return f"{person.address} wrote the claim, and others may review it"
        return ""

    def _permitted(self, place: Place, person: Person, belongs: bool) -> bool:
        """A reviewer on the forge has to be named; where nobody is, to belong to the project. Who
        is in a team is not asked: branch protection asks it."""
        standing = self._authority.standing(place.path, person)
        return standing is Ownership.OWNER or (standing is Ownership.OPEN and belongs)


def with_forge_names(addresses: tuple[str, ...]) -> frozenset[str]:
    """Addresses with the names they stand for on a forge."""
    return frozenset(name for address in addresses for name in Person(address).names)

"""Decides which approvals in a commit range count before the merge: only signed approvals."""

from __future__ import annotations

from collections.abc import Callable

from grounded_ingest.model.claims import Claim, Place
from grounded_ingest.records.authority import Authority, Authorship, Person, forge_names
from grounded_ingest.records.review_log import Review
from grounded_ingest.records.signatures import Signatures


class RangeApprovals:
    """Decides which approvals in a range count before they are on the base branch.

    `claims_of` returns the claims in a document at the end of the range.
    """

    def __init__(
        self,
        signatures: Signatures,
        authority: Authority,
        authorship: Authorship,
        claims_of: Callable[[str], tuple[Claim, ...]],
    ) -> None:
        self._signatures, self._authority, self._authorship = signatures, authority, authorship
        self._claims_of = claims_of

    def objection(self, place: Place, review: Review) -> str:
        """Returns why an approval in the range does not count yet, or an empty string."""
        if self._authority.is_agent(review.reviewer):
            return "an agent must not approve claims"
        why = self._signatures.objection(place.path, review)
        return why or self._why_not_by(place, Person(review.reviewer))

    def _why_not_by(self, place: Place, person: Person) -> str:
        """Returns the reason why a person may not approve this claim, or an empty string."""
        owners = self._authority.owners(place.path)
        if not self._authority.may_review(place.path, person):
            return f"{person.address} may not approve claims in this document ({owners.named_in})"
        claims = self._claims_of(place.path)
        authors = self._authorship.of(place.path, place.claim.key, claims)
        wrote = bool(person.names & forge_names(authors.addresses))
        if wrote and self._authority.has_other_owners(place.path, person):
            return f"{person.address} wrote the claim, so another owner has to approve it"
        return ""

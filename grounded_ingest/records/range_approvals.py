"""Decides which approvals in a commit range count before the merge: only signed approvals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grounded_ingest.model.claims import Claim, Place
from grounded_ingest.records.authority import Authority, Authorship, Person, forge_names
from grounded_ingest.records.review_log import Review
from grounded_ingest.records.signatures import Signatures

Objection = Callable[[Place, Review], str]
"""Function that returns why an approval in a commit range does not count yet, or ""."""


def range_objection(
    signatures: Signatures,
    authority: Authority,
    authorship: Authorship,
    claims_of: Callable[[str], Sequence[Claim]],
) -> Objection:
    """Returns the function that decides about approvals in a range. `claims_of` returns the claims
    in a document at the end of the range."""

    def objection(place: Place, review: Review) -> str:
        path, person = place.path, Person(review.reviewer)
        if authority.is_agent(review.reviewer):
            return "an agent must not approve claims"
        if why := signatures.objection(path, review):
            return why
        if not authority.may_review(path, person):
            named = authority.owners(path).named_in
            return f"{person.address} may not approve claims in this document ({named})"
        authors = authorship.of(path, place.claim.key, claims_of(path))
        wrote = bool(person.names & forge_names(authors.addresses))
        if wrote and authority.has_other_owners(path, person):
            return f"{person.address} wrote the claim, so another owner has to approve it"
        return ""

    return objection

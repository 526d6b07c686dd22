"""A person rejected the claim."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="rejected",
    tier=3,
    fixed=True,
    summary="A reviewer rejected this claim.",
    way_out=(
        "Remove or correct it. If the reviewer was wrong, a later line in the document's review log"
        " (`.grounded/reviews/`) takes the rejection back."
    ),
)


def applies(case: Case) -> bool:
    return case.review == "reject"


EXAMPLES: tuple[Examples, ...] = ()

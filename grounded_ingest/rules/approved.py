"""A person approved the claim."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="approved",
    tier=1,
    fixed=True,
    summary="A person approved this claim, and the approval is on record.",
    way_out="Nothing to do. The approval ends when the claim is changed or removed.",
)


def applies(case: Case) -> bool:
    return case.review == "approve"


EXAMPLES: tuple[Examples, ...] = ()

"""A check of the claim broke: it fails closed."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="check-failed",
    tier=2,
    fixed=True,
    summary="A check of this claim could not run, so nothing is known in its favour.",
    way_out="Remove the cause named in the message and run the check again.",
)


def applies(case: Case) -> bool:
    return bool(case.failed)


EXAMPLES: tuple[Examples, ...] = ()

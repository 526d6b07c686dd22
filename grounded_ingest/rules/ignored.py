"""An ignore comment turns a block into review."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="ignored",
    tier=2,
    fixed=True,
    summary="An ignore comment keeps this claim from being blocked; it waits for a person instead.",
    way_out="Have it reviewed, or correct the claim and remove the comment.",
)


def applies(case: Case) -> bool:
    return bool(case.ignored)


EXAMPLES: tuple[Examples, ...] = ()

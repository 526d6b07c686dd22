"""A source of the claim is silent about it."""

from __future__ import annotations

from grounded_ingest.model.claims import Support, Verdict
from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="unsupported",
    tier=2,
    fixed=False,
    summary="The cited source exists but says nothing about this claim.",
    way_out=(
        "Cite the place that says it, with lines for a file, or state only what the source says."
    ),
)


def applies(case: Case) -> bool:
    return any(
        e.verdict is Verdict.CONFIRMED and e.support is Support.UNSUPPORTED and e.grounds
        for e in case.own
    )


EXAMPLES: tuple[Examples, ...] = ()

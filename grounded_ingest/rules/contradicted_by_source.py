"""A source of the claim says something else."""

from __future__ import annotations

from grounded_ingest.model.claims import Support, Verdict
from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="contradicted-by-source",
    tier=2,
    fixed=False,
    summary="The source this claim cites exists and seems to say something else.",
    way_out=(
        "Read the quoted passage and correct the claim, or cite the source that really says it. If"
        " the passage speaks of something else, a reviewer can approve the claim."
    ),
)


def applies(case: Case) -> bool:
    return any(
        e.verdict is Verdict.CONFIRMED and e.support is Support.CONTRADICTED for e in case.own
    )


EXAMPLES: tuple[Examples, ...] = ()

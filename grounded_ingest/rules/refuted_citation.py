"""What the claim cites is not there."""

from __future__ import annotations

from grounded_ingest.model.claims import Verdict
from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="refuted-citation",
    tier=2,
    fixed=False,
    summary="Something this claim cites does not exist, or no longer holds.",
    way_out=(
        "Correct the citation. If the thing is gone on purpose, say so (“removed `x`”), or cite"
        " what replaced it."
    ),
)


def applies(case: Case) -> bool:
    return case.cites(Verdict.REFUTED)


EXAMPLES: tuple[Examples, ...] = ()

"""Whether a citation holds is unknown."""

from __future__ import annotations

from grounded_ingest.model.claims import Verdict
from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="unverified-citation",
    tier=2,
    fixed=False,
    summary="Whether the citation holds could not be found out; the reason stands beside it.",
    way_out=(
        "Do what the reason asks for (fetch the full history, set a token, go online), cite what"
        " can be looked up, or have the claim reviewed."
    ),
)


def applies(case: Case) -> bool:
    return case.cites(Verdict.UNKNOWN)


EXAMPLES: tuple[Examples, ...] = ()

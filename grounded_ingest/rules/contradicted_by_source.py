"""A source of the claim says something else."""

from __future__ import annotations

from grounded_ingest.model.claims import Support, Verdict
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="contradicted-by-source",
    tier=2,
    fixed=False,
    signal="doubt",
    summary="The source this claim cites exists and seems to say something else.",
    way_out="Correct the claim, or cite the place that says it.",
)


def applies(case: Case) -> bool:
    return any(
        e.verdict is Verdict.CONFIRMED and e.support is Support.CONTRADICTED for e in case.own
    )


EXAMPLES = (
    Examples(
        flags=(
            Example("Per ADR-1, the retry limit is 7.", adr="The retry limit is 5."),
            Example(
                "The gateway listens on port 9443 (`src/settings.py:1`).",
                base={"src/settings.py": "GATEWAY_PORT = 8443\n"},
            ),
            Example("Per ADR-1, exports are not encrypted.", adr="Exports are encrypted."),
        ),
        passes=(
            Example("Per ADR-1, the retry limit is 5.", adr="The retry limit is 5."),
            Example(
                "Per ADR-1, sessions are kept in Redis for a week.",
                adr="The ledger is kept in PostgreSQL.",
            ),
            Example("Per ADR-1, the retry limit is five.", adr="The retry limit is 5."),
            Example("The retry limit is 7. ADR-1 says more about it.", adr="The retry limit is 5."),
        ),
    ),
)

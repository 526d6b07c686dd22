"""A source of the claim is silent about it."""

from __future__ import annotations

from grounded_ingest.model.claims import Support, Verdict
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="unsupported",
    tier=2,
    fixed=False,
    signal="doubt",
    summary="The cited source exists but says nothing about this claim.",
    way_out="Cite the place that says it (`path::name`), or say only what the source says.",
)


def applies(case: Case) -> bool:
    return any(
        e.verdict is Verdict.CONFIRMED and e.support is Support.UNSUPPORTED and e.grounds
        for e in case.own
    )


EXAMPLES = (
    Examples(
        flags=(
            Example(
                "Per ADR-1, sessions are kept in Redis for a week.",
                adr="The ledger is kept in PostgreSQL.",
            ),
            Example(
                "Uploads are scanned for viruses (`src/settings.py:1`).",
                base={"src/settings.py": "GATEWAY_PORT = 8443\n"},
            ),
            Example(
                "Tours are planned at night, says commit {commit}.",
                said="Rename the depot of the north",
            ),
        ),
        passes=(
            Example(
                "Per ADR-1, the ledger is kept in PostgreSQL.",
                adr="The ledger is kept in PostgreSQL.",
            ),
            Example("Fixed in commit {commit}.", said="Rename the depot of the north"),
            Example(
                "Uploads are scanned for viruses (`src/settings.py`).",
                base={"src/settings.py": "GATEWAY_PORT = 8443\n"},
            ),
            Example("Per ADR-1, the retry limit is 7.", adr="The retry limit is 5."),
        ),
    ),
)

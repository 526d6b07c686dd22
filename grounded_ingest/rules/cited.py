"""Row `cited`: what the claim refers to is there. Whether that says what the claim says is open."""

from __future__ import annotations

from grounded_ingest.model.claims import Verdict
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="cited",
    tier=2,
    fixed=True,
    severity="quiet",
    summary="References of this claim hold; nothing shows that they say what it says.",
    way_out="Nothing to do; to approve it, have it reviewed.",
)


def applies(case: Case) -> bool:
    return case.cites(Verdict.CONFIRMED)


_STORE = "The ledger is kept in PostgreSQL."

EXAMPLES = (
    Examples(
        flags=(
            Example("Per ADR-1, sessions are kept in Redis.", adr=_STORE),
            Example("Per ADR-1, the ledger is not kept in PostgreSQL.", adr=_STORE),
            Example(
                "The upload limit is 50 MB (`src/settings.py:1`).",
                base={"src/settings.py": "LIMIT_MB = 20\n"},
            ),
        ),
        passes=(
            "The ledger is kept in PostgreSQL.",
            "Per ADR-7, the ledger is kept in PostgreSQL.",
            Example("See ADR-1.", adr=_STORE),
        ),
    ),
)

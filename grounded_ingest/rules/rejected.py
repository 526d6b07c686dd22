"""A person rejected the claim."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="rejected",
    tier=3,
    fixed=True,
    severity="error",
    summary="A reviewer rejected this claim.",
    way_out=(
        "Remove or correct it; a reviewer who erred takes it back with"
        " `grounded-ingest review revoke`."
    ),
)


def applies(case: Case) -> bool:
    return case.review == "reject"


EXAMPLES = (
    Examples(
        flags=(
            Example("The ledger is kept in MySQL.", review="reject"),
            Example(
                "Per ADR-1, the ledger is kept in PostgreSQL.",
                adr="The ledger is kept in PostgreSQL.",
                review="reject",
            ),
            Example("I think the ledger is kept in MySQL.", review="reject"),
        ),
        passes=(
            Example(
                "The ledger is kept in PostgreSQL.",
                review="reject",
                was="The ledger is kept in MySQL.",
            ),
            Example("The ledger is kept in MySQL.", review="approve"),
            "MySQL was rejected as the store of the ledger.",
        ),
    ),
)

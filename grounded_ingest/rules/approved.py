"""A person approved the claim."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="approved",
    tier=1,
    fixed=True,
    severity="quiet",
    summary="A person approved this claim, and the approval is on record.",
    way_out="Nothing to do; the approval ends when the claim is changed or removed.",
)


def applies(case: Case) -> bool:
    return case.review == "approve"


EXAMPLES = (
    Examples(
        flags=(
            Example("The ledger is kept in PostgreSQL.", review="approve"),
            Example("The ledger usually answers within 80 ms.", review="approve"),
            Example("The ledger is kept in PostgreSQL (`src/ledger.py:7`).", review="approve"),
        ),
        passes=(
            Example("The ledger is kept in PostgreSQL.", review="approve in the change"),
            Example(
                "The ledger is kept in MySQL.",
                review="approve",
                was="The ledger is kept in PostgreSQL.",
            ),
            Example("I think the ledger is kept in PostgreSQL.", review="approve"),
            "Approved by Ann: the ledger is kept in PostgreSQL.",
        ),
    ),
)

"""An approval on record that does not count."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="advisory-approval",
    tier=0,
    fixed=True,
    severity="note",
    summary="Claims have an approval on record that does not count, or not yet.",
    way_out=(
        "Let it land, or have the approving commit signed, or the head commit"
        " reviewed, by somebody who may approve."
    ),
)


EXAMPLES = (
    Examples(
        flags=(
            Example("The ledger is kept in PostgreSQL.", review="approve in the change"),
            Example(
                "The ledger is kept in MySQL.",
                review="approve",
                was="The ledger is kept in PostgreSQL.",
            ),
            Example(
                "## Staging\n\nThe ledger is kept in PostgreSQL.",
                review="approve",
                was="The ledger is kept in PostgreSQL.",
            ),
        ),
        passes=(
            Example("The ledger is kept in PostgreSQL.", review="approve"),
            Example(
                "The ledger is kept in MySQL.",
                review="reject",
                was="The ledger is kept in PostgreSQL.",
            ),
            Example(
                "The ledger is kept in PostgreSQL.\n\nThe cache is kept in Redis.",
                review="approve",
                was="The ledger is kept in PostgreSQL.",
            ),
        ),
    ),
)

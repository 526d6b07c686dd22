"""Nothing is known of the claim: the last row."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="ungrounded",
    tier=2,
    fixed=True,
    severity="quiet",
    summary="Nothing shows yet where this claim comes from.",
    way_out=(
        "Cite what it rests on (`src/x.py::name`, an ADR, a commit, an issue, a"
        " URL), or have it reviewed."
    ),
)


def applies(case: Case) -> bool:
    del case
    return True


EXAMPLES = (
    Examples(
        flags=(
            "Invoices are rounded once, at the end.",
            "The service uses PostgreSQL 15.",
            Example("We decided to use PostgreSQL.", path="memory-bank/decisions.md"),
        ),
        passes=(
            "Invoices are usually rounded once, at the end.",
            Example(
                "Invoices are rounded once, at the end (`src/invoice.py:1`).",
                base={"src/invoice.py": "# Invoices are rounded once, at the end.\n"},
            ),
            Example("Read `src/invoice.py` first.", base={"src/app.py": "A = 1\n"}),
            Example("Invoices are rounded once, at the end.", review="approve"),
        ),
    ),
)

"""A check of the claim broke: it fails closed."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="check-failed",
    tier=2,
    fixed=True,
    severity="warning",
    summary="A check of this claim could not run, so nothing is known in its favour.",
    way_out="Remove the cause named in the message and run the check again.",
)


def applies(case: Case) -> bool:
    return bool(case.failed)


EXAMPLES = (
    Examples(
        flags=(
            Example("The gateway listens on port 8443.", breaks="speculation"),
            Example("The gateway listens on port 8443.", breaks="duplicate"),
            Example(
                "The gateway listens on port 8443 (`src/settings.py:1`).",
                base={"src/settings.py": "PORT = 8443\n"},
                breaks="citations",
            ),
            Example(
                "Per ADR-1, the gateway listens on port 8443.",
                adr="The gateway listens on port 8443.",
                breaks="contradiction",
            ),
        ),
        passes=(
            Example("The gateway listens on port 8443.", review="approve", breaks="speculation"),
            Example("The gateway listens on port 8443.", review="reject", breaks="speculation"),
            Example("The check of the gateway failed on 2026-03-04.", breaks="citations"),
        ),
    ),
)

"""Row `quoted`: "Per ADR-N, S", where S is a whole sentence that the accepted ADR decides."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="quoted",
    tier=1,
    fixed=True,
    severity="quiet",
    summary="The claim repeats, letter for letter, a sentence that an accepted ADR decides.",
    way_out="Nothing to do.",
)


def applies(case: Case) -> bool:
    return case.quoted


_ADR = "The retry limit is 5. Sessions are kept in Redis."

EXAMPLES = (
    Examples(
        flags=(
            Example("Per ADR-1, the retry limit is 5.", adr=_ADR),
            Example("Per ADR-1, sessions are kept in Redis.", adr=_ADR),
            Example("Per ADR-1, we use PostgreSQL.", adr="We use **PostgreSQL**."),
        ),
        passes=(
            Example("Per ADR-1, the retry limit is 7.", adr=_ADR),
            Example("Per ADR-1, the retry limit is 5 for uploads.", adr=_ADR),
            Example("The retry limit is 5 (ADR-1).", adr=_ADR),
            Example("Per ADR-1, we keep sessions in Redis.", adr=_ADR),
        ),
    ),
)

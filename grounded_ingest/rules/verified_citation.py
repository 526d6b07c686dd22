"""What the claim cites was looked up and holds."""

from __future__ import annotations

from grounded_ingest.model.claims import Evidence, Support, Verdict
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="verified-citation",
    tier=1,
    fixed=True,
    signal="silent",
    summary="The claim cites a source that was looked up and holds.",
    way_out="Nothing to do.",
)


def applies(case: Case) -> bool:
    return enough(case.evidence)


def enough(evidence: tuple[Evidence, ...]) -> bool:
    """Whether citations ground a claim: one that may, confirmed and supported or pointed at; none
    of its own refuted, unknown or contradicting it."""
    if any(e.own and not _holds(e) for e in evidence):
        return False
    return any(
        e.support is Support.SUPPORTED or (e.own and e.support is Support.NOTHING_TO_COMPARE)
        for e in evidence
        if e.verdict is Verdict.CONFIRMED and e.grounds
    )


def bears_out(evidence: tuple[Evidence, ...]) -> bool:
    """Whether a source says what the claim says: what only points bears no witness for others."""
    return any(
        e.verdict is Verdict.CONFIRMED and e.grounds and e.support is Support.SUPPORTED
        for e in evidence
    )


def _holds(evidence: Evidence) -> bool:
    return evidence.verdict is Verdict.CONFIRMED and evidence.support is not Support.CONTRADICTED


_PORT = {"src/settings.py": "GATEWAY_PORT = 8443\n"}

EXAMPLES = (
    Examples(
        flags=(
            Example("The gateway listens on port 8443 (`src/settings.py:1`).", base=_PORT),
            Example(
                "Per ADR-1, the ledger is kept in PostgreSQL.",
                adr="The ledger is kept in PostgreSQL.",
            ),
            Example("Fixed in commit {commit}.", said="Close the cursor after each page"),
        ),
        passes=(
            Example(
                "The gateway listens on port 8443 (`src/settings.py`).",
                base={"src/settings.py": "HOST = 'a'\n\nPORT = 9\n"},
            ),
            Example(
                "The gateway listens on port 8443 (`src/settings.py:1`, `src/gone.py:1`).",
                base=_PORT,
            ),
            Example("The gateway usually listens on port 8443 (`src/settings.py:1`).", base=_PORT),
            Example(
                "Per ADR-1, the ledger is kept in PostgreSQL.",
                change={
                    "docs/adr/0001-ledger.md": "# 1. Ledger\n\nStatus: accepted\n\n## Decision\n\nThe ledger is kept in PostgreSQL.\n"
                },
            ),
        ),
    ),
)

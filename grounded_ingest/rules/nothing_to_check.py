"""The claim asks, plans, tells of work done or only names something: nothing in it is to be found
true or false."""

from __future__ import annotations

from grounded_ingest.model.claims import Verdict
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="nothing-to-check",
    tier=2,
    fixed=False,
    severity="quiet",
    summary="Nothing here can be found true or false: an instruction, a plan, history, a label.",
    way_out="Leave it; if it states a fact as well, give that a sentence of its own.",
)


def applies(case: Case) -> bool:
    """Only of a claim that nothing is known of: whatever was cited, found or looked up counts."""
    return bool(case.place.claim.nothing) and not (
        case.findings
        or any(c.own for c in case.place.claim.citations)
        or any(e.own and e.verdict is not Verdict.UNKNOWN for e in case.evidence)
    )


PLAN, LOG = "memory-bank/next.md", "memory-bank/progress.md"

EXAMPLES = (
    Examples(
        group="instruction",
        flags=(
            "Never commit secrets to the repository.",
            "Always run the tests before a commit.",
            "When adding a route, write a test for it first.",
            "All new code should include tests.",
        ),
        passes=(
            "The gateway keeps its sessions in Redis.",
            "Note that the gateway keeps its sessions in Redis.",
            "Run the migrations first; the gateway refuses an old schema.",
            "The token must be 32 bytes long.",
            "Never use `npm`: the lock file belongs to pnpm (`pnpm-lock.yaml`).",
            Example("Always run `make lint` before a commit.", base={"Makefile": "all:\n\ttrue\n"}),
        ),
    ),
    Examples(
        group="plan",
        flags=(
            Example("# Next\n\n- [ ] Invoices in PDF for every tenant", path=PLAN),
            Example("# Next steps\n\n- Add a cache in front of the ledger.", path=PLAN),
        ),
        passes=(
            Example("# Next steps\n\n- The ledger has no cache yet.", path=PLAN),
            Example("# Overview\n\n- [x] Invoices are sent in PDF.", path=PLAN),
        ),
    ),
    Examples(
        group="history",
        flags=(
            Example("# Done\n\n- Added a cache in front of the ledger.", path=LOG),
            Example("# 2026-03-04\n\n- Refactored the report of the ledger.", path=LOG),
        ),
        passes=(
            Example("# Done\n\n- The ledger has a cache in front of it.", path=LOG),
            "The pattern was retired with the second gateway.",
        ),
    ),
    Examples(
        group="label",
        flags=(
            "The most common kinds of errors in this part:",
            "See the guide of the gateway.",
        ),
        passes=(
            "The gateway has these 3 routes:",
            "See the guide of the gateway (`docs/missing/guide.md`).",
        ),
    ),
)

"""Row `judge-denies`: the configured judge says that a cited source contradicts the claim."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="judge-denies",
    tier=2,
    fixed=False,
    severity="warning",
    summary="The configured judge finds that a source the claim cites says otherwise.",
    way_out="Correct the claim, or cite the place that says it.",
)


def applies(case: Case) -> bool:
    return any(e.judged == "contradicted" for e in case.own)


EXAMPLES = (
    Examples(
        flags=(),
        passes=(
            "The gateway listens on port 8443.",
            "See ADR-1.",
            Example(
                "The gateway listens on port 9443 (`src/app.py:1`).",
                base={"src/app.py": "PORT = 8443\n"},
            ),
        ),
    ),
)
"""No example is flagged without a model behind `judge`; tests/decide asks real ones over HTTP."""

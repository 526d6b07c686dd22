"""Row `judged`: the configured judge finds the claim in a source that the claim cites."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="judged",
    tier=1,
    fixed=False,
    severity="quiet",
    summary="The configured judge finds that a source the claim cites says it.",
    way_out="Nothing to do.",
)


def applies(case: Case) -> bool:
    return case.may_judge and any(e.judged == "supported" for e in case.own)


EXAMPLES = (
    Examples(
        flags=(),
        passes=(
            "The gateway listens on port 8443.",
            "See ADR-1.",
            Example(
                "The gateway listens on port 8443 (`src/app.py:1`).",
                base={"src/app.py": "PORT = 8443\n"},
            ),
        ),
    ),
)
"""No example is flagged without a model behind `judge`; tests/decide asks real ones over HTTP."""

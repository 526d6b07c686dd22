"""The claim qualifies itself. The words stand in `lexicon/technical_hedges.py`."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="technical-hedge",
    tier=2,
    fixed=False,
    summary=(
        "The claim qualifies itself (“usually”, “roughly”, “unclear”), so what it states is open."
    ),
    way_out="State the exact condition or value with its source, or leave it for a reviewer.",
)


def applies(case: Case) -> bool:
    return case.shows(META)


EXAMPLES: tuple[Examples, ...] = ()

"""The change removes what a claim elsewhere cites."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="lost-source",
    tier=0,
    fixed=True,
    summary="This change removes or moves something that an existing claim cites.",
    way_out="Correct the citing claim: cite what took the place of its source, or remove it.",
)

EXAMPLES: tuple[Examples, ...] = ()

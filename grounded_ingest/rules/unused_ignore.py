"""An ignore comment that suspends nothing."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="unused-ignore",
    tier=0,
    fixed=True,
    summary="An ignore comment suspends nothing.",
    way_out="Remove it.",
)

EXAMPLES: tuple[Examples, ...] = ()

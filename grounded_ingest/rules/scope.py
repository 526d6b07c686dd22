"""The run looked at something else than was asked for."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="scope",
    tier=0,
    fixed=True,
    summary="The run looked at something else than was asked for, and says at what.",
    way_out="Nothing to do, unless the scope surprises you.",
)

EXAMPLES: tuple[Examples, ...] = ()

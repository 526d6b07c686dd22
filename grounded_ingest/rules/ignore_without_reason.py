"""An ignore comment without a reason."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="ignore-without-reason",
    tier=0,
    fixed=True,
    summary="An ignore comment gives no reason and has no effect.",
    way_out='Add one: `<!-- grounded: ignore[rule] reason="…" -->`, or remove the comment.',
)

EXAMPLES: tuple[Examples, ...] = ()

"""The configured judge of support was not asked."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="judge",
    tier=0,
    fixed=True,
    summary="The configured judge of support was not asked, or could not be.",
    way_out=(
        "Do what the message asks for. What waits for the judge's opinion is unknown until then."
    ),
)

EXAMPLES: tuple[Examples, ...] = ()

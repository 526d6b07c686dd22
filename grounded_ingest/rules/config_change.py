"""The change alters the configuration."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="config-change",
    tier=0,
    fixed=True,
    summary=(
        "This change alters the configuration. It was judged by the one on base; the new one holds"
        " once it has landed."
    ),
    way_out="Review the differences listed as you would review code.",
)

EXAMPLES: tuple[Examples, ...] = ()

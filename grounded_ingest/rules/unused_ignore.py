"""An ignore comment that suspends nothing."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="unused-ignore",
    tier=0,
    fixed=True,
    severity="note",
    summary="An ignore comment suspends nothing.",
    way_out="Remove it.",
)


EXAMPLES = (
    Examples(
        flags=(
            '<!-- grounded: ignore[speculation] reason="quoted" -->\nThe primary lost its lease first.',
            '<!-- grounded: ignore[duplicate] reason="quoted" -->\nI think the primary lost its lease first.',
            '<!-- grounded: ignore[refuted-citation[link]] reason="to come" -->\nRead `src/missing.py` first.',
        ),
        passes=(
            '<!-- grounded: ignore[speculation] reason="quoted" -->\nI think the primary lost its lease first.',
            '<!-- grounded: ignore[speculation, duplicate] reason="quoted" -->\nI think the primary lost its lease first.',
            "<!-- grounded: ignore[speculation] -->\nThe primary lost its lease first.",
        ),
    ),
)

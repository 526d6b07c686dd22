"""An ignore comment without a reason."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="ignore-without-reason",
    tier=0,
    fixed=True,
    severity="note",
    summary="An ignore comment gives no reason and has no effect.",
    way_out='Add one: `<!-- grounded: ignore[rule] reason="…" -->`, or remove the comment.',
)


EXAMPLES = (
    Examples(
        flags=(
            "<!-- grounded: ignore[speculation] -->\nI think the primary lost its lease first.",
            '<!-- grounded: ignore[speculation] reason="" -->\nI think the primary lost its lease first.',
            "<!-- grounded: ignore[speculation] -->\nThe primary lost its lease first.",
        ),
        passes=(
            '<!-- grounded: ignore[speculation] reason="quoted from the call" -->\nI think the primary lost its lease first.',
            '<!-- grounded: ignore[duplicate] reason="quoted from the call" -->\nI think the primary lost its lease first.',
            "`<!-- grounded: ignore[speculation] -->` needs a reason.",
        ),
    ),
)

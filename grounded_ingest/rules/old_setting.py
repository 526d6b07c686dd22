"""A setting or rule of an earlier version that has no effect any more."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="old-setting",
    tier=0,
    fixed=True,
    severity="note",
    summary="The configuration has a setting of an earlier version that has no effect any more.",
    way_out="Remove it.",
)

EXAMPLES = (
    Examples(
        flags=(
            Example("The gateway keeps its sessions in Redis.", config="approve_at: quote"),
            Example(
                "The gateway keeps its sessions in Redis.", config="policy: {unsupported: block}"
            ),
            Example("The gateway keeps its sessions in Redis.", config="review: {over: block}"),
        ),
        passes=(
            "The gateway keeps its sessions in Redis.",
            Example("The gateway keeps its sessions in Redis.", config="preset: strict"),
            Example("The gateway keeps its sessions in Redis.", config="policy: {repeat: block}"),
        ),
    ),
)

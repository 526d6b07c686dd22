"""A claim that is past its date. Only `audit` looks at the day."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="expired",
    tier=0,
    fixed=True,
    severity="warning",
    summary="The claim is past the date that it carries or says (`audit` alone looks at the day).",
    way_out="Confirm it with a new date, or remove it.",
)

EXAMPLES = (
    Examples(
        flags=(),
        passes=(
            "The freeze of the API is valid until 2020-01-31.",
            "The gateway keeps its sessions in Redis.",
            "The service runs on Node 8.",
        ),
    ),
)
"""No example is flagged: `check` decides nothing by the day (tests/audit)."""

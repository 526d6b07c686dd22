"""An approval on record that does not count."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="advisory-approval",
    tier=0,
    fixed=True,
    summary="Claims have an approval on record that does not count, or not yet.",
    way_out=(
        "Let it land, have the approving commit signed by a key base lists, or have the head commit"
        " reviewed by somebody who may approve."
    ),
)

EXAMPLES: tuple[Examples, ...] = ()

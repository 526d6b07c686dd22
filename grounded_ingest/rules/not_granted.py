"""The configuration wants what the user of this machine did not grant."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="not-granted",
    tier=0,
    fixed=True,
    summary=(
        "The configuration asks for an address or a secret that the user of this machine did not"
        " grant. It is ignored."
    ),
    way_out=(
        "Ignore it, or grant it outside the work tree:"
        ' `git config --add grounded-ingest.grant "tracker URL VARIABLE"`.'
    ),
)

EXAMPLES: tuple[Examples, ...] = ()

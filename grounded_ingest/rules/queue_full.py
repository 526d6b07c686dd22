"""More waits for review than the configuration lets wait."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="queue-full",
    tier=0,
    fixed=True,
    summary="More claims wait for review than the configuration lets wait.",
    way_out=(
        "Review some (`grounded-ingest review`), cite sources so that fewer wait, or raise the"
        " limits under `review`."
    ),
)

EXAMPLES: tuple[Examples, ...] = ()

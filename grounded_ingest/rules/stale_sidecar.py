"""Recorded evidence is behind its document."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="stale-sidecar",
    tier=0,
    fixed=True,
    summary=(
        "The evidence file of a document is missing, broken or behind its text. With `--locked` it"
        " makes the run fail."
    ),
    way_out="Run `grounded-ingest check --write` on the document and commit its evidence file.",
)

EXAMPLES: tuple[Examples, ...] = ()

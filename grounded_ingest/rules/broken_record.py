"""A record of a readable file could not be understood."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="broken-record",
    tier=3,
    fixed=True,
    summary=(
        "A record of a readable file could not be understood, so it was not judged. It blocks in"
        " class `memory` and waits for review elsewhere."
    ),
    way_out="Correct the record at the line named.",
)

EXAMPLES: tuple[Examples, ...] = ()

"""What only all repositories together tell (docs/fleet.md)."""

from __future__ import annotations

from collections.abc import Callable

from grounded_ingest.fleet.bucket_queries import Joining
from grounded_ingest.fleet.contradicting_facts import join_contradictions
from grounded_ingest.fleet.drift import join_drift
from grounded_ingest.fleet.repetitions import join_repetitions
from grounded_ingest.fleet.verdicts_elsewhere import join_elsewhere


def join_all(joining: Joining, tell: Callable[[float, str], None]) -> None:
    """Run every join over a run's tables, and write what they find. Raises GroundedIngestError."""

    tell(0.9, "joining what is said again")
    join_repetitions(joining)
    tell(0.93, "joining what instruction files were")
    families = join_drift(joining)
    tell(0.95, "joining what is said of one thing")
    join_contradictions(joining, families)
    tell(0.97, "looking up what is cited elsewhere")
    join_elsewhere(joining)

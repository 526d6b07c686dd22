"""The engines by their names."""

from __future__ import annotations

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.engine import FleetEngine
from grounded_ingest.fleet.local_engine import LocalEngine


def engine_named(name: str, workers: int, cluster: str) -> FleetEngine:
    """The engine of that name; `cluster` is the address of one, empty for this machine. Raises
    GroundedIngestError where it is not installed."""
    if cluster and name == "local":
        raise GroundedIngestError("--cluster is of --engine daft and spark")
    return LocalEngine(workers)

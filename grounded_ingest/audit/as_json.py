"""An audit and a history as JSON (docs/audit.schema.json)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from grounded_ingest.audit.history_series import Point
from grounded_ingest.audit.model import Audit
from grounded_ingest.report.as_json import pretty

SCHEMA, HISTORY = "grounded-ingest/audit/1", "grounded-ingest/history/1"


def as_json(audit: Audit) -> str:
    built: dict[str, Any] = msgspec.to_builtins(audit)
    summary = {
        "documents": built.pop("documents"),
        "claims": built.pop("claims"),
        **built.pop("tiers"),
        "evidence": audit.count(),
        "contradictions": len(audit.contradictions),
        "duplicates": len(audit.duplicates),
    }
    return pretty({"schema": SCHEMA, "scope": built.pop("scope"), "summary": summary, **built})


def history_as_json(points: Sequence[Point]) -> str:
    return pretty({"schema": HISTORY, "points": [msgspec.to_builtins(p) for p in points]})

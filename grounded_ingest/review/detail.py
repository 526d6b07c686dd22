"""Everything there is to see of claims in the queue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from grounded_ingest.model.claims import Decision
from grounded_ingest.net.messages import iso_time
from grounded_ingest.report.explanation import explained
from grounded_ingest.review.context_view import Nearest, sources
from grounded_ingest.review.desk import Desk


def in_full(desk: Desk, decisions: Iterable[Decision]) -> list[dict[str, Any]]:
    """A dictionary for each claim: the JSON of `review show`."""
    nearest = Nearest(desk.result.kb)
    return [_entry(desk, d, nearest) for d in decisions]


def _entry(desk: Desk, decision: Decision, nearest: Nearest) -> dict[str, Any]:
    place = decision.place
    owners = desk.authority.owners(place.path)
    written = desk.written(decision)
    log = desk.standing.people.lines(place.path, base=False)
    return {
        **explained(decision),
        "context": [{"kind": kind, "text": text} for kind, text in desk.context(decision)],
        "state": desk.state(decision),
        "owners": list(owners.names),
        "owners_said": owners.said,
        "author": list(written.addresses),
        "written_at": iso_time(written.at) if written.at else "",
        "sources_read": [
            {"target": s.target, "lines": [list(row) for row in s.lines]}
            for s in sources(decision, desk.result.scoped.tree)
        ],
        "nearest": [
            {
                "path": near.path, "line": near.claim.line, "id": near.claim.id,
                "claim": near.claim.text, "similarity": round(share, 4),
            }
            for near, share in nearest.to(place)
        ],
        "log": [
            {"reason": "", **msgspec.to_builtins(r)} for r in log if r.key == place.claim.key
        ],
    }  # fmt: skip

"""What stands over a claim, or its own form, takes it back, whatever its source says."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Repo

ADR = "# 1. Ledger\n\n## Status\n\nAccepted\n\n## Decision\n\nThe ledger is kept in PostgreSQL.\n"
TRUE = "Per ADR-1, the ledger is kept in PostgreSQL."


@pytest.mark.parametrize(
    ("page", "tier"),
    [
        ("# Notes\n\n## Decisions\n\n- {}\n", 1),
        ("# Notes\n\nThese hold:\n\n- {}\n", 2),
        ("# Notes\n\nNone of this holds any more:\n\n- {}\n", 2),
        ("# Planned for next year\n\n{}\n", 2),
        ("# Notes\n\n## Rejected ideas\n\n- {}\n", 2),
        ("# Notes\n\n- The opposite of each is the case:\n  - {}\n", 2),
        ("# Notes\n\n- [ ] {}\n", 2),
        ("# Notes\n\n- [x] {}\n", 2),
        ("# Notes\n\n- ~~{}~~\n", 2),
    ],
)
def test_surroundings_take_a_claim_back(tmp_path: Path, page: str, tier: int) -> None:
    repo = Repo(tmp_path)
    repo.commit({"docs/adr/0001-ledger.md": ADR})
    repo.stage({NOTES: page.format(TRUE)})
    (decision,) = [
        d for d in repo.decisions() if "PostgreSQL" in d.place.claim.text and d.place.path == NOTES
    ]
    assert int(decision.tier) == tier, decision.own_evidence

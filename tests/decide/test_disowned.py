"""What stands over a claim, or its own form, takes it back, whatever its source says."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Repo

TRUE = "The port is 8443 (`src/app.py:1`)."


@pytest.mark.parametrize(
    ("page", "tier"),
    [
        ("# Notes\n\nThese hold:\n\n- {}\n", 1),
        ("# Notes\n\nNone of this holds any more:\n\n- {}\n", 2),
        ("# Planned for next year\n\n{}\n", 2),
        ("# Notes\n\n## Rejected ideas\n\n- {}\n", 2),
        ("# Notes\n\n- The opposite of each is the case:\n  - {}\n", 2),
        ("# Notes\n\n- [ ] {}\n", 2),
        ("# Notes\n\n- [x] {}\n", 1),
        ("# Notes\n\n- ~~{}~~\n", 2),
    ],
)
def test_surroundings_take_a_claim_back(tmp_path: Path, page: str, tier: int) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/app.py": "PORT = 8443\n"})
    repo.stage({NOTES: page.format(TRUE)})
    (decision,) = [d for d in repo.decisions() if "8443" in d.place.claim.text]
    assert int(decision.tier) == tier, decision.own_evidence


@pytest.mark.parametrize(
    ("line", "tier"),
    [
        ("BACKUP_HOURS = 1", 2),
        ('NOTE = "Backups run every hour"', 2),
        ('log("Backups run every hour")', 2),
        ("# Backups run every hour.", 2),
    ],
)
@pytest.mark.parametrize("landed", [False, True])
def test_what_new_lines_tell_bears_no_witness(
    tmp_path: Path, line: str, tier: int, landed: bool
) -> None:
    repo = Repo(tmp_path)
    said = {"src/app.py": f"{line}\n"}
    repo.commit(said if landed else {"README.md": "# A\n"})
    claim = "Backups run every hour (`src/app.py:1`)."
    repo.stage({NOTES: f"# Notes\n\n{claim}\n", **({} if landed else said)})
    (decision,) = [d for d in repo.decisions() if "Backups" in d.place.claim.text]
    told = landed and "Backups" in line
    assert int(decision.tier) == (1 if told else tier), decision.own_evidence

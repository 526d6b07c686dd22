"""Files for different agents repeat each other on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

CLAIM = "The nightly job copies every invoice of the day into the archive of the accounting team."


@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        ("AGENTS.md", "CLAUDE.md", "ungrounded"),
        (".github/copilot-instructions.md", "AGENTS.md", "ungrounded"),
        ("AGENTS.md", "web/CLAUDE.md", "repeat"),
        (".cursor/rules/a.mdc", ".cursor/rules/b.mdc", "repeat"),
        ("memory-bank/a.md", "CLAUDE.md", "repeat"),
    ],
)
def test_copies(tmp_path: Path, first: str, second: str, rule: str) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({first: f"# Notes\n\n{CLAIM}\n"})
    assert repo.judge(CLAIM, second).rule == rule

"""References that commits make wrong: which commits are code, what is told, and what labels say of it."""

from __future__ import annotations

import json
from pathlib import Path

from repos import Repo

from benchmarks.quality.alerts import (
    AlertLabel,
    as_json,
    as_text,
    code_commits,
    read_alert_labels,
    told,
    what_of,
)
from grounded_ingest.git.repository import Repo as Opened


def _say(share: float, text: str) -> None:
    assert 0 < share <= 1, text


GUIDE = "# Guide\n\nThe port is 8443 (`src/app.py:1`).\n\nThe limit is 20 (`src/limits.py`).\n"


def history(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path)
    repo.commit({"README.md": "# Built\n"})
    repo.commit(
        {"docs/guide.md": GUIDE, "src/app.py": "PORT = 8443\n", "src/limits.py": "L = 20\n"}
    )
    repo.commit({"docs/other.md": "# Other\n\nNothing of code.\n"})
    repo.commit({"src/app.py": "PORT = 9443\n"})
    repo.commit({"src/limits.py": None})
    return repo


def test_the_commits_of_code_are_told(tmp_path: Path) -> None:
    repo = history(tmp_path)
    with Opened(str(repo.root), own=False) as opened:
        assert len(code_commits(opened, 10)) == 3
        assert len(code_commits(opened, 1)) == 1
    gone = repo.git("rev-parse", "HEAD")
    label = AlertLabel("o/r", gone, "docs/guide.md", 5, "src/limits.py", "right")
    found = told(str(repo.root), 10, [label], _say)
    assert [(a.line, a.label) for a in found.alerts] == [(3, "unread"), (5, "right")]
    text = as_text([found])
    assert "3 commits of code, 2 alerts at 2 (66.67 in 100): 1 right, 1 unread" in text
    assert json.loads(as_json([found]))[0]["commits"] == 3


def test_what_an_alert_names() -> None:
    assert what_of("cites src/x.py:2, which this change removes") == "src/x.py:2"
    assert what_of("src/x.py::f: removed by this change") == "src/x.py::f"


def test_the_labels_of_alerts_that_ship_can_be_read() -> None:
    labels = read_alert_labels()
    assert len({one.key for one in labels}) == len(labels) > 0

"""A repository whose document cites lines of a source file; makes `auditing` importable."""

from __future__ import annotations

from pathlib import Path

import pytest
from auditing import DOCUMENT, PAGE, SOURCE
from repos import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Two commits: the source, then the document that cites it."""
    made = Repo(tmp_path / "work")
    made.commit({"src/app.py": SOURCE})
    made.commit({DOCUMENT: PAGE})
    return made

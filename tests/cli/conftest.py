"""A repository that was never guarded, and one with a few commits."""

from __future__ import annotations

from pathlib import Path

import pytest
from clirepo import DOCUMENT, PAGE, SOURCE, Repo, environment


@pytest.fixture
def unborn(tmp_path: Path) -> Repo:
    """A repository without a commit."""
    root = tmp_path / "work"
    root.mkdir()
    repo = Repo(root, environment(tmp_path))
    repo.git("init", "--quiet", "--template=", "--initial-branch=main")
    return repo


@pytest.fixture
def repo(unborn: Repo) -> Repo:
    """A source file in the first commit, a document that cites it in the second."""
    unborn.commit("src/app.py", SOURCE)
    unborn.commit(DOCUMENT, PAGE)
    return unborn

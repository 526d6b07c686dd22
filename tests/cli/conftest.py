"""A repository that was never guarded, and one with a few commits."""

from __future__ import annotations

import os
import sys
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


@pytest.fixture
def program(tmp_path: Path) -> str:
    """PATH with pre-commit and the command, as installers write them."""
    there = tmp_path / "bin"
    there.mkdir()
    ways_in = {"grounded-ingest": "grounded_ingest.__main__", "pre-commit": "pre_commit.main"}
    for name, module in ways_in.items():
        start = f"import sys\nfrom {module} import main\nsys.exit(main())\n"
        (there / name).write_text(f"#!{sys.executable}\n{start}")
        (there / name).chmod(0o755)
    return f"{there}{os.pathsep}{os.environ['PATH']}"

"""A repository that was never guarded, and one with a few commits."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from clirepo import DOCUMENT, PAGE, SOURCE, Repo, environment
from worktrees import new_repository


@pytest.fixture
def unborn(tmp_path: Path) -> Repo:
    """A repository without a commit."""
    new_repository(tmp_path / "work")
    return Repo(tmp_path / "work", environment(tmp_path))


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("template")
    new_repository(home / "work")
    repo = Repo(home / "work", environment(home))
    repo.commit("src/app.py", SOURCE)
    repo.commit(DOCUMENT, PAGE)
    return repo.root


@pytest.fixture
def repo(tmp_path: Path, template: Path) -> Repo:
    """A source file in the first commit, a document that cites it in the second."""
    shutil.copytree(template, tmp_path / "work")
    return Repo(tmp_path / "work", environment(tmp_path))


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

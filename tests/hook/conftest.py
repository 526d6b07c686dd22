"""Repositories under the hook: run by the real pre-commit, and as a bare script of git."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hookrepo import CHECK, COMMAND, CONFIG, GIT_CONFIG, SOURCE, Repo, environment

from tests.forked import python_client

STAGES = ("pre-commit", "pre-merge-commit")


def _install(repo: Repo, driver: str) -> None:
    if driver == "bare":
        client = python_client(repo.root.parent / "client")
        for stage in STAGES:
            hook = repo.root / ".git" / "hooks" / stage
            hook.parent.mkdir(exist_ok=True)
            hook.write_text(f"#!/bin/sh\nexec {client} -m {CHECK}\n")
            hook.chmod(0o755)
        return
    types = [flag for stage in (*STAGES, "pre-push") for flag in ("--hook-type", stage)]
    ran = repo.pre_commit("install", *types)
    assert ran.code == 0, ran.out


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """For each driver a repository without a commit that has its hooks installed."""
    homes = {}
    for driver in ("pre-commit", "bare"):
        home = tmp_path_factory.mktemp(driver)
        (home / ".gitconfig").write_text(GIT_CONFIG)
        (home / "work").mkdir()
        repo = Repo(home / "work", environment(home))
        repo.git("init", "--quiet", "--template=")
        repo.write(".pre-commit-config.yaml", CONFIG.format(entry=COMMAND))
        _install(repo, driver)
        homes[driver] = home
    return homes


@pytest.fixture(params=["bare", pytest.param("pre-commit", marks=pytest.mark.slow)])
def driver(request: pytest.FixtureRequest) -> str:
    """Who calls the command. pre-commit takes as much time as the command, so it is slow except for
    tests of what it does itself (`with_pre_commit`)."""
    return str(request.param)


@pytest.fixture
def unborn(tmp_path: Path, template: dict[str, Path], driver: str) -> Repo:
    """A repository under the hook, without any commit."""
    home = tmp_path / "home"
    shutil.copytree(template[driver], home)
    return Repo(home / "work", environment(home))


@pytest.fixture
def repo(unborn: Repo) -> Repo:
    """A repository under the hook; its one commit holds a source file and no document."""
    unborn.write("src/app.py", SOURCE)
    unborn.git("add", ".")
    unborn.git("commit", "--quiet", "--no-verify", "-m", "root")
    return unborn

"""The repository of a module's tests, which only stage and ask."""

from __future__ import annotations

import pytest
from repos import Repo


@pytest.fixture(scope="module")
def repo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository with one commit for each of the module's `COMMITS`."""
    repo = Repo(tmp_path_factory.mktemp("module") / "repo")
    for files in request.module.COMMITS:
        repo.commit(files)
    return repo

"""The repository of a module's tests, which only stage and ask."""

from __future__ import annotations

import pytest
from repos import Repo

from grounded_ingest.model.claims import Decision


@pytest.fixture(scope="module")
def repo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository with one commit for each of the module's `COMMITS`."""
    repo = Repo(tmp_path_factory.mktemp("module") / "repo")
    for files in request.module.COMMITS:
        repo.commit(files)
    return repo


def parameters(request: pytest.FixtureRequest, *names: str) -> list[tuple[str, ...]]:
    """The rows of the module's collected tests that have all these parameters, each once."""
    own = (item for item in request.session.items if item.path == request.path)
    every = (getattr(item, "callspec", None) for item in own)
    rows = (tuple(spec.params.get(n) for n in names) for spec in every if spec)
    return [row for row in dict.fromkeys(rows) if None not in row]


@pytest.fixture(scope="module")
def judged(request: pytest.FixtureRequest, repo: Repo) -> dict[str, list[Decision]]:
    """The decisions for every `claim` among the module's parameters, from one check."""
    return repo.judge_each(claim for (claim,) in parameters(request, "claim"))

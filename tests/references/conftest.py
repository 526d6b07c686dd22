"""The repository of a module's tests, which only stage and ask."""

from __future__ import annotations

import pytest
from repos import Repo, parameters

from grounded_ingest.model.claims import Decision


@pytest.fixture(scope="module")
def repo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository with one commit for each of the module's `COMMITS`."""
    repo = Repo(tmp_path_factory.mktemp("module") / "repo")
    for files in request.module.COMMITS:
        repo.commit(files)
    return repo


@pytest.fixture(scope="module")
def judged(request: pytest.FixtureRequest, repo: Repo) -> dict[str, Decision]:
    """The decisions for every `claim`, each in a document of its own, from one check."""
    return repo.judge_each(claim for (claim,) in parameters(request, "claim"))


@pytest.fixture(scope="module")
def decided(request: pytest.FixtureRequest, repo: Repo) -> dict[tuple[str, str], list[Decision]]:
    """The decisions for every `document` with its `text`, from one check. A document that several
    rows name gets the number of the row in its name."""
    rows = parameters(request, "document", "text")
    paths: dict[str, tuple[str, str]] = {}
    for n, row in enumerate(rows):
        stem, _, end = row[0].rpartition(".")
        paths[f"{stem}_{n}.{end}" if row[0] in paths else row[0]] = row
    found = repo.decide({path: text for path, (_, text) in paths.items()})
    return {row: found[path] for path, row in paths.items()}

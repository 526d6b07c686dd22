"""`.pre-commit-hooks.yaml`: what it declares, and that pre-commit can install from it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import yaml
from hookrepo import (
    BLOCKED,
    DOCUMENT,
    PROJECT,
    SENTENCES,
    Repo,
    evidence_path,
    page,
    with_pre_commit,
)
from publishedrepo import TAG, git, publish

A, B = SENTENCES[:2]
MANIFEST = PROJECT / ".pre-commit-hooks.yaml"
HOOKS = {hook["id"]: hook for hook in yaml.safe_load(MANIFEST.read_text())}
NO_INDEX = re.compile(
    r"No matching distribution found for hatchling|HTTPSConnectionPool|ProxyError"
)

pytestmark = with_pre_commit


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("grounded-ingest", "grounded-ingest check --staged --write"),
        ("grounded-ingest-offline", "grounded-ingest check --staged --write --offline"),
    ],
)
def test_what_the_manifest_declares(unborn: Repo, name: str, entry: str) -> None:
    assert unborn.pre_commit("validate-manifest", str(MANIFEST)).out == ""
    hook = HOOKS[name]
    assert (hook["entry"], hook["language"]) == (entry, "python")
    assert (hook["pass_filenames"], hook["always_run"]) == (False, True)
    assert hook["require_serial"] is True
    assert hook["stages"] == ["pre-commit", "pre-merge-commit", "pre-push", "manual"]
    assert "verbose" not in hook


def install(repo: Repo, config: str) -> None:
    """Install with the caller's settings for pip, then forget them and the source tree."""
    repo.bypass(".pre-commit-config.yaml", config)
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    own |= {"PIP_RETRIES": "1", "PRE_COMMIT_HOME": repo.env["PRE_COMMIT_HOME"]}
    own.pop("PYTHONPATH", None)
    ran = Repo(repo.root, own).pre_commit("install-hooks")
    if ran.code and NO_INDEX.search(ran.out):
        pytest.skip("pip cannot reach a package index")
    assert ran.code == 0, ran.out
    del repo.env["PYTHONPATH"]


@pytest.mark.slow  # pre-commit builds an environment and installs the package into it
def test_pre_commit_installs_the_hook_from_the_tag(repo: Repo, tmp_path: Path) -> None:
    git(publish(tmp_path / "project"), "tag", TAG)
    config = yaml.safe_dump(
        {
            "repos": [
                {
                    "repo": (tmp_path / "project").as_uri(),
                    "rev": TAG,
                    "hooks": [{"id": name, "verbose": True} for name in HOOKS],
                }
            ]
        }
    )
    install(repo, config)
    for skipped, sentences in (
        ("grounded-ingest-offline", [A]),
        ("grounded-ingest", [A, B]),
        ("", [B]),
    ):
        repo.env["SKIP"] = skipped
        repo.land(DOCUMENT, *sentences)
        assert repo.changed() == {DOCUMENT, evidence_path(DOCUMENT)}
        assert repo.evidence() == sentences
        assert repo.status() == []
    repo.stage(DOCUMENT, page(A, BLOCKED))
    stopped = repo.commit()
    assert stopped.code == 1
    assert f"{DOCUMENT}:5:1: speculation: " in stopped.out

"""`python -m release VERSION` in a clone: one commit, one tag, or nothing at all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from publishedrepo import PROJECT, git, publish
from repos import environment

from release.__main__ import dated
from release.places import ProjectError

CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Something.\n"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = publish(tmp_path_factory.mktemp("published") / "clone")
    git(place, "branch", "published")
    return place


@pytest.fixture
def clone(published: Path) -> Path:
    """As it was published, whatever the test before has done to it."""
    git(published, "checkout", "--quiet", "--force", "-B", "main", "published")
    git(published, "clean", "--quiet", "-d", "--force")
    for tag in git(published, "tag").split():
        git(published, "tag", "--delete", tag)
    return published


def release(clone: Path, version: str) -> subprocess.CompletedProcess[str]:
    env = environment() | {"PYTHONPATH": str(clone), "PATH": os.environ["PATH"]}
    argv = [sys.executable, "-m", "release", version]
    return subprocess.run(argv, cwd=clone, env=env, capture_output=True, text=True, check=False)


@pytest.mark.slow  # checks the built files with twine
def test_one_commit_and_one_tag(clone: Path) -> None:
    ran = release(clone, "7.8.9")
    assert ran.returncode == 0, ran.stderr
    assert "git push --atomic origin main v7.8.9" in ran.stdout
    assert git(clone, "status", "--porcelain") == ""
    assert git(clone, "log", "--format=%s", "-2").splitlines() == ["Release 7.8.9", "Publish"]
    assert git(clone, "cat-file", "-t", "v7.8.9").strip() == "tag"
    assert git(clone, "rev-parse", "v7.8.9^{commit}") == git(clone, "rev-parse", "HEAD")
    changelog = (clone / "CHANGELOG.md").read_text("utf-8")
    assert f"## [Unreleased]\n\n## [7.8.9] - {datetime.now(UTC):%Y-%m-%d}\n\n#" in changelog
    named = git(clone, "grep", "-lF", "7.8.9").split()
    assert {"grounded_ingest/version.py", "plugins/gemini/gemini-extension.json"} <= set(named)
    refused = release(clone, "7.8.10")
    assert (refused.returncode, "nothing stands under Unreleased" in refused.stderr) == (1, True)
    assert "7.8.9 is not above 7.8.9" in release(clone, "7.8.9").stderr


@pytest.mark.parametrize(
    ("version", "spoilt", "said"),
    [
        ("1.2", "", "a version has the form 1.2.3"),
        ("1.2.3", "git checkout -qb topic", "a release is made on main"),
        ("1.2.3", "echo >> README.md", "the work tree is not clean"),
        ("1.2.3", "git tag v1.10.0", "1.2.3 is not above 1.10.0"),
        ("1.2.3", "sed -i.b 's/rev: HEAD/rev: v9.9.9/; s|/path/to/grounded-ingest  #.*|https://github.com/x/y|' README.md; rm README.md.b; git commit -qam x", "run `python -m release` and commit: README.md"),
        ("1.2.3", "sed -i.b 's/click>=8.1.7/click>=8.99/' pyproject.toml; rm pyproject.toml.b; git commit -qam x", "run `python -m release` and commit: constraints.txt (click"),
        ("1.2.3", "sed -i.b s/Apache-2.0/Nobody/ pyproject.toml; rm pyproject.toml.b; git commit -qam x", "-m build"),
    ],
)  # fmt: skip
def test_nothing_is_released_and_nothing_changed(
    clone: Path, version: str, spoilt: str, said: str
) -> None:
    subprocess.run(["sh", "-c", spoilt], cwd=clone, env=environment(), check=True)
    before = git(clone, "rev-parse", "HEAD"), git(clone, "status", "--porcelain")
    ran = release(clone, version)
    assert ran.returncode == 1
    assert said in ran.stderr
    assert (git(clone, "rev-parse", "HEAD"), git(clone, "status", "--porcelain")) == before
    assert f"v{version}" not in git(clone, "tag")


def test_the_section_moves_whole(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text(f"{CHANGES}\n## [0.1.0] - 2026-01-01\n\n- Old.\n")
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert dated(tmp_path, "0.2.0") == (
        f"# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - {today}\n\n### Added\n\n- Something.\n"
        "\n## [0.1.0] - 2026-01-01\n\n- Old.\n"
    )
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - x\n")
    with pytest.raises(ProjectError, match="nothing stands under Unreleased"):
        dated(tmp_path, "0.2.0")


def test_the_version_has_one_home() -> None:
    told = (PROJECT / "pyproject.toml").read_text("utf-8")
    assert re.findall(r"^version = ", told, re.MULTILINE) == []

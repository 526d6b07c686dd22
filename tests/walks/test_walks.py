"""Strangers' walks: every channel's script, from the project as it stands, at a tag.

All of them are asked for: `-m walks` (docs/release.md); the wheel's runs always."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from publishedrepo import TAG, build, git, publish

HERE = Path(__file__).parent
NO_INDEX = ("Could not find a version that satisfies", "NewConnectionError", "ProxyError")


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = publish(tmp_path_factory.mktemp("published") / "project")
    git(place, "tag", TAG)
    return place


@pytest.fixture(scope="session")
def dist(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    build(clone, out)
    return out


def walk(script: str, *args: str | Path, program: str = "sh") -> None:
    env = {name: told for name, told in os.environ.items() if not name.startswith("GIT_")}
    argv = [program, str(HERE / script), *map(str, args)]
    ran = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=1200, check=False)
    said = ran.stdout + ran.stderr
    if ran.returncode and any(words in said for words in NO_INDEX):
        pytest.skip("no index of packages can be reached")
    print(said)
    assert ran.returncode == 0, said


def test_wheel(dist: Path) -> None:
    walk("wheel.sh", dist)


@pytest.mark.walks
@pytest.mark.parametrize("channel", ["sdist", "uvx", "pipx"])
def test_distribution(dist: Path, channel: str) -> None:
    walk(f"{channel}.sh", dist)


@pytest.mark.walks
def test_hook_from_the_tag(clone: Path) -> None:
    walk("hook.sh", clone, TAG)


@pytest.mark.walks
def test_action_from_the_tag(clone: Path) -> None:
    walk("action.py", clone, program=sys.executable)


@pytest.mark.walks
@pytest.mark.skipif(
    not shutil.which("buildah") or not shutil.which("mmdebstrap"), reason="no builder of images"
)
def test_container(clone: Path) -> None:
    walk("container.sh", clone)

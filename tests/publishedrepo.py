"""The project as a stranger finds it: its tracked files in a repository with a tag, and what is
built of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from repos import environment

from grounded_ingest.version import __version__

PROJECT = Path(__file__).parents[1]
TAG = f"v{__version__}"


def copy_project(place: Path) -> Path:
    """The files of the work tree that git knows or would take, without the evidence."""
    listed = git(PROJECT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in listed.split("\0"):
        if name and not name.startswith(".grounded/") and (PROJECT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, place / name)
    return place


def publish(place: Path) -> Path:
    """A repository with one commit on `main`."""
    copy_project(place)
    git(place, "init", "--quiet", "--template=", "--initial-branch=main")
    git(place, "add", "--all")
    git(place, "commit", "--quiet", "-m", "Publish")
    return place


def build(source: Path, out: Path, **env: str) -> list[Path]:
    """The sdist and the wheel, in this order, by the build backend that is installed."""
    argv = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    env = os.environ | env
    ran = subprocess.run(argv, cwd=source, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return [next(out.glob(pattern)) for pattern in ("*.tar.gz", "*.whl")]


def git(where: Path, *args: str) -> str:
    ran = subprocess.run(
        ["git", *args], cwd=where, env=environment(), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"git {args}: {ran.stderr}"
    return ran.stdout

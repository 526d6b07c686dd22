"""Scenes, each planted once: a command that writes, and what it has to come to."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.injection import Scene, library
from tests.repos import Repo, page

A = "See `src/app.py:1`."
B = "Please refer to `src/app.py:2`."
C = "For details, see `src/app.py:1`."
D = "More details are in `src/app.py:2`."
PORT = "The gateway listens on port 8443 (`src/app.py:1`)."
WRONG = "Backups are taken in `src/none.py:3`."
APP = "GATEWAY_PORT = 8443\nGATEWAY_HOST = 'example'\n"
HOOK = ("check", "--staged", "--write", "--offline")


def told(repo: Repo, *argv: str) -> None:
    """A command, as it has to go."""
    assert repo.command(*argv).returncode == 0


def landed(repo: Repo) -> None:
    """Two documents with their evidence, and no index of the machine that wrote it."""
    repo.commit({"src/app.py": APP, "memory-bank/port.md": page(PORT)})
    repo.stage({"memory-bank/a.md": page(A, C), "memory-bank/gone.md": page(D)})
    told(repo, *HOOK)
    repo.git("commit", "-qm", "notes")
    shutil.rmtree(repo.root / ".git/grounded-ingest")


def staged(repo: Repo) -> None:
    """Evidence to be written, changed and removed."""
    landed(repo)
    changed = {"memory-bank/a.md": page(A, B, D), "memory-bank/deep/new.md": page(C, B)}
    repo.stage({**changed, "memory-bank/gone.md": None})


def waiting(repo: Repo) -> None:
    landed(repo)
    repo.commit({"memory-bank/c.md": page("Invoices are rounded once.", "Backups run at night.")})


def moved(repo: Repo) -> None:
    """Cited lines moved, in two documents."""
    landed(repo)
    repo.commit({"memory-bank/b.md": page(B)})
    repo.commit({"src/app.py": f"\n\n{APP}"})


def bare(repo: Repo) -> None:
    repo.commit({"src/app.py": APP, "memory-bank/a.md": page(A, C, WRONG)})


def fleet(repo: Repo) -> None:
    """Two repositories beside it, of which one is another since the last run."""
    repo.commit()
    for name in ("one", "two"):
        Repo(repo.root.parent / "fleet" / name).commit({"CLAUDE.md": page(A), "src/app.py": APP})
    told(repo, *SCENES["fleet"][0])
    Repo(repo.root.parent / "fleet/two").commit({"CLAUDE.md": page(A, WRONG)})


SCENES: dict[str, tuple[tuple[str, ...], Callable[[Repo], None]]] = {
    "hook": (HOOK, staged),
    "review": (
        ("review", "approve", "--yes", "--offline", "memory-bank/c.md:3", "memory-bank/a.md:5"),
        waiting,
    ),
    "fix": (("check", "--all", "--offline", "--fix"), moved),
    "init": (
        ("init", "--yes", "--offline", "--hook", "git", "--agents", "--baseline"),
        bare,
    ),
    "baseline": (
        (
            "check",
            "--all",
            "--offline",
            "--update-baseline",
            "--baseline",
            ".grounded/accepted.jsonl",
        ),
        bare,
    ),
    "recall": (("recall", "What port does the gateway listen on?"), landed),
    "fleet": (
        ("fleet", "--directory", "../fleet", "--out", "../tables", "--workers", "1"),
        fleet,
    ),
}


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not sys.platform.startswith("linux") or shutil.which("gcc") is None:
        pytest.skip("faults are injected by a library that gcc makes, on Linux")
    return library(tmp_path_factory.mktemp("faults"))


@pytest.fixture(scope="session")
def scenes(compiled: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Scene]:
    made: dict[str, Scene] = {}

    def scene(name: str) -> Scene:
        if name not in made:
            made[name] = Scene(tmp_path_factory.mktemp(name), compiled, *SCENES[name])
        made[name].renew()
        return made[name]

    return scene

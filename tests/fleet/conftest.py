"""A fleet of three real repositories with rules in common."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from grounded_ingest.fleet.jobs import Checking
from grounded_ingest.fleet.run import FleetRun, clones_in, run_fleet
from tests.forked import run_command
from tests.repos import Repo, environment

pytest.importorskip("duckdb")

RULES = (
    "# Rules\n\nNever push to the main branch without a review by its owner.\n\n"
    "Every module of this service keeps its settings in one file only.\n"
)


def cli(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    code, out, err = run_command(("fleet", *args), Path.cwd(), environment() | env)
    return subprocess.CompletedProcess(args, code, out.decode(), err.decode())


class Fleet:
    """Repositories below a directory, and runs over them."""

    def __init__(self, base: Path) -> None:
        self.base, self.out = base / "repos", base / "out"

    def repository(self, name: str) -> Repo:
        repo = Repo(self.base / name)
        if "origin" not in repo.git("remote").split():
            repo.git("remote", "add", "origin", f"https://forge.example/org/{name}.git")
        return repo

    def run(self, *, fresh: bool = False) -> FleetRun:
        return run_fleet(clones_in(str(self.base)), str(self.out), Checking(fresh=fresh), workers=2)


@pytest.fixture(scope="session")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    """Read once; tests that change it make their own."""
    made = Fleet(tmp_path_factory.mktemp("fleet"))
    plant(made)
    made.run()
    return made


def plant(fleet: Fleet) -> None:
    for name in ("gateway", "ledger", "mailer"):
        fleet.repository(name).commit({"CLAUDE.md": RULES})
    fleet.repository("ledger").commit({"CLAUDE.md": RULES + "\nSpeak plainly.\n"})
    fleet.repository("gateway").commit(
        {"src/port.py": "PORT = 8443\n", "memory-bank/run.md": "# Run\n\nThe auth gateway listens on port 8443.\n",
         "AGENTS.md": "# Notes\n\nUse Node 16 to build the gateway.\n"}
    )  # fmt: skip
    fleet.repository("mailer").commit(
        {
            "AGENTS.md": "# Notes\n\nThe table stands in `src/table.py`.\n",
            "src/port.py": "PORT = 9443\n",
        }
    )

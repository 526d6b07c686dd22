"""A fleet of four real repositories: rules in common, one that moved on, one that cites another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grounded_ingest.fleet.jobs import CheckOptions, Limits
from grounded_ingest.fleet.manifest import from_directory
from grounded_ingest.fleet.run import FleetRun, FleetSettings, run_fleet
from tests.repos import Repo, environment

pytest.importorskip("duckdb")

PROJECT = Path(__file__).parents[2]
RULES = (
    "# Rules\n\nNever push to the main branch without a review by its owner.\n\n"
    "Every module of this service keeps its settings in one file only.\n"
)
NEAR = "Always write the change down in the log before a release is made and tell the people on call about it at once, please, by a message of two lines with the link."


def cli(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grounded_ingest", "fleet", *args],
        env=environment() | env, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip


class Fleet:
    """Repositories below a directory, and runs over them."""

    def __init__(self, base: Path) -> None:
        self.base, self.out = base / "repos", base / "out"

    def repository(self, name: str) -> Repo:
        repo = Repo(self.base / name)
        if "origin" not in repo.git("remote").split():
            repo.git("remote", "add", "origin", f"https://forge.example/org/{name}.git")
        return repo

    def run(self, seconds: float = 120, memory_mb: int = 2048, *, fresh: bool = False) -> FleetRun:
        settings = FleetSettings(
            str(self.out), str(self.base.parent / "cache"), CheckOptions(),
            Limits(seconds, memory_mb), workers=2, fresh=fresh,
        )  # fmt: skip
        return run_fleet(from_directory(str(self.base)), settings)


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
         "AGENTS.md": f"# Notes\n\n{NEAR}\n\nUse Node 16 to build the gateway.\n"}
    )  # fmt: skip
    cites = "https://forge.example/org/gateway/blob/main/src"
    fleet.repository("mailer").commit(
        {"memory-bank/run.md": "# Run\n\nThe auth gateway listens on port 9443.\n",
         "AGENTS.md": f"# Notes\n\n{NEAR.replace('please', 'kindly')}\n\n"
         f"The port stands in {cites}/port.py.\n\nThe table stands in {cites}/table.py.\n\n"
         "The list stands in https://forge.example/org/other/blob/main/list.py.\n"}
    )  # fmt: skip


class Example:
    """The example fleet a week later: two runs."""

    def __init__(self, base: Path) -> None:
        self.base, self.out = base, base / "tables"
        self.week()
        self.week(later=True)

    def week(self, *, later: bool = False) -> None:
        planted = [sys.executable, str(PROJECT / "examples/fleet.py"), str(self.base)]
        subprocess.run([*planted, *["--later"][:later]], check=True)
        manifest = str(self.base / "fleet.toml")
        done = cli("--manifest", manifest, "--out", str(self.out), "--sarif")
        assert done.stdout.startswith("archive: error: "), done.stderr


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    """Tests that change it copy its tables."""
    return Example(tmp_path_factory.mktemp("an example"))

"""The nightly workflow's own commands, run as they stand against a forge that asks for the token."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from grounded_ingest.fleet.tables import list_runs
from tests.fleet.conftest import PROJECT, Fleet
from tests.fleet.githttp import TOKEN, git_forge
from tests.repos import environment

WORKFLOW = yaml.safe_load((PROJECT / "examples/github-fleet-nightly.yml").read_text("utf-8"))
STEPS = {s["name"]: s for s in WORKFLOW["jobs"]["fleet"]["steps"] if "run" in s}


class Night:
    """A job of the workflow, with the home, the temporary directory and the checkout of a runner."""

    def __init__(self, base: Path, server: str) -> None:
        self.server, self.checkout = server, base / "checkout"
        own = base / "temp/own/bin"
        for directory in (own, base / "home", self.checkout):
            directory.mkdir(parents=True)
        (own / "grounded-ingest").write_text(
            f'#!/bin/sh\nexec {sys.executable} -m grounded_ingest "$@"\n'
        )
        (own / "grounded-ingest").chmod(0o755)
        self.env = environment() | {
            "HOME": str(base / "home"), "RUNNER_TEMP": str(base / "temp"),
            "GITHUB_STEP_SUMMARY": str(base / "summary"), "PYTHONPATH": str(PROJECT),
        }  # fmt: skip
        del self.env["GIT_CONFIG_GLOBAL"]
        (self.checkout / "fleet.toml").write_text(
            f'[[repository]]\nurl = "{server}/gateway/.git"\nname = "gateway"\nowner = "platform"\n'
        )

    def step(self, name: str) -> None:
        step = STEPS[name]
        known = {"secrets.FLEET_READ_TOKEN": TOKEN, "github.server_url": self.server}
        told = {k: known[v.strip("${} ")] for k, v in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]], cwd=self.checkout,
            env=self.env | told, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, (name, done.stdout, done.stderr)


HTTP_BACKEND = subprocess.run(["git", "--exec-path"], capture_output=True, text=True).stdout.strip()


@pytest.mark.skipif(
    not Path(HTTP_BACKEND, "git-http-backend").exists(), reason="git http-backend is not installed"
)
def test_a_night_reads_with_the_token_and_leaves_it_nowhere(tmp_path: Path) -> None:
    fleet = Fleet(tmp_path)
    fleet.repository("gateway").commit({"CLAUDE.md": "# Rules\n\nPorts stand in `src/gone.py`.\n"})
    with git_forge(fleet.base) as server:
        night = Night(tmp_path / "runner", server)
        for name in [*STEPS][1:]:  # all but the installation
            night.step(name)
        out = night.checkout / "fleet"
        assert len(list_runs(str(out))) == 1
        assert (out / "sarif/gateway.sarif").is_file()
        kept = [p for p in (tmp_path / "runner").rglob("*") if p.is_file()]
        assert [p for p in kept if TOKEN.encode() in p.read_bytes()] == []
        night.step("Check the fleet")  # the token is forgotten: what cannot be read is a row
        night.step("Write the report")
        summary = Path(night.env["GITHUB_STEP_SUMMARY"]).read_text("utf-8")
        assert "gateway     platform  clone" in summary

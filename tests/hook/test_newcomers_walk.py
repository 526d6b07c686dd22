"""A newcomer's walk: from a first run in a fresh environment to a merged change that CI passes, with
real git and the real pre-commit. Every output is kept; `REGOLD=1 pytest` writes them anew."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from hookrepo import GIT_CONFIG, PROJECT, Ran, Repo, environment

WALK = Path(__file__).parent / "walk"
ENTRIES = {"grounded-ingest": "grounded_ingest.__main__", "pre-commit": "pre_commit.main"}
FIVE_MINUTES, INSTALLATION = 300, 60
"""Seconds. An installation with its packages took 17 to 21 s (docs/performance.md)."""
SOURCE = 'HOST = "db"\nGATEWAY_PORT = 8443\nUPLOAD_MB = 20\n'
CLAUDE = """\
# Claude

Run the tests before you commit.

- The gateway listens on port 8443 (`src/settings.py:2`).
- Uploads of up to 50 MB are accepted (`src/settings.py:3`).
- The queue is described in `docs/queue.md`.
- I think the cache is shared between all workers.
"""
MEMORY = """\
# Progress

- The limits are in `src/limits.py:1`.
"""
BAD = """\
- The host of the database is called db (`src/settings.py:9`).
- Maybe the gateway restarts at night.
"""
MENDED = """\
- `HOST` is db (`src/settings.py::HOST`).
"""
MEANWHILE = """\
# Guide

The gateway listens on port 8443 (`src/settings.py::GATEWAY_PORT`).
"""


class Walk:
    """A person in a repository. What is typed and answered is kept, a file for each step."""

    def __init__(self, home: Path, program: Path) -> None:
        (home / "work").mkdir(parents=True)
        (home / ".gitconfig").write_text(GIT_CONFIG)
        env = environment(home)
        del env["PYTHONPATH"]
        self.repo = Repo(home / "work", env)
        self.program, self.told = program, dict[str, str]()
        self._home = home

    def step(self, name: str, *argv: str, code: int = 0, where: str = ".") -> Ran:
        """Type a command, keep what it says without what differs from run to run."""
        env = self.repo.env | ({"CI": "true"} if name.startswith("ci") else {})
        ran = Repo(self.repo.root / where, env).run(*argv)
        text = f"$ {shlex.join(argv)}\n{ran.out}".replace("\r", "\n")
        for place, shown in ((str(self.program.parent), "ENV"), (str(self._home), "HOME")):
            text = text.replace(place, shown)
        text = re.sub(r"\b(?!0{7})[0-9a-f]{7,40}\b", "COMMIT", text)
        text = re.sub(r"- duration: [\d.]+s", "- duration: 0s", text)
        self.told[f"{len(self.told) + 1:02}-{name}.txt"] = text
        assert ran.code == code, ran.out
        return ran

    def append(self, path: str, text: str) -> None:
        self.repo.write(path, self.repo.read(path) + text)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command in an environment of its own, as `uvx` or `pipx run` have it: this checkout, the
    packages it needs, and scripts; nothing of it is on PATH."""
    there = tmp_path_factory.mktemp("fresh") / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(there)], check=True)
    (packages,) = there.glob("lib/python*/site-packages")
    needed = Path(click.__file__).parents[1]
    (packages / "checkout.pth").write_text(f"{PROJECT}\n{needed}\n")
    for name, module in ENTRIES.items():
        script = there / "bin" / name
        start = f"import sys\nfrom {module} import main\nsys.exit(main())\n"
        script.write_text(f"#!{there}/bin/python\n{start}")
        script.chmod(0o755)
    return there / "bin/grounded-ingest"


@pytest.fixture
def walk(tmp_path: Path, program: Path) -> Walk:
    """A repository whose documents for agents hold defects, and where it is pushed to."""
    walk = Walk(tmp_path / "home", program)
    repo = walk.repo
    repo.git("init", "--quiet", "--template=")
    repo.write("src/settings.py", SOURCE)
    repo.write("CLAUDE.md", CLAUDE)
    repo.write("memory-bank/progress.md", MEMORY)
    repo.git("add", ".")
    repo.git("commit", "--quiet", "-m", "Begin")
    repo.git("clone", "--quiet", "--bare", ".", "../origin.git")
    repo.git("remote", "add", "origin", "../origin.git")
    repo.git("fetch", "--quiet", "origin")
    repo.git("remote", "set-head", "origin", "main")
    return walk


def printed(ran: Ran, beginning: str) -> list[str]:
    """The words of a command that an output names."""
    rows = (row.strip() for row in ran.out.splitlines())
    return shlex.split(next(row for row in rows if row.startswith(beginning)))


def _walked(walk: Walk) -> Iterator[str]:
    """Walk; what each part shows besides its output."""
    repo = walk.repo
    before = repo.state()
    first = walk.step("first-run", str(walk.program))
    assert repo.state() == before
    yield "the first run writes nothing"

    assert printed(first, f"{walk.program} init") is not None
    # As `uv tool install` and `pipx install` do once a person wants to keep it.
    repo.env["PATH"] = f"{walk.program.parent}{os.pathsep}{repo.env['PATH']}"
    # The program is on PATH, and pre-commit must not build it anew in a test.
    own = ("--repo", "local", "--preset", "default")
    asked = ("grounded-ingest", "init", "--yes", *own, "--baseline", "--agents")
    ready = walk.step("init", *asked)
    walk.step("init-again", *asked)
    walk.step("add", *printed(ready, "git add"))
    walk.step("commit-the-set-up", "git", "commit", "-m", "Set up grounded-ingest")
    assert repo.status() == []
    walk.step("all-is-accepted", "grounded-ingest", "check", "--all", "--offline")
    walk.step("push-the-set-up", "git", "push", "origin", "main")
    yield "the set-up lands"

    repo.git("switch", "--quiet", "--create", "agent")
    walk.append("memory-bank/progress.md", BAD)
    repo.git("add", ".")
    head = repo.git("rev-parse", "HEAD")
    walk.step("agents-commit-is-stopped", "git", "commit", "-m", "Learn", code=1)
    assert repo.git("rev-parse", "HEAD") == head
    walk.step("ask-why", "grounded-ingest", "explain", "memory-bank/progress.md:5")
    repo.write("memory-bank/progress.md", MEMORY + MENDED)
    repo.git("add", ".")
    walk.step("agents-commit-is-mended", "git", "commit", "-m", "Learn")
    yield "an agent's commit is stopped, explained and mended"

    walk.step("ci-of-the-branch", "grounded-ingest", "check", "--since", "origin/main", "--offline")
    repo.git("switch", "--quiet", "main")
    repo.write("memory/guide.md", MEANWHILE)
    repo.git("add", ".")
    walk.step("meanwhile-on-main", "git", "commit", "-m", "Write a guide")
    walk.step("merge", "git", "merge", "--no-ff", "-m", "Merge what the agent learned", "agent")
    assert len(repo.git("rev-list", "--parents", "-1", "HEAD").split()) == 3
    since = repo.git("rev-parse", "origin/main").strip()
    walk.step("push", "git", "push", "origin", "main")
    repo.git("clone", "--quiet", "../origin.git", "../ci")
    ci = ("check", "--since", since, "--offline")
    walk.step("ci", "grounded-ingest", *ci, where="../ci")
    yield "CI passes what was merged"


def test_a_newcomers_walk(walk: Walk) -> None:
    """From nothing to a merged pull request, in less than five minutes for the machine."""
    start = time.monotonic()
    assert len(list(_walked(walk))) == 4
    assert time.monotonic() - start < FIVE_MINUTES - INSTALLATION
    if os.environ.get("REGOLD"):
        WALK.mkdir(exist_ok=True)
        for old in WALK.iterdir():
            old.unlink()
        for name, text in walk.told.items():
            (WALK / name).write_text(text, encoding="utf-8")
    assert sorted(walk.told) == sorted(p.name for p in WALK.iterdir())
    for name, text in walk.told.items():
        assert text == (WALK / name).read_text(encoding="utf-8"), name

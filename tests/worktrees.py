"""Work trees whose processes know nothing of the caller's git, agent, terminal or CI."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.forked import run_command

PROJECT = Path(__file__).parents[1]
KEPT = ("PATH", "LANG", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")


class Ran(NamedTuple):
    """What a process answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment(home: Path) -> dict[str, str]:
    """The environment of a process; authors and dates are always the same."""
    env = {name: os.environ[name] for name in KEPT if name in os.environ}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(PROJECT)]))
    env |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
    env |= {"GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true", "PYTHONUTF8": "1"}
    return env | author("Ada", "ada@example.org")


def author(name: str, email: str) -> dict[str, str]:
    env = {}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": name, f"GIT_{role}_EMAIL": email}
        env[f"GIT_{role}_DATE"] = "2026-01-05T12:00:00+0000"
    return env


NEW = """[core]
\trepositoryformatversion = 0
\tbare = false
\tlogallrefupdates = true
[maintenance]
\tauto = false
"""


def new_repository(root: Path) -> None:
    """Writes an empty repository on `main`, as `git init` does, without starting git. Its commits
    start no `git maintenance`. The tests need about 3,000 of them."""
    (root / ".git/objects").mkdir(parents=True)
    (root / ".git/refs").mkdir()
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git/config").write_text(NEW)


class WorkTree:
    """A directory, mostly a work tree, and the environment its processes are started with."""

    def __init__(self, root: Path, env: dict[str, str]) -> None:
        self.root, self.env = root, env

    def run(self, *argv: str, where: str = ".", stdin: bytes = b"", **env: str) -> Ran:
        ran = subprocess.run(
            argv,
            cwd=self.root / where,
            env=self.env | env,
            input=stdin,
            capture_output=True,
            timeout=120,
            check=False,
        )
        out, err = ran.stdout.decode(errors="replace"), ran.stderr.decode(errors="replace")
        return Ran(ran.returncode, out, err)

    def ask(self, *args: str, where: str = ".", stdin: bytes = b"", **env: str) -> Ran:
        """Run a command of grounded-ingest."""
        told = self.env | env
        own = environment(Path(self.env["HOME"]))
        if any(told.get(k) != own.get(k) for k in told if k.startswith("PYTHON")):
            command = (sys.executable, "-m", "grounded_ingest", *args)
            return self.run(*command, where=where, stdin=stdin, **env)
        code, out, err = run_command(args, self.root / where, told, stdin)
        return Ran(code, out.decode(errors="replace"), err.decode(errors="replace"))

    def git(self, *args: str) -> str:
        ran = self.run("git", "-c", "protocol.file.allow=always", *args)
        assert ran.code == 0, f"git {args}\n{ran.err}{ran.out}"
        return ran.out

    def commit_index(self, message: str, *options: str) -> str:
        """Commits the index past any hook. Returns the new commit's id."""
        commit = ("commit", "--no-verify", "--allow-empty", "-m", message, *options)
        return self.git("-c", "core.abbrev=no", *commit).partition("]")[0].rpartition(" ")[2]

    def write(self, path: str, text: str | bytes | None) -> None:
        """Write a file; None removes it."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            file.unlink()
        else:
            file.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

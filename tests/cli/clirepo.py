"""Real repositories, and the command as people start it: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.forked import run_command

PROJECT = Path(__file__).parents[2]
DOCUMENT = "memory-bank/progress.md"
GROUNDED = "The gateway listens on port 8443 (`src/app.py:2`)."
UNGROUNDED = "Sessions are stored in PostgreSQL for one day."
BLOCKED = "I think we should use Redis for the session cache."
PAGE = f"""# Progress

{GROUNDED}

{UNGROUNDED}

Which cache do we use?

```
code
```
"""
SOURCE = 'HOST = "db"\nGATEWAY_PORT = 8443\n'


class Ran(NamedTuple):
    """What a process answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment(home: Path) -> dict[str, str]:
    """Nothing of the caller's git, agent, terminal or CI."""
    kept = ("PATH", "LANG", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(PROJECT)]))
    env |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
    env |= {"GIT_TERMINAL_PROMPT": "0", "PYTHONUTF8": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        env[f"GIT_{role}_NAME"] = "Ada"
        env[f"GIT_{role}_EMAIL"] = "ada@example.org"
        env[f"GIT_{role}_DATE"] = "2026-01-05T12:00:00+0000"
    return env


class Repo:
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

    def check(self, *args: str, **env: str) -> Ran:
        return self.ask("check", "--offline", *args, **env)

    def report(self, *args: str, **env: str) -> Any:
        """The JSON report of a check."""
        ran = self.check(*args, "--output-format", "json", **env)
        assert ran.code in (0, 1), ran.err
        return ran.json

    def git(self, *args: str) -> str:
        ran = self.run("git", "-c", "protocol.file.allow=always", *args)
        assert ran.code == 0, f"git {args}\n{ran.err}"
        return ran.out

    def write(self, path: str, text: str | bytes) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    def commit(self, path: str, text: str | bytes) -> str:
        """Commit a file, past any hook; the new commit."""
        self.write(path, text)
        self.git("add", "--force", "--", path)
        self.git("commit", "--quiet", "--no-verify", "-m", f"Write {path}")
        return self.git("rev-parse", "HEAD").strip()

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def evidence(self) -> dict[str, str]:
        """The evidence files on disk."""
        below = self.root / ".grounded/evidence"
        files = (p for p in sorted(below.rglob("*")) if p.is_file())
        return {p.relative_to(below).as_posix(): p.read_text("utf-8") for p in files}

    def beside(self, name: str) -> Repo:
        """Another directory next to this one."""
        (self.root.parent / name).mkdir(exist_ok=True)
        return Repo(self.root.parent / name, self.env)

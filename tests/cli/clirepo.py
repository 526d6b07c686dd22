"""Real repositories, and the command as people start it: a process of its own."""

from __future__ import annotations

from typing import Any

from worktrees import PROJECT as PROJECT
from worktrees import Ran as Ran
from worktrees import WorkTree
from worktrees import environment as environment

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


class Repo(WorkTree):
    """A work tree whose commits are of one file."""

    def check(self, *args: str, **env: str) -> Ran:
        return self.ask("check", "--offline", *args, **env)

    def report(self, *args: str, **env: str) -> Any:
        """The JSON report of a check."""
        ran = self.check(*args, "--output-format", "json", **env)
        assert ran.code in (0, 1), ran.err
        return ran.json

    def commit(self, path: str, text: str | bytes) -> str:
        """Commit a file, past any hook; the new commit."""
        self.write(path, text)
        self.git("add", "--force", "--", path)
        return self.commit_index(f"Write {path}")

    def evidence(self) -> dict[str, str]:
        """The evidence files on disk."""
        below = self.root / ".grounded/evidence"
        files = (p for p in sorted(below.rglob("*")) if p.is_file())
        return {p.relative_to(below).as_posix(): p.read_text("utf-8") for p in files}

    def beside(self, name: str) -> Repo:
        """Another directory next to this one."""
        (self.root.parent / name).mkdir(exist_ok=True)
        return Repo(self.root.parent / name, self.env)

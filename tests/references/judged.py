"""A real repository, and the evidence for the citations of its one uncommitted document."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from grounded_ingest.api import check
from grounded_ingest.model.claims import Decision, Evidence
from grounded_ingest.repository.scope import Asked

PAGE = "docs/page.md"


class World:
    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        self.git("init", "--quiet", "--template=", "--initial-branch=main")

    def git(self, *args: str) -> str:
        env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for role in ("AUTHOR", "COMMITTER"):
            env |= {f"GIT_{role}_NAME": "Ada", f"GIT_{role}_EMAIL": "ada@example.org"}
            env |= {f"GIT_{role}_DATE": "2026-01-05T12:00:00+0000"}
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *args],
            cwd=self.root,
            env=env,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def commit(self, **files: str) -> str:
        """Commit all there is, with these files added (`__` for a slash, `_dot_` for a dot)."""
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_dot_", "."), text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Change the port")
        return self.git("rev-parse", "HEAD")

    def decide(self, *claims: str) -> list[Decision]:
        """Decisions for claims of a document that is not committed, offline."""
        self.write(PAGE, "# Page\n\n" + "".join(f"{claim}\n\n" for claim in claims))
        report = check(str(self.root), Asked("paths", (PAGE,)), online=False)
        assert len(report.decisions) == len(claims)
        return list(report.decisions)


def said(decision: Decision) -> list[tuple[str, str, str]]:
    """(target, verdict, reason) of every citation."""
    return [(e.target, e.verdict.value, e.reason) for e in decision.evidence]


def only(decision: Decision) -> Evidence:
    (evidence,) = decision.evidence
    return evidence

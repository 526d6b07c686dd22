"""A clone to plant falsehoods in: the index is edited, no work tree is needed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.process import GIT, environment
from grounded_ingest.git.repository import Repo

CLOCK = 1_700_000_000
_WHO = {"NAME": "Bench", "EMAIL": "bench@example.org", "DATE": f"{CLOCK} +0000"}


def run_git(cwd: str, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
    """Run git as a benchmark's author; hooks and configuration of the user are left out. Only
    commands that are asked to copy objects may use a transport, that of files."""
    who = {f"GIT_{r}_{k}": v for r in ("AUTHOR", "COMMITTER") for k, v in _WHO.items()}
    alone = {"GIT_CONFIG_GLOBAL": os.devnull}
    if args[0] in ("clone", "fetch"):
        alone["GIT_ALLOW_PROTOCOL"] = "file"
    done = subprocess.run(
        [*GIT, *args],
        cwd=cwd,
        env={**environment(own=False), **who, **alone, **(env or {})},
        input=stdin,
        check=True,
        capture_output=True,
    )
    return os.fsdecode(done.stdout).strip()


class Workshop:
    """A clone of a repository below a directory, whose index can be filled and restored, at its
    HEAD or another commit.

    `named` are refs of it that look like object ids, `unreachable` a commit nothing leads to.
    """

    named = ("deadbee", "facade1")

    def __init__(self, source: str, directory: str, commit: str = "") -> None:
        self.root = f"{directory}/work"
        place = _place(source)
        try:
            how = ("-q", "--shared", "--no-checkout", "--template=")
            run_git(directory, "clone", *how, place, self.root)
            if commit:
                self.git("update-ref", "--no-deref", "HEAD", commit)
            self.git("read-tree", "HEAD")
        except subprocess.CalledProcessError as error:
            said = os.fsdecode(error.stderr).strip()
            raise GroundedIngestError(f"{source} could not be cloned: {said}") from None
        self.head = self.git("rev-parse", "HEAD")
        self.git("tag", "--force", self.named[0])
        self.git("branch", "--force", self.named[1])
        tree = self.git("rev-parse", "HEAD^{tree}")
        self.unreachable = self.git("commit-tree", tree, "-m", "never landed")

    def git(self, *args: str, stdin: bytes = b"") -> str:
        return run_git(self.root, *args, stdin=stdin)

    def read(self, path: str) -> str:
        """The text of a file at HEAD, empty where there is none."""
        try:
            return self.git("show", f"{self.head}:{path}") + "\n"
        except subprocess.CalledProcessError:
            return ""

    def stage(self, files: Mapping[str, str]) -> None:
        rows = []
        for path, text in files.items():
            oid = self.git("hash-object", "-w", "--stdin", stdin=text.encode())
            rows.append(f"100644 {oid}\t{path}\0")
        self.git("update-index", "-z", "--index-info", stdin="".join(rows).encode())


def _place(source: str) -> str:
    """Where to clone from. Raises GroundedIngestError for what is no repository with a commit."""
    with Repo(source, own=False) as repo:
        if not repo.head():
            raise GroundedIngestError(f"{source} has no commit yet")
        return os.path.abspath(repo.root)

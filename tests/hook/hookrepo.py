"""A real repository guarded by the hook, and the questions its tests ask of git."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import worktrees
from worktrees import PROJECT as PROJECT
from worktrees import WorkTree

PYTHON = shlex.quote(sys.executable)
CHECK = "grounded_ingest check --staged --write --offline"
COMMAND = f"{PYTHON} -m {CHECK}"
DOCUMENT = "memory-bank/progress.md"
BLOCKED = "I think we should use Redis for the session cache."
UNCITED = "Backups are taken at night."
SOURCE = 'HOST = "db"\nGATEWAY_PORT = 8443\n'
SENTENCES = (
    "See `src/app.py:1`.",
    "Please refer to `src/app.py`.",
    "For details, see `src/app.py:2`.",
    "More details are in `src/app.py`.",
    "See also `src/app.py:1`.",
    "For details, see `src/app.py:1`.",
    "Please refer to `src/app.py:2`.",
    "See also `src/app.py:2`.",
)
"""Pointers: each has a line of evidence, and stops nothing."""
X = "See `src/app.py`."
Y = "Please refer to `src/app.py:1`."

CONFIG = """\
repos:
  - repo: local
    hooks:
      - id: grounded-ingest
        name: grounded-ingest
        language: unsupported
        entry: {entry}
        pass_filenames: false
        always_run: true
        require_serial: true
        verbose: true
        stages: [pre-commit, pre-merge-commit, pre-push, manual]
"""
LATER_HOOK = """\
      - id: later
        name: later
        language: unsupported
        entry: "false"
        pass_filenames: false
        always_run: true
"""
GIT_CONFIG = """\
[init]
    defaultBranch = main
[protocol "file"]
    allow = always
[advice]
    detachedHead = false
    addIgnoredFile = false
[maintenance]
    auto = false
"""


with_pre_commit = pytest.mark.parametrize("driver", ["pre-commit"], indirect=True)
"""For tests of unstaged edits, which pre-commit stashes, of its merges and of its own commands."""


class Ran(NamedTuple):
    """What a process answered; `out` holds both of its streams."""

    code: int
    out: str


def page(*sentences: str) -> str:
    """A Markdown document in which every sentence is a paragraph; the first stands in line 3."""
    return "\n\n".join(["# Progress", *sentences]) + "\n"


def evidence_path(document: str) -> str:
    return f".grounded/evidence/{document}.jsonl"


def claims(document: str, evidence: str) -> list[str]:
    """The claims of an evidence file, which has to have them in the order of the document."""
    found = [json.loads(line)["claim"] for line in evidence.splitlines()]
    assert "\r" not in evidence
    assert evidence.endswith("\n") or not evidence
    words, at = " ".join(document.split()), 0
    for claim in found:
        if claim in words:  # else it is of a former text
            at = words.index(claim, at) + len(claim)
    return found


def environment(home: Path) -> dict[str, str]:
    """The environment of a hook, with caches of its own."""
    caches = {"XDG_CACHE_HOME": str(home), "PRE_COMMIT_HOME": str(home / "pre-commit")}
    return worktrees.environment(home) | caches


class Repo(WorkTree):
    """A work tree under the hook; both streams of a process are read as one."""

    def run(self, *argv: str) -> Ran:
        ran = subprocess.run(
            argv,
            cwd=self.root,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout.decode(errors="replace"))

    def git(self, *args: str) -> str:
        """The output of a git command that has to work."""
        ran = self.run("git", *args)
        assert ran.code == 0, f"git {shlex.join(args)}\n{ran.out}"
        return ran.out

    def commit(self, *args: str) -> Ran:
        return self.run("git", "commit", "-m", "change", *args)

    def pre_commit(self, *args: str) -> Ran:
        return self.run(sys.executable, "-m", "pre_commit", *args)

    def stage(self, path: str, text: str) -> None:
        self.write(path, text)
        self.git("add", "--", path)

    def land(self, path: str, *sentences: str) -> None:
        """Commit a document through the hook."""
        self.stage(path, page(*sentences))
        self.expect_commit()

    def given(self, document: str, *sentences: str) -> None:
        """Commits a document with the evidence that the hook writes, but runs no hook: for what is
        there before the commit that a test is about."""
        self.stage(document, page(*sentences))
        ran = self.ask("check", "--staged", "--write", "--offline")
        assert ran.code == 0, ran.out
        self.git("commit", "--quiet", "--no-verify", "-m", "given")

    def expect_commit(self, *args: str) -> str:
        ran = self.commit(*args)
        assert ran.code == 0, ran.out
        assert "Traceback" not in ran.out
        return ran.out

    def bypass(self, path: str, text: str) -> None:
        """Commit a file past the hook."""
        self.stage(path, text)
        self.git("commit", "--no-verify", "-m", "bypass")

    def changed(self) -> set[str]:
        """The paths that HEAD differs in from its first parent."""
        flags = ("--no-renames", "--name-only", "-z", "--root", "-r", "--no-commit-id")
        return set(filter(None, self.git("diff-tree", *flags, "HEAD").split("\0")))

    def tree(self) -> set[str]:
        names = self.git("ls-tree", "-r", "-z", "--name-only", "HEAD")
        return set(filter(None, names.split("\0")))

    def status(self) -> list[str]:
        return list(filter(None, self.git("status", "--porcelain", "-z").split("\0")))

    def state(self) -> tuple[str, str, dict[str, bytes]]:
        """HEAD, the index and every file of the work tree."""
        files = (file for file in self.root.rglob("*") if file.is_file())
        return (
            self.run("git", "rev-parse", "-q", "--verify", "HEAD").out,
            self.git("ls-files", "--stage", "-v"),
            {
                str(file): file.read_bytes()
                for file in files
                if ".git" not in file.relative_to(self.root).parts
            },
        )

    def evidence(self, document: str = DOCUMENT, where: str = "HEAD") -> list[str]:
        """The claims in the evidence of a document: of a revision, or "" for the index."""
        ran = self.run("git", "cat-file", "blob", f"{where}:{evidence_path(document)}")
        text = ran.out if ran.code == 0 else ""
        return claims(self.git("cat-file", "blob", f"{where}:{document}"), text)

    def on_disk(self, document: str = DOCUMENT) -> list[str]:
        file = self.root / evidence_path(document)
        text = file.read_bytes().decode() if file.exists() else ""
        return claims(self.git("cat-file", "blob", f":{document}"), text)

"""A repository on a forge: main, a pull request, and checkouts of it."""

from __future__ import annotations

import shutil
from copy import copy
from pathlib import Path
from typing import Any

from actionrunner import Runner, environment, git
from worktrees import WorkTree, new_repository

DOCUMENT = "memory-bank/progress.md"
PAGE = "# Progress\n\nThe gateway listens on port 8443 (`src/app.py:2`).\n\nSessions are kept for one day.\n"
BLOCKED = "I think we should use Redis for the session cache."


class Forge:
    """`main` has three commits; the pull request of `change` branches off the second."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.work, self.bare = home / "author", home / "forge.git"
        new_repository(self.work)
        self.first = self.commit("src/app.py", 'HOST = "db"\nGATEWAY_PORT = 8443\n')
        self.second = self.commit(DOCUMENT, PAGE)
        git(self.work, "branch", "change")
        self.main = self.commit("README.md", "# Notes\n")
        git(home, "clone", "--quiet", "--bare", str(self.work), str(self.bare))
        git(self.bare, "config", "uploadpack.allowAnySHA1InWant", "true")  # as GitHub does

    def commit(self, path: str, text: str, message: str = "") -> str:
        file = self.work / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        git(self.work, "add", "--force", "--", path)
        return WorkTree(self.work, environment(self.home)).commit_index(message or f"Write {path}")

    def copy(self, home: Path) -> Forge:
        """This forge at another place, which costs less than its commits."""
        shutil.copytree(self.home, home, dirs_exist_ok=True)
        forge = copy(self)
        forge.home, forge.work, forge.bare = home, home / "author", home / "forge.git"
        return forge

    def pull(self, text: str, *more: tuple[str, str]) -> tuple[str, str]:
        """(head, merge commit) of a pull request that adds this to the document."""
        git(self.work, "checkout", "--quiet", "change")
        head = self.commit(DOCUMENT, f"{PAGE}\n{text}\n")
        for path, written in more:
            head = self.commit(path, written)
        git(self.work, "checkout", "--quiet", "--detach", "main")
        git(self.work, "merge", "--quiet", "--no-ff", "-m", "Merge", "change")
        merge = git(self.work, "rev-parse", "HEAD")
        git(self.work, "push", "--quiet", str(self.bare), f"{merge}:refs/pull/7/merge", "change")
        return head, merge

    def push(self, text: str) -> str:
        git(self.work, "checkout", "--quiet", "main")
        pushed = self.commit(DOCUMENT, f"{PAGE}\n{text}\n")
        git(self.work, "push", "--quiet", str(self.bare), "main")
        return pushed

    def checkout(self, commit: str, depth: int = 1) -> Path:
        """As actions/checkout does it; depth 0 is the whole history of all branches."""
        where = self.home / "workspace"
        new_repository(where)
        git(where, "remote", "add", "origin", f"file://{self.bare}")
        shallow = [f"--depth={depth}"] if depth else []
        if not depth:
            git(
                where,
                "fetch",
                "--quiet",
                "--no-tags",
                "origin",
                "+refs/heads/*:refs/remotes/origin/*",
            )
        git(where, "fetch", "--quiet", "--no-tags", *shallow, "origin", commit)
        git(where, "checkout", "--quiet", "--detach", commit)
        return where

    def job(self, where: Path, event: str, payload: dict[str, Any], **github: str) -> Runner:
        told = {"repository": {"default_branch": "main"}, **payload}
        return Runner(self.home, where, event, told, **github)


def pull_request(forge: Forge, head: str, *, fork: bool = False) -> dict[str, Any]:
    full = "mallory/notes" if fork else "ada/notes"
    return {
        "action": "synchronize",
        "number": 7,
        "pull_request": {
            "number": 7,
            "title": "::error::owned <script>",
            "base": {"sha": forge.main, "ref": "main"},
            "head": {"sha": head, "ref": "change", "repo": {"full_name": full, "fork": fork}},
        },
    }

"""The shipped repository: small but real, built by a script, with claims known to be true.

Code, configuration, ADRs, docs, memory files, two people and an agent, merges, moved and deleted
files, and a remote whose main branch is base.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from benchmarks.courier import (
    ADRS,
    API,
    CONFIG,
    QUEUE,
    SERVICE,
    TrueClaim,
    adr,
    true_claims,
)
from benchmarks.workshop import CLOCK, run_git

PEOPLE = {"ana": "Ana <ana@example.org>", "ben": "Ben <ben@example.org>"}
AGENT = "Claude <noreply@anthropic.com>"


class Shipped(NamedTuple):
    """The built repository: its work tree, its commits by name, its true claims."""

    root: str
    commits: dict[str, str]
    claims: list[TrueClaim]


class _Builder:
    def __init__(self, root: str) -> None:
        self.root = root
        self.clock = CLOCK

    def git(self, *args: str, author: str = "Ana <ana@example.org>") -> str:
        name, _, address = author.rstrip(">").partition(" <")
        self.clock += 3600
        who = {
            f"GIT_{role}_{what}": value
            for role in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", name), ("EMAIL", address), ("DATE", f"{self.clock} +0000"))
        }
        return run_git(self.root, *args, env={**who, "GIT_CONFIG_NOSYSTEM": "1"})

    def commit(self, message: str, files: dict[str, str], author: str) -> str:
        for path, text in files.items():
            full = f"{self.root}/{path}"
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message, author=author)
        return self.git("rev-parse", "HEAD")


def build(directory: str) -> Shipped:
    """Build the shipped repository below a directory; the same bytes and ids every time."""
    b, ana, ben = _Builder(f"{directory}/courier"), PEOPLE["ana"], PEOPLE["ben"]
    os.makedirs(b.root)
    b.git("init", "--quiet", "--template=", "--initial-branch=main")
    commits = {
        "config": b.commit(
            "Add settings",
            {"README.md": "# Courier\n\nDelivers parcels.\n", "src/courier/config.py": CONFIG},
            ana,
        )
    }
    commits["queue"] = b.commit("Add the delivery queue", {"src/courier/queue.py": QUEUE}, ben)
    commits["api"] = b.commit(
        "Add HTTP endpoints",
        {"src/courier/api.py": API, "src/courier/legacy.py": "OLD = True\n"},
        ana,
    )
    commits["service"] = b.commit(
        "Add service configuration", {"config/service.yaml": SERVICE}, ben
    )
    adrs = {f"docs/adr/{name}.md": adr(name, *rest) for name, rest in ADRS.items()}
    commits["adrs"] = b.commit("Record decisions", adrs, ana)
    b.git("mv", "src/courier/queue.py", "src/courier/delivery.py")
    commits["move"] = b.commit("Rename queue to delivery", {}, ben)
    b.git("rm", "--quiet", "src/courier/legacy.py")
    commits["removal"] = b.commit("Remove the legacy module", {}, ana)
    b.git("checkout", "--quiet", "-b", "sessions")
    commits["sessions"] = b.commit(
        "Keep sessions in PostgreSQL", {"src/courier/sessions.py": "TABLE = 'sessions'\n"}, ben
    )
    b.git("checkout", "--quiet", "main")
    b.git("merge", "--quiet", "--no-ff", "--message", "Merge sessions", "sessions", author=ana)
    commits["merge"] = b.git("rev-parse", "HEAD")
    claims = true_claims(commits)
    documents: dict[str, str] = {
        "CLAUDE.md": "# Courier\n\n@memory-bank/techContext.md\n\n"
        "Run the tests before every commit.\n"
    }
    for claim in claims:
        documents.setdefault(claim.path, "# Notes\n")
        documents[claim.path] += f"\n{claim.text}\n"
    message = "Write down what we know\n\nCo-Authored-By: " + AGENT
    commits["memory"] = b.commit(message, documents, AGENT)
    _surroundings(b, commits, directory)
    return Shipped(b.root, commits, claims)


def _surroundings(b: _Builder, commits: dict[str, str], directory: str) -> None:
    """A remote, an unmerged branch, names that look like object ids."""
    b.git("checkout", "--quiet", "-b", "experiment")
    commits["unmerged"] = b.commit(
        "Try an event log", {"src/courier/events.py": "EVENTS = True\n"}, PEOPLE["ben"]
    )
    b.git("checkout", "--quiet", "main")
    b.git("tag", "deadbee")
    b.git("branch", "facade1")
    b.git("clone", "--quiet", "--bare", ".", f"{directory}/origin.git")
    b.git("remote", "add", "origin", f"{directory}/origin.git")
    b.git("fetch", "--quiet", "origin")
    b.git("update-ref", "-d", "refs/remotes/origin/experiment")
    b.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")  # as a clone has

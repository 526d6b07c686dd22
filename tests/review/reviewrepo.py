"""Real repositories with several people in them, and the review commands as they start them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from worktrees import Ran, WorkTree, author, environment, new_repository

from grounded_ingest.records.review_log import digest_of

NOTES = "memory-bank/notes.md"
LOG = f".grounded/reviews/{NOTES}.jsonl"
FIRST = "The worker takes its jobs from the queue table."
SECOND = "Sessions are stored in PostgreSQL for one day."
THIRD = "Releases are cut from the main branch every Tuesday."
FOURTH = "Uploads go straight to object storage."
ANN, BOB, EVE = "ann@example.org", "bob@example.org", "eve@example.org"
AGENT = "noreply@anthropic.com"


def page(*claims: str, title: str = "Notes") -> str:
    """A document in which every claim is a paragraph."""
    return "\n\n".join([f"# {title}", *claims]) + "\n"


class Clone(WorkTree):
    """A work tree and the person who sits before it."""

    def __init__(self, root: Path, who: str = ANN) -> None:
        root.mkdir(parents=True, exist_ok=True)
        super().__init__(root, environment(root.parent) | author(who.partition("@")[0], who))
        self.who = who

    def of(self, who: str) -> Clone:
        """The same work tree with somebody else before it."""
        return Clone(self.root, who)

    def git(self, *args: str) -> str:
        return super().git(*args).strip()

    def review(self, *args: str, **env: str) -> Ran:
        return self.ask("review", *args, "--offline", **env)

    def approve(self, *args: str, **env: str) -> Ran:
        ran = self.review("approve", *args, "--yes", **env)
        assert ran.code in (0, 1), ran.err
        return ran

    def commit(self, message: str = "change", *options: str) -> str:
        """Commit everything past any hook; the new commit."""
        self.git("add", "-A")
        return self.commit_index(message, *options)

    def put(self, path: str, text: str | None, message: str = "change") -> str:
        self.write(path, text)
        return self.commit(message)

    def log(self, path: str = LOG) -> list[dict[str, Any]]:
        """The lines of a review log."""
        if not (self.root / path).exists():
            return []
        return [json.loads(line) for line in self.read(path).splitlines()]

    def rules(self, *scope: str) -> dict[str, str]:
        """Claim to rule, of a check."""
        return {d["claim"]: d["rule"] for d in self.report(*scope)["decisions"]}

    def report(self, *scope: str) -> Any:
        ran = self.ask("check", *(scope or ("--all",)), "--offline", "--output-format", "json")
        assert ran.code in (0, 1), ran.err
        return ran.json


def forged(repo: Clone, reviewer: str = ANN, claim: str = FIRST) -> str:
    """A log with an approval that nobody gave."""
    (found,) = [d for d in repo.report("--all")["decisions"] if d["claim"] == claim]
    line = {k: found[k] for k in ("id", "section", "claim")} | {"action": "approve"}
    line |= {"digest": digest_of(claim, ""), "reviewer": reviewer}
    return json.dumps(line | {"reviewed_at": "2026-01-01T00:00:00Z"}) + "\n"


def start(root: Path, who: str = ANN, *claims: str) -> Clone:
    """A repository on `main` with one document, its claims written by Eve."""
    new_repository(root)
    Clone(root, EVE).put(NOTES, page(*(claims or (FIRST, SECOND, THIRD))), "notes")
    return Clone(root, who)


def team(tmp_path: Path, *claims: str) -> tuple[Clone, Clone]:
    """A bare origin behind two clones: Eve's and Ann's."""
    first = start(tmp_path / "eve", EVE, *claims)
    first.git("clone", "-q", "--bare", ".", str(tmp_path / "origin.git"))
    first.git("remote", "add", "origin", str(tmp_path / "origin.git"))
    first.git("fetch", "-q", "origin")
    first.git("remote", "set-head", "origin", "main")
    first.git("clone", "-q", str(tmp_path / "origin.git"), str(tmp_path / "ann"))
    return first, Clone(tmp_path / "ann", ANN)

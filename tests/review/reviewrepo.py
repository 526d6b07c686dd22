"""Real repositories with several people in them, and the review commands as they start them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from grounded_ingest.records.review_log import digest_of
from tests.forked import run_command

PROJECT = Path(__file__).parents[2]
NOTES = "memory-bank/notes.md"
LOG = f".grounded/reviews/{NOTES}.jsonl"
FIRST = "The worker takes its jobs from the queue table."
SECOND = "Sessions are stored in PostgreSQL for one day."
THIRD = "Releases are cut from the main branch every Tuesday."
FOURTH = "Uploads go straight to object storage."
ANN, BOB, EVE = "ann@example.org", "bob@example.org", "eve@example.org"
AGENT = "noreply@anthropic.com"


class Ran(NamedTuple):
    """What a process answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def page(*claims: str, title: str = "Notes") -> str:
    """A document in which every claim is a paragraph."""
    return "\n\n".join([f"# {title}", *claims]) + "\n"


def environment(home: Path, who: str) -> dict[str, str]:
    """Nothing of the caller's git, agent, terminal or CI."""
    kept = ("PATH", "LANG", "TMPDIR", "LD_LIBRARY_PATH")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    env |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
    env |= {"PYTHONUTF8": "1", "PYTHONPATH": str(PROJECT), "GIT_EDITOR": "true"}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": who.partition("@")[0], f"GIT_{role}_EMAIL": who}
        env[f"GIT_{role}_DATE"] = "2026-01-05T12:00:00+0000"
    return env


class Clone:
    """A work tree and the person who sits before it."""

    def __init__(self, root: Path, who: str = ANN) -> None:
        self.root, self.who = root, who
        root.mkdir(parents=True, exist_ok=True)
        self.env = environment(root.parent, who)

    def of(self, who: str) -> Clone:
        """The same work tree with somebody else before it."""
        return Clone(self.root, who)

    def run(self, *argv: str, stdin: str = "", **env: str) -> Ran:
        ran = subprocess.run(
            argv, cwd=self.root, env=self.env | env, input=stdin.encode(), capture_output=True,
            timeout=120, check=False,
        )  # fmt: skip
        return Ran(ran.returncode, ran.stdout.decode(errors="replace"), ran.stderr.decode())

    def git(self, *args: str) -> str:
        ran = self.run("git", "-c", "protocol.file.allow=always", *args)
        assert ran.code == 0, f"git {args}\n{ran.err}{ran.out}"
        return ran.out.strip()

    def ask(self, *args: str, stdin: str = "", **env: str) -> Ran:
        code, out, err = run_command(args, self.root, self.env | env, stdin.encode())
        return Ran(code, out.decode(errors="replace"), err.decode())

    def review(self, *args: str, **env: str) -> Ran:
        return self.ask("review", *args, "--offline", **env)

    def approve(self, *args: str, **env: str) -> Ran:
        ran = self.review("approve", *args, "--yes", **env)
        assert ran.code in (0, 1), ran.err
        return ran

    def write(self, path: str, text: str | None) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            file.unlink()
        else:
            file.write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def commit(self, message: str = "change", *options: str) -> str:
        """Commit everything past any hook; the new commit."""
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", message, *options)
        return self.git("rev-parse", "HEAD")

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
    Clone(root, EVE).git("init", "-q", "-b", "main", "--template=")
    eve = Clone(root, EVE)
    eve.git("config", "gc.auto", "0")
    eve.put(NOTES, page(*(claims or (FIRST, SECOND, THIRD))), "notes")
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

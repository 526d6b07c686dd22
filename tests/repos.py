"""Real repositories for tests: files in, commits, and the pipeline's answer to what is staged."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from grounded_ingest.config.settings import DEFAULTS, Config
from grounded_ingest.git.cache import Cache
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import Citation, CitationKind, Decision, Evidence
from grounded_ingest.pipeline import Options, Result, run
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.registry import verify_citations
from grounded_ingest.report.findings import findings_of_decision
from grounded_ingest.repository.scope import Asked, Base
from tests.forked import run_command
from tests.worktrees import new_repository

NOTES = "memory-bank/notes.md"
Files = dict[str, str | bytes | None]
GITS = ("git", *filter(None, os.environ.get("GROUNDED_TEST_GITS", "").split(os.pathsep)))
"""Programs of git that the tests of attacks run: the one on PATH, and others by their full
paths."""


def environment() -> dict[str, str]:
    """Nothing of the caller's git; authors and dates are always the same."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PRE_COMMIT"))}
    env |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_EDITOR": "true"}
    for role in ("AUTHOR", "COMMITTER"):
        env[f"GIT_{role}_NAME"], env[f"GIT_{role}_EMAIL"] = "Ada", "ada@example.org"
        env[f"GIT_{role}_DATE"] = "2026-01-05T12:00:00+0000"
    return env


class Repo:
    """A repository below a test's directory."""

    def __init__(self, root: Path, *init: str) -> None:
        self.root = root
        if init:
            root.mkdir(parents=True, exist_ok=True)
            self.git("init", "-q", "-b", "main", *init)
        elif not (root / ".git").exists():
            new_repository(root)

    def git(self, *args: str, stdin: str = "", day: str = "") -> str:
        command = ["git", "-c", "protocol.file.allow=always", *args]
        env = environment()
        if day:
            env |= {f"GIT_{r}_DATE": f"{day}T12:00:00+0000" for r in ("AUTHOR", "COMMITTER")}
        done = subprocess.run(
            command, cwd=self.root, env=env, input=stdin.encode(), capture_output=True
        )
        assert done.returncode == 0, (args, done.stderr.decode(errors="replace"))
        return done.stdout.decode(errors="replace").strip()

    def write(self, files: Files) -> None:
        """Write files; None removes one, `link:…` makes a symbolic link."""
        for path, content in files.items():
            full = self.root / path
            full.parent.mkdir(parents=True, exist_ok=True)
            if full.is_symlink() or content is None:
                full.unlink()
            if isinstance(content, str) and content.startswith("link:"):
                full.symlink_to(content.removeprefix("link:"))
            elif content is not None:
                full.write_bytes(content.encode() if isinstance(content, str) else content)

    def stage(self, files: Files) -> None:
        self.write(files)
        self.git("add", "-A")

    def commit(self, files: Files | None = None, message: str = "change", day: str = "") -> str:
        """Commit files past any hook, on a day such as 2026-01-05; the new commit's id."""
        self.stage(files or {})
        commit = ("-c", "core.abbrev=no", "commit", "--no-verify", "--allow-empty", "-m", message)
        return self.git(*commit, day=day).partition("]")[0].rpartition(" ")[2]

    def copy(self, root: Path) -> Repo:
        """This repository at another place, which costs less than its commits."""
        shutil.copytree(self.root, root, symlinks=True)
        return Repo(root)

    def command(self, *args: str, **env: str) -> subprocess.CompletedProcess[bytes]:
        """Runs grounded-ingest as people start it."""
        done = run_command(args, self.root, environment() | env)
        return subprocess.CompletedProcess(args, *done)

    def check(self, mode: str = "staged", *, start: str = "", cache: bool = False) -> Result:
        """What the pipeline makes of it, offline."""
        with Opened(str(self.root), own=False) as opened:
            asked = Asked(mode, start=start)  # type: ignore[arg-type]
            result = run(opened, asked, Options(online=False, cache=cache))
            result.kb.index.close()
            return result

    def decisions(self, mode: str = "staged", *, start: str = "") -> list[Decision]:
        return list(self.check(mode, start=start).report.counted)

    def decide(self, documents: Files, mode: str = "staged") -> dict[str, list[Decision]]:
        """Stages the documents, checks once, removes them: the decisions for each document."""
        self.stage(documents)
        found: dict[str, list[Decision]] = {path: [] for path in documents}
        for decision in self.decisions(mode):
            if decision.place.path in found:
                found[decision.place.path].append(decision)
        self.git("rm", "-q", "-f", "--", *documents)
        return found

    def judge(self, claim: str, path: str = NOTES) -> Decision:
        """The decision for one claim that is staged in a document of its own."""
        self.stage({path: f"# Notes\n\n{claim}\n"})
        decided = [d for d in self.decisions() if d.place.path == path]
        assert len(decided) == 1, [d.place.claim.text for d in decided]
        return decided[0]

    def judge_each(self, claims: Iterable[str]) -> dict[str, Decision]:
        """The decision for each claim in a document of its own, from one check. A claim that
        repeats another may be decided by that, and not by the rule that decides it alone."""
        # `notes-12.md` would be a record of work item 12, which need not be right today.
        paths = {f"memory-bank/notes_{n}.md": claim for n, claim in enumerate(claims)}
        found = self.decide({path: page(claim) for path, claim in paths.items()})
        return {paths[path]: decision for path, (decision,) in found.items()}


def parameters(request: pytest.FixtureRequest, *names: str) -> list[tuple[str, ...]]:
    """The parameters of all collected tests of the module that use the fixture, each row once."""
    assert request.fixturename
    own = (item for item in request.session.items if item.path == request.path)
    specs = (
        item.callspec  # type: ignore[attr-defined]
        for item in own
        if request.fixturename in getattr(item, "fixturenames", ())
    )
    return list(dict.fromkeys(tuple(spec.params[n] for n in names) for spec in specs))


def made_wrong(result: Result) -> list[tuple[str, int, str]]:
    """Path, line and message of the references that a change makes wrong in other documents."""
    return [
        (item.path, item.line, item.fact)
        for decision in result.report.elsewhere
        for item, _ in findings_of_decision(decision, result.report)
    ]


APART = 20
"""Lines between the statements of a source, so that none is read beside another."""


def stating(*claims: str) -> str:
    """A source whose lines 1, 21, 41 … hold what each claim says."""
    return ("\n" * APART).join(claims) + "\n"


def page(*claims: str) -> str:
    """A document in which every claim is a paragraph; the first stands in line 3."""
    return "\n\n".join(["# Notes", *claims]) + "\n"


def of_user(directory: Path, *grants: str) -> dict[str, str]:
    """Variables with which git reads grants from a user's own configuration in a directory."""
    file = directory / "gitconfig-of-user"
    for grant in grants:
        command = ["git", "config", "--file", str(file), "--add", "grounded-ingest.grant", grant]
        subprocess.run(command, check=True)
    return {"GIT_CONFIG_GLOBAL": str(file)}


@contextmanager
def context(repo: Repo, *, base: str = "HEAD", config: Config = DEFAULTS) -> Iterator[Context]:
    """A verifier's context over the index; documents are witnesses only by existence."""
    with Opened(str(repo.root), own=False) as opened:
        commit = opened.commit(base) if base else ""
        protected = Base(commit, CommitTree(opened, commit), bool(base), "test")
        tree = Tree(opened, opened.index())
        yield Context(opened, config, tree, protected, None, None, Cache(""), lambda *_: True)


def ask(repo: Repo, citation: Citation, **more: Any) -> Evidence | None:
    """What becomes of one citation; see `ask_each`."""
    return ask_each(repo, [citation], **more)[0]


def ask_each(
    repo: Repo,
    citations: Iterable[Citation],
    *,
    document: str = NOTES,
    base: str = "HEAD",
    config: Config = DEFAULTS,
    said: str = "",
) -> list[Evidence | None]:
    """What becomes of citations (of the claim `said`) in a document; None for what is none."""
    requests = [Request(document, citation, said) for citation in citations]
    with context(repo, base=base, config=config) as asked:
        found = verify_citations(requests, asked)
    return [found[request] for request in requests]


def path(raw: str, lines: tuple[int, int] | None = None, **more: object) -> Citation:
    return Citation(CitationKind.PATH, raw, lines, **more)  # type: ignore[arg-type]


def adr(raw: str, **more: object) -> Citation:
    return Citation(CitationKind.ADR, raw, **more)  # type: ignore[arg-type]


def sha(raw: str, **more: object) -> Citation:
    return Citation(CitationKind.COMMIT, raw, **more)  # type: ignore[arg-type]

"""What holds of whole repositories: git's own output, and the tiers of claims beside added text."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tempfile
import zlib
from collections import Counter
from functools import cache
from pathlib import Path

from fuzz.texts import pick
from grounded_ingest.git.ancestry import unreachable
from grounded_ingest.git.commit_text import commit_text
from grounded_ingest.git.history import RemovalHistory
from grounded_ingest.git.line_origins import origins
from grounded_ingest.git.repository import Change, Repo, TreeEntry
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.pipeline import Options, run
from grounded_ingest.repository.scope import Asked

Tiers = dict[tuple[str, str, str, int], int]


class Files:
    """A repository of its own in a temporary directory; objects and files are written directly."""

    def __init__(self) -> None:
        self._kept = tempfile.TemporaryDirectory(prefix="fuzz-")
        self.root = Path(self._kept.name)
        os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        self.git("init", "-q", "-b", "main")

    def git(self, *args: str) -> None:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        subprocess.run(["git", *who, *args], cwd=self.root, check=True, capture_output=True)

    def write(self, files: dict[str, bytes]) -> None:
        for path, content in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(content)

    def put(self, kind: bytes, content: bytes) -> str:
        """An object as it is, which git would refuse to make."""
        whole = kind + b" %d\0" % len(content) + content
        oid = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
        path = self.root / ".git/objects" / oid[:2] / oid[2:]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(whole, 1))
        return oid


@cache
def _history() -> tuple[Files, str, bytes]:
    """A repository, its first commit, and the blob that fuzzed trees hold."""
    files = Files()
    blob = files.put(b"blob", b"# A\n\nThe port is 8443.\n")
    tree = files.put(b"tree", b"100644 a.md\0" + bytes.fromhex(blob))
    who = b"Ada <a@example.org> 1767614400 +0000"
    said = b"author %s\ncommitter %s\n\nfirst\n" % (who, who)
    return files, files.put(b"commit", b"tree %s\n%s" % (tree.encode(), said)), bytes.fromhex(blob)


def git_output(data: bytes) -> None:
    """Any commit object, and any name in its tree, through git and the readers of its output."""
    files, first, blob = _history()
    name, _, head = data.partition(b"\n")
    name = name.replace(b"\0", b"")[:100] or b"a"
    tree = files.put(b"tree", b"100644 %s\0%s" % (name, blob))
    commit = files.put(b"commit", b"tree %s\nparent %s\n%s" % (tree.encode(), first.encode(), head))
    (files.root / ".git/refs/heads/main").write_text(f"{commit}\n")
    with Repo(str(files.root), own=False) as repo:
        if repo.objects.get(f"{commit}^{{commit}}") is None:
            return
        commit_text(repo, commit)
        paths = list(repo.tree(commit))
        assert len(repo.between(first, commit)) <= 2
        origins(repo, commit, paths, CommitTree(repo, commit))
        list(repo.history())
        repo.messages(first, commit)
        RemovalHistory(repo).removed_files(commit, ["a.md"])
        assert unreachable(repo, [first], commit) == set()


NOTES = "memory-bank/notes.md"
SAID = (
    b"The gateway listens on port 8443 (`src/settings.py:1`).",
    b"The gateway listens on port 9999 (`src/settings.py:1`).",
    b"The worker keeps its rows in PostgreSQL.",
    b"The worker keeps its rows in Redis.",
    b"I think the queue is probably drained every night.",
    b"We decided to sign the batches (ADR-1).",
    b"The batches are signed with the new key (ADR-2).",
    b"The notes say that ledgers are closed on Friday (`docs/notes.md:3`).",
    b"The plan moves the ledger to Turin (`docs/plan.md`).",
    b"The cache is cleared at midnight (`src/cache.py:1`).",
    b"The nightly run writes batch number 7 before the ledger is closed.",
    b"The nightly run writes batch number 7 before the ledger was closed.",
    b"Run `make deploy` before the ledger is closed.",
    b"Turin hosts the ledger since 2026-01-05.",
    b"Since March the ledger is hosted in Milan, no longer in Turin.",
    b"The `drain` function of the queue returns 30 (`src/queue.py`).",
)
_BASE: dict[str, bytes] = {
    "src/settings.py": b"PORT = 8443\n",
    "src/queue.py": b"def drain():\n    return 30\n",
    "docs/notes.md": b"# Notes\n\nLedgers are closed on Friday.\n",
    "docs/adr/0001-signing.md": b"# ADR-1\n\nStatus: accepted\n\nThe batches are signed.\n",
    "memory-bank/landed.md": b"# Landing\n\nThe worker keeps its rows in PostgreSQL.\n"
    b"\nTurin hosts the ledger.\n",
}
_ADDED = (
    "memory-bank/added.md", "memory-bank/zadded.md", "memory/added.json", "memory/added.yaml",
    "docs/plan.md", "docs/adr/0002-key.md", "CLAUDE.md", "docs/a.md", ".grounded/reviews/a.jsonl",
)  # fmt: skip


@cache
def landed() -> Files:
    files = Files()
    files.write(_BASE)
    files.git("add", "-A")
    files.git("commit", "-q", "-m", "base")
    return files


class _Backwards(Repo):
    """Lists its files the other way round."""

    def index(self) -> dict[str, TreeEntry]:
        return dict(reversed(super().index().items()))

    def staged(self, against: str) -> list[Change]:
        return super().staged(against)[::-1]


def tiers(data: bytes) -> None:
    """Two bytes choose what is said, the rest is added in another document: no claim gains by it.
    Line ends, the order of files and kept work change nothing."""
    files, added = landed(), pick(data[2:], *_ADDED)
    chosen = [said for n, said in enumerate(SAID) if int.from_bytes(data[:2], "big") >> n & 1]
    notes = b"# Notes\n\n" + b"\n\n".join(chosen) + b"\n"
    files.git("clean", "-qfdx", "-e", ".git")
    files.git("reset", "-q", "--hard")
    before = tiers_of(files, {NOTES: notes})
    reflowed = re.sub(rb" (?=[a-z]+ )", b"\n", notes)
    assert tiers_of(files, {NOTES: reflowed}) == before, "reflow changes it"
    after = tiers_of(files, {added: data[2:]})
    assert tiers_of(files, {}, cache=False, opened=_Backwards) == after, "another order changes it"
    for key, tier in before.items():
        assert after[key] >= tier, f"{added} raises {key}: {tier} to {after[key]}"


def tiers_of(
    files: Files, written: dict[str, bytes], *, cache: bool = True, opened: type[Repo] = Repo
) -> Tiers:
    """The tier of each claim of the document that stands before anything is added."""
    files.write(written)
    files.git("add", "-A")
    with opened(str(files.root), own=False) as repo:
        result = run(repo, Asked("staged"), Options(online=False, cache=cache))
        result.kb.index.close()
    met: Counter[str] = Counter()
    found: Tiers = {}
    for decision in result.report.decisions:
        assert decision.rule != "check-failed", decision
        if decision.place.path == NOTES:
            claim = decision.place.claim
            found[claim.section, claim.id, claim.text, met[claim.id]] = int(decision.tier)
            met[claim.id] += 1
    return found

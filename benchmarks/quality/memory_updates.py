"""What is done to memories, on labelled changes: correct, hallucinated and omitted updates.

Each change is a commit of a real repository, judged as a range check judges it, offline. The
measures are HaluMem's: correct where the revised memory is named, hallucinated where another one
is (or the new text is taken for a repetition), omitted where nothing is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal, NamedTuple

from msgspec import Struct

from benchmarks.quality.labels import Split, clone_below, fingerprint
from benchmarks.workshop import Workshop
from grounded_ingest.config.settings import classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import Claim, Decision
from grounded_ingest.pipeline import Options, run
from grounded_ingest.repository.judging_config import read_config
from grounded_ingest.repository.scope import Asked

SHORT = 3
"""Words of a run that is a value, at most."""

Outcome = Literal["correct", "hallucinated", "omitted", "unseen"]


class Revision(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="memory-update",
    rename={"operation": "label"},
):  # fmt: skip
    """A line that a commit brought, read: it revises the claim at `old_line` of the parent's
    document (`old_path`, the same path if empty), or, with ADD, no claim at all."""

    operation: Literal["UPDATE", "ADD"]
    repo: str
    commit: str
    path: str
    line: int
    sha256: str
    old_path: str = ""
    old_line: int = 0
    old_sha256: str = ""
    split: Split = "open"

    @property
    def was(self) -> str:
        return self.old_path or self.path


class Done(NamedTuple):
    """What became of it: the operation of a claim, and of which other one it is (`named`). `was`
    is what the claim revises. Of an ADD `correct` is ADD, `hallucinated` anything else. `unseen`:
    no claim of the change stands on the line."""

    revision: Revision
    outcome: Outcome
    operation: str = ""
    claim: str = ""
    named: str = ""
    was: str = ""

    @property
    def in_one_place(self) -> bool:
        """Whether one run of up to three words differs from what was said before, and no more."""
        before, after = self.was.split(), self.claim.split()
        parts = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        runs = [max(b - a, d - c) for tag, a, b, c, d in parts if tag != "equal"]
        return len(runs) == 1 and runs[0] <= SHORT


def operations(
    revisions: Sequence[Revision], repos: str, say: Callable[[str], object]
) -> tuple[list[Done], list[str]]:
    """Every labelled change judged in a clone of its repository's clone, and what was left out."""
    done, left_out = list[Done](), list[str]()
    ordered = sorted(revisions, key=lambda r: (r.repo, r.commit))
    for name, group in groupby(ordered, key=lambda r: r.repo):
        labelled = list(group)
        if not (clone := clone_below(repos, name)):
            left_out.append(f"{name}: no clone below {repos}: {len(labelled)} left out")
            continue
        for found in _in_clone(clone, labelled):
            if isinstance(found, str):
                left_out.append(found)
            else:
                done.append(found)
                say(f"{len(done)} of {len(revisions)} changes, {name}")
    return done, left_out


def _in_clone(clone: str, revisions: Sequence[Revision]) -> Iterator[Done | str]:
    """In a clone of the clone, which is only read."""
    with (
        tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory,
        Repo(Workshop(clone, directory).root, own=False) as repo,
    ):
        for commit, some in groupby(revisions, key=lambda r: r.commit):
            yield from _of_commit(repo, commit, list(some))


def _of_commit(repo: Repo, commit: str, revisions: Sequence[Revision]) -> Iterator[Done | str]:
    try:
        parent = repo.commit(f"{commit}^")
        result = run(repo, Asked("range", start=parent, end=commit), Options(online=False))
    except GroundedIngestError as error:
        yield f"{revisions[0].repo}: {commit[:12]}: {error}: {len(revisions)} left out"
        return
    result.kb.index.close()
    for revision in revisions:
        yield _done(repo, revision, parent, result.report.counted)


def _done(repo: Repo, revision: Revision, parent: str, decided: Sequence[Decision]) -> Done | str:
    place = f"{revision.repo}:{revision.path}:{revision.line} at {revision.commit[:12]}"
    if not _stands(repo, revision.commit, revision.path, revision.line, revision.sha256):
        return f"{place}: the line is another: left out"
    revised: tuple[Claim, ...] = ()
    if revision.operation == "UPDATE":
        if not _stands(repo, parent, revision.was, revision.old_line, revision.old_sha256):
            return f"{place}: the line it revises is another: left out"
        revised = _revised(repo, revision, parent)
    at = [d for d in decided if d.place.path == revision.path and _on(d.place.claim, revision.line)]
    if not at:
        return Done(revision, "unseen")
    ids = frozenset(c.id for c in revised)
    outcomes = [_outcome(d, revision, ids) for d in at]
    # several claims of a change on one line: the one that was meant is the one best understood
    best = outcomes.index("correct") if "correct" in outcomes else 0
    operation, claim = at[best].operation, at[best].place.claim.text
    named = operation.of.claim.text if operation.of else ""
    was = " ".join(c.text for c in revised)
    return Done(revision, outcomes[best], operation.name, claim, named, was)


def _outcome(decision: Decision, revision: Revision, revised: frozenset[str]) -> Outcome:
    operation = decision.operation
    if revision.operation == "ADD":
        return "correct" if operation.name == "ADD" else "hallucinated"
    if operation.name == "ADD":
        return "omitted"
    right = operation.name == "UPDATE" and operation.of and operation.of.claim.id in revised
    return "correct" if right else "hallucinated"


def _on(claim: Claim, line: int) -> bool:
    return claim.line <= line <= claim.end_line


def _stands(repo: Repo, commit: str, path: str, line: int, sha256: str) -> bool:
    lines = (CommitTree(repo, commit).read(path) or b"").decode(errors="replace").split("\n")
    return 0 < line <= len(lines) and fingerprint(lines[line - 1]) == sha256


def _revised(repo: Repo, revision: Revision, parent: str) -> tuple[Claim, ...]:
    """The claims on the old line that the commit takes out."""
    old = _claims(repo, parent, revision.was)
    kept = {c.id for c in _claims(repo, revision.commit, revision.path)}
    return tuple(c for c in old if _on(c, revision.old_line) and c.id not in kept)


def _claims(repo: Repo, commit: str, path: str) -> tuple[Claim, ...]:
    tree = CommitTree(repo, commit)
    content, doc_class = tree.read(path), classify(read_config(tree), path)
    return extract(content, path, doc_class).claims if content and doc_class else ()

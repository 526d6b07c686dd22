"""Which approvals on base still hold: an approval dies when its claim leaves base.

Base is a state, and one in which the claim stands again looks like one it never left. So base's own
history is read, first parents only: every state from the one in which the approval landed has to
hold the claim. Squashed, rebased and merged changes are all states of that line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git import Repo
from grounded_ingest.review.log import DIRECTORY, ClaimKey, Review, log_path, read_lines

ENDED = "it ended when the claim left base"
CUT_OFF = "where it landed is not in this shallow clone (fetch-depth: 0)"

ClaimsOf = Callable[[str, str], frozenset[ClaimKey]]
"""The claims of a document's blob: path, object id."""


class Step(NamedTuple):
    """A commit of base and what it changed: path to object ids before and after, "" for none."""

    commit: str
    changes: dict[str, tuple[str, str]]


class _Traced(NamedTuple):
    """An approval on its way back in time, and the log that holds it there."""

    given: Review
    log: str


def ended(
    repo: Repo, base: str, document: str, given: Iterable[Review], claims_of: ClaimsOf
) -> dict[Review, str]:
    """Approvals of a document on base that do not hold any more, and why. `given` stand in its log
    on base, and so do their claims in the document."""
    open_ones = [_Traced(review, log_path(document)) for review in given]
    documents = {log_path(document): document}
    dead: dict[Review, str] = {}
    if not open_ones:
        return dead
    walk = _Walk(repo, base, documents)
    boundary = _boundary(repo)
    for step in walk.steps():
        open_ones = _standing(open_ones, walk, claims_of, dead)
        if not open_ones:
            break
        walk.undo(step)
        earlier = []
        for traced in open_ones:
            found = walk.holder(traced, step)
            if found is not None:
                earlier.append(found)
            elif step.commit in boundary:
                dead[traced.given] = CUT_OFF
        open_ones = earlier
        if not open_ones:
            break
    return dead


def _standing(
    traced: list[_Traced], walk: _Walk, claims_of: ClaimsOf, dead: dict[Review, str]
) -> list[_Traced]:
    """Those whose claim stands in its document as it was then; the others are dead."""
    kept = []
    for one in traced:
        document = walk.documents.get(one.log, "")
        oid = walk.state.get(document, "")
        if oid and one.given.key in claims_of(document, oid):
            kept.append(one)
        else:
            dead[one.given] = ENDED
    return kept


class _Walk:
    """Back through base. `state` holds the logs and documents as they were at the last step."""

    def __init__(self, repo: Repo, base: str, documents: dict[str, str]) -> None:
        self.repo, self.base = repo, base
        self.documents = self._with_moved(documents)
        self.state = {
            path: found.oid
            for path in (*self.documents, *self.documents.values())
            if (found := repo.objects.get(f"{base}:{path}")) is not None
        }
        self._lines: dict[str, frozenset[Review]] = {}

    def _with_moved(self, documents: dict[str, str]) -> dict[str, str]:
        """Logs that a log may have been moved from: those that base once had and has no more."""
        out = self.repo.run(
            "log", "--first-parent", "-m", "--no-renames", "--diff-filter=D", "--name-only", "-z",
            "--format=", self.base, "--", DIRECTORY,
        )  # fmt: skip
        gone = {p for p in os.fsdecode(out).split("\0") if p.endswith(".jsonl")}
        # A log's name tells its document, but for names that no file system is safe with.
        return documents | {
            p: p[len(DIRECTORY) + 1 : -len(".jsonl")] for p in gone if p not in documents
        }

    def steps(self) -> Iterable[Step]:
        """Commits that changed one of the paths, newest first."""
        paths = sorted({*self.documents, *self.documents.values()})
        out = self.repo.run(
            "--literal-pathspecs", "-c", "log.showRoot=true", "log", "--first-parent", "-m",
            "--raw", "--no-abbrev", "--no-renames", "-z", "--format=%x01%H", self.base, "--",
            *paths,
        )  # fmt: skip
        for part in os.fsdecode(out).split("\x01")[1:]:
            commit, *fields = [f.strip("\n") for f in part.split("\0")]
            yield Step(commit[:64].strip(), dict(_changes(fields)))

    def undo(self, step: Step) -> None:
        for path, (old, _) in step.changes.items():
            if old:
                self.state[path] = old
            else:
                self.state.pop(path, None)

    def holder(self, traced: _Traced, undone: Step) -> _Traced | None:
        """The approval before a step: in its log, or in one that the step moved it from."""
        if traced.log not in undone.changes or traced.given in self._held(traced.log):
            return traced
        moved = (p for p in undone.changes if p in self.documents and not undone.changes[p][1])
        found = next((p for p in moved if traced.given in self._held(p)), None)
        return None if found is None else _Traced(traced.given, found)

    def _held(self, log: str) -> frozenset[Review]:
        oid = self.state.get(log, "")
        if oid not in self._lines:
            content = self.repo.objects.read(oid) if oid else b""
            try:
                lines = read_lines(content or b"", log)
            except GroundedIngestError:  # a broken log approved nothing while it was broken
                lines = []
            self._lines[oid] = frozenset(lines)
        return self._lines[oid]


def _changes(fields: list[str]) -> Iterable[tuple[str, tuple[str, str]]]:
    """Rows of `--raw -z`: `:mode mode old new status`, then the path."""
    rows = iter([f for f in fields if f])
    for row in rows:
        if row.startswith(":"):
            _, _, old, new, _ = row[1:].split(" ")
            yield next(rows), ("" if set(old) == {"0"} else old, "" if set(new) == {"0"} else new)


def _boundary(repo: Repo) -> set[str]:
    """Commits at which a shallow clone ends."""
    if not repo.shallow:
        return set()
    try:
        with open(f"{repo.common_dir}/shallow", encoding="ascii") as file:
            return set(file.read().split())
    except OSError:
        return set()

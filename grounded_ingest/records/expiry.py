"""Which approvals on base still hold: an approval dies when its claim leaves base.

Base is a state, and one in which the claim stands again looks like one it never left. So base's own
history is read, first parents only: every state from the one in which the approval landed has to
hold the claim. Squashed, rebased and merged changes are all states of that line.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import ClaimKey
from grounded_ingest.records.review_log import (
    DIRECTORY,
    Review,
    digest_of,
    log_path,
    read_lines,
)

ENDED = "it ended when the claim left base"
CUT_OFF = "where it landed is not in this shallow clone (fetch-depth: 0)"
UNREAD = "base's history cannot be read back to where it landed"
CHANGED = "it ended when its context changed on base"

ClaimsOf = Callable[[str, str], Mapping[ClaimKey, str]]
"""The claims of a document's blob (path, object id), with the digests of their contexts."""


class BaseCommit(NamedTuple):
    """A commit of base and what it changed: path to object ids before and after, "" for none."""

    commit: str
    changes: dict[str, tuple[str, str]]


def ended(
    repo: Repo,
    base: str,
    document: str,
    given: Iterable[Review],
    claims_of: ClaimsOf,
    latest: Mapping[ClaimKey, str] | None = None,
) -> dict[Review, str]:
    """Approvals in a document's log on base that do not hold any more, and why. `latest` are the
    contexts in which they have to hold, base's if not said."""
    open_ones, dead = list(given), dict[Review, str]()
    log, walk = log_path(document), _BaseWalk(repo, base, document)
    for step in walk.steps() if open_ones else ():
        blob = walk.state[document]
        claims = claims_of(document, blob) if blob else {}
        latest = claims if latest is None else latest
        dead.update((r, why) for r in open_ones if (why := _ends(r, claims, latest)))
        walk.undo(step)
        open_ones = [r for r in open_ones if r not in dead]
        if log in step.changes:
            held = walk.held(log)
            landed = [r for r in open_ones if r not in held]
            open_ones = [r for r in open_ones if r in held]
            dead.update(_before_landing(repo, step.commit, landed, claims_of, latest))
        if not open_ones:
            break
    return dead | walk.unread(open_ones)


def _ends(given: Review, claims: Mapping[ClaimKey, str], latest: Mapping[ClaimKey, str]) -> str:
    """Why a state of base ends an approval. A line that does not say what was read was given to
    what stands there now, if that never changed."""
    context = claims.get(given.key)
    if context is None:
        return ENDED
    if given.recorded:
        return "" if given.digest == digest_of(given.claim, context) else CHANGED
    return "" if context == latest.get(given.key) else CHANGED


def _before_landing(
    repo: Repo,
    commit: str,
    given: list[Review],
    claims_of: ClaimsOf,
    latest: Mapping[ClaimKey, str],
) -> dict[Review, str]:
    """What ended already under another name: of the approvals that a commit put into a log, some
    may come from a log that it took away. Where a clone is cut off nobody can tell."""
    if not given:
        return {}
    if commit in _boundary(repo):
        return dict.fromkeys(given, CUT_OFF)
    parent = repo.objects.get(f"{commit}^1")
    if parent is None:
        return {}
    out = repo.run(
        "diff-tree", "-r", "-z", "--no-renames", "--diff-filter=D", "--name-only", parent.oid,
        commit, "--", DIRECTORY,
    )  # fmt: skip
    dead: dict[Review, str] = {}
    for log in (p for p in os.fsdecode(out).split("\0") if p.endswith(".jsonl")):
        # A log's name tells its document, but for names that no file system is safe with.
        document = log[len(DIRECTORY) + 1 : -len(".jsonl")]
        held = _BaseWalk(repo, parent.oid, document).held(log)
        moved = (r for r in given if r in held)
        dead |= ended(repo, parent.oid, document, moved, claims_of, latest)
    return dead


class _BaseWalk:
    """Back through base. `state` has the object ids of document and log as of the last step."""

    def __init__(self, repo: Repo, base: str, document: str) -> None:
        self.repo, self.base = repo, base
        found = {p: repo.objects.get(f"{base}:{p}") for p in (document, log_path(document))}
        self.state = {path: at.oid if at else "" for path, at in found.items()}
        self._broken = False
        self._lines: dict[str, frozenset[Review]] = {}

    def steps(self) -> Iterator[BaseCommit]:
        """Commits that changed one of the paths, newest first."""
        out = self.repo.stream(
            "--literal-pathspecs", "log", "--first-parent", "-m",
            "--raw", "--no-abbrev", "--no-renames", "-z", "--format=%x01%H", self.base, "--",
            *self.state,
        )  # fmt: skip
        rest = ""
        try:
            with contextlib.closing(out):
                for part in out:
                    *rows, rest = (rest + os.fsdecode(part)).split("\x01")
                    yield from map(_step, filter(None, rows))
        except GroundedIngestError:
            self._broken = True
            return
        yield from map(_step, filter(None, [rest]))

    def unread(self, open_ones: Iterable[Review]) -> dict[Review, str]:
        """Approvals that steps which git could not tell may have ended."""
        return dict.fromkeys(open_ones, UNREAD) if self._broken else {}

    def undo(self, step: BaseCommit) -> None:
        self.state.update((path, old) for path, (old, _) in step.changes.items())

    def held(self, log: str) -> frozenset[Review]:
        """The lines of the log at the last step."""
        oid = self.state[log]
        if oid not in self._lines:
            content = self.repo.objects.read(oid) if oid else b""
            try:
                lines = read_lines(content or b"", log)
            except GroundedIngestError:  # a broken log approved nothing while it was broken
                lines = []
            self._lines[oid] = frozenset(lines)
        return self._lines[oid]


def _step(row: str) -> BaseCommit:
    """`commit`, then rows of `--raw -z`: `:mode mode old new status`, then the path."""
    commit, *fields = [f.strip("\n") for f in row.split("\0")]
    found: dict[str, tuple[str, str]] = {}
    rows = iter([f for f in fields if f])
    for head in rows:
        if head.startswith(":"):
            _, _, old, new, _ = head[1:].split(" ")
            found[next(rows)] = (_there(old), _there(new))
    return BaseCommit(commit.strip(), found)


def _there(oid: str) -> str:
    return "" if set(oid) == {"0"} else oid


def _boundary(repo: Repo) -> set[str]:
    """Commits at which a shallow clone ends."""
    if not repo.shallow:
        return set()
    try:
        with open(f"{repo.common_dir}/shallow", encoding="ascii") as file:
            return set(file.read().split())
    except OSError:
        return set()

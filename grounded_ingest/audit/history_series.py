"""The share of grounded claims over the repository's history, every commit judged as of itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.git.commit_time import epoch_seconds
from grounded_ingest.git.repository import Repo
from grounded_ingest.knowledge.judging_config import judging_config
from grounded_ingest.knowledge.scope import Asked, resolve_scope
from grounded_ingest.model.claims import Tier
from grounded_ingest.pipeline import Options, Progress, Result, run_as_of

POINTS = 40
"""Commits that are judged where the caller names no step."""

_ROW = "--format=%H %ct"


class Point(Struct, frozen=True):
    """The knowledge base at one commit. `date` is the committer's day, UTC; `grounded` the share of
    its checkable claims in tier 1, 0 to 1."""

    commit: str
    date: str
    documents: int
    claims: int
    checkable: int
    tier_1: int
    tier_2: int
    tier_3: int
    grounded: float


def history(
    repo: Repo,
    options: Options,
    *,
    every: int = 0,
    since: str = "",
    progress: Progress = lambda _: None,
) -> tuple[Point, ...]:
    """Points along the first parents of HEAD, oldest first; the newest commit is always one.

    `every`: each n-th commit; without it at most `POINTS`, evenly apart. `since`: a date as git
    reads it. Judged offline, by today's configuration, so that the points compare.
    """
    commits = sampled(_first_parents(repo, since), every)
    if not commits:
        return ()
    scoped = resolve_scope(repo, Asked("all"), "", {})
    config = judging_config(scoped, explicit=options.config, isolated=options.isolated).config
    points = []
    for number, (commit, time) in enumerate(commits, 1):
        progress(f"judging commit {number} of {len(commits)}")
        result = run_as_of(repo, commit, config, replace(options, online=False))
        points.append(_point(result, commit, time))
        result.kb.index.close()
    return tuple(points)


def _point(result: Result, commit: str, time: int) -> Point:
    report = result.report
    tiers = {t: report.tier(t) for t in Tier}
    covered = report.coverage
    return Point(
        commit,
        datetime.fromtimestamp(time, UTC).date().isoformat(),
        report.documents,
        len(report.decisions),
        covered.checkable,
        tiers[Tier.APPROVE],
        tiers[Tier.REVIEW],
        tiers[Tier.BLOCK],
        covered.share if covered.checkable else 0.0,
    )


def sampled(commits: Sequence[tuple[str, int]], every: int = 0) -> list[tuple[str, int]]:
    """Commits (newest first) thinned out, oldest first, with the newest and, where nothing says how
    many, the oldest among them."""
    if every:
        return list(commits[::every])[::-1]
    if len(commits) <= POINTS:
        return list(commits)[::-1]
    last = len(commits) - 1
    return [commits[round(n * last / (POINTS - 1))] for n in range(POINTS)][::-1]


def _first_parents(repo: Repo, since: str) -> list[tuple[str, int]]:
    head = repo.head()
    if not head:
        return []
    options = [f"--since={since}"] if since else []
    out = repo.run("log", "--first-parent", _ROW, *options, head).decode()
    return [
        (commit, epoch_seconds(when))
        for line in out.splitlines()
        for commit, _, when in [line.partition(" ")]
    ]

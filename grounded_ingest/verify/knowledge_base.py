"""Collects the memories of a repository: the claims on the base branch that can be trusted, because
they are approved (tier 1) or their references are right (rule `cited`)."""

from __future__ import annotations

import os
from collections.abc import Iterable

from grounded_ingest.git.repository import Repo, epoch_seconds
from grounded_ingest.model.claims import Decision, Tier
from grounded_ingest.pipeline import Options, Progress, Result, run
from grounded_ingest.repository.scope import Asked
from grounded_ingest.verify.memory_files import timestamp
from grounded_ingest.verify.memory_index import Memories
from grounded_ingest.verify.result import Memory

TRUST = {"approved": 1.0, "proved": 0.9, "quoted": 0.9, "cited": 0.8}
"""Maps the rule that decided a claim to the trust in the claim (0 to 1)."""
OTHERS = 0.85
"""Trust in a claim that was approved by a rule that is not listed in `TRUST`."""


def repository_memories(repo: Repo, progress: Progress, others: Iterable[Memory] = ()) -> Memories:
    """Checks all documents of a repository, without network access, and returns an index of its
    memories and of the memories in `others`.

    The trust thresholds come from the repository's configuration. Raises GroundedIngestError if the
    repository cannot be checked.
    """
    result = run(repo, Asked("all"), Options(online=False), progress)
    try:
        found = [*others, *landed_memories(result)]
    finally:
        result.kb.index.close()
    trust = result.config.trust
    return Memories(found, threshold=trust.threshold, difference=trust.difference)


def landed_memories(result: Result) -> list[Memory]:
    """Returns the trusted claims of a checked repository as memories. The rule that decided a claim
    sets the trust in the claim (`TRUST`). If a memory record states its own trust, the lower of the
    two numbers counts.

    Skips claims that are not yet on the base branch. If the repository has no base branch, returns
    all trusted claims.
    """
    view, base = result.engine.view, result.scoped.base
    landed = [
        d
        for d in result.report.decisions
        if (d.tier is Tier.APPROVE or d.rule == "cited")
        and (not (base.known and base.commit) or view.on_base(d.place))
    ]
    times = _last_changed(result.scoped.tree.repo, {d.place.path for d in landed})
    return [_memory(d, number, times.get(d.place.path)) for number, d in enumerate(landed, 1)]


def _last_changed(repo: Repo, paths: set[str]) -> dict[str, float]:
    """Returns for each path the time of the last commit that changed the file, in seconds since
    1970. A path that no commit changed has no entry."""
    found: dict[str, float] = {}
    if not paths or not repo.head():
        return found
    log = repo.run("log", "-z", "--no-renames", "--name-only", "--format=%x01%ct", "HEAD")
    when = 0.0
    for field in os.fsdecode(log).split("\0"):
        name = field.strip("\n")
        if name.startswith("\1"):
            when = float(epoch_seconds(name[1:]))
        elif name in paths and name not in found:
            found[name] = when
    return found


def _memory(decision: Decision, number: int, changed: float | None) -> Memory:
    claim, path = decision.place.claim, decision.place.path
    trust = TRUST.get(decision.rule, OTHERS)
    own = trust if claim.trust is None else min(claim.trust, trust)
    return Memory(
        f"{path}:{claim.line}#{number}",
        claim.text,
        own,
        timestamp(claim.timestamp, f"{path}:{claim.line}") if claim.timestamp else changed,
        decision.source,
        path,
        claim.line,
        claim.section,
    )

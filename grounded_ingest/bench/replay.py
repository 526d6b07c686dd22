"""History, commit by commit, as the hook would have seen it."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from grounded_ingest.config import classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git import Repo
from grounded_ingest.model import Tier
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.as_json import decision
from grounded_ingest.scope import Asked
from grounded_ingest.settings import read_config
from grounded_ingest.tree import CommitTree


class Replayed(Struct, frozen=True):
    """One commit: its counted claims by tier and rule, and what was blocked. `error` says why it
    could not be checked."""

    commit: str
    subject: str
    claims: int = 0
    tiers: dict[str, int] = {}
    rules: dict[str, int] = {}
    blocked: list[dict[str, Any]] = []
    reviewed: list[dict[str, Any]] = []
    seconds: float = 0.0
    error: str = ""


def commits(repo: Repo, *, since: str, limit: int) -> list[tuple[str, str, str]]:
    """(commit, parent, subject) of commits that touch documents, newest last; merges left out."""
    config = read_config(CommitTree(repo, repo.head()))
    found = []
    for oid, parent, subject, paths in repo.history(since=since):
        if any(classify(config, p) is not None for p in paths):
            found.append((oid, parent, subject))
            if len(found) == limit:
                break
    return found[::-1]


def replay(
    repo: Repo, *, since: str = "", limit: int = 200, done: frozenset[str] = frozenset()
) -> Iterator[Replayed]:
    """Check each commit against its parent; those in `done` are left out."""
    for oid, parent, subject in commits(repo, since=since, limit=limit):
        if oid not in done:
            yield _one(repo, oid, parent, subject)


def _one(repo: Repo, oid: str, parent: str, subject: str) -> Replayed:
    began = time.perf_counter()
    try:
        result = run(repo, Asked("range", start=parent, end=oid), Options(online=False))
    except GroundedIngestError as error:
        return Replayed(oid, subject, error=str(error))
    counted = result.report.counted
    result.kb.index.close()
    return Replayed(
        oid,
        subject,
        len(counted),
        {str(int(t)): result.report.tier(t) for t in Tier},
        dict(Counter(d.rule for d in counted)),
        [decision(d) for d in counted if d.tier is Tier.BLOCK],
        [decision(d) for d in counted if d.tier is Tier.REVIEW and d.rule != "ungrounded"],
        round(time.perf_counter() - began, 3),
    )


def summary(rows: list[Replayed]) -> dict[str, Any]:
    """The figures of a replay."""
    rules: Counter[str] = Counter()
    for row in rows:
        rules.update(row.rules)
    checked = [r for r in rows if not r.error]
    stopped = sum(bool(r.blocked) for r in checked)
    return {
        "commits": len(checked),
        "claims": sum(r.claims for r in checked),
        "stopped": stopped,
        "share_stopped": round(stopped / len(checked), 4) if checked else 0.0,
        "rules": dict(rules.most_common()),
        "errors": [f"{r.commit[:12]}: {r.error}" for r in rows if r.error],
    }


Say = Callable[[str], None]


def progress(say: Say, total: int, began: float, number: int) -> None:
    """Report progress with the time left."""
    left = (time.monotonic() - began) / max(number, 1) * (total - number)
    say(f"{number}/{total} commits, {left:.0f} s left")


def encode(row: Replayed) -> str:
    import msgspec

    return msgspec.json.encode(row).decode()


def decode(line: str) -> Replayed:
    import msgspec

    return msgspec.convert(json.loads(line), Replayed)

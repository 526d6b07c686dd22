"""History, commit by commit, as the hook would have seen it."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import msgspec
from msgspec import Struct

from grounded_ingest.config.settings import classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.knowledge.judging_config import read_config
from grounded_ingest.knowledge.scope import Asked
from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import Tier
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.as_json import decision_json, pretty, problem


class Replayed(Struct, frozen=True):
    """One commit: its counted claims by tier and rule, and what was blocked; `problems` that block
    (a memory that cannot be read). `error` says why it could not be checked."""

    commit: str
    subject: str
    claims: int = 0
    tiers: dict[str, int] = {}
    rules: dict[str, int] = {}
    blocked: list[dict[str, Any]] = []
    reviewed: list[dict[str, Any]] = []
    problems: list[dict[str, Any]] = []
    seconds: float = 0.0
    error: str = ""

    @property
    def stopped(self) -> bool:
        """Whether the hook would have stopped it."""
        return bool(self.blocked or self.problems)


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


def replayed(repo: Repo, oid: str, parent: str, subject: str) -> Replayed:
    """Check one commit against its parent."""
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
        [decision_json(d) for d in counted if d.tier is Tier.BLOCK],
        [],
        [problem(p) for p in result.report.problems if p.tier == Tier.BLOCK],
        round(time.perf_counter() - began, 3),
    )


def replay_figures(rows: list[Replayed]) -> dict[str, Any]:
    """The figures of a replay."""
    rules: Counter[str] = Counter()
    for row in rows:
        rules.update(row.rules)
    checked = [r for r in rows if not r.error]
    stopped = sum(r.stopped for r in checked)
    return {
        "commits": len(checked),
        "claims": sum(r.claims for r in checked),
        "stopped": stopped,
        "share_stopped": round(stopped / len(checked), 4) if checked else 0.0,
        "rules": dict(rules.most_common()),
        "errors": [f"{r.commit[:12]}: {r.error}" for r in rows if r.error],
    }


def as_json(rows: list[Replayed]) -> str:
    """The figures and every commit, as one JSON object."""
    return pretty({"summary": replay_figures(rows), "commits": rows})


def as_text(rows: list[Replayed], reviewed: bool) -> str:
    """The figures, and what was blocked, for reading; with `reviewed` what waits for review too."""
    lines = []
    for row in rows:
        lines += [f"{row.commit[:12]}: not checked: {row.error}"] if row.error else []
        lines += [_told(row, p) for p in row.problems]
        lines += [_shown(row, d) for d in [*row.blocked, *(row.reviewed if reviewed else ())]]
    figures = replay_figures(rows)
    lines.append(
        f"{figures['commits']} commits, {figures['claims']} claims: {figures['stopped']} commits "
        f"stopped ({100 * figures['share_stopped']:.1f}%)"
    )
    lines += [f"  {count:6} {rule}" for rule, count in figures["rules"].items()]
    return "".join(f"{line}\n" for line in lines)


def _told(row: Replayed, found: dict[str, Any]) -> str:
    where = f"{row.commit[:12]} {printable(found['path'])}:{found['line']}"
    return f"{where}: {found['rule']}: {printable(found['message'])}"


def _shown(row: Replayed, decided: dict[str, Any]) -> str:
    where = f"{row.commit[:12]} {printable(decided['path'])}:{decided['line']}"
    return (
        f"{where}: {decided['rule']}: {printable(decided['claim'], 200)}\n    {decided['reason']}"
    )


def encode(row: Replayed) -> str:
    return msgspec.json.encode(row).decode()


def decode(line: str) -> Replayed | None:
    """A row as `encode` wrote it; None for a line that was cut off."""
    try:
        return msgspec.json.decode(line, type=Replayed)
    except msgspec.MsgspecError:
        return None

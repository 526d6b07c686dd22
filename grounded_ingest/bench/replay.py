"""Checks past commits one by one, as the commit hook would have checked them."""

from __future__ import annotations

import time
from collections import Counter
from itertools import islice
from typing import Any

from msgspec import Struct

from grounded_ingest.config.settings import classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import Tier
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.as_json import finding_json, format_json
from grounded_ingest.report.findings import fails_at, list_findings
from grounded_ingest.repository.judging_config import read_config
from grounded_ingest.repository.scope import Asked
from grounded_ingest.text.printable import printable


class Replayed(Struct, frozen=True):
    """The result of checking a past commit.

    `claims` is the number of claims that the commit adds or changes. `tiers` counts them by tier: 1
    approved, 2 for review, 3 blocked. `stopped` is true if the commit hook would have stopped the
    commit. `error` explains why the commit could not be checked."""

    commit: str
    subject: str
    claims: int = 0
    tiers: dict[str, int] = {}
    findings: list[dict[str, Any]] = []
    stopped: bool = False
    seconds: float = 0.0
    error: str = ""


def commits(repo: Repo, *, since: str, limit: int) -> list[tuple[str, str, str]]:
    """Returns (commit, parent, subject) for the commits that change documents, newest last. Leaves
    out merge commits.
    """
    config = read_config(CommitTree(repo, repo.head()))
    found = (
        (oid, parent, subject)
        for oid, parent, subject, paths in repo.history(since=since)
        if any(classify(config, p) is not None for p in paths)
    )
    return [*islice(found, limit)][::-1]


def replay_commit(repo: Repo, oid: str, parent: str, subject: str) -> Replayed:
    """Checks the change from the commit `parent` to the commit `oid`, as the hook would have done
    at that time. Later commits do not influence the result.
    """
    began = time.perf_counter()
    try:
        result = run(repo, Asked("range", start=parent, end=oid), Options(online=False))
    except GroundedIngestError as error:
        return Replayed(oid, subject, error=str(error))
    report = result.report
    found = list_findings(report)
    result.kb.index.close()
    return Replayed(
        oid,
        subject,
        len(report.counted),
        {str(int(t)): report.tier(t) for t in Tier},
        [finding_json(e) for e in found if e.severity in ("error", "warning")],
        fails_at(found, report.fail_on),
        round(time.perf_counter() - began, 3),
    )


def replay_figures(rows: list[Replayed]) -> dict[str, Any]:
    """Returns the summary of a replay: the number of checked and stopped commits, and the number of
    findings by severity and rule."""
    rules = Counter(f"{f['severity']} {f['rule']}" for row in rows for f in row.findings)
    checked = [r for r in rows if not r.error]
    stopped = sum(r.stopped for r in checked)
    return {
        "commits": len(checked),
        "claims": sum(r.claims for r in checked),
        "stopped": stopped,
        "share_stopped": round(stopped / len(checked), 4) if checked else 0.0,
        "findings": dict(rules.most_common()),
        "errors": [f"{r.commit[:12]}: {r.error}" for r in rows if r.error],
    }


def as_json(rows: list[Replayed]) -> str:
    """Returns the summary and the results for all commits as one JSON object."""
    return format_json({"summary": replay_figures(rows), "commits": rows})


def as_text(rows: list[Replayed], warnings: bool) -> str:
    """Returns the errors in all commits and the summary as text. If `warnings` is true, the
    warnings are listed too."""
    lines = []
    for row in rows:
        lines += [f"{row.commit[:12]}: not checked: {row.error}"] if row.error else []
        lines += [_shown(row, f) for f in row.findings if warnings or f["severity"] == "error"]
    figures = replay_figures(rows)
    lines.append(
        f"{figures['commits']} commits, {figures['claims']} claims: {figures['stopped']} commits"
        " stopped"
    )
    lines += [f"  {count:6} {rule}" for rule, count in figures["findings"].items()]
    return "".join(f"{line}\n" for line in lines)


def _shown(row: Replayed, found: dict[str, Any]) -> str:
    where = f"{row.commit[:12]} {printable(found['path'])}:{found['line']}"
    return f"{where}: {found['rule']}: {printable(found['message'])}\n    {found['claim']}"

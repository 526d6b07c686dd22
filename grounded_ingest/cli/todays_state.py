"""What a repository that is being set up begins with: a baseline of today's findings, evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from grounded_ingest.cli.installation import BASELINE, FileChange
from grounded_ingest.config.files import FILE, parse_yaml
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import WorkTree
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.baseline_file import baseline_entries, baseline_text
from grounded_ingest.report.evidence_files import EvidencePlan, plan_evidence
from grounded_ingest.report.findings import fails_at, list_findings
from grounded_ingest.report.selection import mute_findings
from grounded_ingest.repository.judging_config import read_config, with_nested
from grounded_ingest.repository.scope import Asked


class TodaysState(NamedTuple):
    """`baseline` is None if nothing is to be accepted; `evidence` if it is not asked for, or
    `blocked` claims keep it from being written. `documents` counts what was judged."""

    baseline: FileChange | None = None
    evidence: EvidencePlan | None = None
    blocked: bool = False
    documents: int = 0


def todays_state(
    repo: Repo,
    configured: FileChange | None,
    options: Options,
    tell: Callable[[str], None],
    *,
    baseline: bool,
    evidence: bool,
) -> TodaysState:
    """Judge all documents as the configuration that is about to be written will."""
    tree = WorkTree(repo)
    config = parse_yaml(configured.after, FILE) if configured else read_config(tree)
    result = run(repo, Asked("all"), options, tell, with_nested(config, tree))
    found = list_findings(mute_findings(result).report)
    accepted = baseline_entries(found)
    step = None
    if baseline and accepted:
        there = (tree.read(BASELINE) or b"").decode(errors="replace")
        step = FileChange(BASELINE, there, baseline_text(accepted).decode(), derived=True)
    plan = plan_evidence(result, heal=True) if evidence else None
    result.kb.index.close()
    if plan is None:
        return TodaysState(step)
    if step is None and fails_at(found, result.config.fail_on):
        return TodaysState(step, blocked=True)
    return TodaysState(step, plan, documents=len(result.documents))

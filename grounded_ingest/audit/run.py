"""Re-judges the whole knowledge base: what moved, changed, went or landed since it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.audit.blame import origins
from grounded_ingest.audit.citation_fates import Adrs, Commits
from grounded_ingest.audit.citation_inventory import CitationFate, InventoryItem, ask, by_verdict
from grounded_ingest.audit.claim_pairs import CONTRADICTIONS, REPEATS, pairs_of
from grounded_ingest.audit.file_history import Fates
from grounded_ingest.audit.horizons import expired
from grounded_ingest.audit.model import Audit, Blocked, EvidenceState, Item
from grounded_ingest.audit.pace import Pace
from grounded_ingest.audit.path_fates import Paths
from grounded_ingest.audit.standing_text import tells_of_a_day_in
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.knowledge.scope import Asked as Scope
from grounded_ingest.model.claims import (
    CitationKind,
    ClaimKey,
    Decision,
    DocClass,
    Tier,
    Verdict,
)
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Options, Progress, Result, run
from grounded_ingest.records.sidecar import Line
from grounded_ingest.references.registry import KINDS
from grounded_ingest.report.sidecar_plan import SidecarPlan, make_plan
from grounded_ingest.report.wording import cause


class AuditedCitation(NamedTuple):
    """One citation and what became of it."""

    asked: InventoryItem
    found: CitationFate


class Audited(NamedTuple):
    """An audit, and what fixing needs of it."""

    report: Audit
    result: Result
    judged: tuple[AuditedCitation, ...]
    contents: dict[str, bytes]
    plan: SidecarPlan


def audit(
    repo: Repo,
    options: Options,
    paths: tuple[str, ...] = (),
    base: str = "",
    progress: Progress = lambda _: None,
    today: date | None = None,
) -> Audited:
    """Audit the knowledge base, or what of it stands under `paths` (from the root), as on a day
    (in UTC, today if not said).

    Raises GroundedIngestError for bad setup.
    """
    scope = Scope("paths", paths, base=base) if paths else Scope("all", base=base)
    return audit_of(repo, run(repo, scope, options, progress), paths, progress, today)


def audit_of(
    repo: Repo,
    result: Result,
    paths: tuple[str, ...] = (),
    progress: Progress = lambda _: None,
    today: date | None = None,
) -> Audited:
    """The same, of what a check of those documents found."""
    tree, head = result.scoped.tree, result.scoped.head
    documents = [d.path for d in result.documents]
    pace = Pace(progress, "documents asked history about", len(documents))
    blamed = origins(repo, head, documents, tree, pace)
    contents = {p: tree.read(p) or b"" for p in documents}
    plan = make_plan(result, heal=False)
    recorded = plan.lines
    asked = list(ask(result, contents, blamed, recorded))
    progress(f"looking for what {len(asked)} citations meant")
    judged = tuple(_judge(repo, result, asked, Pace(progress, "citations followed", len(asked))))
    today = today or datetime.now(UTC).date()
    known = frozenset((p, line.id) for p, lines in recorded.items() for line in lines.values())
    items = [_item(j) for j in judged]
    items += expired(result, blamed, known, today)
    items += _refuted_references(result, known)
    items += _promoted_claims(result, recorded)
    is_dated = tells_of_a_day_in(result, contents)
    repo.demand_answers()
    report = result.report
    audited = Audit(
        report.scope,
        report.documents,
        len(report.decisions),
        {f"tier_{t.value}": report.tier(t) for t in Tier},
        _in_order(items, is_dated),
        pairs_of(report, CONTRADICTIONS, is_dated),
        pairs_of(report, REPEATS, is_dated),
        () if paths else plan.orphans,
        tuple(d for d in documents if d in plan.behind),
        report.problems,
        _all_blocked(report, is_dated),
        memory=tuple(d.path for d in result.documents if d.doc_class is DocClass.MEMORY),
    )
    return Audited(audited, result, judged, contents, plan)


def _in_order(items: list[Item], is_dated: Callable[[str, str], bool]) -> tuple[Item, ...]:
    dated = (replace(i, dated=is_dated(i.path, i.id)) for i in items)
    return tuple(sorted(dated, key=lambda i: (i.path, i.line)))


def _all_blocked(report: Report, is_dated: Callable[[str, str], bool]) -> tuple[Blocked, ...]:
    return tuple(_blocked(d, is_dated) for d in report.decisions if d.tier is Tier.BLOCK)


REFERENCES = frozenset(kind.KIND for kind in KINDS)
"""Kinds that the tree answers."""


def _blocked(decision: Decision, is_dated: Callable[[str, str], bool]) -> Blocked:
    path, claim = decision.place.path, decision.place.claim
    return Blocked(
        path, claim.line, claim.id, claim.text, decision.rule, cause(decision),
        is_dated(path, claim.id),
    )  # fmt: skip


def _judge(
    repo: Repo, result: Result, asked: list[InventoryItem], pace: Pace
) -> Iterator[AuditedCitation]:
    scoped, context = result.scoped, result.judge.context
    fates = Fates(repo, scoped.head, scoped.tree)
    paths = Paths(repo, scoped.tree, CommitTree(repo, scoped.head), fates)
    adrs = Adrs(repo, scoped.tree, context.config, fates)
    commits = Commits(repo, scoped.head, scoped.base.commit, known=scoped.base.known)
    paths.look_up([a for a in asked if a.citation.kind is CitationKind.PATH])
    adrs.look_up([a for a in asked if a.citation.kind is CitationKind.ADR])
    answers: dict[CitationKind, Callable[[InventoryItem], CitationFate]] = {
        CitationKind.PATH: paths.judge,
        CitationKind.ADR: adrs.judge,
        CitationKind.COMMIT: commits.judge,
        CitationKind.URL: by_verdict,
        CitationKind.ISSUE: by_verdict,
    }
    for number, one in enumerate(asked):
        pace(number)
        found = answers[one.citation.kind](one)
        if not one.doubtful or found.state in (EvidenceState.GONE, EvidenceState.MOVED):
            yield AuditedCitation(one, found)


def _item(judged: AuditedCitation) -> Item:
    asked, found = judged
    claim, evidence = asked.decision.place.claim, asked.evidence
    return Item(
        asked.document,
        asked.line,
        claim.id,
        claim.text,
        evidence.kind,
        found.cited or evidence.target,
        found.state,
        found.reason,
        found.to,
        found.commit,
        found.candidates,
        found.certain and asked.decision.rule != "approved",
        asked.line_recorded is not None,
    )


def _refuted_references(result: Result, known: frozenset[tuple[str, str]]) -> Iterator[Item]:
    """What claims mention that the tree refutes. A citation is told of by its fate."""
    for decision in result.report.decisions:
        place, claim = decision.place, decision.place.claim
        for found in decision.evidence:
            if found.verdict is not Verdict.REFUTED or found.kind not in REFERENCES:
                continue
            went = any(word in found.reason for word in ("removed", "deleted", "renamed", "moved"))
            state = EvidenceState.GONE if went else EvidenceState.MISSING
            yield Item(
                place.path, claim.line, claim.id, claim.text, found.kind, found.target, state,
                found.reason, recorded=(place.path, claim.id) in known,
            )  # fmt: skip


def _promoted_claims(result: Result, recorded: dict[str, dict[ClaimKey, Line]]) -> Iterator[Item]:
    """Claims that wait or are blocked by their evidence, and are approved now."""
    for decision in result.report.decisions:
        claim, path = decision.place.claim, decision.place.path
        held = recorded.get(path, {}).get(claim.key)
        if held is not None and held.tier > decision.tier and decision.tier is Tier.APPROVE:
            reason = f"recorded as tier {held.tier} ({held.rule}), now {decision.rule}"
            yield Item(
                path, claim.line, claim.id, claim.text, "claim", "", EvidenceState.PROMOTED, reason,
                recorded=True,
            )  # fmt: skip


__all__ = ["Audit", "Audited", "AuditedCitation", "Options", "audit"]

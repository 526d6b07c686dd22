"""The evidence of a run: what its files should hold, which are behind, whether the run fails."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from grounded_ingest.config.settings import Config
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import ClaimKey, Decision, Document, Problem
from grounded_ingest.pipeline import Result
from grounded_ingest.records.evidence_tree import DocumentEvidence, EvidenceTree
from grounded_ingest.records.review_log import log_path
from grounded_ingest.records.sidecar import (
    DIRECTORY,
    Line,
    by_claim,
    keep_network,
    line_bytes,
    sidecar_line,
    why_behind,
)
from grounded_ingest.report.ordering import entries, fails_at
from grounded_ingest.repository.index import Index


class SidecarPlan(NamedTuple):
    """Evidence files as they should be. `fresh` and `recorded` are contents by path, empty for no
    file. `orphans` are files of no document, `stale` the problems of what is recorded, `lines` the
    recorded lines by document and claim, `behind` the files to be written of each document that
    has evidence. `present` counts documents with evidence."""

    fresh: dict[str, bytes]
    recorded: dict[str, bytes]
    orphans: tuple[str, ...]
    stale: tuple[Problem, ...]
    ledger: Index
    lines: dict[str, dict[ClaimKey, Line]]
    behind: dict[str, tuple[str, ...]]
    present: int

    @property
    def writes(self) -> dict[str, bytes | None]:
        found: dict[str, bytes | None] = {
            p: c or None for p, c in self.fresh.items() if c != self.recorded.get(p, b"")
        }
        found.update(dict.fromkeys(self.orphans))
        return found


def make_plan(result: Result, *, heal: bool) -> SidecarPlan:
    """Returns what the evidence of the documents in scope should be; nothing with `evidence: off`.
    `heal`: also of documents that fell behind, and the removal of orphans."""
    kb, tree = result.kb, result.scoped.tree
    plan = SidecarPlan({}, {}, (), (), kb.index, {}, {}, 0)
    if result.config.evidence != "off":
        held = EvidenceTree(tree, kb.documents)
        compared = _compare_all(result, held, heal=heal)
        plan = _gather(plan, compared)._replace(orphans=held.orphans)
    moved = _moved_logs(result) if heal else {}
    gone = (*plan.orphans, *moved)
    contents = {p: tree.read(p) or b"" for p in gone} if heal else {}
    fresh = plan.fresh | {new: contents[old] for old, new in moved.items()}
    return plan._replace(fresh=fresh, recorded=plan.recorded | contents, orphans=gone)


def _gather(plan: SidecarPlan, compared: Iterable[_Compared]) -> SidecarPlan:
    """Returns an empty plan with what was found of each document."""
    stale = []
    for one in compared:
        plan.fresh.update(one.fresh)
        plan.recorded.update(one.recorded.files)
        plan.lines.update({one.path: one.lines} if one.lines else {})
        if one.recorded.files and one.differs:
            plan.behind[one.path] = one.differs
        if one.why:
            stale.append(Problem(one.path, 1, "stale-sidecar", f"its evidence {one.why}"))
        plan = plan._replace(present=plan.present + bool(one.recorded.files))
    return plan._replace(stale=tuple(stale))


class _Compared(NamedTuple):
    """Evidence of a document as it should be (`fresh`) beside what is recorded, why that is behind,
    and the recorded lines of its claims."""

    path: str
    fresh: dict[str, bytes]
    recorded: DocumentEvidence
    why: str
    lines: dict[ClaimKey, Line]

    @property
    def differs(self) -> tuple[str, ...]:
        files = self.recorded.files
        return tuple(p for p, c in self.fresh.items() if c != files.get(p, b""))


def _compare_all(result: Result, held: EvidenceTree, *, heal: bool) -> list[_Compared]:
    documents = {d.path: d for d in result.documents}
    decisions = list(result.report.decisions)
    if heal:
        behind = (p for p in dict.fromkeys(_behind(result, held)) if p not in documents)
        extra = [d for p in behind if (d := result.kb.document(p)) is not None]
        decisions += result.judge.decide(extra, {})
        documents.update((d.path, d) for d in extra)
    by_document: dict[str, list[Decision]] = {p: [] for p in documents}
    for decision in decisions:
        by_document[decision.place.path].append(decision)
    return [
        _compare(result, held.of(path), document, by_document[path])
        for path, document in documents.items()
        if not _is_unreadable(document)
    ]


def _compare(
    result: Result, recorded: DocumentEvidence, document: Document, decisions: list[Decision]
) -> _Compared:
    claims = [d.place.claim for d in decisions]
    trusted = by_claim(_trusted(result, recorded), claims)
    fresh: dict[ClaimKey, Line] = {}
    for decision in decisions:
        key, configured = decision.place.claim.key, result.judge.configured(decision.place)
        line = sidecar_line(decision, configured, horizon_of(decision, result.config))
        fresh[key] = keep_network(line, trusted.get(key))
    files = dict.fromkeys((*recorded.paths, recorded.path), b"")
    why = ""
    if result.config.records(document.doc_class):
        lines = (line_bytes(line) for line in fresh.values() if not line.is_quiet)
        files[recorded.path] = b"".join(lines)
        why = _why_stale(recorded, fresh)
    return _Compared(document.path, files, recorded, why, by_claim(recorded.lines or (), claims))


def _is_unreadable(document: Document) -> bool:
    return any(p.rule == "unreadable" for p in document.extraction.problems)


def _moved_logs(result: Result) -> dict[str, str]:
    """Review logs of documents this change renames, and where they belong from now on: approvals
    follow a document, and nobody thinks of moving them."""
    tree = result.scoped.tree
    logs = {
        log_path(c.old_path): log_path(c.path)
        for c in result.scoped.changes or ()
        if c.old is not None and c.path in result.kb.documents and not tree.has(c.old_path)
    }
    return {old: new for old, new in logs.items() if tree.has(old) and not tree.has(new)}


def _why_stale(recorded: DocumentEvidence, fresh: Mapping[ClaimKey, Line]) -> str:
    if recorded.lines is None:
        return "cannot be parsed"
    why = why_behind(recorded.lines, fresh)
    return "is missing" if why and not recorded.files else why


def _trusted(result: Result, recorded: DocumentEvidence) -> Sequence[Line]:
    """Recorded lines with answers of the network that may be kept: those that this tool wrote here,
    or that landed. Anybody can write "confirmed" into a file."""
    lines = [x for x in recorded.lines or () if any(c.network for c in x.citations)]
    if not lines or all(map(result.kb.index.wrote, recorded.files.values())):
        return lines
    base = result.scoped.base
    landed = [p for p in recorded.paths if base.commit and base.tree.has(p)]
    known = DocumentEvidence(base.tree, recorded.path, landed).lines or ()
    return [line for line in lines if line in known]


def horizon_of(decision: Decision, config: Config) -> str:
    """How long a claim is valid: the date its record gives, or a duration (`P90D`) by the
    configured horizon of its rule, kind or memory type; empty for no limit."""
    claim = decision.place.claim
    days = (
        config.horizon(decision.rule)
        or config.horizon(claim.kind)
        or config.horizon(claim.memory_type)
    )
    return claim.valid_until or (f"P{days}D" if days else "")


def _behind(result: Result, held: EvidenceTree) -> Iterator[str]:
    """Documents out of scope that an earlier commit left behind, or whose evidence is changed here
    by somebody else than this tool, as in a merge."""
    kb = result.kb
    yield from (p for p in _noted(result.judge.context.repo) if p in kb.documents)
    changed = {c.path for c in result.scoped.changes or () if c.path.startswith(f"{DIRECTORY}/")}
    for document in kb.documents if changed else ():
        one = held.of(document)
        if not changed.isdisjoint((one.path, *one.paths)):
            contents = one.files.values()
            if not (contents and all(map(kb.index.wrote, contents))):
                yield document


def _note_file(repo: Repo) -> str:
    return f"{repo.git_dir}/grounded-ingest/behind"


def _noted(repo: Repo) -> list[str]:
    try:
        with open(_note_file(repo), encoding="utf-8") as file:
            return file.read().split("\n")
    except OSError:
        return []


def note_behind(repo: Repo, documents: Iterable[str]) -> None:
    """Remembers documents whose evidence this commit leaves behind, for the next run."""
    with suppress(OSError):  # then only the healing waits for the document's next commit
        os.makedirs(f"{repo.git_dir}/grounded-ingest", exist_ok=True)
        noted = _noted(repo)
        with open(_note_file(repo), "a", encoding="utf-8") as file:
            file.writelines(f"{d}\n" for d in documents if d not in noted)


def forget_behind(repo: Repo) -> None:
    """Forgets them: their evidence is written."""
    with suppress(OSError):
        os.unlink(_note_file(repo))


def fails(result: Result, fail_on: str) -> bool:
    """Whether a run fails by its findings; `fail_on` empty: as the configuration says."""
    return fails_at(entries(result.report), fail_on or result.config.fail_on)

"""The sidecars of a run: what they should hold, which are behind, whether the run fails."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from msgspec import Struct

from grounded_ingest.config.settings import Config
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import Tree
from grounded_ingest.knowledge.index import Index
from grounded_ingest.model.claims import (
    Claim,
    ClaimKey,
    Decision,
    Document,
    Problem,
    Tier,
)
from grounded_ingest.pipeline import Result
from grounded_ingest.records.evidence_tree import DocumentEvidence, EvidenceTree
from grounded_ingest.records.review_log import log_path
from grounded_ingest.records.sidecar import (
    EvidenceKey,
    Line,
    evidence_file,
    evidence_keys,
    is_cited,
    keep_network,
    key_of_file,
    line_bytes,
    sidecar_line,
    waits_for_network,
    why_behind,
)
from grounded_ingest.rules.hedges import find_hedges
from grounded_ingest.rules.registry import RULES


class SidecarPlan(NamedTuple):
    """Contents of evidence files by path; nothing: to be removed. `stale` are problems of what is
    recorded, `lines` what is recorded of the claims that there are, by document, `behind` the
    documents whose recorded evidence would be written anew, `unchecked` what is wrong in claims
    that came in without a check. `present` counts documents with evidence, `shrunk` the lines of
    its former form that are written as files now, where none were before."""

    fresh: dict[str, bytes]
    recorded: dict[str, bytes]
    orphans: tuple[str, ...]
    stale: tuple[Problem, ...]
    broken: tuple[str, ...]
    ledger: Index
    lines: dict[str, dict[ClaimKey, Line]]
    behind: dict[str, tuple[str, ...]]
    unchecked: tuple[Decision, ...] = ()
    present: int = 0
    shrunk: int = 0

    @property
    def left_over(self) -> tuple[str, ...]:
        """Where evidence of no document lies: directories of claims, and other files."""
        named = (p.rpartition("/")[0] if key_of_file(p) else p for p in self.orphans)
        return tuple(dict.fromkeys(named))

    @property
    def writes(self) -> dict[str, bytes | None]:
        found: dict[str, bytes | None] = {
            p: c or None for p, c in self.fresh.items() if c != self.recorded.get(p, b"")
        }
        found.update(dict.fromkeys(self.orphans))
        return found


def make_plan(result: Result, *, heal: bool) -> SidecarPlan:
    """What the sidecars of the documents in scope should hold. `heal`: also those that fell
    behind elsewhere, and orphans."""
    kb, tree = result.kb, result.scoped.tree
    held = EvidenceTree(tree, kb.documents)
    compared = _compared_all(result, held, heal=heal)
    exact = [one for one in compared if one.path in kb.documents and not one.differs]
    kb.index.settle((str(kb.documents[one.path]), one.recorded.digest) for one in exact)
    moved = _moved_logs(result) if heal else {}
    gone = (*held.orphans, *moved)
    contents = {p: tree.read(p) or b"" for p in gone} if heal else {}
    plan = SidecarPlan({}, {}, gone, (), (), kb.index, {}, {})
    plan = _gathered(plan, compared)
    shrunk = 0 if held.has_files else sum(one.recorded.former for one in compared)
    fresh = plan.fresh | {new: contents[old] for old, new in moved.items()}
    return plan._replace(fresh=fresh, recorded=plan.recorded | contents, shrunk=shrunk)


def _gathered(plan: SidecarPlan, compared: Iterable[_Compared]) -> SidecarPlan:
    """An empty plan with what was found of each document."""
    fresh, recorded, behind, lines = plan.fresh, plan.recorded, plan.behind, plan.lines
    stale, broken, present = list[Problem](), list[str](), 0
    unchecked: list[Decision] = []
    for one in compared:
        fresh.update(one.fresh)
        recorded.update(one.recorded.files)
        broken += one.recorded.broken
        unchecked += one.unchecked
        lines.update({one.path: one.lines} if one.lines else {})
        if one.why:
            stale.append(Problem(one.path, 1, "stale-sidecar", f"its evidence {one.why}"))
        if one.recorded.files:
            present += 1
            behind.update({one.path: one.differs} if one.differs else {})
    return plan._replace(
        stale=tuple(stale), broken=tuple(broken), unchecked=tuple(unchecked), present=present
    )


def _compared_all(result: Result, held: EvidenceTree, *, heal: bool) -> list[_Compared]:
    documents = {d.path: d for d in result.documents}
    decisions = list(result.report.decisions)
    if heal:
        extra = _to_heal(result, held, documents)
        decisions += result.judge.decide(extra, {})
        documents.update((d.path, d) for d in extra)
    by_document: dict[str, list[Decision]] = {p: [] for p in documents}
    for decision in decisions:
        by_document[decision.place.path].append(decision)
    return [
        _compared(result, held.of(path), document, by_document[path])
        for path, document in documents.items()
        if not _is_unreadable(document)
    ]


def _to_heal(result: Result, held: EvidenceTree, documents: Collection[str]) -> list[Document]:
    """Documents outside the scope whose sidecars are behind."""
    behind = (p for p in dict.fromkeys(_behind(result, held)) if p not in documents)
    return [d for p in behind if (d := result.kb.document(p)) is not None]


class _Compared(Struct, frozen=True):
    """A document's evidence as it should be beside what is recorded: files that would be written,
    what is stale, the recorded lines of its claims, and what is wrong in landed ones that have
    none."""

    path: str
    fresh: dict[str, bytes]
    recorded: DocumentEvidence
    why: str
    lines: dict[ClaimKey, Line]
    unchecked: tuple[Decision, ...]

    @property
    def differs(self) -> tuple[str, ...]:
        files = self.recorded.files
        return tuple(p for p, c in self.fresh.items() if c != files.get(p, b""))


def _compared(
    result: Result, recorded: DocumentEvidence, document: Document, decisions: list[Decision]
) -> _Compared:
    keys = evidence_keys(d.place.claim for d in decisions)
    full = result.config.evidence == "full"
    lines = {}
    for key, decision in zip(keys, decisions, strict=True):
        configured = result.judge.configured(decision.place)
        line = sidecar_line(decision, key[1], configured, horizon_of(decision, result.config))
        if full or not line.is_silent:
            lines[key] = keep_network(line, _trusted(result, recorded, line))
    fresh = dict.fromkeys(recorded.files, b"")
    fresh.update((evidence_file(recorded.directory, k), line_bytes(w)) for k, w in lines.items())
    named = {k: d.place.claim.key for k, d in zip(keys, decisions, strict=True)}
    told = {named[k]: line for k, line in recorded.lines.items() if k in named}
    why = _why_stale(recorded, lines, named)
    unchecked = (
        d
        for key, d in zip(keys, decisions, strict=True)
        if recorded.lines and key not in recorded.lines and not d.changed and _is_wrong(d)
    )
    return _Compared(document.path, fresh, recorded, why, told, tuple(unchecked))


def _is_wrong(decision: Decision) -> bool:
    return decision.tier is Tier.BLOCK or bool(decision.wrong)


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


def _why_stale(
    recorded: DocumentEvidence, fresh: Mapping[EvidenceKey, Line], claims: Iterable[EvidenceKey]
) -> str:
    if recorded.broken:
        return "cannot be parsed"
    if not recorded.files:
        must = any(line.tier == int(Tier.BLOCK) or is_cited(line) for line in fresh.values())
        return "is missing" if must else ""
    return why_behind(recorded.lines, fresh, claims)


def _trusted(result: Result, recorded: DocumentEvidence, line: Line) -> Line | None:
    """What is recorded of a claim that waits for the network, if it may be kept: written here, or
    landed. Anybody can write "confirmed" into a file."""
    former = recorded.lines.get(line.key) if waits_for_network(line) else None
    if former is None:
        return None
    side = recorded.path_of(line.key)
    content = recorded.files[side]
    if result.kb.index.wrote(content):
        return former
    base: Tree = result.scoped.base.tree
    known = result.scoped.base.commit and base.entry(side) is not None
    return former if known and base.read(side) == content else None


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
    """Documents whose recorded sidecar is not of their text; remembers those that are."""
    kb = result.kb
    pairs = {(str(kb.documents[d]), held.of(d).digest): d for d in held.documents}
    settled = kb.index.settled(pairs)
    fresh = []
    for pair, path in pairs.items():
        if pair in settled:
            continue
        document = kb.document(path)
        if document is None or _is_unreadable(document):
            continue
        claims = document.extraction.claims
        keys = evidence_keys(claims)
        yields = document.doc_class in RULES["speculation"].yields_in
        cited = {k for k, c in zip(keys, claims, strict=True) if _has_line(c, guessed=not yields)}
        if cited <= (known := set(held.of(path).keys)) and known <= set(keys):
            fresh.append(pair)
        else:
            yield path
    kb.index.settle(fresh)
    noted = _noted(result.judge.context.repo)
    yield from (p for p in noted if p in kb.documents)


def _has_line(claim: Claim, *, guessed: bool) -> bool:
    """Whether a claim has a line in evidence for what it says alone; `guessed`: where it guesses,
    too."""
    return any(c.own for c in claim.citations) or (
        guessed and any(f.rule == "speculation" for f in find_hedges(claim))
    )


def _note_file(repo: Repo) -> str:
    return f"{repo.git_dir}/grounded-ingest/behind"


def _noted(repo: Repo) -> list[str]:
    try:
        with open(_note_file(repo), encoding="utf-8") as file:
            return file.read().split("\n")
    except OSError:
        return []


def note_behind(repo: Repo, documents: Iterable[str]) -> None:
    """Remember documents whose sidecar this commit leaves behind; the next run heals them."""
    with suppress(OSError):  # then only the healing waits for the document's next commit
        os.makedirs(f"{repo.git_dir}/grounded-ingest", exist_ok=True)
        noted = _noted(repo)
        with open(_note_file(repo), "a", encoding="utf-8") as file:
            file.writelines(f"{d}\n" for d in documents if d not in noted)


def forget_behind(repo: Repo) -> None:
    """What was behind is healed."""
    with suppress(OSError):
        os.unlink(_note_file(repo))


def fails(result: Result, fail_on: str) -> bool:
    """Whether a run fails by its findings; `fail_on` empty: as the configuration says."""
    from grounded_ingest.report import ordering

    return ordering.fails_at(ordering.entries(result.report), fail_on or result.config.fail_on)

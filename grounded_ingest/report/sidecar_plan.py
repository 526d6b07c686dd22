"""The sidecars of a run: what they should hold, which are behind, whether the run fails."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from grounded_ingest.config.settings import Config
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import Tree
from grounded_ingest.knowledge.index import Index
from grounded_ingest.model.claims import Decision, DocClass, Document, Problem, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.records.review_log import log_path
from grounded_ingest.records.sidecar import (
    DIRECTORY,
    Line,
    evidence_path,
    keep_network,
    parse_sidecar,
    same_claims,
    sidecar_line,
    sidecar_text,
    why_behind,
)


class SidecarPlan(NamedTuple):
    """Sidecar contents by path; None: to be removed. `stale` are problems of the recorded ones."""

    fresh: dict[str, bytes]
    recorded: dict[str, bytes]
    orphans: tuple[str, ...]
    stale: tuple[Problem, ...]
    broken: tuple[str, ...]
    ledger: Index

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
    tree, kb = result.scoped.tree, result.kb
    twins: dict[str, list[str]] = {}
    for path in kb.documents:
        twins.setdefault(path.lower(), []).append(path)
    paths = {d: evidence_path(d, twins[d.lower()]) for d in kb.documents}
    documents = {d.path: d for d in result.documents}
    decisions = list(result.report.decisions)
    if heal:
        extra = _to_heal(result, paths, documents)
        decisions += result.judge.decide(extra, {})
        documents.update((d.path, d) for d in extra)
    fresh, recorded, stale = _compared(result, documents, decisions, paths)
    orphans = _orphans(tree, set(paths.values()))
    broken = tuple(p for p, c in recorded.items() if c and parse_sidecar(c) is None)
    moved = _moved_logs(result) if heal else {}
    for old, new in moved.items():
        fresh[new] = recorded[old] = tree.read(old) or b""
    orphans += tuple(moved)
    return SidecarPlan(fresh, recorded, orphans, tuple(stale), broken, kb.index)


def _to_heal(
    result: Result, paths: Mapping[str, str], documents: Collection[str]
) -> list[Document]:
    """Documents outside the scope whose sidecars are behind."""
    behind = (p for p in dict.fromkeys(_behind(result, paths)) if p not in documents)
    return [d for p in behind if (d := result.kb.document(p)) is not None]


def _compared(
    result: Result,
    documents: Mapping[str, Document],
    decisions: Iterable[Decision],
    paths: Mapping[str, str],
) -> tuple[dict[str, bytes], dict[str, bytes], list[Problem]]:
    """Sidecars as they should be, those that are recorded, and what is stale of these."""
    by_document: dict[str, list[Decision]] = {p: [] for p in documents}
    for decision in decisions:
        by_document[decision.place.path].append(decision)
    fresh, recorded, stale = {}, {}, []
    tree = result.scoped.tree
    for path, document in documents.items():
        if _is_unreadable(document):
            continue
        side = paths[path]
        was = tree.read(side) if tree.entry(side) is not None else None
        recorded[side] = was or b""
        fresh[side] = _content(result, by_document[path], _trusted(result, side, was or b""))
        if why := _why_stale(was, fresh[side]):
            stale.append(Problem(path, 1, "stale-sidecar", f"its evidence {why}"))
    return fresh, recorded, stale


def _is_unreadable(document: Document) -> bool:
    return any(p.rule == "unreadable" for p in document.extraction.problems)


def _orphans(tree: Tree, sides: Container[str]) -> tuple[str, ...]:
    """Sidecars of no document."""
    return tuple(p for p in tree.below(DIRECTORY) if p.endswith(".jsonl") and p not in sides)


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


def _why_stale(recorded: bytes | None, fresh: bytes) -> str:
    if recorded is None:
        return "is missing" if fresh else ""
    return why_behind(recorded, fresh)


def _trusted(result: Result, side: str, recorded: bytes) -> bytes:
    """A recorded sidecar whose network verdicts may be kept: written here, or landed. Anybody can
    write "confirmed" into a file."""
    if result.kb.index.wrote(recorded):
        return recorded
    base = result.scoped.base
    landed = base.tree.read(side) if base.commit and base.tree.entry(side) is not None else None
    return recorded if landed == recorded else b""


def _content(result: Result, decisions: Iterable[Decision], trusted: bytes) -> bytes:
    former: Mapping[tuple[str, str, int], Line] = parse_sidecar(trusted) or {}
    rows = []
    for decision in decisions:
        horizon = horizon_of(decision, result.config)
        line = sidecar_line(decision, result.judge.configured(decision.place), horizon)
        rows.append((decision.place.claim.block, keep_network(line, former)))
    return sidecar_text(rows)


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


def _behind(result: Result, paths: Mapping[str, str]) -> Iterator[str]:
    """Documents whose recorded sidecar is not of their text; remembers those that are."""
    tree, kb = result.scoped.tree, result.kb
    pairs = {
        (str(kb.documents[d]), entry.oid): d
        for d, side in paths.items()
        if (entry := tree.entry(side)) is not None
    }
    settled = kb.index.settled(pairs)
    fresh = []
    for pair, path in pairs.items():
        if pair in settled:
            continue
        document, recorded = kb.document(path), tree.read(paths[path])
        if document is None or _is_unreadable(document):
            continue
        if same_claims(recorded or b"", [c.key for c in document.extraction.claims]):
            fresh.append(pair)
        else:
            yield path
    kb.index.settle(fresh)
    noted = _noted(result.judge.context.repo)
    yield from (p for p in noted if p in kb.documents)


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
        with open(_note_file(repo), "a", encoding="utf-8") as file:
            file.writelines(f"{d}\n" for d in documents)


def forget_behind(repo: Repo) -> None:
    """What was behind is healed."""
    with suppress(OSError):
        os.unlink(_note_file(repo))


def fails(result: Result, fail_on: str) -> bool:
    """Whether a run fails by its decisions and problems; `fail_on` empty: as configured."""
    classes = {d.path: d.doc_class for d in result.documents}
    tiers = [(d.weight, d.place.doc_class) for d in result.report.decisions if d.counts]
    tiers += [(p.tier, classes[p.path]) for p in result.report.problems if p.path in classes]
    anywhere = ("queue-full", "unread")
    tiers += [(p.tier, DocClass.MEMORY) for p in result.report.problems if p.rule in anywhere]
    by_tier = fails_by(result.config, fail_on)
    return any(by_tier(tier, doc_class) for tier, doc_class in tiers)


def fails_by(config: Config, fail_on: str) -> Callable[[int, DocClass], bool]:
    """Whether a tier in a class makes a run fail."""
    least = {"block": Tier.BLOCK, "review": Tier.REVIEW, "never": Tier.BLOCK + 1}.get(fail_on)
    return config.fails if least is None else lambda tier, _: tier >= least

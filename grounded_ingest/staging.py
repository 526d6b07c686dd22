"""Sidecars of a run: what they should hold, what is behind, and writing them (docs/adr/0005)."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git import Repo
from grounded_ingest.model import Decision, Document, Problem, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.sidecar import (
    DIRECTORY,
    Line,
    behind,
    evidence_path,
    keep_network,
    line_of,
    parse,
    render,
    same_claims,
)

PATCH_AGE_S = 3600.0


class Plan(NamedTuple):
    """Sidecar contents by path; None: to be removed. `stale` are problems of the recorded ones."""

    fresh: dict[str, bytes]
    recorded: dict[str, bytes]
    orphans: tuple[str, ...]
    stale: tuple[Problem, ...]

    @property
    def writes(self) -> dict[str, bytes | None]:
        found: dict[str, bytes | None] = {
            p: c or None for p, c in self.fresh.items() if c != self.recorded.get(p, b"")
        }
        found.update(dict.fromkeys(self.orphans))
        return found


def make_plan(result: Result, *, heal: bool) -> Plan:
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
        extra = [
            d
            for p in _behind(result, paths)
            if p not in documents and (d := kb.document(p)) is not None
        ]
        decisions += result.judge.decide(extra, {})
        documents.update((d.path, d) for d in extra)
    by_document: dict[str, list[Decision]] = {p: [] for p in documents}
    for decision in decisions:
        by_document[decision.place.path].append(decision)
    fresh, recorded, stale = {}, {}, []
    for path, document in documents.items():
        if any(p.rule == "unreadable" for p in document.extraction.problems):
            continue
        side = paths[path]
        was = tree.read(side) if tree.entry(side) is not None else None
        recorded[side] = was or b""
        fresh[side] = _content(result, document, by_document[path], was or b"")
        if why := _why_stale(was, fresh[side]):
            stale.append(Problem(path, 1, "stale-sidecar", f"its evidence {why}"))
    below = tree.below(DIRECTORY)
    orphans = tuple(p for p in below if p.endswith(".jsonl") and p not in set(paths.values()))
    return Plan(fresh, recorded, orphans, tuple(stale))


def _why_stale(recorded: bytes | None, fresh: bytes) -> str:
    if recorded is None:
        return "is missing" if fresh else ""
    return behind(recorded, fresh)


def _content(
    result: Result, document: Document, decisions: Iterable[Decision], recorded: bytes
) -> bytes:
    former: Mapping[tuple[str, str, int], Line] = parse(recorded) or {}
    rows = []
    for decision in decisions:
        claim = decision.place.claim
        days = (
            result.config.horizon(decision.rule)
            or result.config.horizon(claim.kind)
            or result.config.horizon(claim.memory_type)
        )
        horizon = claim.valid_until or (f"P{days}D" if days else "")
        line = line_of(decision, result.judge.configured(decision.place), horizon)
        rows.append((claim.block, keep_network(line, former)))
    return render(rows)


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
        if document is None or any(p.rule == "unreadable" for p in document.extraction.problems):
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
    os.makedirs(f"{repo.git_dir}/grounded-ingest", exist_ok=True)
    with open(_note_file(repo), "a", encoding="utf-8") as file:
        file.writelines(f"{d}\n" for d in documents)


def why_not_written(repo: Repo, plan: Plan, result: Result) -> str:
    """Why the hook must not write now; empty when it may."""
    index = os.path.basename(os.environ.get("GIT_INDEX_FILE", "index"))
    if index not in ("index", "index.lock"):
        return "git commits from a temporary index; the evidence follows with the next commit"
    if _stashed_evidence():
        return "unstaged edits of evidence wait in pre-commit's stash; stage or drop them"
    for path, content in plan.writes.items():
        now = _on_disk(repo, path)
        if now is None or now in (content, plan.recorded.get(path, b"")):
            continue
        if not result.kb.index.wrote(now):
            return f"{path} has unstaged edits; stage or drop them"
    return ""


def _on_disk(repo: Repo, path: str) -> bytes | None:
    try:
        with open(f"{repo.root}/{path}", "rb") as file:
            return file.read()
    except OSError:
        return None


def _stashed_evidence() -> bool:
    """Whether a running pre-commit holds unstaged edits of evidence in its stash: it keeps them in
    `patch<time>-<pid>`, and restoring them over ours makes it crash (pre-commit 4.7)."""
    if not os.environ.get("PRE_COMMIT"):
        return False
    home = os.environ.get("PRE_COMMIT_HOME") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "pre-commit"
    )
    try:
        patches = [e for e in os.scandir(home) if re.fullmatch(r"patch\d+-\d+", e.name)]
    except OSError:
        return False
    return any(
        _alive(int(e.name.rpartition("-")[2])) and _touches_evidence(e.path) for e in patches
    )


def _alive(pid: int) -> bool:
    if pid == os.getppid():
        return True
    if os.name == "nt":  # os.kill would end the process there
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _touches_evidence(patch: str) -> bool:
    try:
        with open(patch, "rb") as file:
            return f" b/{DIRECTORY}/".encode() in file.read()
    except OSError:
        return False


@contextmanager
def locked(repo: Repo) -> Iterator[None]:
    """Hold the lock under which evidence is written, across processes."""
    directory = f"{repo.common_dir}/grounded-ingest"
    os.makedirs(directory, exist_ok=True)
    with open(f"{directory}/lock", "a+b") as file:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        yield


def write(repo: Repo, result: Result, plan: Plan, *, stage: bool) -> list[str]:
    """Write sidecars to disk, and into the index git is using; returns the paths that changed."""
    writes = plan.writes
    if not writes:
        return []
    result.kb.index.writing(c for c in writes.values() if c is not None)
    with locked(repo):
        for path, content in writes.items():
            if content is None:
                _remove(repo, path)
            elif _on_disk(repo, path) != content:
                _replace(repo, path, content)
        if stage:
            kept = [p for p, c in writes.items() if c is not None]
            staged: dict[str, str | None] = dict(zip(kept, repo.write_blobs(kept), strict=True))
            staged.update((p, None) for p, c in writes.items() if c is None)
            repo.update_index(staged)
    with_notes = _note_file(repo)
    if os.path.exists(with_notes):
        os.unlink(with_notes)
    return list(writes)


def _replace(repo: Repo, path: str, content: bytes) -> None:
    full = f"{repo.root}/{path}"
    directory = os.path.dirname(full)
    if not os.path.realpath(os.path.join(repo.root, ".grounded")).startswith(
        os.path.realpath(repo.root) + os.sep
    ):
        raise GroundedIngestError(".grounded leads out of the repository", "remove the link")
    os.makedirs(directory, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=directory, prefix=".grounded-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, full)
    except BaseException:
        os.unlink(temporary)
        raise


def _remove(repo: Repo, path: str) -> None:
    full = f"{repo.root}/{path}"
    try:
        os.unlink(full)
        os.removedirs(os.path.dirname(full))
    except OSError:
        pass


def fails(result: Result, fail_on: str) -> bool:
    """Whether a run fails by its decisions and problems; `fail_on` empty: as configured."""
    classes = {d.path: d.doc_class for d in result.documents}
    least = {"block": Tier.BLOCK, "review": Tier.REVIEW, "never": Tier.BLOCK + 1}.get(fail_on)
    tiers = [(int(d.tier), d.place.doc_class) for d in result.report.decisions if d.changed]
    tiers += [(p.tier, classes[p.path]) for p in result.report.problems if p.path in classes]
    if least is not None:
        return any(tier >= least for tier, _ in tiers)
    return any(result.config.fails(tier, doc_class) for tier, doc_class in tiers)

"""Plans, compares and writes the evidence files for the checked documents.

Evidence is derived from documents. The hook writes evidence to disk and into git's index together,
so that a commit contains the text and the evidence for the text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.config.settings import Config
from grounded_ingest.decide.base_view import configured_source
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo, update_index, write_blobs
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import ClaimKey, Decision, Document, Problem, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.records.evidence import (
    DIRECTORY,
    DocumentEvidence,
    EvidenceLine,
    EvidenceTree,
    evidence_line,
    evidence_path,
    keep_network,
    line_bytes,
    lines_by_claim,
    parse_lines,
    why_outdated,
)
from grounded_ingest.records.review_log import log_path
from grounded_ingest.records.whole_file import locked, refuse_links, write_whole
from grounded_ingest.report.findings import fails_at, list_findings
from grounded_ingest.repository.index import Index
from grounded_ingest.repository.scope import merging_cleanly


class EvidencePlan(Struct, frozen=True):
    """The evidence files that a repository should have, and the files that it has. An evidence file
    records the decisions and sources for the claims of one document.

    fresh: the correct content of each file by path. recorded: the current content by path. In
    `fresh` and `recorded`, empty content means that there is no file. orphans: files to remove,
    such as evidence files without a document. stale: a problem for each document whose file is not
    correct. present: the number of documents with a file.
    """

    fresh: dict[str, bytes]
    recorded: dict[str, bytes]
    orphans: tuple[str, ...]
    stale: tuple[Problem, ...]
    local_index: Index
    present: int

    @property
    def writes(self) -> dict[str, bytes | None]:
        """Returns the contents to write by path. None means that the file is removed."""
        found: dict[str, bytes | None] = {
            p: c or None for p, c in self.fresh.items() if c != self.recorded.get(p, b"")
        }
        found.update(dict.fromkeys(self.orphans))
        return found


def plan_evidence(result: Result, *, heal: bool) -> EvidencePlan:
    """Returns the plan for the checked documents. With `evidence: off`, no evidence is planned.
    `heal` also adds documents whose evidence an earlier commit did not write, removes evidence
    files without a document, and moves the review logs of renamed documents."""
    kb, tree = result.kb, result.scoped.tree
    fresh: dict[str, bytes] = {}
    recorded: dict[str, bytes] = {}
    stale, present = [], 0
    orphans: tuple[str, ...] = ()
    if result.config.evidence != "off":
        evidence = EvidenceTree(tree, kb.documents)
        orphans = evidence.orphans
        for path, content, before, why in _compare_all(result, evidence, heal=heal):
            fresh[before.path] = content
            recorded[before.path] = before.content
            present += before.exists
            if why:
                stale.append(Problem(path, 1, "stale-sidecar", f"its evidence {why}"))
    if heal:
        moved = _moved_logs(result)
        orphans = (*orphans, *moved)
        contents = {p: tree.read(p) or b"" for p in orphans}
        fresh |= {new: contents[old] for old, new in moved.items()}
        recorded |= contents
    return EvidencePlan(fresh, recorded, orphans, tuple(stale), kb.index, present)


_Compared = tuple[str, bytes, DocumentEvidence, str]
"""A document's path, the correct content of its evidence file, its recorded evidence, and why they
differ."""


def _compare_all(result: Result, evidence: EvidenceTree, *, heal: bool) -> Iterator[_Compared]:
    documents = {d.path: d for d in result.documents}
    decisions = list(result.report.decisions)
    behind: dict[str, None] = {}
    if heal:
        behind = dict.fromkeys(_left_behind(result, evidence))
        absent = (p for p in behind if p not in documents)
        extra = [d for p in absent if (d := result.kb.document(p)) is not None]
        decisions += result.engine.decide(extra, {})
        documents.update((d.path, d) for d in extra)
    by_document: dict[str, list[Decision]] = {p: [] for p in documents}
    for decision in decisions:
        by_document[decision.place.path].append(decision)
    for path, document in documents.items():
        if not any(p.rule == "unreadable" for p in document.extraction.problems):
            recorded, made = evidence.of(path), by_document[path]
            kept = made if path in behind else _recordable(result, recorded, path, made)
            yield _compare(result, recorded, document, made, {d.place.claim.key for d in kept})


def _compare(
    result: Result,
    recorded: DocumentEvidence,
    document: Document,
    decisions: list[Decision],
    kept: Set[ClaimKey],
) -> _Compared:
    claims = [d.place.claim for d in decisions]
    trusted = lines_by_claim(_trusted_answers(result, recorded), claims)
    fresh: dict[ClaimKey, EvidenceLine] = {}
    for decision in decisions:
        key, configured = decision.place.claim.key, configured_source(result.config, decision.place)
        line = evidence_line(decision, configured, horizon_of(decision, result.config))
        fresh[key] = keep_network(line, trusted.get(key))
    if not result.config.records(document.doc_class):
        return document.path, b"", recorded, ""
    written = (line for key, line in fresh.items() if key in kept and not line.is_quiet)
    return document.path, b"".join(map(line_bytes, written)), recorded, _why_stale(recorded, fresh)


def _recordable(
    result: Result, recorded: DocumentEvidence, path: str, decisions: list[Decision]
) -> list[Decision]:
    """Returns the decisions that an evidence file may contain.

    A commit records the sentences that it edits or that a person reviewed, and keeps those that are
    already recorded. With the preset `advisory`, a document without an evidence file gets only its
    reviewed sentences recorded, unless the configuration sets `evidence`. An evidence file that is
    empty or cannot be parsed is written anew.
    """
    if result.scoped.mode != "staged" or (recorded.exists and not recorded.lines):
        return decisions
    former = _former_lines(result, path)
    known = {line.id for line in (*(recorded.lines or ()), *former)}
    asked = result.config.preset != "advisory" or result.config.asks_evidence
    edited = asked or recorded.exists or bool(former)
    return [
        d
        for d in decisions
        if (d.changed and edited) or d.rule in ("approved", "rejected") or d.place.claim.id in known
    ]


def _former_lines(result: Result, path: str) -> Sequence[EvidenceLine]:
    """Returns the evidence lines for a document in the commit before the change, also if the change
    renames the document."""
    commit = result.scoped.parents[0] if result.scoped.parents else ""
    if not commit:
        return ()
    tree = CommitTree(result.engine.context.repo, commit)
    moved = (c.old_path for c in result.scoped.changes or () if c.path == path and c.old)
    homes = dict.fromkeys(evidence_path(p) for p in (path, *moved))
    return [x for p in homes for x in parse_lines(tree.read(p) or b"") or ()]


def _why_stale(recorded: DocumentEvidence, fresh: Mapping[ClaimKey, EvidenceLine]) -> str:
    if recorded.lines is None:
        return "cannot be parsed"
    why = why_outdated(recorded.lines, fresh)
    return "is missing" if why and not recorded.exists else why


def _moved_logs(result: Result) -> dict[str, str]:
    """Returns the old and the new path of each review log whose document this change renames. The
    approvals have to follow the document, and people forget to move the log."""
    tree = result.scoped.tree
    logs = {
        log_path(c.old_path): log_path(c.path)
        for c in result.scoped.changes or ()
        if c.old is not None and c.path in result.kb.documents and not tree.has(c.old_path)
    }
    return {old: new for old, new in logs.items() if tree.has(old) and not tree.has(new)}


def _trusted_answers(result: Result, recorded: DocumentEvidence) -> Sequence[EvidenceLine]:
    """Returns the recorded lines whose network results may be kept. Trusts only lines that this
    program wrote on this machine and lines on the base branch, because anybody can write
    "confirmed" into a file."""
    lines = [x for x in recorded.lines or () if any(c.network for c in x.citations)]
    if not lines or result.kb.index.wrote(recorded.content):
        return lines
    base = result.scoped.base
    on_base = (DocumentEvidence(base.tree, recorded.path).lines or ()) if base.commit else ()
    return [line for line in lines if line in on_base]


def horizon_of(decision: Decision, config: Config) -> str:
    """Returns the date or the duration (such as `P90D`) for which a claim is valid. The date is in
    the claim's record; the duration is configured for the claim's rule, kind or memory type.
    Returns an empty string if there is no limit."""
    claim, horizons = decision.place.claim, dict(config.horizons)
    names = (decision.rule, claim.kind, claim.memory_type)
    days = next((horizons[name] for name in names if name in horizons), 0)
    return claim.valid_until or (f"P{days}D" if days else "")


def _left_behind(result: Result, evidence: EvidenceTree) -> Iterator[str]:
    """Yields the paths of documents outside of this change whose evidence may be outdated. An
    earlier commit did not write their evidence, or this change edits their evidence without this
    program, as in a merge."""
    kb = result.kb
    yield from (p for p in _read_notes(result.engine.context.repo) if p in kb.documents)
    changed = {c.path for c in result.scoped.changes or () if c.path.startswith(f"{DIRECTORY}/")}
    for document in kb.documents if changed else ():
        one = evidence.of(document)
        if one.path in changed and not (one.content and kb.index.wrote(one.content)):
            yield document


def _note_file(repo: Repo) -> str:
    return f"{repo.git_dir}/grounded-ingest/behind"


def _read_notes(repo: Repo) -> list[str]:
    try:
        with open(_note_file(repo), encoding="utf-8") as file:
            return file.read().split("\n")
    except OSError:
        return []


def _note_left_behind(repo: Repo, documents: Iterable[str]) -> None:
    """Notes documents whose evidence this commit does not write, so that the next run writes it."""
    with suppress(OSError):  # then the next commit that changes the document writes the evidence
        os.makedirs(f"{repo.git_dir}/grounded-ingest", exist_ok=True)
        noted = _read_notes(repo)
        with open(_note_file(repo), "a", encoding="utf-8") as file:
            file.writelines(f"{d}\n" for d in documents if d not in noted)


def settle_evidence(
    repo: Repo,
    result: Result,
    *,
    write: bool,
    locked: bool,
    fail_on: str,
    keeps: Callable[[str, str], bool] = lambda *_: True,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Result, bool]:
    """With `write`, writes evidence files if the run passes. Without `write`, compares them with
    the results of this run if `locked` is set or the preset is `strict`.

    Returns the result together with findings about evidence, and whether the run fails. Without
    `fail_on`, the configuration decides which findings fail it. Raises GroundedIngestError if a
    file cannot be written.

    keeps: returns whether findings of a rule in a document are reported. Findings that fail the run
    are always reported. tell: is called with a message if the setting `evidence` has an old value,
    and if a hook adds new files to a commit.
    """
    setting = result.config.evidence
    if setting in ("sparse", "full") and result.scoped.mode != "staged":
        tell(f"`evidence: {setting}` is an old value; write `evidence: all` instead")
    failed = fails_at(list_findings(result.report), fail_on or result.config.fail_on)
    # A hook that found nothing staged reads the whole tree, and adds a note (`scoped.notes`).
    writable = not (repo.bare or result.scoped.mode == "range" or result.scoped.notes)
    if not (write and writable):
        problems, stops = _find_stale(result, fail_on, locked=locked)
        failed = failed or stops
    elif failed:  # no evidence is written for a commit that the hook stops
        problems = []
    else:
        problems, failed = _write_for_run(repo, result, tell)
    problems = [p for p in problems if p.tier or not p.path or keeps(p.rule, p.path)]
    report = replace(result.report, problems=(*result.report.problems, *problems))
    return replace(result, report=report), failed


def _find_stale(result: Result, fail_on: str, *, locked: bool) -> tuple[list[Problem], bool]:
    """Returns a problem for each stale evidence file, and whether these problems fail the run. Only
    compares with `--locked`, or with preset `strict` in a check of a commit range or of all
    documents. Only `--locked` reports missing files."""
    strict = result.config.preset == "strict" and result.scoped.mode in ("range", "all")
    if not (locked or strict):
        return [], False
    tier = int(Tier.BLOCK) if locked or not fail_on else 0
    stale = plan_evidence(result, heal=False).stale
    problems = [p for p in stale if locked or not p.message.endswith("is missing")]
    return [replace(p, tier=tier) for p in problems], bool(tier and problems)


def _write_for_run(
    repo: Repo, result: Result, tell: Callable[[str], None]
) -> tuple[list[Problem], bool]:
    """Writes evidence. Returns the problems to report, and whether the run fails. The run fails if
    the user has to stage the written files and commit again."""
    plan = plan_evidence(result, heal=True)
    hook, stage = result.scoped.mode == "staged", result.config.stage_evidence
    if hook and plan.writes:
        later = _cannot_join_commit()
        why = "" if later else _blocking_edits(repo, plan)
        if later or why:
            _note_left_behind(repo, (d.path for d in result.documents))
            return [_problem(f"evidence was not written: {why}")] if why else [], False
    changed = write_evidence(repo, plan, stage=hook and stage)
    if hook and stage:
        _tell_added([path for path in changed if not result.scoped.tree.has(path)], tell)
    elif hook and changed:
        return [_problem(f"evidence was written but not staged; run: git add {DIRECTORY}")], True
    return [], False


def _tell_added(paths: Sequence[str], tell: Callable[[str], None]) -> None:
    if paths:
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        tell(f"added to this commit: {paths[0]}{more} (`evidence: off` writes none)")


def _problem(message: str) -> Problem:
    return Problem("", 0, "stale-sidecar", message)


def _cannot_join_commit() -> bool:
    """Returns whether the commit in progress ignores files that the hook stages. git commits a
    clean merge without these files, and `git commit <path>` uses a temporary index."""
    index = os.path.basename(os.environ.get("GIT_INDEX_FILE", "index"))
    return merging_cleanly(os.environ) or index not in ("index", "index.lock")


def _blocking_edits(repo: Repo, plan: EvidencePlan) -> str:
    """Returns a message if the hook would overwrite the user's unstaged edits in evidence files.
    Returns an empty string if there are no such edits."""
    if _stashed_evidence():
        return (
            "pre-commit has put aside unstaged edits in evidence files; stage or discard the edits"
        )
    for path, content in plan.writes.items():
        now = _read_disk(repo, path)
        if now is None or now in (content, plan.recorded.get(path, b"")):
            continue
        if not plan.local_index.wrote(now):
            return f"{path} has unstaged edits; stage or discard these edits"
    return ""


def _read_disk(repo: Repo, path: str) -> bytes | None:
    try:
        with open(f"{repo.root}/{path}", "rb") as file:
            return file.read().replace(b"\r\n", b"\n")  # as checked out with core.autocrlf
    except OSError:
        return None


def _stashed_evidence() -> bool:
    """Returns whether a running pre-commit has put aside (stashed) unstaged edits in evidence
    files. pre-commit keeps stashed edits in a file `patch<time>-<pid>`. pre-commit 4.7 crashes when
    it restores the edits over a file that has changed."""
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
        _is_alive(int(e.name.rpartition("-")[2])) and _touches_evidence(e.path) for e in patches
    )


def _is_alive(pid: int) -> bool:
    if pid == os.getppid():
        return True
    if os.name == "nt":  # on Windows, os.kill would end the process
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # the process is alive and belongs to another user
        return True
    return True


def _touches_evidence(patch: str) -> bool:
    try:
        with open(patch, "rb") as file:
            return re.search(rb"^diff --git .*\.grounded/", file.read(), re.MULTILINE) is not None
    except OSError:
        return False


def write_evidence(repo: Repo, plan: EvidencePlan, *, stage: bool) -> list[str]:
    """Writes evidence to disk, and with `stage` also into the index that git is using. Returns the
    paths that changed. Raises GroundedIngestError if a file cannot be written."""
    writes = plan.writes
    if not writes:
        return []
    plan.local_index.note_written(c for c in writes.values() if c is not None)
    try:
        _write(repo, writes, stage=stage)
    except OSError as error:
        raise GroundedIngestError(
            f"evidence cannot be written: {error.filename or DIRECTORY}: {error.strerror}",
            "remove or rename that file, or free disk space; nothing was committed",
        ) from None
    with suppress(OSError):
        os.unlink(_note_file(repo))
    return list(writes)


def _write(repo: Repo, writes: Mapping[str, bytes | None], *, stage: bool) -> None:
    kept = {p: c for p, c in writes.items() if c is not None}
    gone = [p for p in writes if p not in kept]
    with locked(repo):
        folded = {p.casefold() for p in kept}
        # On a file system that ignores case, removing `A.jsonl` would remove the new `a.jsonl`, so
        # such files are removed first. All other files are removed last, so that a document never
        # loses its evidence in between.
        for path in (p for p in gone if p.casefold() in folded):
            _remove(repo, path)
        for path, content in kept.items():
            if _read_disk(repo, path) != content:
                refuse_links(repo.root, path)
                write_whole(f"{repo.root}/{path}", content, mode=0o644)
        for path in (p for p in gone if p.casefold() not in folded):
            _remove(repo, path)
        if stage:
            written = zip(kept, write_blobs(repo, list(kept)), strict=True)
            update_index(repo, dict.fromkeys(gone) | dict(written))


def _remove(repo: Repo, path: str) -> None:
    full = f"{repo.root}/{path}"
    with suppress(FileNotFoundError, NotADirectoryError):
        os.unlink(full)
    with suppress(OSError):  # not empty
        os.removedirs(os.path.dirname(full))

"""Writes evidence: to disk and into the index git is using, or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress

from msgspec.structs import replace

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.index_writer import update_index, write_blobs
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Problem, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.records.sidecar import DIRECTORY, is_file_of_one_claim
from grounded_ingest.records.whole_file import locked, write_whole
from grounded_ingest.report.sidecar_plan import (
    SidecarPlan,
    fails,
    forget_behind,
    make_plan,
    note_behind,
)
from grounded_ingest.repository.scope import merging_cleanly


def settle(
    repo: Repo,
    result: Result,
    *,
    write: bool,
    locked: bool,
    fail_on: str,
    keeps: Callable[[str, str], bool] = lambda *_: True,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Result, bool]:
    """Writes evidence where that is asked for and nothing keeps it from being written, and compares
    it where `locked` or the preset asks. `keeps`: whether what a rule says of a document is wanted;
    what makes the run fail is said in any case. `tell` is told of files of the former form.

    Returns the result with what has to be said of evidence, and whether the run fails.
    """
    failed, setting = fails(result, fail_on), result.config.evidence
    if setting in ("sparse", "full") and result.scoped.mode != "staged":
        tell(f"evidence: {setting} is an old name, read as `all`")
    said: list[Problem] = []
    if not (write and result.writable and not repo.bare):
        said, stops = _behind(result, fail_on, locked=locked)
        failed = failed or stops
    elif not failed:  # what stops the hook comes before what it would write
        said, failed = _written(repo, result, tell)
    said = [p for p in said if p.tier or not p.path or keeps(p.rule, p.path)]
    report = replace(result.report, problems=(*result.report.problems, *said))
    return replace(result, report=report), failed


def _behind(result: Result, fail_on: str, *, locked: bool) -> tuple[list[Problem], bool]:
    """Returns which evidence is behind, and whether the run fails for it. It is asked for by
    `locked`, and by the preset strict of what is committed; strict asks for no file to be there."""
    strict = result.config.preset == "strict" and result.scoped.mode in ("range", "all")
    if not (locked or strict):
        return [], False
    tier = int(Tier.BLOCK) if locked or not fail_on else 0
    stale = make_plan(result, heal=False).stale
    said = [p for p in stale if locked or not p.message.endswith("is missing")]
    return [replace(p, tier=tier) for p in said], bool(tier and said)


def _written(repo: Repo, result: Result, tell: Callable[[str], None]) -> tuple[list[Problem], bool]:
    """Writes evidence. Returns what is to be said of it, and whether the commit has to be made
    again with it."""
    plan = make_plan(result, heal=True)
    hook, stage = result.scoped.mode == "staged", result.config.stage_evidence
    if hook and plan.writes:
        later = _follows_later()
        why = "" if later else _edits(repo, plan)
        if later or why:
            note_behind(repo, (d.path for d in result.documents))
            return [_of_evidence(f"evidence is not written: {why}")] if why else [], False
    changed = write_sidecars(repo, plan, stage=hook and stage)
    if told := _taken_over(plan, changed):
        tell(told)
    if hook and changed and not stage:
        return [_of_evidence(f"evidence was written; run: git add {DIRECTORY}")], True
    return [], False


def _taken_over(plan: SidecarPlan, changed: list[str]) -> str:
    """Tells how many files of the former form became how many; empty if there were none."""
    former = [p for p in changed if is_file_of_one_claim(p) and p not in plan.orphans]
    paths = {f"{p.rpartition('/')[0]}.jsonl" for p in former}
    became = sum(bool(plan.fresh[p]) for p in paths)
    said = f"evidence has one file a document now: {len(former)} files became {became}"
    return said if former else ""


def _of_evidence(message: str) -> Problem:
    return Problem("", 0, "stale-sidecar", message)


def _follows_later() -> bool:
    """Whether what the hook puts into the index now does not get into the commit: git commits a
    clean merge as it stands, and `git commit <path>` from a temporary index."""
    index = os.path.basename(os.environ.get("GIT_INDEX_FILE", "index"))
    return merging_cleanly(os.environ) or index not in ("index", "index.lock")


def _edits(repo: Repo, plan: SidecarPlan) -> str:
    """Which unstaged edits of evidence the hook must not overwrite; empty if there are none."""
    if _stashed_evidence():
        return "unstaged edits of evidence wait in pre-commit's stash; stage or drop them"
    for path, content in plan.writes.items():
        now = _on_disk(repo, path)
        if now is None or now in (content, plan.recorded.get(path, b"")):
            continue
        if not plan.ledger.wrote(now):
            return f"{path} has unstaged edits; stage or drop them"
    return ""


def _on_disk(repo: Repo, path: str) -> bytes | None:
    try:
        with open(f"{repo.root}/{path}", "rb") as file:
            return file.read().replace(b"\r\n", b"\n")  # evidence has no carriage returns
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
            return re.search(rb"^diff --git .*\.grounded/", file.read(), re.MULTILINE) is not None
    except OSError:
        return False


def write_sidecars(repo: Repo, plan: SidecarPlan, *, stage: bool) -> list[str]:
    """Writes evidence to disk, and into the index git is using. Returns the paths that changed."""
    writes = plan.writes
    if not writes:
        return []
    plan.ledger.writing(c for c in writes.values() if c is not None)
    try:
        _write(repo, writes, stage=stage)
    except OSError as error:
        raise GroundedIngestError(
            f"evidence cannot be written: {error.filename or DIRECTORY}: {error.strerror}",
            "remove or rename what stands there, or free space; nothing was committed",
        ) from None
    forget_behind(repo)
    return list(writes)


def _write(repo: Repo, writes: Mapping[str, bytes | None], *, stage: bool) -> None:
    kept = {p: c for p, c in writes.items() if c is not None}
    gone = [p for p in writes if p not in kept]
    with locked(repo):
        folded = {p.casefold() for p in kept}
        # The same file as one of those, where a file system folds case: removed before.
        for path in (p for p in gone if p.casefold() in folded):
            _remove(repo, path)
        for path, content in kept.items():
            if _on_disk(repo, path) != content:
                _replace(repo, path, content)
        # The others at the end: a document never lacks evidence that had some.
        for path in (p for p in gone if p.casefold() not in folded):
            _remove(repo, path)
        if stage:
            written = zip(kept, write_blobs(repo, list(kept)), strict=True)
            update_index(repo, dict.fromkeys(gone) | dict(written))


def _replace(repo: Repo, path: str, content: bytes) -> None:
    above = path
    while above := os.path.dirname(above):
        if os.path.islink(f"{repo.root}/{above}"):
            raise GroundedIngestError(
                f"{above} is a symbolic link", "evidence is not written through links"
            )
    write_whole(f"{repo.root}/{path}", content, mode=0o644)


def _remove(repo: Repo, path: str) -> None:
    full = f"{repo.root}/{path}"
    with suppress(FileNotFoundError, NotADirectoryError):
        os.unlink(full)
    with suppress(OSError):  # not empty
        os.removedirs(os.path.dirname(full))

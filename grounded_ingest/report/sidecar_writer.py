"""Writing sidecars: to disk and into the index git is using (docs/adr/0005), or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from msgspec.structs import replace

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.index_writer import update_index, write_blobs
from grounded_ingest.git.repository import Repo
from grounded_ingest.knowledge.scope import merging_cleanly
from grounded_ingest.model.claims import Problem, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.records.sidecar import DIRECTORY
from grounded_ingest.records.whole_file import locked, write_whole
from grounded_ingest.report.sidecar_plan import (
    SidecarPlan,
    fails,
    forget_behind,
    make_plan,
    note_behind,
)
from grounded_ingest.report.wording import cause
from grounded_ingest.rules.registry import RULES

_SAID = 20
"""Claims that came in unchecked and are named."""


def settle(
    repo: Repo,
    result: Result,
    *,
    write: bool,
    locked: bool,
    fail_on: str,
    keeps: Callable[[str, str], bool] = lambda *_: True,
) -> tuple[Result, bool]:
    """Compare sidecars and, where asked and allowed, write them. `keeps`: whether what a rule says
    of a document is wanted; what makes the run fail is said in any case.

    Returns the result with what has to be said of them, and whether the run fails.
    """
    failed = fails(result, fail_on)
    writing = write and result.writable and not repo.bare
    plan = make_plan(result, heal=writing)
    said: list[Problem] = []
    if writing and not failed:
        said, failed = _written(repo, result, plan)
    elif not writing:  # what stops the hook comes before what it would write
        said = _behind(result, plan, locked=locked)
        failed = failed or (locked and bool(said))
    if writing:
        said += _unchecked(repo, plan)
    said = [p for p in said if p.tier or not p.path or keeps(p.rule, p.path)]
    report = replace(result.report, problems=(*result.report.problems, *said))
    return replace(result, report=report), failed


def _behind(result: Result, plan: SidecarPlan, *, locked: bool) -> list[Problem]:
    """What is said of evidence that is behind, where there is any or there has to be."""
    told = locked or result.scoped.tree.is_dir(DIRECTORY)
    tier = int(Tier.BLOCK) if locked else 0
    return [replace(p, tier=tier) for p in plan.stale] if told else []


def _written(repo: Repo, result: Result, plan: SidecarPlan) -> tuple[list[Problem], bool]:
    """Write sidecars, if nothing keeps the hook from it; what is to be said of that, and whether
    the commit has to be made again with them."""
    hook, stage = result.scoped.mode == "staged", result.config.stage_evidence
    if why := why_not_written(repo, plan) if hook else "":
        if not plan.writes:
            return [], False
        note_behind(repo, (d.path for d in result.documents))
        return [_of_evidence(f"evidence is not written: {why}")], False
    changed = write_sidecars(repo, plan, stage=hook and stage)
    said = [
        Problem(p, 1, "stale-sidecar", "could not be parsed; it was derived anew")
        for p in plan.broken
    ]
    if plan.shrunk:
        kept = sum(bool(c) for c in plan.fresh.values())
        message = f"evidence is kept sparse by now: {plan.shrunk} lines became {kept} files"
        said.append(_of_evidence(message))
    to_add = bool(hook and changed and not stage)
    if to_add:
        said.append(_of_evidence(f"evidence was written; run: git add {DIRECTORY}"))
    return said, to_add


def _unchecked(repo: Repo, plan: SidecarPlan) -> Iterator[Problem]:
    """What is wrong in claims that were committed without a check (`--no-verify`), said once: with
    the commit they have evidence like all others."""
    for decision in plan.unchecked[:_SAID]:
        path, line = decision.place.path, decision.place.claim.line
        known = repo.run("blame", "-s", f"-L{line},{line}", "HEAD", "--", path, ok=(0, 128))
        commit = known.split(b" ", 1)[0].decode(errors="replace").lstrip("^")[:10]
        why = cause(decision) or RULES[decision.rule].summary
        yield Problem(
            path, line, decision.rule, f"came in unchecked ({commit or 'no commit'}): {why}"
        )
    if (rest := len(plan.unchecked) - _SAID) > 0:
        yield Problem("", 0, "scope", f"{rest} more claims that came in unchecked are wrong")


def _of_evidence(message: str) -> Problem:
    return Problem("", 0, "stale-sidecar", message)


def why_not_written(repo: Repo, plan: SidecarPlan) -> str:
    """Why the hook must not write now; empty when it may."""
    if merging_cleanly(os.environ):
        return "git commits a clean merge as it stands; the evidence follows with the next commit"
    index = os.path.basename(os.environ.get("GIT_INDEX_FILE", "index"))
    if index not in ("index", "index.lock"):
        return "git commits from a temporary index; the evidence follows with the next commit"
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
    """Write sidecars to disk, and into the index git is using; returns the paths that changed."""
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

"""The report of a check that found the repository as it is now: kept, and given again.

A file of the git directory by the digest of all that the check depends on (knowledge's
`repository_state`), so nothing can make it stale. What the network answered is no part of that
state: a report that rests on it is not kept. Safe to delete at any time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

import msgspec

from grounded_ingest.config.settings import Wishes
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import CitationKind
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Result
from grounded_ingest.repository.repository_state import state_of
from grounded_ingest.repository.sqlite_files import sealed, unsealed

FORMAT = b"report 2"
"""Raised when a report changes its meaning."""
MOST = 4
"""Reports that are kept."""
LAST_RUN = "grounded-ingest/last-run.json"
"""Where in the git directory the report of the last failed run is, for `explain`."""

_OF_THE_NETWORK = (CitationKind.URL, CitationKind.ISSUE)
_encode = msgspec.msgpack.Encoder().encode


class CheckOutcome(msgspec.Struct, frozen=True):
    """A report, whether the run fails, and the paths asked about in which no document is."""

    report: Report
    failed: bool
    undocumented: tuple[str, ...] = ()


def kept_outcome(
    repo: Repo, asked_for: bytes, check: Callable[[], tuple[CheckOutcome, bool]]
) -> CheckOutcome:
    """What a check gave, or gives: `asked_for` is all that was asked, `check` says with its outcome
    whether that may be kept."""
    state = state_of(repo, FORMAT, asked_for)
    path = f"{_folder(repo)}/{state.hex()}"
    with suppress(OSError, ValueError, msgspec.MsgspecError):
        if state:
            with open(path, "rb") as file:
                content = unsealed(state.hex(), file.read())
            kept = msgspec.msgpack.decode(content, type=CheckOutcome)
            os.utime(path)
            return kept
    outcome, whole = check()
    if state and whole and state_of(repo, FORMAT, asked_for) == state:
        with suppress(OSError):  # full, read-only: the next run checks again
            _keep(path, sealed(state.hex(), _encode(outcome)))
    return outcome


def _folder(repo: Repo) -> str:
    return f"{repo.common_dir}/grounded-ingest/reports"


def may_keep(result: Result) -> bool:
    """Whether a report is the whole answer, and nothing in it may be of what the network, a judge
    or the configuration of this user said."""
    context = result.judge.context
    if context.removals.gaps:  # a later run may read the rest of the history
        return False
    if context.web is None:
        return True
    asked = (e.kind in _OF_THE_NETWORK for d in result.report.decisions for e in d.evidence)
    return context.web.idle and result.config.wishes == Wishes() and not any(asked)


def _keep(path: str, content: bytes) -> None:
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    with open(f"{path}.{os.getpid()}", "wb") as file:
        file.write(content)
    os.replace(file.name, path)
    held = sorted(os.scandir(folder), key=lambda e: e.stat().st_mtime_ns, reverse=True)
    for old in held[MOST:]:
        os.unlink(old.path)

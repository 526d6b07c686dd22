"""Caches reports, so that an unchanged repository is not checked again.

The key of a report in the cache is a digest of everything that the check depends on
(`repository.repository_state`), so a cached report is never outdated. The digest does not cover
responses from the network, so a report that used the network is not cached.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import msgspec

from grounded_ingest.config.settings import Wishes
from grounded_ingest.git.cache import Cache
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import CitationKind
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Result

FORMAT = b"report 3"
"""Part of the cache key. Change this value whenever the structure of a cached report changes."""
MOST = 4
"""Maximum number of cached reports."""
LAST_RUN = "grounded-ingest/last-run.json"
"""The path in the git directory of the last report with findings, which `explain` reads."""

_OF_THE_NETWORK = (CitationKind.URL, CitationKind.ISSUE)


class CheckOutcome(msgspec.Struct, frozen=True):
    """The outcome of a check. failed: whether the run fails. undocumented: paths on the command
    line that contain no document."""

    report: Report
    failed: bool
    undocumented: tuple[str, ...] = ()


def reuse_outcome(
    repo: Repo, asked_for: bytes, check: Callable[[], tuple[CheckOutcome, bool]]
) -> CheckOutcome:
    """Returns the cached outcome of the same check, or else runs `check` and caches the outcome.
    asked_for: the options of the check as bytes. check: returns the outcome, and whether the
    outcome may be cached."""
    from grounded_ingest.repository.repository_state import (
        state_of,  # imported late for a fast start
    )

    state = state_of(repo, FORMAT, asked_for)
    cache = Cache(repo.cache_directory)
    if state and (content := cache.get_one("report", state)) is not None:
        with suppress(ValueError, msgspec.MsgspecError):
            kept = msgspec.msgpack.decode(content, type=CheckOutcome)
            cache.close()
            return kept
    outcome, keeps = check()
    if state and keeps and state_of(repo, FORMAT, asked_for) == state:
        with suppress(UnicodeEncodeError):  # the name of a file is not UTF-8
            cache.put("report", {state: msgspec.msgpack.encode(outcome)}, most=MOST)
    cache.close()
    return outcome


def may_keep(result: Result) -> bool:
    """Returns whether a report may be cached. A report may be cached if the whole history was read,
    and if the run was offline or had nothing to look up online: no URL, no issue, and no setting
    that the user has to allow (`Wishes`)."""
    context = result.engine.context
    if context.removals.gaps:  # this run read only a part of the history; a later run may read more
        return False
    if context.web is None:
        return True
    asked = (e.kind in _OF_THE_NETWORK for d in result.report.decisions for e in d.evidence)
    return context.web.idle and result.config.wishes == Wishes() and not any(asked)

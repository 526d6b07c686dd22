"""Keeps the reports of full checks, so that a check of an unchanged repository is given again.

Its key in the cache is a digest of everything the check depends on (`repository.repository_state`),
so it cannot be out of date. The network is not part of the digest: a report that used an answer of
the network is not kept.
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
from grounded_ingest.repository.repository_state import state_of

FORMAT = b"report 2"
"""To be changed whenever a kept report would be read as something else."""
MOST = 4
"""Reports that are kept."""
LAST_RUN = "grounded-ingest/last-run.json"
"""The path in the git directory of the last failed run's report, which `explain` reads."""

_OF_THE_NETWORK = (CitationKind.URL, CitationKind.ISSUE)


class CheckOutcome(msgspec.Struct, frozen=True):
    """A report, whether the run fails, and those of the given paths in which no document is."""

    report: Report
    failed: bool
    undocumented: tuple[str, ...] = ()


def reuse_outcome(
    repo: Repo, asked_for: bytes, check: Callable[[], tuple[CheckOutcome, bool]]
) -> CheckOutcome:
    """Returns the kept outcome of this very check, else runs `check` and keeps its outcome.

    asked_for: everything the caller asked for, as bytes. check: returns the outcome, and whether it
    may be kept.
    """
    state = state_of(repo, FORMAT, asked_for)
    cache = Cache(repo.cache_directory)
    if state and (content := cache.get_one("report", state)) is not None:
        with suppress(ValueError, msgspec.MsgspecError):
            kept = msgspec.msgpack.decode(content, type=CheckOutcome)
            cache.close()
            return kept
    outcome, keeps = check()
    if state and keeps and state_of(repo, FORMAT, asked_for) == state:
        cache.put("report", {state: msgspec.msgpack.encode(outcome)}, most=MOST)
    cache.close()
    return outcome


def may_keep(result: Result) -> bool:
    """Whether a report is complete, and nothing in it came from the network, a judge or this user's
    own configuration."""
    context = result.engine.context
    if context.removals.gaps:  # history was read in part; a later run may read the rest
        return False
    if context.web is None:
        return True
    asked = (e.kind in _OF_THE_NETWORK for d in result.report.decisions for e in d.evidence)
    return context.web.idle and result.config.wishes == Wishes() and not any(asked)

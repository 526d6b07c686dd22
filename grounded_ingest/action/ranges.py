"""What is listed: where the change of an event begins, and why. Who judges it the check finds
(docs/adr/0030); what it looks for is fetched here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from grounded_ingest.action.fetch import History
from grounded_ingest.action.runner import inside
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.knowledge.scope import is_branch_name
from grounded_ingest.language.patterns import compiled

_OBJECT = compiled(r"[0-9a-f]{40}|[0-9a-f]{64}")
NOTHING = "0" * 40


class ListingStart(NamedTuple):
    """`commit` is empty where the whole tree is checked; `how` says where it comes from."""

    commit: str
    how: str


def listing_start(history: History, payload: Mapping[str, Any], wanted: str) -> ListingStart:
    """The first that exists: the input, what the event names, the merge base with the default
    branch; else the whole tree. Raises GroundedIngestError where the input names nothing."""
    if wanted:
        commit = history.revision(wanted)
        if not commit:
            raise GroundedIngestError(
                f"input base: no such commit or branch: {wanted}",
                "name one of this repository, or check out with fetch-depth: 0",
            )
        return ListingStart(commit, f"the input base ({wanted})")
    branch = _default_branch(payload)
    tip = history.branch(branch) if branch else ""
    common = history.merge_base(tip) if tip else ""
    landed = common == history.head
    for named, how in _of_event(payload):
        if history.have(named):
            began = history.merge_base(named)
            behind = bool(common) and not landed and history.common(began, common) == began
            if not behind or began == common:
                return ListingStart(named, f"{how} of the event")
            break  # what landed since is not this change's
    if common and not landed:
        return ListingStart(common, f"the merge base with {branch}")
    return ListingStart("", "no base: the whole tree")


def default_before(history: History, payload: Mapping[str, Any]) -> str:
    """The default branch before this event pushed to it: what it holds by now would judge itself.
    Empty for every other event; zeros where nothing is known to have landed."""
    branch = _default_branch(payload)
    ref = inside(payload, "ref") or os.environ.get("GITHUB_REF", "")
    if os.environ.get("GITHUB_EVENT_NAME") != "push" or not branch or ref != f"refs/heads/{branch}":
        return ""
    before = inside(payload, "before")
    known = _OBJECT.fullmatch(before) and set(before) != {"0"} and history.have(before)
    return before if known else NOTHING


def bring_default_branch(history: History, payload: Mapping[str, Any]) -> None:
    """Fetch what the check judges by, whatever it lists."""
    if branch := _default_branch(payload):
        history.branch(branch)


def bring_configured_base(history: History, before: str) -> None:
    """Fetch the branch that the landed configuration takes for the default one."""
    named = history.configured_base(before)
    if is_branch_name(named):
        history.branch(named.removeprefix("origin/"))


def _default_branch(payload: Mapping[str, Any]) -> str:
    branch = inside(payload, "repository", "default_branch")
    if branch and not is_branch_name(branch):
        raise GroundedIngestError("the event's repository.default_branch is no name of a branch")
    return branch


def _of_event(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for path in (("pull_request", "base", "sha"), ("merge_group", "base_sha"), ("before",)):
        named = inside(payload, *path)
        if _OBJECT.fullmatch(named) and set(named) != {"0"}:
            yield named, ".".join(path)

"""Base of the range: which commit the change is compared with, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from grounded_ingest.action.fetching import History
from grounded_ingest.action.runner import inside
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.patterns import compiled

_OBJECT = compiled(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Base(NamedTuple):
    """`commit` is empty where the whole tree is checked; `how` says where it comes from."""

    commit: str
    how: str


def find_base(history: History, payload: Mapping[str, Any], wanted: str) -> Base:
    """The first that exists: the input, what the event names, the merge base with the default
    branch; else the whole tree. Raises GroundedIngestError where the input names nothing."""
    if wanted:
        commit = history.revision(wanted)
        if not commit:
            raise GroundedIngestError(
                f"input base: no such commit or branch: {wanted}",
                "name one of this repository, or check out with fetch-depth: 0",
            )
        return Base(commit, f"the input base ({wanted})")
    for named, how in _of_event(payload):
        if history.have(named):
            return Base(named, f"{how} of the event")
    return _default_branch(history, inside(payload, "repository", "default_branch"))


def base_branch(payload: Mapping[str, Any]) -> str:
    """The branch that a change is going to land on, by the event."""
    for path in (("pull_request", "base", "ref"), ("merge_group", "base_ref")):
        if named := inside(payload, *path):
            return named.removeprefix("refs/heads/")
    return inside(payload, "repository", "default_branch")


def _of_event(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for path in (("pull_request", "base", "sha"), ("merge_group", "base_sha"), ("before",)):
        named = inside(payload, *path)
        if _OBJECT.fullmatch(named) and set(named) != {"0"}:
            yield named, ".".join(path)


def _default_branch(history: History, branch: str) -> Base:
    tip = history.branch(branch) if branch else ""
    common = history.merge_base(tip) if tip else ""
    if common and common != history.head:
        return Base(common, f"the merge base with {branch}")
    return Base("", "no base: the whole tree")

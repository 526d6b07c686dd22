"""What a tracker says of a pull or merge request: its head, its author, who approved that head.

https://docs.github.com/en/rest/pulls/reviews
https://docs.gitlab.com/api/merge_requests/ and https://docs.gitlab.com/api/notes/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.net.messages import Response, Talk

if TYPE_CHECKING:
    from grounded_ingest.references.tracker import Tracker

PAGES, PER_PAGE = 20, 100
_DECIDES = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")
_BELONGS = ("OWNER", "MEMBER", "COLLABORATOR")
_APPROVED, _WITHDRAWN = "approved this merge request", "unapproved this merge request"


class Approver(Struct, frozen=True):
    """`belongs`: the tracker counts them to the project."""

    login: str
    belongs: bool


class Pull(Struct, frozen=True):
    """`trouble` says why nothing else is known."""

    number: int = 0
    head: str = ""
    author: str = ""
    approvers: tuple[Approver, ...] = ()
    trouble: str = ""


def address_of(login: str, tracker: Tracker) -> str:
    """The address that stands for a login in review logs."""
    host = urlsplit(tracker.api).hostname or "localhost"
    return f"{login}@users.noreply.{host.removeprefix('api.')}"


def ask_request(number: int, tracker: Tracker) -> Talk[Pull]:
    """The conversation about one request."""
    match tracker.kind:
        case "github":
            return (yield from _github(number, tracker))
        case "gitlab":
            return (yield from _gitlab(number, tracker))


def find_request(commit: str, tracker: Tracker) -> Talk[int]:
    """The number of the open request whose head is this commit; 0 where there is none."""
    kind = "pulls" if tracker.kind == "github" else "merge_requests"
    project = tracker.project(tracker.repository)
    commits = "commits" if tracker.kind == "github" else "repository/commits"
    answer = yield tracker.ask(f"{project}/{commits}/{commit}/{kind}")
    for row in _list(answer):
        head = row.get("sha") or _get(row, "head", "sha")
        if head == commit:
            return int(row.get("number") or row.get("iid") or 0)
    return 0


def _github(number: int, tracker: Tracker) -> Talk[Pull]:
    place = f"{tracker.project(tracker.repository)}/pulls/{number}"
    answer = yield tracker.ask(place)
    pull = _object(answer)
    head, author = _get(pull, "head", "sha"), _get(pull, "user", "login")
    if not head:
        return Pull(number, trouble=f"pull request {number}: {answer.reason}")
    last: dict[str, dict[str, Any]] = {}
    for page in range(1, PAGES + 1):
        answer = yield tracker.ask(f"{place}/reviews?per_page={PER_PAGE}&page={page}")
        if answer.status != 200:
            return Pull(number, head, author, trouble=f"reviews of {number}: {answer.reason}")
        rows = _list(answer)
        for row in rows:  # in the order they were submitted
            if row.get("state") in _DECIDES:
                last[_get(row, "user", "login")] = row
        if len(rows) < PER_PAGE:
            break
    approvers = tuple(
        Approver(login, row.get("author_association") in _BELONGS)
        for login, row in last.items()
        if row.get("state") == "APPROVED" and row.get("commit_id") == head
        if login and login != author and _get(row, "user", "type") != "Bot"
    )
    return Pull(number, head, author, approvers)


def _gitlab(number: int, tracker: Tracker) -> Talk[Pull]:
    """An approval names no commit there: it has to be younger than the head's version."""
    place = f"{tracker.project(tracker.repository)}/merge_requests/{number}"
    answer = yield tracker.ask(place)
    pull = _object(answer)
    head, author = str(pull.get("sha") or ""), _get(pull, "author", "username")
    if not head:
        return Pull(number, trouble=f"merge request {number}: {answer.reason}")
    versions = yield tracker.ask(f"{place}/versions")
    since = [v.get("created_at") for v in _list(versions) if v.get("head_commit_sha") == head]
    approvals = yield tracker.ask(f"{place}/approvals")
    if not since or approvals.status != 200:
        bad = versions if not since else approvals
        return Pull(number, head, author, trouble=f"approvals of {number}: {bad.reason}")
    standing = {_get(a, "user", "username") for a in _rows(_object(approvals).get("approved_by"))}
    approved = yield from _approved(place, tracker)
    approvers = tuple(
        Approver(login, True)  # only members with a role of their own may approve
        for login, at in approved.items()
        if login in standing and login != author and _later(at, [str(s) for s in since])
    )
    return Pull(number, head, author, approvers)


def _approved(place: str, tracker: Tracker) -> Talk[dict[str, str]]:
    """When each person approved a merge request last, by its notes; empty: withdrawn."""
    approved: dict[str, str] = {}
    for page in range(1, PAGES + 1):
        path = f"{place}/notes?sort=asc&order_by=created_at&per_page={PER_PAGE}&page={page}"
        rows = _list((yield tracker.ask(path)))
        for row in rows:
            login, body = _get(row, "author", "username"), row.get("body")
            if row.get("system") is True and body in (_APPROVED, _WITHDRAWN):
                approved[login] = str(row.get("created_at")) if body == _APPROVED else ""
        if len(rows) < PER_PAGE:
            break
    return approved


def _later(at: str, since: list[str]) -> bool:
    """Whether a time is not before any of the others; false where one is none."""
    from datetime import datetime

    try:
        times = [datetime.fromisoformat(t) for t in (at, *since)]
        return all(times[0] >= other for other in times[1:])
    except (ValueError, TypeError):  # one of them without a time zone
        return False


def _object(answer: Response) -> dict[str, Any]:
    found = _decoded(answer)
    return found if isinstance(found, dict) else {}


def _list(answer: Response) -> list[dict[str, Any]]:
    return _rows(_decoded(answer))


def _rows(found: Any) -> list[dict[str, Any]]:
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _decoded(answer: Response) -> Any:
    if answer.status != 200:
        return None
    try:
        return msgspec.json.decode(answer.body)
    except NOT_JSON:
        return None


def _get(row: dict[str, Any], name: str, field: str) -> str:
    inner = row.get(name)
    found = inner.get(field) if isinstance(inner, dict) else None
    return found if isinstance(found, str) else ""

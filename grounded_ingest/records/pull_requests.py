"""Decides with reviews on the forge which approvals in a commit range count before the merge.

An approval in a range counts if it is signed with a key that the base branch lists. It also counts
if people who may review the document approved the head commit on the forge.
https://docs.github.com/en/rest/pulls/reviews
https://docs.gitlab.com/api/merge_requests/ and https://docs.gitlab.com/api/notes/
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Claim, Place
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.net.messages import Response, Talk
from grounded_ingest.records.authority import Authority, Authorship, Person, forge_names, is_agent
from grounded_ingest.records.review_log import Review
from grounded_ingest.records.signatures import Signatures
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.net.client import Web
    from grounded_ingest.references.tracker import Tracker

MAX_PAGES, PER_PAGE = 20, 100
_MERGE_REF = compiled(r"refs/pull/(\d+)/(?:merge|head)")
_DECISIONS = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")
_MEMBERS = ("OWNER", "MEMBER", "COLLABORATOR")
_APPROVED, _WITHDRAWN = "approved this merge request", "unapproved this merge request"


class Approver(Struct, frozen=True):
    login: str
    is_member: bool


class PullRequest(Struct, frozen=True):
    """A pull request or merge request on the forge.

    `head` is the id of its last commit. `approvers` are the people who approved this commit. If the
    request cannot be read, `trouble` is the reason, and the other fields are empty."""

    number: int = 0
    head: str = ""
    author: str = ""
    approvers: tuple[Approver, ...] = ()
    trouble: str = ""


class RangeApprovals:
    """Decides which approvals in a range count before they land.

    `claims_of` returns the claims in a document at the end of the range. `reviews` is None if the
    run is offline or has no tracker.
    """

    def __init__(
        self,
        signatures: Signatures,
        authority: Authority,
        authorship: Authorship,
        claims_of: Callable[[str], tuple[Claim, ...]],
        reviews: HeadReviews | None,
        *,
        only_signed: bool,
    ) -> None:
        self._signatures, self._authority, self._authorship = signatures, authority, authorship
        self._claims_of, self._reviews, self._only_signed = claims_of, reviews, only_signed

    def objection(self, place: Place, review: Review) -> str:
        """Returns the reason why an approval in the range does not count yet. Returns an empty
        string if the approval already counts.
        """
        if self._authority.is_agent(review.reviewer):
            return "an agent must not approve claims"
        why = self._signatures.objection(place.path, review)
        why = why or self._why_not_by(place, Person(review.reviewer))
        if not why or self._only_signed or self._reviews is None:
            return why
        # A person who approved the whole request on the forge also approved this log line.
        for person, is_member in self._reviews.approvers():
            if not self._why_not_by(place, person) and self._authority.may_count(
                place.path, person, is_member=is_member
            ):
                return ""
        return f"{why}, {self._reviews.trouble}" if self._reviews.trouble else why

    def _why_not_by(self, place: Place, person: Person) -> str:
        """Returns the reason why a person may not approve this claim. Returns an empty string if
        the person may.
        """
        owners = self._authority.owners(place.path)
        if not self._authority.may_review(place.path, person):
            return f"{person.address} may not approve claims in this document ({owners.named_in})"
        claims = self._claims_of(place.path)
        authors = self._authorship.of(place.path, place.claim.key, claims)
        wrote = bool(person.names & forge_names(authors.addresses))
        if wrote and self._authority.has_other_owners(place.path, person):
            return f"{person.address} wrote the claim, so another owner has to approve it"
        return ""


class HeadReviews:
    """The reviews on the forge for the last commit in a range. The forge is asked only if an
    approval depends on the reviews.
    """

    def __init__(
        self, tracker: Tracker, web: Web, repo: Repo, end: str, environ: Mapping[str, str]
    ) -> None:
        self._tracker, self._web = tracker, web
        # CI systems check out a merge commit with the target branch. The second parent is the head
        # of the request.
        header = (repo.objects.read(end) or b"").partition(b"\n\n")[0].decode("latin-1")
        parents = re.findall(r"(?m)^parent ([0-9a-f]+)$", header)
        self._heads = (end, *parents[1:2])
        self._number = request_number(environ)

    @cached_property
    def pull(self) -> PullRequest:
        number = self._number
        for head in () if number else self._heads:
            number = number or self._web.converse({"": find_request(head, self._tracker)})[""]
        if not number:
            return PullRequest(trouble="no open pull request has this commit as its head")
        found = self._web.converse({"": ask_request(number, self._tracker)})[""]
        if found.trouble or found.head in self._heads:
            return found
        return PullRequest(
            number, found.head, trouble=f"pull request {number} has a newer head commit"
        )

    def approvers(self) -> tuple[tuple[Person, bool], ...]:
        """Returns the people who approved the head commit, and whether each person is a member of
        the project.
        """
        people = (
            (Person(address_of(a.login, self._tracker), frozenset({a.login})), a.is_member)
            for a in self.pull.approvers
        )
        return tuple((p, member) for p, member in people if not is_agent(p.address, *p.handles))

    @property
    def trouble(self) -> str:
        """Returns the reason why no approval of the head commit is known. Returns an empty string
        if there is one.
        """
        if self.pull.trouble:
            return self.pull.trouble
        return (
            ""
            if self.pull.approvers
            else f"nobody approved the head commit of pull request {self.pull.number}"
        )


def request_number(environ: Mapping[str, str]) -> int:
    """Returns the number of the pull request from the CI system's environment. Returns 0 if there
    is none.
    """
    found = _MERGE_REF.fullmatch(environ.get("GITHUB_REF", ""))
    number = found[1] if found else environ.get("CI_MERGE_REQUEST_IID", "")
    return int(number) if number.isdecimal() else 0


def address_of(login: str, tracker: Tracker) -> str:
    """Returns the e-mail address that review logs contain for a login name."""
    host = urlsplit(tracker.api).hostname or "localhost"
    return f"{login}@users.noreply.{host.removeprefix('api.')}"


# Requests to the forge


def ask_request(number: int, tracker: Tracker) -> Talk[PullRequest]:
    """Asks the forge for a pull request and the people who approved its present head commit."""
    match tracker.kind:
        case "github":
            return (yield from _github(number, tracker))
        case "gitlab":
            return (yield from _gitlab(number, tracker))


def find_request(commit: str, tracker: Tracker) -> Talk[int]:
    """Asks the forge for the number of the open pull request whose head is this commit. Returns 0
    if there is none.
    """
    kind = "pulls" if tracker.kind == "github" else "merge_requests"
    project = tracker.project(tracker.repository)
    commits = "commits" if tracker.kind == "github" else "repository/commits"
    answer = yield tracker.ask(f"{project}/{commits}/{commit}/{kind}")
    for row in _list(answer):
        head = row.get("sha") or _get(row, "head", "sha")
        if head == commit:
            return int(row.get("number") or row.get("iid") or 0)
    return 0


def _github(number: int, tracker: Tracker) -> Talk[PullRequest]:
    place = f"{tracker.project(tracker.repository)}/pulls/{number}"
    answer = yield tracker.ask(place)
    pull = _object(answer)
    head, author = _get(pull, "head", "sha"), _get(pull, "user", "login")
    if not head:
        return PullRequest(number, trouble=f"pull request {number}: {answer.reason}")
    last: dict[str, dict[str, Any]] = {}
    for page in range(1, MAX_PAGES + 1):
        answer = yield tracker.ask(f"{place}/reviews?per_page={PER_PAGE}&page={page}")
        if answer.status != 200:
            trouble = f"reviews of {number}: {answer.reason}"
            return PullRequest(number, head, author, trouble=trouble)
        rows = _list(answer)
        for row in rows:  # The reviews come in the order in which they were submitted.
            if row.get("state") in _DECISIONS:
                last[_get(row, "user", "login")] = row
        if len(rows) < PER_PAGE:
            break
    approvers = tuple(
        Approver(login, row.get("author_association") in _MEMBERS)
        for login, row in last.items()
        # GitHub keeps an approval after new commits are pushed. The approval names the commit to
        # which it applies.
        if row.get("state") == "APPROVED" and row.get("commit_id") == head
        if login and login != author and _get(row, "user", "type") != "Bot"
    )
    return PullRequest(number, head, author, approvers)


def _gitlab(number: int, tracker: Tracker) -> Talk[PullRequest]:
    """Asks GitLab for a merge request. GitLab's approvals name no commit, so an approval counts
    only if it is newer than the head commit's version.
    """
    place = f"{tracker.project(tracker.repository)}/merge_requests/{number}"
    answer = yield tracker.ask(place)
    pull = _object(answer)
    head, author = str(pull.get("sha") or ""), _get(pull, "author", "username")
    if not head:
        return PullRequest(number, trouble=f"merge request {number}: {answer.reason}")
    versions = yield tracker.ask(f"{place}/versions")
    since = [v.get("created_at") for v in _list(versions) if v.get("head_commit_sha") == head]
    approvals = yield tracker.ask(f"{place}/approvals")
    if not since or approvals.status != 200:
        reason = (approvals if since else versions).reason
        return PullRequest(number, head, author, trouble=f"approvals of {number}: {reason}")
    current = {_get(a, "user", "username") for a in _rows(_object(approvals).get("approved_by"))}
    times = yield from _approval_times(place, tracker)
    approvers = tuple(
        Approver(login, True)  # In such a project, only members may approve.
        for login, at in times.items()
        if login in current and login != author and _is_later(at, [str(s) for s in since])
    )
    return PullRequest(number, head, author, approvers)


def _approval_times(place: str, tracker: Tracker) -> Talk[dict[str, str]]:
    """Asks when each person last approved a merge request.

    Leaves out withdrawn approvals. Reads the notes of the request, because only they contain the
    times.
    """
    times: dict[str, str] = {}
    for page in range(1, MAX_PAGES + 1):
        path = f"{place}/notes?sort=asc&order_by=created_at&per_page={PER_PAGE}&page={page}"
        rows = _list((yield tracker.ask(path)))
        for row in rows:
            login, body = _get(row, "author", "username"), row.get("body")
            if row.get("system") is True and body in (_APPROVED, _WITHDRAWN):
                times[login] = str(row.get("created_at")) if body == _APPROVED else ""
        if len(rows) < PER_PAGE:
            break
    return times


def _is_later(at: str, since: list[str]) -> bool:
    """Returns whether a time is not before any of the other times. Returns false if a time cannot
    be read.
    """
    try:
        times = [datetime.fromisoformat(t) for t in (at, *since)]
        return all(times[0] >= other for other in times[1:])
    except (ValueError, TypeError):  # One of the times does not have a time zone.
        return False


def _object(answer: Response) -> dict[str, Any]:
    found = _decode(answer)
    return found if isinstance(found, dict) else {}


def _list(answer: Response) -> list[dict[str, Any]]:
    return _rows(_decode(answer))


def _rows(found: Any) -> list[dict[str, Any]]:
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _decode(answer: Response) -> Any:
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

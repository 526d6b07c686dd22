"""Checks citations of issues and merge requests: whether the issue tracker has them."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from grounded_ingest.model.claims import CitationKind, Evidence, Verdict
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.net.messages import Ask, Response, Talk
from grounded_ingest.references.context import Context, Request, with_own
from grounded_ingest.references.response_cache import ServerAnswer, answers_to
from grounded_ingest.references.tracker import Tracker, target_of, tracker_from
from grounded_ingest.references.url import verify_url_citations
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.net.client import Web
    from grounded_ingest.references.response_cache import Answers

_TARGET = compiled(r"(?P<repository>[\w.-]+(?:/[\w.-]+)+)?(?P<mark>[#!])(?P<number>[0-9]{1,10})")
_LONGEST = 300
# In GitLab, members from Reporter up see confidential issues.
_REPORTER = 20


class Issue(Struct, frozen=True):
    """The number of an issue or merge request in a repository's tracker. `merge` is true for a
    GitLab merge request, such as `!12`."""

    repository: str
    number: int
    merge: bool = False


IssueTalk = Generator[Ask, Response, ServerAnswer]


def verify_issue_citations(
    requests: Sequence[Request], context: Context
) -> Mapping[Request, Evidence | None]:
    """Returns the evidence for each issue citation. `!12` is a merge request if the tracker is
    GitLab. For any other tracker, `!12` is not a citation and the value is None."""
    remote = context.repo.remote_url()
    tracker = tracker_from(context.config.tracker, remote, os.environ)
    gitlab = tracker is not None and tracker.kind == "gitlab"
    pages = {r: target_of(r.citation.raw, tracker, remote) for r in requests if _is_url(r)}
    targets = {
        r: pages.get(r, r.citation.raw)
        for r in requests
        if pages.get(r, gitlab or not r.citation.raw.startswith("!"))
    }
    found = verify_issues(list(targets.values()), tracker, context.web, context.answers)
    asked = {r: with_own(found.get(targets.get(r, "")), r) for r in requests}
    # The project's tracker does not know issues on other servers, so they are checked as pages.
    if elsewhere := [r for r, target in pages.items() if not target]:
        asked |= verify_url_citations(elsewhere, context)
    return asked


def _is_url(request: Request) -> bool:
    return request.citation.raw.startswith(("http://", "https://"))


def verify_issues(
    targets: Sequence[str], tracker: Tracker | None, web: Web | None, answers: Answers | None
) -> dict[str, Evidence]:
    """Returns the evidence for each target: `#12`, `!12`, `owner/repo#12`, `group/sub/project!12`.

    `web` is None in an offline run, where only cached results are used.
    """
    if tracker is None:
        nobody = ServerAnswer(Verdict.UNKNOWN, "no issue tracker was found; set tracker.url")
        return {target: nobody.as_evidence(CitationKind.ISSUE, target) for target in targets}
    prefix = f"{tracker.kind} {tracker.api} {tracker.repository} "
    talks = {prefix + target: partial(ask_issue, target, tracker) for target in targets}
    found = answers_to(talks, web, answers)
    return {t: found[prefix + t].as_evidence(CitationKind.ISSUE, t) for t in targets}


def ask_issue(target: str, tracker: Tracker) -> Talk[ServerAnswer]:
    """Asks the tracker about one target, such as `#12`. Yields the HTTP requests, receives their
    responses, and returns the verdict on the issue."""
    issue = parse_issue(target, tracker)
    if issue is None:
        return _unknown("this tracker has no issues of this form")
    place = tracker.project(issue.repository)
    kind = "merge_requests" if issue.merge else "issues"
    answer = yield tracker.ask(f"{place}/{kind}/{issue.number}")
    if answer.status == 200:
        return _judge_found(issue, tracker, answer)
    if answer.status not in (404, 410):
        return _unknown(_trouble(answer))
    if not tracker.knows(issue.repository):
        return _unknown("not found, or hidden because there is no token")
    where = yield tracker.ask(place)
    if where.status != 200:
        return _unknown("not found; perhaps the token cannot read that repository")
    match tracker.kind:
        case "github":
            return (yield from _missing_github(issue, tracker, answer, _json(where)))
        case "gitlab":
            return _missing_gitlab(issue, answer, _json(where))


def parse_issue(target: str, tracker: Tracker) -> Issue | None:
    """Parses an issue target such as `#12`. Returns None if the tracker does not know the form."""
    match = _TARGET.fullmatch(target)
    if match is None:
        return None
    repository = match["repository"] or tracker.repository
    steps = repository.split("/")
    merge = match["mark"] == "!"
    if {".", ".."} & set(steps) or (tracker.kind == "github" and (merge or len(steps) != 2)):
        return None
    return Issue(repository, int(match["number"]), merge)


def _judge_found(issue: Issue, tracker: Tracker, answer: Response) -> ServerAnswer:
    fields = _json(answer)
    number = fields.get("number" if tracker.kind == "github" else "iid")
    title, state = fields.get("title"), fields.get("state")
    if number != issue.number or not isinstance(title, str) or not isinstance(state, str):
        return _unknown("the tracker's response could not be parsed")
    what, merged = _kind_and_merged(issue, tracker, fields)
    reason = f"{what}, {'merged' if merged else state.replace('opened', 'open')[:20]}"
    quote = " ".join(title.split())[:_LONGEST]
    return ServerAnswer(Verdict.CONFIRMED, reason, quote, time.time())


def _kind_and_merged(issue: Issue, tracker: Tracker, fields: dict[str, Any]) -> tuple[str, bool]:
    if tracker.kind == "gitlab":
        return ("merge request", fields["state"] == "merged") if issue.merge else ("issue", False)
    pull = fields if "merged_at" in fields else fields.get("pull_request")
    if isinstance(pull, dict):
        return "pull request", bool(pull.get("merged_at"))
    return "issue", False


def _missing_github(
    issue: Issue, tracker: Tracker, answer: Response, where: dict[str, Any]
) -> IssueTalk:
    place = tracker.project(issue.repository)
    if where.get("has_issues") is False:
        pull = yield tracker.ask(f"{place}/pulls/{issue.number}")
        if pull.status == 200:
            return _judge_found(issue, tracker, pull)
        if pull.status != 404:
            return _unknown(_trouble(pull))
    elif where.get("private") is not False:
        # GitHub has separate permissions for a private repository and for its issues.
        listed = yield tracker.ask(f"{place}/issues?state=all&per_page=1")
        if listed.status != 200:
            return _unknown("not found; perhaps the token cannot read that repository's issues")
    if where.get("has_discussions") is True and answer.status == 404:
        return _unknown("no such issue or pull request; perhaps a discussion, which is not checked")
    return _refuted(issue, answer)


def _missing_gitlab(issue: Issue, answer: Response, where: dict[str, Any]) -> ServerAnswer:
    permissions = where.get("permissions")
    kinds = permissions.values() if isinstance(permissions, dict) else ()
    levels = [kind.get("access_level") for kind in kinds if isinstance(kind, dict)]
    insider = any(isinstance(level, int) and level >= _REPORTER for level in levels)
    if insider or (issue.merge and where.get("merge_requests_access_level") == "enabled"):
        return _refuted(issue, answer)
    return _unknown("not found; perhaps the token cannot read confidential issues")


def _refuted(issue: Issue, answer: Response) -> ServerAnswer:
    word = "deleted from" if answer.status == 410 else "not found in"
    return ServerAnswer(Verdict.REFUTED, f"{word} {issue.repository}", at=time.time())


def _trouble(answer: Response) -> str:
    if answer.failure:
        return answer.reason
    match answer.status:
        case 301 | 302 | 307 | 308:
            return "the issue was moved to another repository"
        case 401:
            return "the tracker does not accept the token"
        case 403 | 429 if answer.wait is not None or answer.status == 429:
            return "the tracker's rate limit is reached; run the check again later"
        case 403:
            return "the tracker denies access"
        case status:
            return f"the tracker responded with status {status}"


def _unknown(reason: str) -> ServerAnswer:
    return ServerAnswer(Verdict.UNKNOWN, reason, at=time.time())


def _json(answer: Response) -> dict[str, Any]:
    try:
        fields = msgspec.json.decode(answer.body)
    except NOT_JSON:
        return {}
    return fields if isinstance(fields, dict) else {}

"""Implements `review --from-pr N`, which records the approvals that people gave a pull request on
the forge.
"""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import ClaimKey, Decision
from grounded_ingest.net.client import Web
from grounded_ingest.records.authority import Person, agent_in, forge_names
from grounded_ingest.records.pull_requests import Approver, PullRequest, address_of, ask_request
from grounded_ingest.records.review_log import append_reviews
from grounded_ingest.references.grants import within_reach
from grounded_ingest.references.tracker import Tracker, tracker_from
from grounded_ingest.review.desk import Desk

_HEAD_REFS = {"github": "pull/{}/head", "gitlab": "merge-requests/{}/head"}


def import_approvals(desk: Desk, number: int) -> Iterator[str]:
    """Records approvals of the claims that a pull request adds, for each person who approved its
    head commit.

    Yields a line for each step. Raises GroundedIngestError if an agent is at work, if the tracker
    cannot be asked, or if the commits are not in this clone.
    """
    if variable := agent_in(desk.environ):
        raise GroundedIngestError(
            f"{variable} is set, so an agent is at work; agents must not review claims"
        )
    tracker, web = _tracker(desk)
    pull = _request(desk, tracker, web, number)
    contexts = _added_claims(desk, pull)
    added = [
        d
        for d in desk.result.report.decisions
        if contexts.get(d.place.path, {}).get(d.place.claim.key) == d.place.claim.context
        and desk.state(d) in ("pending", "advisory", "open")
        and d.rule != "nothing-to-check"
    ]
    yield f"{len(added)} claims that pull request {number} adds are not grounded"
    for approver in pull.approvers:
        yield _record(desk, tracker, pull, approver, added)
    if not pull.approvers:
        yield f"nobody approved the head {pull.head[:12]} of pull request {number}"


def _tracker(desk: Desk) -> tuple[Tracker, Web]:
    reach = within_reach(desk.repo, desk.config, desk.environ)
    tracker = tracker_from(reach.config.tracker, desk.repo.remote_url(), desk.environ)
    if tracker is None:
        why = next(iter(reach.refused), "set `tracker` in the configuration")
        raise GroundedIngestError("the issue tracker is not known", why)
    web = desk.view.context.web
    if web is None:
        raise GroundedIngestError(
            "--from-pr needs the network to ask the tracker", "run again without --offline"
        )
    return tracker, web


def _request(desk: Desk, tracker: Tracker, web: Web, number: int) -> PullRequest:
    pull = web.converse({"": ask_request(number, tracker)})[""]
    if pull.trouble:
        raise GroundedIngestError(
            pull.trouble, "check that a token with read access to the pull request is set"
        )
    if desk.repo.objects.get(f"{pull.head}^{{commit}}") is None:
        hint = f"run: git fetch origin {_HEAD_REFS[tracker.kind].format(number)}"
        raise GroundedIngestError(
            f"the head {pull.head[:12]} of the pull request is not in this clone", hint
        )
    return pull


def _added_claims(desk: Desk, pull: PullRequest) -> dict[str, dict[ClaimKey, str]]:
    """Returns the claims that a pull request adds, by document, with the digests of their contexts.

    A claim is new if no document with the same or a stricter class contained the claim at the
    commit where the request began.
    """
    repo, former = desk.repo, desk.view.former
    start = _start(desk, pull)
    before = former.tree(start)
    found = {}
    for change in repo.between(start, pull.head):
        path = change.path
        if change.new is not None and path in desk.result.kb.documents:
            new = former.claims_at(path, change.new.oid)
            old = former.extraction(path, before, change.old_path, change.old).claims
            known = {c.key for c in old}
            found[path] = {c.key: c.context for c in new if c.key not in known}
    return found


def _start(desk: Desk, pull: PullRequest) -> str:
    """Returns the commit at which the pull request left the target branch. For a merged request,
    this is the merge base with the first parent of the merge commit.
    """
    repo, head = desk.repo, desk.result.scoped.base.commit or desk.result.scoped.head
    start = repo.merge_base(head, pull.head)
    if start != pull.head:
        return start
    options = ("--merges", "--ancestry-path", "--reverse", "--format=%P")
    rows = repo.run("rev-list", *options, f"{pull.head}..{head}").decode().splitlines()
    parents = next((r.split() for r in rows if not r.startswith("commit ")), [])
    if len(parents) == 2 and parents[1] == pull.head:
        return repo.merge_base(parents[0], pull.head)
    raise GroundedIngestError(
        f"{pull.head[:12]} was merged without a merge commit,"
        " so the start of the pull request is unknown",
        "run `review --from-pr` before the branch is merged",
    )


def _record(
    desk: Desk, tracker: Tracker, pull: PullRequest, approver: Approver, added: list[Decision]
) -> str:
    """Records the approvals by one person. Returns a line that describes the result."""
    person = Person(address_of(approver.login, tracker), frozenset({approver.login}))
    if desk.authority.is_agent(person.address, approver.login):
        return f"{approver.login} is an agent, so the approval was not recorded"
    reason = f"approved pull request {pull.number} at {pull.head[:12]}"
    may = [d for d in added if _may_approve(desk, person, approver, d)]
    entries = [desk.entry("approve", decision, reason) for decision in may]
    written = append_reviews(desk.repo, entries, person.address)
    refused = len(added) - len(may)
    less = (
        f"; {refused} claims refused because this person may not decide about them"
        if refused
        else ""
    )
    return f"{approver.login}: {len(written)} approvals recorded{less}"


def _may_approve(desk: Desk, person: Person, approver: Approver, decision: Decision) -> bool:
    path = decision.place.path
    if not desk.authority.may_count(path, person, is_member=approver.is_member):
        return False
    wrote = bool(person.names & forge_names(desk.authors(decision).addresses))
    return not wrote or not desk.authority.has_other_owners(path, person)

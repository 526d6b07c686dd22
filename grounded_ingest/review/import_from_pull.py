"""`review --from-pr N`: what people approved on the forge, put on record."""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import ClaimKey, Decision
from grounded_ingest.records.authority import Ownership, Person, agent_in, is_agent
from grounded_ingest.records.pull_requests import Approver, Pull, address_of, ask_request
from grounded_ingest.records.range_approvals import with_forge_names
from grounded_ingest.references.grants import within_reach
from grounded_ingest.references.tracker import Tracker, tracker_from
from grounded_ingest.review.desk import Desk
from grounded_ingest.review.log_writer import record


def take_over(desk: Desk, number: int) -> Iterator[str]:
    """Record approvals of the claims that a request adds, for each person who approved its head.

    Yields what was done, a line each. Raises GroundedIngestError where the tracker cannot be asked
    or its commits are not in this clone.
    """
    if variable := agent_in(desk.environ):
        raise GroundedIngestError(f"{variable} is set: an agent is at work here")
    tracker = _tracker(desk)
    pull = _asked(desk, tracker, number)
    keys = _added(desk, pull)
    added = [
        d
        for d in desk.result.report.decisions
        if keys.get(d.place.path, {}).get(d.place.claim.key) == d.place.claim.context
        and desk.state(d) in ("pending", "advisory", "open")
        and d.rule != "nothing-to-check"
    ]
    yield f"{len(added)} of the claims that {number} adds are not grounded"
    for approver in pull.approvers:
        yield from _record(desk, tracker, pull, approver, added)
    if not pull.approvers:
        yield f"nobody approved its head {pull.head[:12]}"


def _tracker(desk: Desk) -> Tracker:
    reach = within_reach(desk.repo, desk.config, desk.environ)
    tracker = tracker_from(reach.config.tracker, desk.repo.remote_url(), desk.environ)
    if tracker is None:
        why = next(iter(reach.refused), "set `tracker` in the configuration")
        raise GroundedIngestError("no tracker is known", why)
    if desk.result.judge.context.web is None:
        raise GroundedIngestError("--from-pr asks the tracker", "leave --offline out")
    return tracker


def _asked(desk: Desk, tracker: Tracker, number: int) -> Pull:
    web = desk.result.judge.context.web
    assert web is not None
    pull = web.converse({"": ask_request(number, tracker)})[""]
    if pull.trouble:
        raise GroundedIngestError(pull.trouble, "is there a token that may read it?")
    if desk.repo.objects.get(f"{pull.head}^{{commit}}") is None:
        ref = {"github": f"pull/{number}/head", "gitlab": f"merge-requests/{number}/head"}
        hint = f"run: git fetch origin {ref[tracker.kind]}"
        raise GroundedIngestError(f"its head {pull.head[:12]} is not in this clone", hint)
    return pull


def _added(desk: Desk, pull: Pull) -> dict[str, dict[ClaimKey, str]]:
    """The claims a request adds, by document, with the digests of their contexts: those of its head
    that where it began has not, in a document of the same or a stricter class."""
    repo, standing = desk.repo, desk.standing
    start = _began(desk, pull)
    before = standing.tree_of(start)
    found = {}
    for change in repo.between(start, pull.head):
        path = change.path
        if change.new is not None and path in desk.result.kb.documents:
            new = standing.claims_at(path, change.new.oid)
            old = standing.former_extraction(path, before, change.old_path, change.old).claims
            known = {c.key for c in old}
            found[path] = {c.key: c.context for c in new if c.key not in known}
    return found


def _began(desk: Desk, pull: Pull) -> str:
    """Where the request left the target branch; of one that has landed as it was, the first parent
    of the merge that brought it."""
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
        f"{pull.head[:12]} has landed without a merge commit: where it began is not known",
        "take approvals over before the branch is merged",
    )


def _record(
    desk: Desk, tracker: Tracker, pull: Pull, approver: Approver, added: list[Decision]
) -> Iterator[str]:
    person = Person(address_of(approver.login, tracker), frozenset({approver.login}))
    if is_agent(person.address, approver.login, desk.config.agents):
        yield f"{approver.login} is an agent: not recorded"
        return
    acts, refused = [], 0
    for decision in added:
        if _permitted(desk, person, approver, decision):
            reason = f"approved pull request {pull.number} at {pull.head[:12]}"
            acts.append(desk.act_of("approve", decision, reason))
        else:
            refused += 1
    written = record(desk.repo, acts, person.address)
    less = f", {refused} they may not decide about" if refused else ""
    yield f"{approver.login}: {len(written)} approvals recorded{less}"


def _permitted(desk: Desk, person: Person, approver: Approver, decision: Decision) -> bool:
    path = decision.place.path
    standing = desk.authority.standing(path, person)
    if standing is not Ownership.OWNER and not (standing is Ownership.OPEN and approver.belongs):
        return False
    wrote = bool(person.names & with_forge_names(desk.written(decision).addresses))
    return not wrote or not desk.authority.others(path, person)

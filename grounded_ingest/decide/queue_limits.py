"""What waits for people: approvals that do not count yet, and a queue that is too long."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from grounded_ingest.config.settings import Config
from grounded_ingest.decide.base_view import BaseView
from grounded_ingest.git.repository import Change
from grounded_ingest.knowledge.documents import KnowledgeBase
from grounded_ingest.knowledge.scope import Scoped
from grounded_ingest.model.claims import Decision, Problem, Tier
from grounded_ingest.records.evidence_tree import EvidenceTree
from grounded_ingest.records.review_log import DIRECTORY, log_path
from grounded_ingest.records.rulings import Vouchers
from grounded_ingest.records.sidecar import by_claim
from grounded_ingest.verify.context import Context

NAMED_TEXT = 80
"""Characters of a claim a message names."""
_WAY_OUT = "`grounded-ingest review` opens with those that matter most"
NAMED = 5
"""Owners a message names."""


def vouchers(kb: KnowledgeBase, context: Context, scoped: Scoped) -> Vouchers | None:
    """Who stands behind approvals that a range brings; None where it brings none."""
    if scoped.mode != "range" or not _logs(scoped.from_base):
        return None
    from grounded_ingest.records.authority import authority_on
    from grounded_ingest.records.authorship import Authorship
    from grounded_ingest.records.forge_reviews import reviews_of
    from grounded_ingest.records.range_approvals import Vouching
    from grounded_ingest.records.signatures import Signatures
    from grounded_ingest.verify.tracker import tracker_from

    config, base, repo = context.config, scoped.base, context.repo
    tracker = tracker_from(config.tracker, repo.remote_url(), os.environ)
    reviews = reviews_of(tracker, context.web, repo, scoped.end, os.environ)
    return Vouching(
        Signatures(repo, base.commit, scoped.end, base.tree, config),
        authority_on(base.tree, config),
        Authorship(repo, scoped.end),
        lambda path: tuple(p.claim for p in kb.places(path)),
        reviews,
        only_signed=config.review.require_signed,
    )


def _logs(changes: Iterable[Change]) -> set[str]:
    """Review logs that a change touches."""
    return {c.path for c in changes if c.path.startswith(f"{DIRECTORY}/")}


def advisory(standing: BaseView, scoped: Scoped, documents: Iterable[str]) -> Iterator[Problem]:
    """A problem per document for approvals on record that do not count, by their first reason, and
    one for those that end with their claims; for the documents of a run, and those whose log it
    changes."""
    logs = _logs(scoped.changes or ())
    paths = {*documents, *(d for d in standing.kb.documents if logs and log_path(d) in logs)}
    tree, landed = standing.context.tree, standing.context.base.tree.is_dir(DIRECTORY)
    for path in sorted(paths):
        if landed:
            yield from _ending(standing, path)
        if not tree.is_dir(DIRECTORY) or not tree.has(log_path(path)):
            continue
        said = [
            (p.claim.line, why)
            for p in standing.kb.places(path)
            if (why := standing.people.ruling(p).said)
        ]
        if said:
            many = "1 approval does" if len(said) == 1 else f"{len(said)} approvals do"
            why = said[0][1].partition(": ")[2]
            yield Problem(path, said[0][0], "advisory-approval", f"{many} not count: {why}")


def broken_logs(standing: BaseView) -> Iterator[Problem]:
    """Yields a problem for each review log that was asked and has lines that cannot be read. It
    blocks if base does not hold the log so: this change breaks it."""
    tree, base = standing.context.tree, standing.context.base.tree
    for log, broken in sorted(standing.people.broken.items()):
        now, landed = tree.entry(log), base.entry(log)
        same = now is not None and landed is not None and now.oid == landed.oid
        more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
        said = f"{broken[0].why}{more}; no approval of this log counts"
        tier = Tier.REVIEW if same else Tier.BLOCK
        yield Problem(log, broken[0].number, "broken-record", said, int(tier))


def _ending(standing: BaseView, path: str) -> Iterator[Problem]:
    """The approvals on base whose claims the document does not hold any more."""
    given = standing.people.approvals(path, base=True)
    if not given:
        return
    held = {p.claim.key for p in standing.kb.places(path)}
    on_base = standing.base_claims(path)
    ending = [reviews[-1] for key, reviews in given.items() if key in on_base and key not in held]
    if ending:
        many = "1 approval ends" if len(ending) == 1 else f"{len(ending)} approvals end"
        what = ending[0].claim[:NAMED_TEXT]
        message = f"{many}, the claim having changed or gone: “{what}”"
        yield Problem(path, 1, "advisory-approval", message)


def full_queue(
    standing: BaseView, scoped: Scoped, config: Config, decisions: Sequence[Decision]
) -> Iterator[Problem]:
    """Problems of a queue longer than base's configuration lets it be. With `over: block` a change
    that adds to it is refused; nothing that waits is ever dropped.

    Counted from the decisions of a run and, elsewhere, from the claims that recorded evidence does
    not settle. A hook, and a question about one edit, count only where they may refuse: they would
    read all for a warning otherwise.
    """
    if _of_an_edit(scoped) and config.over != "block":
        return
    pending = _pending(standing.kb, decisions)
    adds = {d.place.path for d in decisions if d.changed and d.waits}
    limits, refuse = config.review, config.over == "block" and scoped.changes is not None
    total = pending.total()
    if total > limits.max_pending:
        message = f"{total} claims wait for review; {limits.max_pending} may. {_WAY_OUT}"
        yield _too_many(message, refused=refuse and bool(adds))
    if total <= limits.max_pending_per_owner:
        return
    held = _by_owner(standing, config, pending)
    over = {o: n for o, n in held.items() if n > limits.max_pending_per_owner}
    if over:
        adding = _by_owner(standing, config, Counter(dict.fromkeys(adds, 1)))
        named = ", ".join(f"{n} for {o}" for o, n in Counter(over).most_common(NAMED))
        message = (
            f"{named} wait for review; {limits.max_pending_per_owner} may for one owner. {_WAY_OUT}"
        )
        yield _too_many(message, refused=refuse and not over.keys().isdisjoint(adding))


def _of_an_edit(scoped: Scoped) -> bool:
    return scoped.mode == "staged" or (scoped.mode == "worktree" and bool(scoped.paths))


def _too_many(message: str, *, refused: bool) -> Problem:
    return Problem("", 0, "queue-full", message, int(Tier.BLOCK) if refused else 0)


def _pending(kb: KnowledgeBase, decisions: Sequence[Decision]) -> Counter[str]:
    """How many claims wait, by document. Of documents that are not judged in this run, all claims
    but those that evidence records as approved or blocked: no line is no approval."""
    judged = {d.place.path for d in decisions}
    found = Counter(d.place.path for d in decisions if d.waits)
    held = EvidenceTree(kb.tree, kb.documents)
    for document in kb.documents:
        if document not in judged:
            claims = [p.claim for p in kb.places(document)]
            lines = by_claim(held.of(document).lines or (), claims)
            found[document] += sum(
                line.tier == 2 if (line := lines.get(claim.key)) else not claim.nothing
                for claim in claims
            )
    return +found


def _by_owner(standing: BaseView, config: Config, pending: Counter[str]) -> Counter[str]:
    """The same by owner; what nobody is named for is nobody's."""
    from grounded_ingest.records.authority import authority_on

    authority = authority_on(standing.context.base.tree, config)
    found: Counter[str] = Counter()
    for path, count in pending.items():
        for owner in authority.owners(path).names:
            found[owner] += count
    return found

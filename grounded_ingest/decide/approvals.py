"""Approvals on record that do not count, and review logs that cannot be read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from grounded_ingest.decide.base_view import BaseView
from grounded_ingest.git.repository import Change
from grounded_ingest.model.claims import Problem, Tier
from grounded_ingest.records.review_log import DIRECTORY, log_path
from grounded_ingest.records.rulings import Vouchers
from grounded_ingest.references.context import Context
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.repository.scope import Scoped

NAMED_TEXT = 80
"""Characters of a claim a message names."""


def vouchers(kb: KnowledgeBase, context: Context, scoped: Scoped) -> Vouchers | None:
    """Who stands behind approvals that a range brings; None where it brings none."""
    if scoped.mode != "range" or not _logs(scoped.from_base):
        return None
    from grounded_ingest.records.authority import authority_on
    from grounded_ingest.records.authorship import Authorship
    from grounded_ingest.records.forge_reviews import reviews_of
    from grounded_ingest.records.range_approvals import Vouching
    from grounded_ingest.records.signatures import Signatures
    from grounded_ingest.references.tracker import tracker_from

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

"""Reports approvals that do not count, for example because the reviewer must not review the file,
and review logs that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grounded_ingest.decide.base_view import BaseView
from grounded_ingest.git.repository import Change
from grounded_ingest.model.claims import Problem, Tier
from grounded_ingest.records.review_log import DIRECTORY, Objection, log_path
from grounded_ingest.references.context import Context
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.repository.scope import Scoped

MAX_CLAIM = 80
"""Maximum number of characters of a claim that a message shows."""


def range_approvals(kb: KnowledgeBase, context: Context, scoped: Scoped) -> Objection | None:
    """Returns the function that says why an approval in a commit range does not count, or "" if it
    counts. Returns None if the range changes no review log."""
    if scoped.mode != "range" or not _changed_logs(scoped.from_base):
        return None
    # These modules start gpg, so only ranges with review logs load them.
    from grounded_ingest.records.authority import Authorship, authority_on
    from grounded_ingest.records.signatures import Signatures, range_objection

    config, base, repo = context.config, scoped.base, context.repo
    return range_objection(
        Signatures(repo, base.commit, scoped.end, base.tree, config),
        authority_on(base.tree, config),
        Authorship(repo, scoped.end),
        lambda path: tuple(p.claim for p in kb.places(path)),
    )


def _changed_logs(changes: Iterable[Change]) -> set[str]:
    return {c.path for c in changes if c.path.startswith(f"{DIRECTORY}/")}


def advisory_approvals(
    view: BaseView, scoped: Scoped, documents: Iterable[str]
) -> Iterator[Problem]:
    """Yields a problem for each document with approvals that do not count, with the reason for the
    first. Also yields a problem for each document in which the change edits or removes an approved
    claim of the base branch.

    Checks `documents` and the documents whose review log the change edits."""
    logs = _changed_logs(scoped.changes or ())
    paths = {*documents, *(d for d in view.kb.documents if logs and log_path(d) in logs)}
    tree, base = view.context.tree, view.context.base.tree
    for path in sorted(paths):
        if base.is_dir(DIRECTORY):
            yield from _ending(view, path)
        if not tree.is_dir(DIRECTORY) or not tree.has(log_path(path)):
            continue
        found = [
            (p.claim.line, objection)
            for p in view.kb.places(path)
            if (objection := view.rulings.ruling(p).objection)
        ]
        if found:
            many = "1 approval does" if len(found) == 1 else f"{len(found)} approvals do"
            line, objection = found[0]
            why = objection.partition(": ")[2]
            yield Problem(path, line, "advisory-approval", f"{many} not count: {why}")


def _ending(view: BaseView, path: str) -> Iterator[Problem]:
    given = view.rulings.approvals(path, base=True)
    if not given:
        return
    claims = {p.claim.key for p in view.kb.places(path)}
    on_base = view.former.base_claims(path)
    ending = [reviews[-1] for k, reviews in given.items() if k in on_base and k not in claims]
    if ending:
        many = "1 approval ends" if len(ending) == 1 else f"{len(ending)} approvals end"
        text = ending[0].claim[:MAX_CLAIM]
        message = f"{many}, because this change edits or removes the claim: “{text}”"
        yield Problem(path, 1, "advisory-approval", message)


def broken_logs(view: BaseView) -> Iterator[Problem]:
    """Yields a problem for each review log that has lines which cannot be parsed. The problem
    blocks if the change edits this review log."""
    tree, base = view.context.tree, view.context.base.tree
    for log, broken in sorted(view.rulings.broken.items()):
        now, landed = tree.entry(log), base.entry(log)
        same = now is not None and landed is not None and now.oid == landed.oid
        number, why = broken[0]
        more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
        message = f"{why}{more}; no approval in this review log counts"
        tier = Tier.REVIEW if same else Tier.BLOCK
        yield Problem(log, number, "broken-record", message, int(tier))

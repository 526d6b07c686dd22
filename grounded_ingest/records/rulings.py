"""Determines which approvals and rejections count for a claim.

An approval counts if its line is on the base branch and the claim and its context are the approved
ones. The reviewer must be allowed to review the document. The claim must not have left the base
branch since the approval. A rejection counts on any branch."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.ancestry import shallow_ends
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import ClaimKey, Place
from grounded_ingest.records.review_log import (
    DIRECTORY,
    BrokenLine,
    Objection,
    Review,
    approvals,
    digest_of,
    last_actions,
    lines_at,
    log_path,
    readable_lines,
)
from grounded_ingest.references.context import Context
from grounded_ingest.repository.former_documents import FormerDocuments
from grounded_ingest.repository.judging_config import landed_config
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.records.authority import Authority
    from grounded_ingest.records.signatures import Signatures

NOT_LANDED = "the approval counts only after it is merged into the base branch"
NO_DIGEST = "the review log lacks the text around the claim: approve the claim again"
NO_DIGEST_AND_CHANGED = (
    "the review log lacks the text around the claim, and this text changed: approve again"
)
BROKEN_LOG = "a broken line in the review log may withdraw the approval: repair the line"
ENDED = "the claim left the base branch, which ended the approval: approve the claim again"
CUT_OFF = (
    "the commit that added the approval to the base branch is not in this shallow clone"
    " (set fetch-depth: 0)"
)
UNREAD = "git cannot read the commit with the approval on the base branch: use a full clone"
CHANGED = "the claim's context changed on the base branch, which ended the approval: approve again"
MAX_SHOWN = 80
"""Maximum number of characters from a context that a message shows."""

ContextDigests = Mapping[ClaimKey, str]
"""Maps the claims in a document to the digests of their contexts."""


class Ruling(Struct, frozen=True):
    """What people decided about a claim.

    `action` is the decision that counts, or empty. If an approval does not count, `objection` names
    the reviewer and the reason."""

    action: Literal["", "approve", "reject"] = ""
    objection: str = ""


class Rulings:
    """Finds out what people decided about a claim, from the review logs on the base branch and
    after the change.

    `range_approvals` checks approvals that a commit range adds. If `range_approvals` is None, such
    approvals do not count."""

    def __init__(
        self, context: Context, former: FormerDocuments, range_approvals: Objection | None
    ) -> None:
        self._context, self._former = context, former
        self._range_approvals = range_approvals
        self.lines = cache(self._read_log)
        self.approvals = cache(lambda path, *, base: approvals(self.lines(path, base=base)))
        self._last = cache(lambda path, *, base: last_actions(self.lines(path, base=base)))
        self._ended_on_base = cache(self._find_ended)
        self.broken: dict[str, list[BrokenLine]] = {}
        """Maps the path of each review log that was read, in the tree after the change, to its
        unreadable lines."""

    def ruling(self, place: Place) -> Ruling:
        """Returns the decision by people that counts for a claim.

        The order of priority is: a rejection of this claim, an approval on the base branch, a
        rejection of an equal text elsewhere, an approval that is not on the base branch."""
        if not self._has_logs:
            return Ruling()
        key = place.claim.key
        now, landed = (self._last(place.path, base=base).get(key) for base in (False, True))
        if any(last and last.action == "reject" for last in (now, landed)):
            return Ruling("reject")
        approved, objection = self._approval_on_base(place, now)
        if approved:
            return Ruling("approve")
        if place.claim.id in self._rejected_ids:
            return Ruling("reject")
        return self._unlanded_ruling(place, objection)

    @cached_property
    def _has_logs(self) -> bool:
        return any(t.is_dir(DIRECTORY) for t in (self._context.tree, self._context.base.tree))

    def _approval_on_base(self, place: Place, now: Review | None) -> tuple[bool, str]:
        """Returns whether an approval on the base branch counts, and the reason if an existing
        approval does not count. `now` is the last action in the log after the change."""
        key = place.claim.key
        given = self.approvals(place.path, base=True).get(key, ())
        if not given or (now and now.action != "approve"):
            return False, ""
        if log_path(place.path) in self.broken:
            return False, _objection(given[-1], BROKEN_LOG)
        if key not in self._former.base_claims(place.path):
            return False, _objection(given[-1], ENDED)
        latest = ""
        for review in reversed(given):
            why = self._why_not_landed(place, review)
            if not why:
                return True, ""
            latest = latest or _objection(review, why)
        return False, latest

    # The late imports below save 5 ms at the start, and most repositories contain no approval.

    def _why_not_landed(self, place: Place, review: Review) -> str:
        # Imported late for a fast start: only repositories with approvals need these modules.
        from grounded_ingest.records.authority import is_agent

        if is_agent(review.reviewer, more=self._context.config.agents):
            return "an agent must not approve claims"
        why = self._why_of_another_text(place, review) or self._why_not_permitted(place, review)
        if not why and self._context.config.review.require_signed:
            why = self._signatures.objection(self._former.path_on_base(place.path), review)
        return why or self._ended_on_base(place.path).get(review, "")

    def _why_of_another_text(self, place: Place, review: Review) -> str:
        claim = place.claim
        if review.claim != claim.text:
            other = "the review log has another text for this claim: approve it again"
            return (
                other if review.claim else "the review log lacks the claim's text: approve it again"
            )
        if review.has_digest:
            same = review.digest == digest_of(claim.text, claim.context)
            now = self._former.kb.context_of(place)
            return "" if same else _context_change(review.context, now)
        same = self._former.base_claims(place.path).get(claim.key) == claim.context
        return "" if same else NO_DIGEST_AND_CHANGED

    def _why_not_permitted(self, place: Place, review: Review) -> str:
        from grounded_ingest.records.authority import Person

        person = Person(review.reviewer, frozenset({review.owner} if review.owner else ()))
        if self._authority.may_review(place.path, person):
            return ""
        named_in = self._authority.owners(place.path).named_in
        return f"{review.reviewer} may not approve claims in this document ({named_in})"

    @cached_property
    def _authority(self) -> Authority:
        from grounded_ingest.records.authority import authority_on

        base = self._context.base
        return authority_on(base.tree, landed_config(base, self._context.config))

    @cached_property
    def _signatures(self) -> Signatures:
        from grounded_ingest.records.signatures import Signatures

        context, base = self._context, self._context.base
        return Signatures(context.repo, "", base.commit, base.tree, context.config)

    def _find_ended(self, path: str) -> dict[Review, str]:
        """Returns the approvals whose claims later left the base branch, and the reasons why the
        approvals ended."""
        claims = self._former.base_claims(path)
        approved = self.approvals(path, base=True)
        given = [r for key, reviews in approved.items() if key in claims for r in reviews]
        repo, commit = self._context.repo, self._context.base.commit
        old = self._former.path_on_base(path)

        def claims_at(path: str, oid: str) -> ContextDigests:
            return {c.key: c.context for c in self._former.claims_at(path, oid)}

        return ended_approvals(repo, commit, old, given, claims_at)

    def _unlanded_ruling(self, place: Place, objection: str) -> Ruling:
        """Returns the `Ruling` from approvals that are not on the base branch. If there are no such
        approvals, the result contains `objection`, the reason why an approval on the base branch
        does not count."""
        latest, added = "", self._range_approvals
        for review in reversed(self._not_landed(place)):
            why = self._why_not_read(place, review)
            if not why:
                why = added(place, review) if added else NOT_LANDED
            if not why:
                return Ruling("approve")
            latest = latest or _objection(review, why)
        return Ruling("", latest or objection)

    def unlanded_approvals(self, place: Place) -> tuple[Review, ...]:
        """Returns the approvals of the claim, with its present text and context, that are not in
        the review log on the base branch."""
        return tuple(r for r in self._not_landed(place) if not self._why_not_read(place, r))

    def _why_not_read(self, place: Place, review: Review) -> str:
        return self._why_of_another_text(place, review) if review.has_digest else NO_DIGEST

    def _not_landed(self, place: Place) -> tuple[Review, ...]:
        given = self.approvals(place.path, base=False).get(place.claim.key, ())
        landed = self.lines(place.path, base=True) if given else ()
        return tuple(r for r in given if r not in landed)

    @cached_property
    def _rejected_ids(self) -> set[str]:
        found: set[str] = set()
        for base, tree in ((False, self._context.tree), (True, self._context.base.tree)):
            for log in tree.below(DIRECTORY) if tree.is_dir(DIRECTORY) else ():
                content = tree.read(log) or b""
                if log.endswith(".jsonl") and b'"reject"' in content:
                    last = last_actions(self._parse(content, log, base=base)).values()
                    found.update(r.id for r in last if r.action == "reject")
        return found

    def _read_log(self, path: str, *, base: bool) -> list[Review]:
        """Returns a document's review log, on the base branch or in the tree after the change."""
        tree: Tree = self._context.base.tree if base else self._context.tree
        absent = base and not self._context.base.commit
        log = log_path(self._former.path_on_base(path) if base else path)
        content = tree.read(log) if not absent and tree.entry(log) is not None else None
        return self._parse(content, log, base=base) if content else []

    def _parse(self, content: bytes, log: str, *, base: bool) -> list[Review]:
        """Returns the lines of a log that count.

        An unreadable line may withdraw any approval, so no approval from that log counts.
        Rejections still count."""
        lines, broken = readable_lines(content)
        if not broken:
            return lines
        if not base:  # This change repairs a log that is unreadable only on the base branch.
            self.broken[log] = broken
        return [line for line in lines if line.action != "approve"]


def _objection(review: Review, why: str) -> str:
    return f"approved by {review.reviewer}: {why}"


def _context_change(then: Sequence[tuple[str, str]], now: Sequence[tuple[str, str]]) -> str:
    for kind in dict.fromkeys(k for k, _ in (*then, *now)):
        was, is_ = ([text for k, text in side if k == kind] for side in (then, now))
        gone, new = ([_quoted(t) for t in a if t not in b] for a, b in ((was, is_), (is_, was)))
        if gone and new:
            return f"the {kind} around the claim changed from {gone[0]} to {new[0]}"
        if gone:
            return f"the {kind} {gone[0]} around the claim was removed"
        if new:
            return f"the claim has a new {kind} around it: {new[0]}"
    return "its context changed"


def _quoted(text: str) -> str:
    return f"“{text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + '…'}”"


# Approvals that ended
#
# A claim that left the base branch and came back needs a new approval. The tree of the base branch
# does not show that the claim was ever absent, so this code reads the history of the base branch
# (first parents only). Every commit there since the approval must contain the claim. A squashed,
# rebased or merged change is one commit in this history.


_BaseCommit = tuple[str, dict[str, tuple[str, str]]]
"""A commit on the base branch, and its changes: maps each changed path to the object ids of the
file before and after the commit. An empty id means that the file is absent."""


def ended_approvals(
    repo: Repo,
    base: str,
    document: str,
    given: Iterable[Review],
    claims_of: Callable[[str, str], ContextDigests],
    latest: ContextDigests | None = None,
) -> dict[Review, str]:
    """Returns the approvals in a document's log on the base branch that no longer count, with the
    reasons: the claim was removed or its context changed after the approval.

    Log lines of an older format lack a digest of the approved text. For them, the claim's context
    must equal the one in `latest`, or the one on the base branch if `latest` is None."""
    open_ones, ended = list(given), dict[Review, str]()
    if not open_ones:
        return {}
    log, walk = log_path(document), _BaseWalk(repo, base, document)
    for commit, changes in walk.steps():
        blob = walk.state[document]
        claims = claims_of(document, blob) if blob else {}
        latest = claims if latest is None else latest
        ended.update((r, why) for r in open_ones if (why := _why_ended(r, claims, latest)))
        walk.state.update((path, old) for path, (old, _) in changes.items())
        open_ones = [r for r in open_ones if r not in ended]
        if log in changes:
            landed = set(open_ones).difference(lines_at(repo, walk.state[log], log))
            open_ones = [r for r in open_ones if r not in landed]
            ended.update(_ended_before_move(repo, commit, landed, claims_of, latest))
        if not open_ones:
            break
    return ended | (dict.fromkeys(open_ones, UNREAD) if walk.failed else {})


def _why_ended(review: Review, claims: ContextDigests, latest: ContextDigests) -> str:
    """Returns the reason why a commit on the base branch ends an approval, or an empty string.

    A line without a digest approves the present context if that context never changed."""
    context = claims.get(review.key)
    if context is None:
        return ENDED
    if review.has_digest:
        return "" if review.digest == digest_of(review.claim, context) else CHANGED
    return "" if context == latest.get(review.key) else CHANGED


def _ended_before_move(
    repo: Repo,
    commit: str,
    landed: Set[Review],
    claims_of: Callable[[str, str], ContextDigests],
    latest: ContextDigests,
) -> dict[Review, str]:
    """Returns the approvals that a commit added to this log although they had already ended in
    another log.

    The commit removes that other log, for example because the document was renamed. In a shallow
    clone, this is unknown."""
    if not landed:
        return {}
    if commit in shallow_ends(repo):
        return dict.fromkeys(landed, CUT_OFF)
    parent = repo.objects.get(f"{commit}^1")
    if parent is None:
        return {}
    out = repo.run(
        "diff-tree", "-r", "-z", "--no-renames", "--diff-filter=D", "--name-only", parent.oid,
        commit, "--", DIRECTORY,
    )  # fmt: skip
    ended: dict[Review, str] = {}
    for log in (p for p in os.fsdecode(out).split("\0") if p.endswith(".jsonl")):
        # The path of the log contains the path of its document, except for unsafe names, which are
        # escaped.
        document = log[len(DIRECTORY) + 1 : -len(".jsonl")]
        before = lines_at(repo, f"{parent.oid}:{log}", log)
        moved = (r for r in landed if r in before)
        ended |= ended_approvals(repo, parent.oid, document, moved, claims_of, latest)
    return ended


class _BaseWalk:
    """Goes through the history of the base branch, newest commit first.

    `state` maps the document and its log to their object ids at the current commit. `failed` is
    true if git could not read the whole history."""

    def __init__(self, repo: Repo, base: str, document: str) -> None:
        self.repo, self.base, self.failed = repo, base, False
        found = {p: repo.objects.get(f"{base}:{p}") for p in (document, log_path(document))}
        self.state = {path: at.oid if at else "" for path, at in found.items()}

    def steps(self) -> Iterator[_BaseCommit]:
        """Yields the commits that changed the document or its review log, newest first."""
        out = self.repo.stream(
            "--literal-pathspecs", "log", "--first-parent", "-m",
            "--raw", "--no-abbrev", "--no-renames", "-z", "--format=%x01%H", self.base, "--",
            *self.state,
        )  # fmt: skip
        rest = ""
        try:
            with contextlib.closing(out):
                for part in out:
                    *rows, rest = (rest + os.fsdecode(part)).split("\x01")
                    yield from map(_parse_commit, filter(None, rows))
        except GroundedIngestError:
            self.failed = True
            return
        yield from map(_parse_commit, filter(None, [rest]))


_CHANGE = compiled(r":\d+ \d+ (?:0+|([0-9a-f]+)) (?:0+|([0-9a-f]+)) [A-Z]\d*\0([^\0]+)")


def _parse_commit(row: str) -> _BaseCommit:
    """Returns a commit with its changed paths, from a commit id and the rows of `--raw -z` below
    it: `:mode mode old new status`, followed by the path."""
    changes = {path: (old, new) for old, new, path in _CHANGE.findall(row)}
    return row.partition("\0")[0].strip(), changes

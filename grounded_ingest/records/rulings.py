"""What people decided about a claim, and what of it counts: approvals on base, any rejection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import ClaimKey, Place
from grounded_ingest.records.review_log import (
    DIRECTORY,
    BrokenLine,
    Review,
    approvals,
    digest_of,
    last_actions,
    log_path,
    readable_lines,
)
from grounded_ingest.references.context import Context

if TYPE_CHECKING:
    from grounded_ingest.records.authority import Authority
    from grounded_ingest.records.signatures import Signatures

LANDS = "it counts once it has landed"
UNRECORDED = "the log does not say what was read with it: approve again"
MOVED_ON = "the log does not say what was read with it, and that changed: approve again"
BROKEN = "a line of the log cannot be read, and may take it back"
SHOWN = 80
"""Characters of a context that a message shows."""


class Ruling(Struct, frozen=True):
    """`said` of an approval that does not count: by whom, and why not."""

    action: Literal["", "approve", "reject"] = ""
    said: str = ""


class Vouchers(Protocol):
    """Who stands behind approvals that are new in a range."""

    def objection(self, place: Place, given: Review) -> str:
        """Why an approval counts only once it has landed; empty where it counts now."""


class Reviewed:
    """Review logs of base and of the tree after the change. `base_claims` are a document's claims
    on base, `claims_of` those of any blob, with the digests of their contexts; `context_of` tells
    one in words; `renamed` maps documents to their paths on base."""

    def __init__(
        self,
        context: Context,
        renamed: Mapping[str, str],
        base_claims: Callable[[str], Mapping[ClaimKey, str]],
        claims_of: Callable[[str, str], Mapping[ClaimKey, str]],
        context_of: Callable[[Place], Sequence[tuple[str, str]]],
        vouchers: Vouchers | None,
    ) -> None:
        self._context, self._renamed = context, renamed
        self._base_claims, self._claims_of = base_claims, claims_of
        self._context_of, self._vouchers = context_of, vouchers
        self._lines: dict[tuple[str, bool], list[Review]] = {}
        self._approvals: dict[tuple[str, bool], dict[ClaimKey, tuple[Review, ...]]] = {}
        self._last: dict[tuple[str, bool], dict[ClaimKey, Review]] = {}
        self._ended: dict[str, dict[Review, str]] = {}
        self.broken: dict[str, list[BrokenLine]] = {}
        """Lines of logs of the tree after the change that cannot be read, as far as was asked."""
        self._rejected: frozenset[str] | None = None
        self._none: bool | None = None
        self._signed: Signatures | None = None
        self._authority: Authority | None = None

    def ruling(self, place: Place) -> Ruling:
        """What counts for a claim."""
        if self._nothing():
            return Ruling()
        key = place.claim.key
        own = [self.last(place.path, base=b).get(key) for b in (False, True)]
        if any(r is not None and r.action == "reject" for r in own):
            return Ruling("reject")
        landed, said = self._landed(place)
        if landed:
            return Ruling("approve")
        if place.claim.id in self._rejected_anywhere():
            return Ruling("reject")
        return self._proposed(place, said)

    def _nothing(self) -> bool:
        """Whether nobody ever reviewed anything here."""
        if self._none is None:
            trees = (self._context.tree, self._context.base.tree)
            self._none = not any(tree.is_dir(DIRECTORY) for tree in trees)
        return self._none

    def _landed(self, place: Place) -> tuple[bool, str]:
        """Whether an approval on base counts; else why one that is there does not."""
        key = place.claim.key
        now = self.last(place.path, base=False).get(key)
        given = self.approvals(place.path, base=True).get(key, ())
        if not given or (now is not None and now.action != "approve"):
            return False, ""
        if log_path(place.path) in self.broken:
            return False, f"approved by {given[-1].reviewer}: {BROKEN}"
        if key not in self._base_claims(place.path):
            return False, f"approved by {given[-1].reviewer}: {_ended_text()}"
        said = ""
        for review in reversed(given):
            why = self._objection_to_landed(place, review)
            if not why:
                return True, ""
            said = said or f"approved by {review.reviewer}: {why}"
        return False, said

    def _objection_to_landed(self, place: Place, given: Review) -> str:
        from grounded_ingest.records.authority import is_agent

        if is_agent(given.reviewer, more=self._context.config.agents):
            return "an agent approves nothing"
        if why := self._misread(place, given) or self._unpermitted(place, given):
            return why
        if self._context.config.review.require_signed and (why := self._unsigned(place, given)):
            return why
        return self.ended(place.path).get(given, "")

    def _misread(self, place: Place, given: Review) -> str:
        """What differs between the claim as it stands and what was approved."""
        claim = place.claim
        if given.claim != claim.text:
            return "the log holds another text" if given.claim else "the log does not hold its text"
        if given.recorded:
            same = given.digest == digest_of(claim.text, claim.context)
            return "" if same else _changed(given.context, self._context_of(place))
        return "" if self._base_claims(place.path).get(claim.key) == claim.context else MOVED_ON

    def _unpermitted(self, place: Place, given: Review) -> str:
        """Why base lets the reviewer of a landed line not decide here, as far as it can tell."""
        from grounded_ingest.records.authority import Person, authority_on

        if self._authority is None:
            from grounded_ingest.repository.judging_config import landed_config

            context = self._context
            config = landed_config(context.base, context.config)
            self._authority = authority_on(context.base.tree, config)
        person = Person(given.reviewer, frozenset({given.owner} if given.owner else ()))
        if self._authority.may(place.path, person):
            return ""
        return f"{given.reviewer} may not approve here ({self._authority.owners(place.path).said})"

    def _unsigned(self, place: Place, given: Review) -> str:
        """Why no signature on base stands behind an approval there."""
        from grounded_ingest.records.signatures import Signatures

        if self._signed is None:
            context = self._context
            base = context.base
            self._signed = Signatures(context.repo, "", base.commit, base.tree, context.config)
        return self._signed.objection(self._on_base(place.path), given)

    def ended(self, path: str) -> dict[Review, str]:
        """Approvals on base whose claims left it since."""
        if path not in self._ended:
            from grounded_ingest.records.expiry import ended

            known = self._base_claims(path)
            held = self.approvals(path, base=True)
            given = [r for key, reviews in held.items() if key in known for r in reviews]
            base = self._context.base.commit
            old = self._on_base(path)
            self._ended[path] = ended(self._context.repo, base, old, given, self._claims_of)
        return self._ended[path]

    def _proposed(self, place: Place, said: str) -> Ruling:
        """What approvals do that are not on base."""
        told = ""
        for review in reversed(self._not_landed(place)):
            objection = self._unread(place, review)
            if not objection:
                objection = self._vouchers.objection(place, review) if self._vouchers else LANDS
            if not objection:
                return Ruling("approve")
            told = told or f"approved by {review.reviewer}: {objection}"
        return Ruling("", told or said)

    def fresh(self, place: Place) -> tuple[Review, ...]:
        """Approvals on record, of what stands there now, that base's log does not hold."""
        return tuple(r for r in self._not_landed(place) if not self._unread(place, r))

    def _unread(self, place: Place, given: Review) -> str:
        """Why a line that has not landed is no approval of what stands there now."""
        return self._misread(place, given) if given.recorded else UNRECORDED

    def _not_landed(self, place: Place) -> tuple[Review, ...]:
        given = self.approvals(place.path, base=False).get(place.claim.key, ())
        landed = self.lines(place.path, base=True) if given else ()
        return tuple(r for r in given if r not in landed)

    def _rejected_anywhere(self) -> frozenset[str]:
        """Texts somebody rejected, wherever they stood then."""
        if self._rejected is None:
            found: set[str] = set()
            for base, tree in ((False, self._context.tree), (True, self._context.base.tree)):
                for log in tree.below(DIRECTORY) if tree.is_dir(DIRECTORY) else ():
                    content = tree.read(log) or b""
                    if log.endswith(".jsonl") and b'"reject"' in content:
                        last = last_actions(self._parsed(content, log, base=base)).values()
                        found.update(r.id for r in last if r.action == "reject")
            self._rejected = frozenset(found)
        return self._rejected

    def last(self, path: str, *, base: bool) -> dict[ClaimKey, Review]:
        """The action that holds per claim, on base or in the tree after the change."""
        name = (path, base)
        if name not in self._last:
            self._last[name] = last_actions(self.lines(path, base=base))
        return self._last[name]

    def approvals(self, path: str, *, base: bool) -> dict[ClaimKey, tuple[Review, ...]]:
        name = (path, base)
        if name not in self._approvals:
            self._approvals[name] = approvals(self.lines(path, base=base))
        return self._approvals[name]

    def lines(self, path: str, *, base: bool) -> list[Review]:
        """The review log of a document, on base or in the tree after the change."""
        name = (path, base)
        if name not in self._lines:
            tree: Tree = self._context.base.tree if base else self._context.tree
            absent = base and not self._context.base.commit
            log = log_path(self._on_base(path) if base else path)
            content = tree.read(log) if not absent and tree.entry(log) is not None else None
            self._lines[name] = self._parsed(content, log, base=base) if content else []
        return self._lines[name]

    def _on_base(self, path: str) -> str:
        return self._renamed.get(path, path)

    def _parsed(self, content: bytes, log: str, *, base: bool) -> list[Review]:
        """Returns the lines of a log that count. A line that cannot be read may have taken back
        any approval, so beside one nothing approves; rejections stay."""
        lines, broken = readable_lines(content)
        if not broken:
            return lines
        if not base:  # what is broken on base alone is mended by this change
            self.broken[log] = broken
        return [line for line in lines if line.action != "approve"]


def _changed(then: Sequence[tuple[str, str]], now: Sequence[tuple[str, str]]) -> str:
    """The first difference between two contexts in words."""
    for kind in dict.fromkeys(k for k, _ in (*then, *now)):
        was, is_ = ([text for k, text in side if k == kind] for side in (then, now))
        gone, new = ([_short(t) for t in a if t not in b] for a, b in ((was, is_), (is_, was)))
        if gone and new:
            return f"its {kind} changed from {gone[0]} to {new[0]}"
        if gone or new:
            return f"its {kind} {gone[0]} is gone" if gone else f"it has a new {kind}: {new[0]}"
    return "its context changed"


def _short(text: str) -> str:
    return f"“{text if len(text) <= SHOWN else text[: SHOWN - 1] + '…'}”"


def _ended_text() -> str:
    from grounded_ingest.records.expiry import ENDED

    return ENDED

"""The review queue as a reviewer sees it, and the actions that the reviewer records."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from grounded_ingest.config.globs import matches
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Decision, DocClass, Place, Tier
from grounded_ingest.pipeline import Options, Result, run
from grounded_ingest.records.authority import (
    Authorship,
    ClaimAuthors,
    Person,
    agent_in,
    authority_on,
    forge_names,
)
from grounded_ingest.records.review_log import (
    Review,
    ReviewAction,
    ReviewEntry,
    append_reviews,
    digest_of,
)
from grounded_ingest.report.findings import ORDER
from grounded_ingest.repository.judging_config import landed_config
from grounded_ingest.repository.lookup import FileLine, is_id, parse_place
from grounded_ingest.repository.scope import Asked
from grounded_ingest.rules.reference_rules import severity_of

QueueState = Literal["pending", "advisory", "approved", "rejected", "grounded", "blocked", "open"]
DAY = 86_400.0
MAX_FOREMOST = 10
"""Number of claims that a long queue shows first."""


class QueueFilter(NamedTuple):
    """A filter for claims in the review queue. An empty field matches every claim. `age` is the
    minimum age in days."""

    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    section: str = ""
    rules: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    author: str = ""
    age: float = 0.0
    states: tuple[QueueState, ...] = ("pending",)
    all_owners: bool = False

    @property
    def narrow(self) -> bool:
        """Returns whether any field that selects claims is set: not `states` or `all_owners`."""
        return any(self._replace(states=(), all_owners=False))


class ReviewOutcome(NamedTuple):
    """The result of a review action.

    `written` contains the new log lines with their documents. `unchanged` counts the claims that
    needed no new line. `refused` contains the claims that the person may not decide about, with the
    reasons."""

    written: tuple[tuple[str, Review], ...]
    unchanged: int
    refused: tuple[tuple[Decision, str], ...]


class Desk:
    """The review queue of a repository, together with the person who reviews it. Raises
    GroundedIngestError in a bare repository."""

    def __init__(self, repo: Repo, *, online: bool, environ: Mapping[str, str]) -> None:
        if repo.bare:
            raise GroundedIngestError(
                "`review` needs a work tree, but this repository is bare",
                "run review in a clone that has a work tree",
            )
        self.repo, self.online, self.environ = repo, online, environ
        self.person = git_identity(repo, environ)
        self.load()

    def load(self) -> None:
        """Checks all documents as they are on disk now."""
        self.result: Result = run(self.repo, Asked("all"), Options(online=self.online))
        self.view = self.result.engine.view
        scoped = self.result.scoped
        self.config = landed_config(scoped.base, self.result.config)
        named_in = scoped.base.tree if scoped.base.commit else scoped.tree
        self.authority = authority_on(named_in, self.config)
        self._authorship = Authorship(self.repo, scoped.head)

    def close(self) -> None:
        self.result.kb.index.close()

    def state(self, decision: Decision) -> QueueState:
        if decision.rule == "rejected":
            return "rejected"
        if decision.tier is Tier.BLOCK:
            return "blocked"
        if decision.tier is Tier.APPROVE:
            return "approved" if decision.rule == "approved" else "grounded"
        given = self.view.rulings.unlanded_approvals(decision.place)
        if any(not self.authority.is_agent(r.reviewer) for r in given):
            return "advisory"
        return "pending" if severity_of(decision.rule) in ("error", "warning") else "open"

    def find(self, wanted: QueueFilter) -> list[Decision]:
        """Returns the decisions that match the filter, in document order. Raises
        GroundedIngestError if a name in the filter matches no claim."""
        named = self._named_places(wanted)
        found = [
            d
            for d in self.result.report.decisions
            if (not named or d.place in named)
            and self.state(d) in wanted.states
            and (
                wanted.all_owners or not self.authority.belongs_to_others(d.place.path, self.person)
            )
            and _matches(d, wanted)
        ]
        # The author filter runs last, because authors cost a `git blame` for each document.
        return [d for d in found if self._authors_match(d, wanted)]

    def foremost(self, decisions: Sequence[Decision]) -> list[Decision]:
        """Returns the most important decisions from a long list, sorted by severity, then memory
        documents before other documents, then the newest first. Returns an empty list if the input
        is short."""
        if len(decisions) <= MAX_FOREMOST:
            return []

        def rank(d: Decision) -> tuple[int, bool]:
            return ORDER[severity_of(d.rule)], d.place.doc_class is not DocClass.MEMORY

        first = sorted(decisions, key=rank)[: MAX_FOREMOST * 5]
        return sorted(first, key=lambda d: (*rank(d), -self.authors(d).at))[:MAX_FOREMOST]

    def hidden(self, wanted: QueueFilter) -> int:
        """Returns the number of matching claims that are hidden because they belong to other
        owners."""
        if wanted.all_owners:
            return 0
        return len(self.find(wanted._replace(all_owners=True))) - len(self.find(wanted))

    def _named_places(self, wanted: QueueFilter) -> set[Place]:
        found: set[Place] = set()
        for name in wanted.names:
            at = None if is_id(name) else parse_place(name, self.repo.root, self.result.scoped.tree)
            places = [p.place for p in self.result.report.decisions if _is_named(p.place, name, at)]
            if not places:
                hint = "give a claim's id (4 digits or more), PATH or PATH:LINE"
                raise GroundedIngestError(f"no claim matches {name}", hint)
            found.update(places)
        return found

    def _authors_match(self, decision: Decision, wanted: QueueFilter) -> bool:
        if not wanted.author and not wanted.age:
            return True
        authors = self.authors(decision)
        if wanted.age and (not authors.at or time.time() - authors.at < wanted.age * DAY):
            return False
        names = (authors.name, *authors.addresses)
        return not wanted.author or any(wanted.author.casefold() in n.casefold() for n in names)

    def authors(self, decision: Decision) -> ClaimAuthors:
        """Returns the authors of a claim. The result is empty if the claim is not committed."""
        path = decision.place.path
        found = self.repo.objects.get(f"HEAD:{path}") if self.result.scoped.head else None
        if found is None:
            return ClaimAuthors()
        claims = self.view.former.claims_at(path, found.oid)
        return self._authorship.of(path, decision.place.claim.key, claims)

    def act(
        self,
        action: ReviewAction,
        decisions: Iterable[Decision],
        reason: str = "",
        *,
        dry: bool = False,
    ) -> ReviewOutcome:
        """Records an action about the claims that this person may decide about. With `dry`, writes
        nothing. Raises GroundedIngestError if an agent is at work."""
        self.refuse_agents()
        refused, entries = [], []
        for decision in decisions:
            if why := self._objection(action, decision):
                refused.append((decision, why))
            else:
                entries.append(self.entry(action, decision, reason))
        written = [] if dry else append_reviews(self.repo, entries, self.person.address)
        return ReviewOutcome(tuple(written), len(entries) - len(written), tuple(refused))

    def entry(self, action: ReviewAction, decision: Decision, reason: str) -> ReviewEntry:
        """Returns the line to append to the review log of the claim's document."""
        claim, path = decision.place.claim, decision.place.path
        approval: dict[str, Any] = {}
        if action == "approve":
            approval = {
                "digest": digest_of(claim.text, claim.context),
                "context": self.context(decision),
                "owner": self.authority.owner_name(path, self.person),
            }
        line = Review(
            claim.id, claim.section, action, self.person.address, "", reason, claim.ordinal,
            claim.text, **approval,
        )  # fmt: skip
        # If a log line on the base branch does not approve the claim, the line has lost its effect.
        # Then the same line may be added again.
        landed = self.view.rulings.lines(path, base=True)
        ended = tuple(r for r in landed if r.key == claim.key and decision.rule != "approved")
        return ReviewEntry(path, line, ended)

    def context(self, decision: Decision) -> tuple[tuple[str, str], ...]:
        """Returns the text around a claim as (kind, text) pairs, the outermost pair first. An
        approval is valid only in this context."""
        return self.view.kb.context_of(decision.place)

    def refuse_agents(self) -> None:
        """Raises GroundedIngestError if an agent is at work, because review logs contain decisions
        by people only."""
        if variable := agent_in(self.environ):
            raise GroundedIngestError(
                f"{variable} is set, so an agent is at work; agents must not review claims",
                "a person must run this command in their own terminal",
            )
        if self.authority.is_agent(self.person.address):
            raise GroundedIngestError(
                f"{self.person.address} is the address of an agent; agents must not review claims"
            )

    def _objection(self, action: ReviewAction, decision: Decision) -> str:
        path = decision.place.path
        if not self.authority.may_review(path, self.person):
            owners = self.authority.owners(path)
            return f"only an owner may decide: {' '.join(owners.names)} ({owners.named_in})"
        if action != "approve":
            return ""
        if decision.tier is Tier.BLOCK and decision.rule != "rejected":
            return f"the rule {decision.rule} blocks the claim, and an approval cannot change that"
        # For a claim that is not committed, the person who approves it counts as its author.
        addresses = self.authors(decision).addresses
        wrote = not addresses or bool(self.person.names & forge_names(addresses))
        if wrote and self.authority.has_other_owners(path, self.person):
            return "you wrote this claim, so another owner has to approve it"
        return ""


def git_identity(repo: Repo, environ: Mapping[str, str]) -> Person:
    """Returns the person that git would record as the author of a commit now. Raises
    GroundedIngestError if git has no e-mail address for the user."""
    out = repo.run(
        "config", "-z", "--get-regexp", r"^(user\.email|(github|gitlab)\.user)$", ok=(0, 1)
    )
    rows = (row.partition("\n") for row in os.fsdecode(out).split("\0"))
    values = {key: value for key, _, value in rows if value}
    address = environ.get("GIT_AUTHOR_EMAIL") or values.get("user.email", "")
    if not address.strip():
        raise GroundedIngestError(
            "git does not know your e-mail address", "run: git config user.email you@example.org"
        )
    handles = frozenset(v for k, v in values.items() if k in ("github.user", "gitlab.user"))
    return Person(address.strip(), handles)


def _matches(d: Decision, wanted: QueueFilter) -> bool:
    return (
        (not wanted.paths or matches(wanted.paths, d.place.path, below=True))
        and wanted.section.casefold() in d.place.claim.section.casefold()
        and (not wanted.rules or d.rule in wanted.rules)
        and (not wanted.sources or d.source in wanted.sources)
    )


def _is_named(place: Place, name: str, at: FileLine | None) -> bool:
    if at is None:
        return is_id(name) and place.claim.id.startswith(name)
    on_line = not at.line or place.claim.line <= at.line <= place.claim.end_line
    return at.path == place.path and on_line

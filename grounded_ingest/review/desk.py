"""The queue as one reviewer sees it, and what they do with it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from grounded_ingest.config.globs import matches
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Decision, DocClass, Place, Tier
from grounded_ingest.pipeline import Options, Result, run
from grounded_ingest.records.authority import Ownership, Person, agent_in, authority_on
from grounded_ingest.records.authorship import Authorship, ClaimAuthors
from grounded_ingest.records.range_approvals import with_forge_names
from grounded_ingest.records.review_log import Review, ReviewAction, digest_of
from grounded_ingest.report.findings import ORDER
from grounded_ingest.repository.judging_config import landed_config
from grounded_ingest.repository.lookup import FileLine, is_id, spot
from grounded_ingest.repository.scope import Asked
from grounded_ingest.review.log_writer import Act, record
from grounded_ingest.rules.reference_rules import severity_of

QueueState = Literal["pending", "advisory", "approved", "rejected", "grounded", "blocked", "open"]
DAY = 86_400.0
FOREMOST = 10
"""Claims a long queue opens with."""


class QueueFilter(NamedTuple):
    """Which claims are meant; what is empty does not narrow. `age` in days, at least."""

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
        """Whether anything says which."""
        return bool(
            self.names or self.paths or self.section or self.rules or self.sources
            or self.author or self.age
        )  # fmt: skip


class Done(NamedTuple):
    """What an action came to: lines written, claims that needed none, and refusals by reason."""

    written: tuple[tuple[str, Review], ...]
    unchanged: int
    refused: tuple[tuple[Decision, str], ...]


class Desk:
    """A run over the whole knowledge base, and who looks at it."""

    def __init__(self, repo: Repo, *, online: bool, environ: Mapping[str, str]) -> None:
        if repo.bare:
            raise GroundedIngestError("review needs a work tree; this repository is bare")
        self.repo, self.online, self.environ = repo, online, environ
        self.person = identity(repo, environ)
        self.load()

    def load(self) -> None:
        """Judge the knowledge base as it stands on disk now."""
        self.result: Result = run(self.repo, Asked("all"), Options(online=self.online))
        self.standing = self.result.judge.standing
        scoped = self.result.scoped
        self.config = landed_config(scoped.base, self.result.config)
        owned = scoped.base.tree if scoped.base.commit else scoped.tree
        self.authority = authority_on(owned, self.config)
        self._authorship = Authorship(self.repo, self.result.scoped.head)

    def reload(self) -> None:
        """Judge it again after a document was edited."""
        self.close()
        self.load()

    def close(self) -> None:
        self.result.kb.index.close()

    def state(self, decision: Decision) -> QueueState:
        if decision.rule == "rejected":
            return "rejected"
        if decision.tier is Tier.BLOCK:
            return "blocked"
        if decision.tier is Tier.APPROVE:
            return "approved" if decision.rule == "approved" else "grounded"
        if self.fresh_approvals(decision):
            return "advisory"
        return "pending" if severity_of(decision.rule) in ("error", "warning") else "open"

    def fresh_approvals(self, decision: Decision) -> tuple[Review, ...]:
        """Approvals on record that have not landed yet."""
        given = self.standing.people.fresh(decision.place)
        return tuple(r for r in given if not self.authority.is_agent(r.reviewer))

    def owns(self, decision: Decision) -> bool:
        return self.authority.standing(decision.place.path, self.person) is not Ownership.OTHER

    def find(self, wanted: QueueFilter) -> list[Decision]:
        """Decisions that are meant, as they stand in their documents. Raises GroundedIngestError
        for a name that no claim has."""
        named = self._named(wanted)
        found = [
            d
            for d in self.result.report.decisions
            if (not named or d.place in named)
            and self.state(d) in wanted.states
            and (wanted.all_owners or self.owns(d))
            and self._fits(d, wanted)
        ]
        return [d for d in found if self._written_fits(d, wanted)]

    def foremost(self, decisions: Sequence[Decision]) -> list[Decision]:
        """The few that matter most, when there are more: what is surest to be wrong, in memory that
        agents load at every start before what they look up, the newest first."""
        if len(decisions) <= FOREMOST:
            return []

        def rank(d: Decision) -> tuple[int, bool]:
            return ORDER[severity_of(d.rule)], d.place.doc_class is not DocClass.MEMORY

        first = sorted(decisions, key=rank)[: FOREMOST * 5]
        return sorted(first, key=lambda d: (*rank(d), -self.written(d).at))[:FOREMOST]

    def hidden(self, wanted: QueueFilter) -> int:
        """How many more there are that belong to others."""
        return (
            0
            if wanted.all_owners
            else len(self.find(wanted._replace(all_owners=True))) - len(self.find(wanted))
        )

    def _named(self, wanted: QueueFilter) -> set[Place]:
        found: set[Place] = set()
        for name in wanted.names:
            at = None if is_id(name) else spot(name, self.repo.root, self.result.scoped.tree)
            places = [p.place for p in self.result.report.decisions if _is(p.place, name, at)]
            if not places:
                hint = "give an id (4 digits or more), PATH or PATH:LINE"
                raise GroundedIngestError(f"no claim is {name}", hint)
            found.update(places)
        return found

    def _fits(self, d: Decision, wanted: QueueFilter) -> bool:
        return (
            (not wanted.paths or matches(wanted.paths, d.place.path, below=True))
            and wanted.section.casefold() in d.place.claim.section.casefold()
            and (not wanted.rules or d.rule in wanted.rules)
            and (not wanted.sources or d.source in wanted.sources)
        )

    def _written_fits(self, decision: Decision, wanted: QueueFilter) -> bool:
        if not wanted.author and not wanted.age:
            return True
        written = self.written(decision)
        if wanted.age and (not written.at or time.time() - written.at < wanted.age * DAY):
            return False
        names = (written.name, *written.addresses)
        return not wanted.author or any(wanted.author.casefold() in n.casefold() for n in names)

    def written(self, decision: Decision) -> ClaimAuthors:
        """Who wrote a claim; nothing where it is not committed."""
        path = decision.place.path
        found = self.repo.objects.get(f"HEAD:{path}") if self.result.scoped.head else None
        if found is None:
            return ClaimAuthors()
        claims = self.standing.claims_at(path, found.oid)
        return self._authorship.of(path, decision.place.claim.key, claims)

    def act(
        self,
        action: ReviewAction,
        decisions: Iterable[Decision],
        reason: str = "",
        *,
        dry: bool = False,
    ) -> Done:
        """Put an action on record for those claims where this person may. Writes at once."""
        self.refuse_agents()
        refused, acts, decided = [], [], list(decisions)
        for decision in decided:
            if why := self.objection(action, decision):
                refused.append((decision, why))
            else:
                acts.append(self.act_of(action, decision, reason))
        written = [] if dry else record(self.repo, acts, self.person.address)
        return Done(tuple(written), len(acts) - len(written), tuple(refused))

    def act_of(self, action: ReviewAction, decision: Decision, reason: str) -> Act:
        """What will stand in the log."""
        claim, path = decision.place.claim, decision.place.path
        read: dict[str, Any] = {}
        if action == "approve":
            read = {
                "digest": digest_of(claim.text, claim.context),
                "context": self.context(decision),
                "owner": self.authority.name_of(path, self.person),
            }
        line = Review(
            claim.id, claim.section, action, self.person.address, "", reason, claim.ordinal,
            claim.text, **read,
        )  # fmt: skip
        # What stands on base and approves nothing there has ended: it may be given again.
        landed = self.standing.people.lines(path, base=True)
        ended = tuple(r for r in landed if r.key == claim.key and decision.rule != "approved")
        return Act(path, line, ended)

    def context(self, decision: Decision) -> tuple[tuple[str, str], ...]:
        """What a claim is read with, and its approval bound to: (kind, text), outermost first."""
        return self.standing.context_of(decision.place)

    def refuse_agents(self) -> None:
        """Raises GroundedIngestError where an agent shows: the log holds what people decide."""
        if variable := agent_in(self.environ):
            raise GroundedIngestError(
                f"{variable} is set: an agent is at work here, and agents review nothing",
                "let a person run this in a terminal of their own",
            )
        if self.authority.is_agent(self.person.address):
            raise GroundedIngestError(f"{self.person.address} is an agent's address")

    def objection(self, action: ReviewAction, decision: Decision) -> str:
        """Why this person may not do this to this claim; empty where they may."""
        path = decision.place.path
        if not self.authority.may(path, self.person):
            owners = self.authority.owners(path)
            return f"it belongs to {' '.join(owners.names)} ({owners.said})"
        if action != "approve":
            return ""
        if decision.tier is Tier.BLOCK and decision.rule != "rejected":
            return f"{decision.rule} blocks it, and an approval does not lift that"
        if self.wrote(decision) and self.authority.others(path, self.person):
            return "you wrote it, and others may review it"
        return ""

    def wrote(self, decision: Decision) -> bool:
        """Whether this person wrote the claim, alone or with others; what no commit holds yet is
        taken for theirs."""
        addresses = self.written(decision).addresses
        return not addresses or bool(self.person.names & with_forge_names(addresses))


def identity(repo: Repo, environ: Mapping[str, str]) -> Person:
    """Who git would say commits here. Raises GroundedIngestError where it knows nobody."""
    values = dict(_configured(repo))
    address = environ.get("GIT_AUTHOR_EMAIL") or values.get("user.email", "")
    if not address.strip():
        raise GroundedIngestError(
            "git knows no address of yours", "run: git config user.email you@example.org"
        )
    handles = frozenset(v for k, v in values.items() if k in ("github.user", "gitlab.user"))
    return Person(address.strip(), handles)


def _configured(repo: Repo) -> Iterator[tuple[str, str]]:
    out = repo.run(
        "config", "-z", "--get-regexp", r"^(user\.email|(github|gitlab)\.user)$", ok=(0, 1)
    )
    for row in os.fsdecode(out).split("\0"):
        key, _, value = row.partition("\n")
        if value:
            yield key, value


def _is(place: Place, name: str, at: FileLine | None) -> bool:
    """Whether a claim is meant by the beginning of its id, or stands at a place."""
    if at is None:
        return is_id(name) and place.claim.id.startswith(name)
    on_line = not at.line or place.claim.line <= at.line <= place.claim.end_line
    return at.path == place.path and on_line

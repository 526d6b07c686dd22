"""What an audit says: a verdict for every piece of evidence, and the state of the whole base."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from msgspec import Struct

from grounded_ingest.model.claims import Problem, Tier
from grounded_ingest.model.report import Scope


class EvidenceState(StrEnum):
    """What became of a piece of evidence since its claim was written (docs/audit.md)."""

    OK = "ok"
    MOVED = "moved"
    CHANGED = "changed"
    GONE = "gone"
    MISSING = "missing"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    DEAD = "dead"
    UNREACHABLE = "unreachable"
    PROMOTED = "promoted"
    UNKNOWN = "unknown"


STALE = frozenset(EvidenceState) - {EvidenceState.OK, EvidenceState.PROMOTED, EvidenceState.UNKNOWN}
"""What somebody has to look at; counts like a claim that waits for review."""


class Item(Struct, frozen=True):
    """One piece of evidence. `kind` is a citation's or reference's, or `claim` for what concerns a
    whole claim.

    `cited` is the citation as it resolved when it was written; `to` where it stands now (a path
    with its lines, a commit, an ADR), `commit` what removed it or wrote it last, `candidates`
    where it may stand. `certain`: `--fix` rewrites it. `recorded`: a sidecar holds it. `dated`: it
    stands in a report, an archive or a plan, or below a heading with a day.
    """

    path: str
    line: int
    id: str
    claim: str
    kind: str
    cited: str
    state: EvidenceState
    reason: str = ""
    to: str = ""
    commit: str = ""
    candidates: tuple[str, ...] = ()
    certain: bool = False
    recorded: bool = False
    dated: bool = False


class ClaimPair(Struct, frozen=True):
    """Two claims that say the same, or that contradict each other."""

    path: str
    line: int
    claim: str
    other_path: str
    other_line: int
    other_claim: str
    rule: str
    similarity: float = 0.0
    message: str = ""
    dated: bool = False


class Blocked(Struct, frozen=True):
    """A claim that blocks when it is judged again, and why."""

    path: str
    line: int
    id: str
    claim: str
    rule: str
    reason: str
    dated: bool = False


class Audit(Struct, frozen=True):
    """The whole report; every output format is a pure function of it."""

    scope: Scope
    documents: int
    claims: int
    tiers: dict[str, int]
    items: tuple[Item, ...]
    contradictions: tuple[ClaimPair, ...]
    duplicates: tuple[ClaimPair, ...]
    orphans: tuple[str, ...]
    behind: tuple[str, ...]
    problems: tuple[Problem, ...]
    blocked: tuple[Blocked, ...]
    fixed: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    """Documents that agents load, whose findings stand first."""

    def count(self) -> dict[str, int]:
        """Items by state, in the order of the states."""
        counted = Counter(i.state for i in self.items)
        return {s.value: counted[s] for s in EvidenceState}

    @property
    def failing(self) -> tuple[tuple[str, int], ...]:
        """Documents and the tiers that count against --fail-on."""
        found = [(b.path, int(Tier.BLOCK)) for b in self.blocked]
        found += [(i.path, int(Tier.REVIEW)) for i in self.items if i.state in STALE]
        found += [(p.path, int(Tier.REVIEW)) for p in self.contradictions]
        found += [(p.path, p.tier) for p in self.problems if p.tier]
        return tuple(found)

    @property
    def worst(self) -> int:
        """The highest tier of `failing`; 0 where there is none."""
        return max((tier for _, tier in self.failing), default=0)

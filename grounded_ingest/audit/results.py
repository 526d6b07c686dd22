"""What an audit says: a verdict for every piece of evidence, and the state of the whole base."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from msgspec import Struct

from grounded_ingest.model import Problem, Scope, Tier


class State(StrEnum):
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


STALE = frozenset(State) - {State.OK, State.PROMOTED, State.UNKNOWN}
"""What somebody has to look at; counts like a claim that waits for review."""


class Item(Struct, frozen=True):
    """One piece of evidence. `kind` is a citation's, or `claim` for what concerns a whole claim.

    `cited` is the citation as it resolved when it was written; `to` where it stands now (a path
    with its lines, a commit, an ADR), `commit` what removed it or wrote it last, `candidates`
    where it may stand. `certain`: `--fix` rewrites it. `recorded`: a sidecar holds it.
    """

    path: str
    line: int
    id: str
    claim: str
    kind: str
    cited: str
    state: State
    reason: str = ""
    to: str = ""
    commit: str = ""
    candidates: tuple[str, ...] = ()
    certain: bool = False
    recorded: bool = False


class Pair(Struct, frozen=True):
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


class Waiting(Struct, frozen=True):
    """A claim that waits for review; `since` is a date, empty where history does not tell."""

    path: str
    line: int
    id: str
    claim: str
    rule: str
    since: str
    days: int


class Ages(Struct, frozen=True):
    """The claims of one document class that wait, by age."""

    doc_class: str
    buckets: dict[str, int]


class Audit(Struct, frozen=True):
    """The whole report; every output format is a pure function of it."""

    scope: Scope
    documents: int
    claims: int
    tiers: dict[str, int]
    items: tuple[Item, ...]
    contradictions: tuple[Pair, ...]
    duplicates: tuple[Pair, ...]
    orphans: tuple[str, ...]
    behind: tuple[str, ...]
    ages: tuple[Ages, ...]
    oldest: tuple[Waiting, ...]
    problems: tuple[Problem, ...]
    blocked: tuple[Pair | Waiting, ...] = ()
    fixed: tuple[str, ...] = ()

    def count(self) -> dict[str, int]:
        """Items by state, in the order of the states."""
        counted = Counter(i.state for i in self.items)
        return {s.value: counted[s] for s in State}

    @property
    def worst(self) -> Tier | int:
        """The highest tier among claims that block, stale evidence and contradictions; 0: none."""
        if self.tiers.get("tier_3"):
            return Tier.BLOCK
        stale = any(i.state in STALE for i in self.items)
        return Tier.REVIEW if stale or self.contradictions else 0

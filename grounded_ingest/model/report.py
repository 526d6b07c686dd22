"""What a check reports: its scope, its decisions, its problems."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from grounded_ingest.model.claims import Decision, Frame, Place, Problem, Tier, context_in

NOTHING_TO_CHECK = "nothing-to-check"


class Scope(Struct, frozen=True):
    """What was checked against what. `head` and `base` are object ids or empty."""

    mode: Literal["worktree", "staged", "range", "paths", "all"]
    head: str = ""
    base: str = ""
    base_reason: str = ""
    range: str = ""
    online: bool = True


class Report(Struct, frozen=True):
    """The result of a check; every output format is a pure function of it.

    `decisions` hold every claim of the documents in scope; those with `changed` count. `frames` are
    what frames claims, by document and digest.
    """

    scope: Scope
    decisions: tuple[Decision, ...] = ()
    problems: tuple[Problem, ...] = ()
    documents: int = 0
    prose: int = 0
    covered: int = 0
    frames: Mapping[str, Mapping[str, Frame]] = MappingProxyType({})

    def context(self, place: Place) -> tuple[tuple[str, str], ...]:
        """What a claim is read with, as (kind, text), the outermost first."""
        return context_in(self.frames.get(place.path, {}), place.claim.context)

    @property
    def counted(self) -> tuple[Decision, ...]:
        return tuple(d for d in self.decisions if d.changed)

    def tier(self, tier: Tier) -> int:
        """The number of counted decisions of a tier."""
        return sum(d.tier is tier for d in self.decisions if d.changed)

    @property
    def worst(self) -> int:
        """The highest tier among counted decisions and problems; 0 where there is neither."""
        tiers = [int(d.tier) for d in self.decisions if d.changed]
        return max([*tiers, *(p.tier for p in self.problems)], default=0)

    def checkable(self, *, changed: bool = True) -> tuple[int, int, int]:
        """Of the counted claims, or of all in scope: those grounded, those that can be checked at
        all, and the rest."""
        claims = [d for d in self.decisions if d.changed or not changed]
        rest = sum(d.rule == NOTHING_TO_CHECK for d in claims)
        return sum(d.tier is Tier.APPROVE for d in claims), len(claims) - rest, rest

    @property
    def coverage(self) -> float:
        """Share of the prose of the documents in scope that stands inside claims, 0 to 1."""
        return round(self.covered / self.prose, 4) if self.prose else 1.0

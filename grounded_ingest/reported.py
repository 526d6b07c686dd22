"""What a check reports: its scope, its decisions, its problems."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .model import Decision, Problem, Tier


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

    `decisions` hold every claim of the documents in scope; those with `changed` count.
    """

    scope: Scope
    decisions: tuple[Decision, ...] = ()
    problems: tuple[Problem, ...] = ()
    documents: int = 0
    prose: int = 0
    covered: int = 0

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

    @property
    def coverage(self) -> float:
        """Share of the prose of the documents in scope that stands inside claims, 0 to 1."""
        return round(self.covered / self.prose, 4) if self.prose else 1.0

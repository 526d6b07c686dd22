"""What a check reports: its scope, its decisions, its problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from grounded_ingest.model.claims import Decision, Frame, Place, Problem, Tier, context_in


class Scope(Struct, frozen=True):
    """What was checked against what. `head` and `base` are object ids or empty."""

    mode: Literal["worktree", "staged", "range", "paths", "all"]
    head: str = ""
    base: str = ""
    base_reason: str = ""
    range: str = ""
    online: bool = True


class Coverage(Struct, frozen=True):
    """How many claims can be checked, how many of these are grounded, and how many claims there are
    besides, with nothing to check."""

    checkable: int
    grounded: int
    nothing: int

    @property
    def share(self) -> float:
        """Grounded of checkable, 0 to 1; 1 where nothing can be checked."""
        return round(self.grounded / self.checkable, 4) if self.checkable else 1.0


def coverage_of(decisions: Iterable[Decision]) -> Coverage:
    """The coverage of claims."""
    found = list(decisions)
    approved = [d.approved for d in found if d.checkable]
    return Coverage(len(approved), sum(approved), len(found) - len(approved))


def coverage_by_class(decisions: Iterable[Decision]) -> dict[str, Coverage]:
    """The coverage of claims by the class of their documents."""
    found: dict[str, list[Decision]] = {}
    for decision in decisions:
        found.setdefault(decision.place.doc_class.value, []).append(decision)
    return {name: coverage_of(held) for name, held in sorted(found.items())}


class Report(Struct, frozen=True):
    """The result of a check; every output format is a pure function of it.

    `decisions` hold every claim of the documents in scope; those that changed and are not
    muted count. `frames` are what frames claims, by document and digest. `show_ungrounded`: formats
    list these claims too.
    """

    scope: Scope
    decisions: tuple[Decision, ...] = ()
    problems: tuple[Problem, ...] = ()
    documents: int = 0
    prose: int = 0
    covered: int = 0
    frames: Mapping[str, Mapping[str, Frame]] = MappingProxyType({})
    show_ungrounded: bool = False

    def context(self, place: Place) -> tuple[tuple[str, str], ...]:
        """What a claim is read with, as (kind, text), the outermost first."""
        return context_in(self.frames.get(place.path, {}), place.claim.context)

    @property
    def counted(self) -> tuple[Decision, ...]:
        return tuple(d for d in self.decisions if d.counts)

    def tier(self, tier: Tier) -> int:
        """The number of counted decisions that count as a tier."""
        return sum(d.weight == tier for d in self.decisions if d.counts)

    @property
    def worst(self) -> int:
        """The highest tier among counted decisions and problems; 0 where there is neither."""
        tiers = [d.weight for d in self.decisions if d.counts]
        return max([*tiers, *(p.tier for p in self.problems)], default=0)

    @property
    def coverage(self) -> Coverage:
        """The coverage of the claims in question: of a change, the changed ones. Muted ones are
        claims like others here."""
        return coverage_of(d for d in self.decisions if d.changed)

    @property
    def in_claims(self) -> float:
        """Share of the prose of the documents in scope that stands inside claims, 0 to 1."""
        return round(self.covered / self.prose, 4) if self.prose else 1.0

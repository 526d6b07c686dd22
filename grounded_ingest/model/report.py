"""The result of a check: its scope, its decisions, its problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from grounded_ingest.model.claims import Decision, Frame, Place, Problem, Tier, Verdict, context_in


class Scope(Struct, frozen=True):
    """The change that was checked, and its base. `head` and `base` are object ids or empty."""

    mode: Literal["worktree", "staged", "range", "paths", "all"]
    head: str = ""
    base: str = ""
    base_reason: str = ""
    range: str = ""
    online: bool = True


class References(Struct, frozen=True):
    """Numbers of references that hold, are wrong, could not be looked up, or were skipped."""

    hold: int = 0
    wrong: int = 0
    unknown: int = 0
    skipped: int = 0


class LeftOut(Struct, frozen=True):
    """A document that was not read, or a reference (`target`) that was skipped, and why."""

    path: str
    reason: str
    line: int = 0
    target: str = ""


class Report(Struct, frozen=True):
    """The result of a check; every output format is a pure function of it.

    `decisions` cover every claim of the documents in scope; only changed, unmuted ones count.
    `frames` are the texts above claims, by document and digest. `strict`: references that could not
    be looked up are reported. `fail_on` names what the run fails on. `unread` counts the documents
    that a run over everything left out; `left_out` lists them on request. `elsewhere` are decisions
    about claims of other documents that refer to a thing the change removes."""

    scope: Scope
    decisions: tuple[Decision, ...] = ()
    problems: tuple[Problem, ...] = ()
    documents: int = 0
    frames: Mapping[str, Mapping[str, Frame]] = MappingProxyType({})
    strict: bool = False
    fail_on: str = "wrong"
    unread: int = 0
    left_out: tuple[LeftOut, ...] = ()
    elsewhere: tuple[Decision, ...] = ()

    def context(self, place: Place) -> tuple[tuple[str, str], ...]:
        """Returns the frames around a claim as (kind, text), the outermost first."""
        return context_in(self.frames.get(place.path, {}), place.claim.context)

    @property
    def counted(self) -> tuple[Decision, ...]:
        """The decisions that reports show and exit codes depend on."""
        return tuple(d for d in self.decisions if d.counts)

    def tier(self, tier: Tier) -> int:
        """Returns the number of counted decisions of a tier."""
        return sum(d.tier is tier for d in self.decisions if d.counts)

    @property
    def references(self) -> References:
        """Counts the own references of changed claims, and those that the change makes wrong.
        References that were wrong before the change are left out."""
        changed = (d for d in self.decisions if d.changed)
        found = Counter(
            e.verdict for d in changed for e in d.own_evidence if not e.muted and not e.old
        )
        left = (d for d in (*self.decisions, *self.elsewhere) if not d.changed)
        found[Verdict.REFUTED] += sum(len(d.newly_wrong) for d in left)
        return References(*(found[v] for v in (
            Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN, Verdict.SKIPPED,
        )))  # fmt: skip

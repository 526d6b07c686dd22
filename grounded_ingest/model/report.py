"""What a check reports: its scope, its decisions, its problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from grounded_ingest.model.claims import Decision, Frame, Place, Problem, Tier, Verdict, context_in


class Scope(Struct, frozen=True):
    """What was checked against what. `head` and `base` are object ids or empty."""

    mode: Literal["worktree", "staged", "range", "paths", "all"]
    head: str = ""
    base: str = ""
    base_reason: str = ""
    range: str = ""
    online: bool = True


class References(Struct, frozen=True):
    """How many references hold, are wrong, could not be looked up, or were skipped."""

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

    `decisions` hold every claim of the documents in scope; those that changed and are not muted
    count. `frames` is the text above claims, by document and digest. `strict`: references that
    could not be looked up are reported. `fail_on` is what the run fails on. `unread` counts the
    documents that a run over everything did not read; `left_out` is filled if it is asked for.
    `elsewhere` holds claims of other documents that refer to what the change removes.
    """

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
        """What a claim is read with, as (kind, text), the outermost first."""
        return context_in(self.frames.get(place.path, {}), place.claim.context)

    @property
    def counted(self) -> tuple[Decision, ...]:
        return tuple(d for d in self.decisions if d.counts)

    def tier(self, tier: Tier) -> int:
        """Returns the number of counted decisions of a tier."""
        return sum(d.tier is tier for d in self.decisions if d.counts)

    @property
    def references(self) -> References:
        """Counts the references of the claims in question: in a change those of changed claims, and
        those that the change makes wrong. What was wrong before is not counted."""
        changed = (d for d in self.decisions if d.changed)
        found = Counter(
            e.verdict for d in changed for e in d.own_evidence if not e.muted and not e.old
        )
        left = (d for d in (*self.decisions, *self.elsewhere) if not d.changed)
        found[Verdict.REFUTED] += sum(len(d.newly_wrong) for d in left)
        return References(*(found[v] for v in (
            Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN, Verdict.SKIPPED,
        )))  # fmt: skip

"""Types for the result of a check: the checked change, the decisions and the problems."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from msgspec import Struct

from grounded_ingest.model.claims import Decision, Problem, Tier, Verdict


class Scope(Struct, frozen=True):
    """The change that was checked, and the commit that it is compared with.

    `head` and `base` are git object ids; either may be empty. `base_reason` says how the base was
    chosen. `range` is the commit range that the user gave. `online` is false if servers were not
    asked."""

    mode: Literal["worktree", "staged", "range", "paths", "all"]
    head: str = ""
    base: str = ""
    base_reason: str = ""
    range: str = ""
    online: bool = True


class References(Struct, frozen=True):
    """The numbers of references that are right, wrong, impossible to look up, or skipped."""

    hold: int = 0
    wrong: int = 0
    unknown: int = 0
    skipped: int = 0


class LeftOut(Struct, frozen=True):
    """A document that was not read, or a reference in it that was skipped.

    `target` is the skipped reference; `target` is empty if the whole document was not read."""

    path: str
    reason: str
    line: int = 0
    target: str = ""


class Report(Struct, frozen=True):
    """The result of a check. Every output format is computed from a `Report` alone.

    `decisions` has one decision for every claim in the checked documents. Only changed decisions
    that are not muted are reported and count for the exit code. `documents` is the number of
    checked documents. If `strict` is true, references that could not be looked up are reported.
    `fail_on` names the results that make the run fail. `unread` is the number of documents in the
    scope that the run did not read. `left_out` lists unread documents and skipped references if the
    user asked for this list. `elsewhere` has decisions about claims in unchanged documents that
    cite something the change removes."""

    scope: Scope
    decisions: tuple[Decision, ...] = ()
    problems: tuple[Problem, ...] = ()
    documents: int = 0
    strict: bool = False
    fail_on: str = "wrong"
    unread: int = 0
    left_out: tuple[LeftOut, ...] = ()
    elsewhere: tuple[Decision, ...] = ()

    @property
    def counted(self) -> tuple[Decision, ...]:
        """Returns the decisions that reports show and that count for the exit code."""
        return tuple(d for d in self.decisions if d.counts)

    @property
    def has_fix(self) -> bool:
        """Returns whether a wrong reference has one possible correction."""
        decisions = (*self.decisions, *self.elsewhere)
        return any(e.instead for d in decisions for e in d.wrong) or any(
            p.fix[1] for p in self.problems
        )

    def tier(self, tier: Tier) -> int:
        """Returns the number of counted decisions with this tier."""
        return sum(d.tier is tier for d in self.decisions if d.counts)

    @property
    def references(self) -> References:
        """Counts the references in changed claims by verdict. Wrong references outside claims, for
        example in code blocks, count too.

        References in unchanged claims count only if the change makes them wrong. References that
        were wrong before the change are not counted."""
        changed = (d for d in self.decisions if d.changed)
        found = Counter(
            e.verdict for d in changed for e in d.own_evidence if not e.muted and not e.old
        )
        left = (d for d in (*self.decisions, *self.elsewhere) if not d.changed)
        found[Verdict.REFUTED] += sum(len(d.newly_wrong) for d in left)
        found[Verdict.REFUTED] += sum(p.rule.startswith("refuted-citation[") for p in self.problems)
        return References(*(found[v] for v in (
            Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN, Verdict.SKIPPED,
        )))  # fmt: skip

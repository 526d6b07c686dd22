"""A rule, and the case of a claim that rules are asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from grounded_ingest.model.claims import (
    DocClass,
    Evidence,
    Finding,
    Kind,
    Place,
    Source,
    Tier,
    Verdict,
)

Severity = Literal["error", "warning", "note", "quiet"]
"""How much a finding matters to a reader. `error`: something is wrong. `warning`: somebody should
look. `note`: the run says something about itself. `quiet`: printed only on request."""


class Case(Struct, frozen=True):
    """Everything the decision table may ask about one claim.

    `configured` is the source that the configuration gives the document, `source` the source
    that reports show. `ignored` holds the rules that ignore comments suspend for this claim.
    `failed` says why a check could not run; empty if all ran. `quoted` is true if the claim
    repeats a decided sentence of an ADR, `may_judge` if the judge's approval counts.
    """

    place: Place
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    review: Literal["", "approve", "reject"] = ""
    configured: Source = Source.UNKNOWN
    source: Source = Source.UNKNOWN
    trusted: tuple[Source, ...] = ()
    ignored: frozenset[str] = frozenset()
    failed: str = ""
    changed: bool = True
    quoted: bool = False
    may_judge: bool = False

    @property
    def own(self) -> tuple[Evidence, ...]:
        """The evidence for references in the claim's own sentence."""
        return tuple(e for e in self.evidence if e.own)

    @property
    def kind(self) -> Kind:
        return self.place.claim.kind

    def cites(self, verdict: Verdict) -> bool:
        """Whether a reference in the claim's own sentence has this verdict."""
        return any(e.verdict is verdict for e in self.own)


class Rule(Struct, frozen=True):
    """A row of the decision table, or a problem that reports name beside the decisions.

    `tier` is the default tier, 0 for a problem. A policy cannot move a `fixed` rule. `summary`
    says when the rule applies and `way_out` what to do, one sentence each. In the document
    classes of `yields_in` the rule only holds back a later approval, unless a policy names it.
    `condition` decides whether the rule applies to a case; without one the rule applies if a
    detector reported it.
    """

    id: str
    severity: Severity
    summary: str
    way_out: str
    tier: int = 0
    fixed: bool = True
    condition: Callable[[Case], bool] | None = None
    yields_in: tuple[DocClass, ...] = ()

    @property
    def actions(self) -> tuple[str, ...]:
        """The values that `policy` may give this rule."""
        if self.fixed:
            return ()
        return ("block", "review") if self.tier == Tier.BLOCK else ("block", "review", "off")

    def applies(self, case: Case) -> bool:
        """Whether this row of the table applies to a case."""
        if self.condition is not None:
            return self.condition(case)
        return any(f.rule == self.id for f in case.findings)

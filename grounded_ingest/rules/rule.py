"""Defines a rule, and the case: everything that rules may know about a claim."""

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
look at the finding. `note`: a remark about the run. `quiet`: a report shows the finding only on
request."""


class Case(Struct, frozen=True):
    """A claim with everything that the decision table may use to decide the claim.

    `configured` is the source that the configuration gives the document, such as `conversation`.
    `source` is the source that reports show. `trusted` are the sources that the configuration
    trusts. `ignored` are the rules that ignore comments suppress for this claim. `failed` says why
    a check could not run; it is empty if all checks ran. `changed` is true if the change adds the
    claim. `quoted` is true if the claim repeats the decision of a decision record (ADR) word for
    word. `may_judge` is true if the judge model's opinion can approve the claim. `by_existence` is
    true if a claim is approved as soon as all its references are right (preset `existence`).
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
    by_existence: bool = False

    @property
    def own(self) -> tuple[Evidence, ...]:
        """The evidence about references in the claim's own sentence."""
        return tuple(e for e in self.evidence if e.own)

    @property
    def kind(self) -> Kind:
        return self.place.claim.kind

    def cites(self, verdict: Verdict) -> bool:
        """Returns whether a reference in the claim's own sentence has the verdict `verdict`."""
        return any(e.verdict is verdict for e in self.own)


class Rule(Struct, frozen=True):
    """A row of the decision table, or a rule for a problem that concerns a file or the run.

    `summary` says when the rule applies. `way_out` says what to do about a finding. `tier` is the
    default tier, 0 for a problem. A policy cannot change the tier of a `fixed` rule. `condition`
    says whether the rule applies to a claim (case). A rule without a condition applies if a
    detector reported it. `yields_in` lists classes of documents, such as `docs`. There, a later
    rule decides, unless it would approve the claim or a policy names this rule.
    """

    id: str
    summary: str
    severity: Severity = "quiet"
    way_out: str = "Nothing to do."
    tier: int = 0
    fixed: bool = True
    condition: Callable[[Case], bool] | None = None
    yields_in: tuple[DocClass, ...] = ()

    @property
    def actions(self) -> tuple[str, ...]:
        """The values that the setting `policy` may have for this rule."""
        if self.fixed:
            return ()
        return ("block", "review") if self.tier == Tier.BLOCK else ("block", "review", "off")

    def applies(self, case: Case) -> bool:
        """Returns whether this row of the decision table applies to a case."""
        if self.condition is not None:
            return self.condition(case)
        return any(f.rule == self.id for f in case.findings)

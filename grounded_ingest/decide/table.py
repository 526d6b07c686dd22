"""The decision table: the first row that applies decides, and its id is the decision's rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from grounded_ingest.config.settings import PolicyAction
from grounded_ingest.model.claims import (
    Decision,
    Evidence,
    Finding,
    Kind,
    Place,
    Source,
    Support,
    Tier,
    Verdict,
)
from grounded_ingest.rules.registry import ROWS, RULES


class Case(Struct, frozen=True):
    """All that is known of a claim when it is decided.

    `configured` is the source the configuration gives its document, `source` what is shown.
    `ignored` are the suspendable rules an ignore comment names, `failed` why a check could not run.
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

    @property
    def own(self) -> tuple[Evidence, ...]:
        return tuple(e for e in self.evidence if e.own)

    @property
    def kind(self) -> Kind:
        return self.place.claim.kind


def _found(rule: str) -> Callable[[Case], bool]:
    return lambda case: any(f.rule == rule for f in case.findings)


def _own(case: Case, verdict: Verdict) -> bool:
    return any(e.verdict is verdict for e in case.own)


def _supported(case: Case, support: Support) -> bool:
    return any(e.verdict is Verdict.CONFIRMED and e.support is support for e in case.own)


def _holds(evidence: Evidence) -> bool:
    return evidence.verdict is Verdict.CONFIRMED and evidence.support is not Support.CONTRADICTED


def enough(evidence: tuple[Evidence, ...]) -> bool:
    """Whether citations ground a claim: one that may, confirmed and supported or pointed at; none
    of its own refuted, unknown or contradicting it."""
    if any(e.own and not _holds(e) for e in evidence):
        return False
    return any(
        e.support is Support.SUPPORTED or (e.own and e.support is Support.NOTHING_TO_COMPARE)
        for e in evidence
        if e.verdict is Verdict.CONFIRMED and e.grounds
    )


def bears_out(evidence: tuple[Evidence, ...]) -> bool:
    """Whether a source says what the claim says: what only points bears no witness for others."""
    return any(
        e.verdict is Verdict.CONFIRMED and e.grounds and e.support is Support.SUPPORTED
        for e in evidence
    )


APPLIES: dict[str, Callable[[Case], bool]] = {
    "rejected": lambda case: case.review == "reject",
    "speculation": _found("speculation"),
    "conflicting-update": _found("conflicting-update"),
    "duplicate": _found("duplicate"),
    "approved": lambda case: case.review == "approve",
    "check-failed": lambda case: bool(case.failed),
    "contradicted-by-source": lambda case: _supported(case, Support.CONTRADICTED),
    "contradiction": _found("contradiction"),
    "technical-hedge": _found("technical-hedge"),
    "repeat": _found("repeat"),
    "refuted-citation": lambda case: _own(case, Verdict.REFUTED),
    "ignored": lambda case: any(APPLIES[r](case) for r in case.ignored),
    "contamination": _found("contamination"),
    "hidden-text": _found("hidden-text"),
    "unsupported": lambda case: any(
        e.verdict is Verdict.CONFIRMED and e.support is Support.UNSUPPORTED and e.grounds
        for e in case.own
    ),
    "unverified-citation": lambda case: _own(case, Verdict.UNKNOWN),
    "verified-citation": lambda case: enough(case.evidence),
    "trusted-source": lambda case: case.configured in case.trusted,
    "stated-decision": lambda case: (
        case.kind is Kind.DECISION and case.configured is Source.CONVERSATION
    ),
    "stated-preference": lambda case: (
        case.kind is Kind.PREFERENCE and case.configured in (Source.CONVERSATION, Source.CHAT)
    ),
    "ungrounded": lambda _: True,
}
"""When each row of the table applies; the rows, their order and tiers are in rules.py."""


def suspendable(policy: Mapping[str, PolicyAction]) -> frozenset[str]:
    """The rows an ignore comment can turn into review: those that block, here or by default."""
    return frozenset(
        r
        for r in ROWS
        if not RULES[r].fixed and (RULES[r].tier == Tier.BLOCK or policy.get(r) == "block")
    )


OF_NOTHING = tuple(
    r for r in ROWS if r in ("trusted-source", "stated-decision", "stated-preference", "ungrounded")
)
"""The rows that can decide a claim of which nothing was found, asked or said: most of them."""


def decide(case: Case, policy: Mapping[str, PolicyAction]) -> Decision:
    """The decision for a claim. Pure; `policy` moves rows that may be moved."""
    something = case.findings or case.evidence or case.review or case.failed or case.ignored
    for row in ROWS if something else OF_NOTHING:
        action = policy.get(row, "")
        if action == "off" or row in case.ignored or not APPLIES[row](case):
            continue
        tier = {"block": Tier.BLOCK, "review": Tier.REVIEW}.get(action, Tier(RULES[row].tier))
        return Decision(
            case.place, tier, row, case.source, case.evidence, case.findings, case.changed
        )
    raise AssertionError("the last row always applies")

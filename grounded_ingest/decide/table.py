"""The decision table: the first row that applies decides, and its id is the decision's rule.

In a class of its `yields_in` a row decides only where a later one would approve.
"""

from __future__ import annotations

from collections.abc import Mapping

from grounded_ingest.config.settings import PolicyAction
from grounded_ingest.model.claims import Decision, Tier
from grounded_ingest.rules.registry import ROWS, RULES
from grounded_ingest.rules.rule import Case

OF_NOTHING = (
    "trusted-source", "stated-decision", "stated-preference", "nothing-to-check", "ungrounded",
)  # fmt: skip
"""The only rows that can decide a claim without findings, evidence, review or ignores."""

OF_REFERENCES = (
    "rejected", "approved", "check-failed", "refuted-citation", "ignored", "cited",
    "nothing-to-check", "ungrounded",
)  # fmt: skip
"""The only rows that can decide references that stand in no statement."""


def _rows(case: Case) -> tuple[str, ...]:
    """The rows that can decide a claim, in their order."""
    if case.place.claim.only_refers:
        return OF_REFERENCES
    something = case.findings or case.evidence or case.review or case.failed or case.ignored
    return ROWS if something else OF_NOTHING


def decide(case: Case, policy: Mapping[str, PolicyAction]) -> Decision:
    """The decision for a claim. Pure; `policy` moves rows that may be moved."""
    yielded = ""
    for row in _rows(case):
        action = policy.get(row, "")
        if action == "off" or row in case.ignored or not RULES[row].applies(case):
            continue
        if not action and case.place.doc_class in RULES[row].yields_in:
            yielded = yielded or row
            continue
        tier = {"block": Tier.BLOCK, "review": Tier.REVIEW}.get(action, Tier(RULES[row].tier))
        if yielded and tier is Tier.APPROVE:
            row, tier = yielded, Tier.REVIEW
        return Decision(
            case.place, tier, row, case.source, case.evidence, case.findings, case.changed
        )
    raise AssertionError("the last row always applies")

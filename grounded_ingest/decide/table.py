"""Applies the decision table: the first row that applies decides a claim.

The id of that row is the rule of the decision. In documents whose class is in the row's field
`yields_in`, a later row decides. If that row would approve the claim, the first row decides, and
the claim needs review (tier 2)."""

from __future__ import annotations

from collections.abc import Mapping

from grounded_ingest.config.settings import PolicyAction
from grounded_ingest.model.claims import Decision, Tier
from grounded_ingest.rules.registry import ROWS, RULES
from grounded_ingest.rules.rule import Case

WITHOUT_STATEMENT = (
    "rejected", "proof-failed", "approved", "check-failed", "refuted-citation", "ignored", "proved",
    "proof-new", "proof-open", "proof-beside", "cited", "nothing-to-check", "ungrounded",
)  # fmt: skip
"""The only rows that can decide a claim that has references and no statement."""


def decide(case: Case, policy: Mapping[str, PolicyAction]) -> Decision:
    """Returns the decision for a claim: its tier, and the rule that decided. It depends only on the
    arguments. `policy` changes the tier of rules or turns rules off."""
    yielded = ""
    for row in WITHOUT_STATEMENT if case.place.claim.only_refers else ROWS:
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
    raise AssertionError("the last row of the decision table always applies")

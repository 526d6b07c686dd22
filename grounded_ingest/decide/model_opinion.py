"""What a model thinks of a claim beside a source, and what comes of it beside the rules."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.model.claims import Strength, Support
from grounded_ingest.support.source import SourceText, SourceVerdict

RAISED = 0.5
"""Confidence where the judge alone found support: the threshold of DESIGN 8, no more."""


class ComparedPair(Struct, frozen=True):
    """A claim's text without its citations, one source, and what the rules say of them."""

    claim: str
    source: SourceText
    rules: SourceVerdict


class Opinion(Struct, frozen=True):
    """`support` is None where the opinion is unknown; `reason` says why, or what differs.

    `quote` stands in the source, from `line` to `end_line` (0: what is quoted has no lines).
    """

    support: Support | None
    quote: str = ""
    line: int = 0
    end_line: int = 0
    reason: str = ""


class Combined(Struct, frozen=True):
    """`unknown` says why the judge did not judge (`judge: timeout`). It is empty where it did or
    was not asked; where it is not, `judged` is the rules' and must not approve the claim."""

    judged: SourceVerdict
    unknown: str = ""


def unknown(reason: str) -> Opinion:
    return Opinion(None, reason=f"judge: {reason}")


def asks(rules: SourceVerdict, *, may_support: bool) -> bool:
    """Whether an opinion can change this verdict."""
    raisable = may_support and rules.support is Support.UNSUPPORTED
    return raisable or rules.support is Support.SUPPORTED


def combine(rules: SourceVerdict, opinion: Opinion, *, may_support: bool = False) -> Combined:
    """Lowers what the rules call supported. Raises `unsupported` where `may_support`, nothing
    else, and never to `strict`. Verdicts that no opinion can change stay, whatever it says."""
    if not asks(rules, may_support=may_support):
        return Combined(rules)
    if opinion.support is None:
        return Combined(rules, opinion.reason)
    if rules.support is Support.UNSUPPORTED:
        return Combined(_raised(rules, opinion))
    return Combined(_lowered(rules, opinion))


def _raised(rules: SourceVerdict, opinion: Opinion) -> SourceVerdict:
    if opinion.support is not Support.SUPPORTED:
        return rules
    sure = max(rules.confidence, RAISED)
    raised = _shown(rules, opinion, support=Support.SUPPORTED, confidence=sure)
    return replace(raised, strength=Strength.JUDGE)


def _lowered(rules: SourceVerdict, opinion: Opinion) -> SourceVerdict:
    if opinion.support is Support.SUPPORTED:
        return rules
    if opinion.support is Support.CONTRADICTED:
        return _shown(rules, opinion, support=Support.CONTRADICTED, confidence=0.0)
    if opinion.support is Support.NOTHING_TO_COMPARE:
        opinion = replace(opinion, reason="the judge finds nothing to compare")
    return _shown(rules, opinion, support=Support.UNSUPPORTED, confidence=0.0)


def _shown(
    rules: SourceVerdict, opinion: Opinion, *, support: Support, confidence: float
) -> SourceVerdict:
    quoted = opinion if opinion.quote else rules
    return SourceVerdict(
        support,
        False,
        quoted.quote,
        quoted.line,
        quoted.end_line,
        opinion.reason,
        confidence,
        rules.coverage,
    )

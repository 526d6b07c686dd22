"""What a model thinks of a claim beside a source, and what comes of it beside the rules."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.model.claims import Strength, Support
from grounded_ingest.support.source import SourceText, SourceVerdict

RAISED = 0.5
"""Confidence where the judge alone found support: the threshold of DESIGN 8, no more."""


class ComparedPair(Struct, frozen=True):
    """A claim's text without its citations, one source, what the rules say of them, and what the
    claim stands in, as (kind, text), the outermost first."""

    claim: str
    source: SourceText
    rules: SourceVerdict
    context: tuple[tuple[str, str], ...] = ()


class Opinion(Struct, frozen=True):
    """`support` is None where the opinion is unknown; `reason` says why, or what differs.

    `quote` stands in the source, from `line` to `end_line` (0: what is quoted has no lines).
    `confirmed`: asked about the claim's denial, the judge did not find that supported too.
    """

    support: Support | None
    quote: str = ""
    line: int = 0
    end_line: int = 0
    reason: str = ""
    confirmed: bool = False


class Combined(Struct, frozen=True):
    """`unknown` says why the judge did not judge (`judge: timeout`). It is empty where it did or
    was not asked; where it is not, `judged` is the rules' and must not approve the claim."""

    judged: SourceVerdict
    unknown: str = ""


def unknown(reason: str) -> Opinion:
    return Opinion(None, reason=f"judge: {reason}")


def asks(rules: SourceVerdict, *, may_support: bool) -> bool:
    """Whether an opinion can change this verdict: what is supported, and what nothing speaks
    against but that it says it in other words."""
    return rules.support is Support.SUPPORTED or (may_support and raisable(rules))


def raisable(rules: SourceVerdict) -> bool:
    """Whether the cross-examination found nothing unlicensed, only too few of the words."""
    return rules.support is Support.UNSUPPORTED and rules.paraphrase


def liftable(rules: SourceVerdict) -> bool:
    """Whether a judge's word for it makes the claim stronger."""
    matched = rules.support is Support.SUPPORTED and rules.strength is Strength.MATCH
    return matched or raisable(rules)


def combine(rules: SourceVerdict, opinion: Opinion, *, may_support: bool = False) -> Combined:
    """Lowers what the rules call supported. Where `may_support`, and the opinion is confirmed, it
    raises a paraphrase, and what is a match, to the strength `judge`; never to `strict`, and
    nothing else. Verdicts that no opinion can change stay, whatever it says."""
    if not asks(rules, may_support=may_support):
        return Combined(rules)
    if opinion.support is None:
        return Combined(rules, opinion.reason)
    if opinion.support is not Support.SUPPORTED:
        return Combined(rules if raisable(rules) else _lowered(rules, opinion))
    if not raisable(rules):
        strength = Strength.JUDGE if opinion.confirmed and liftable(rules) else rules.strength
        return Combined(replace(rules, strength=strength))
    if not opinion.confirmed:
        return Combined(
            rules, "judge: it supports the denial as well, or quotes what is of something else"
        )
    return Combined(_raised(rules, opinion))


def _raised(rules: SourceVerdict, opinion: Opinion) -> SourceVerdict:
    sure = max(rules.confidence, RAISED)
    raised = _shown(rules, opinion, support=Support.SUPPORTED, confidence=sure)
    return replace(raised, strength=Strength.JUDGE)


def _lowered(rules: SourceVerdict, opinion: Opinion) -> SourceVerdict:
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

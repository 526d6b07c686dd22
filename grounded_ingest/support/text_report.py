"""A whole text beside a source: the verdict of the four phases (docs/support.md)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from grounded_ingest.language.reading import read_text
from grounded_ingest.model.claims import Support
from grounded_ingest.support.budget import Budget, compared_words
from grounded_ingest.support.claim_view import ClaimType, claim_view
from grounded_ingest.support.passages import passages
from grounded_ingest.support.source import SourceText, SourceVerdict
from grounded_ingest.support.verdict import judge

CONTRADICTED, UNSUPPORTED, THRESHOLD = 0.8, 0.3, 0.5
"""What a contradicted and an unsupported claim cost, by their share of what could be compared, and
the confidence below which a text counts as hallucinated."""


class Checked(Struct, frozen=True):
    """One claim of a text. `source_line` is 1-based, 0 without a quote; `differs` says what is
    not in the source, or otherwise."""

    text: str
    type: ClaimType
    found_in_source: bool
    source_quote: str
    status: Support
    source_line: int = 0
    differs: str = ""


class TextVerdict(Struct, frozen=True):
    """What a source makes of a text."""

    claims: tuple[Checked, ...]
    confidence_score: float
    is_hallucinated: bool
    should_return: bool
    summary: str
    reasoning: str

    @property
    def as_json(self) -> dict[str, Any]:
        built: dict[str, Any] = to_builtins(self)
        return {**built, "claims": list(built["claims"])}


def check_text(text: str, source: str | SourceText) -> TextVerdict:
    """The claims of a text, each beside the source, and what follows for the whole; a text of which
    something was beyond the budget should not be returned."""
    against = SourceText("text", source) if isinstance(source, str) else source
    budget = Budget()
    found = verdict([_checked(said, against, budget) for said in _claims(text)])
    return replace(found, should_return=False) if budget.refused else found


def _claims(text: str) -> list[str]:
    """The sentences, items and rows of a text; headings and code are none."""
    found = passages(SourceText("text", text))
    headings = {p.about for p in found}
    return [p.text for p in found if not p.code and p.text not in headings]


def _checked(text: str, source: SourceText, budget: Budget) -> Checked:
    bare = read_text(text).uncited.text
    over = budget.over(compared_words(bare, source))
    judged = SourceVerdict(Support.UNSUPPORTED, differs=over) if over else judge(bare, source)
    quoted = judged.support in (Support.SUPPORTED, Support.CONTRADICTED)
    return Checked(
        text,
        claim_view(bare).kind,
        judged.support is Support.SUPPORTED,
        judged.quote if quoted else "",
        judged.support,
        judged.line if quoted else 0,
        judged.differs,
    )


def verdict(checked: Any) -> TextVerdict:
    """Phase four: confidence over what could be compared, and what follows from it."""
    claims = tuple(checked)
    count = {s: sum(c.status is s for c in claims) for s in Support}
    compared = len(claims) - count[Support.NOTHING_TO_COMPARE]
    against, lacking = count[Support.CONTRADICTED], count[Support.UNSUPPORTED]
    lost = (CONTRADICTED * against + UNSUPPORTED * lacking) / compared if compared else 0.0
    confidence = round(max(0.0, min(1.0, 1 - lost)), 4)
    hallucinated = against > 0 or confidence < THRESHOLD
    return TextVerdict(
        claims,
        confidence,
        hallucinated,
        not hallucinated and compared > 0,
        _summary(compared, count),
        _reasoning(claims, compared),
    )


def _summary(compared: int, count: dict[Support, int]) -> str:
    if not compared:
        return "nothing to compare"
    kinds = (Support.SUPPORTED, Support.UNSUPPORTED, Support.CONTRADICTED)
    said = ", ".join(f"{count[k]} {k}" for k in kinds if count[k])
    return f"{compared} claim{'s' * (compared != 1)} compared: {said}"


def _reasoning(claims: tuple[Checked, ...], compared: int) -> str:
    told = [f"{c.text!r}: {c.status}, {c.differs}" for c in claims if c.differs]
    if told:
        return "; ".join(told)
    return "every claim has its quote" if compared else "the text only points elsewhere"


def as_text(result: TextVerdict, path: str) -> str:
    """Claims with their quotes and where these stand, then the summary."""
    parts = [_claim(c, path) for c in result.claims]
    verdict = "hallucinated" if result.is_hallucinated else "not hallucinated"
    last = f"{result.summary}; confidence {result.confidence_score:g}, {verdict}"
    return "\n".join((*parts, last)) + "\n"


def _claim(claim: Checked, path: str) -> str:
    lines = [f"{claim.status} ({claim.type}): {claim.text}"]
    if claim.source_quote:
        lines.append(f"  {path}:{claim.source_line}: {claim.source_quote}")
    if claim.differs:
        lines.append(f"  {claim.differs}")
    return "\n".join(lines) + "\n"

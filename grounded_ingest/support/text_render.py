"""A verdict for people: each claim above its quote."""

from __future__ import annotations

from grounded_ingest.support.text_report import Checked, TextVerdict


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

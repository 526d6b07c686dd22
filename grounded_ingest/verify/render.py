"""Renders the result of a verification as JSON and as text for people."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from grounded_ingest.statements.facts import Fact
from grounded_ingest.text.printable import printable
from grounded_ingest.verify.result import Contradiction, Verification
from grounded_ingest.verify.text_judge import TextJudgement

SCHEMA = "grounded-ingest/verification/1"


def as_json(result: Verification) -> dict[str, Any]:
    """Returns the result in the JSON form that `verify --output-format json` prints."""
    built = msgspec.to_builtins(replace(result, facts=(), grounding=()))
    del built["grounding"]
    found = {"grounding_map": result.grounding_map, "facts": [_fact(f) for f in result.facts]}
    return {"schema": SCHEMA, **built, **found}


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "subject": fact.subject, "slot": fact.slot, "value": fact.value,
        "normal": fact.normal.key, "polarity": fact.polarity, "time": fact.time,
        "setting": fact.setting, "start": fact.start, "end": fact.end,
    }  # fmt: skip


_VERDICTS = {
    "grounded": "grounded: the memories support the whole text",
    "ungrounded": "not grounded: the memories do not support the whole text",
    "undisclosed": "not grounded: memories contradict each other about a value, and the text does"
    " not say so",
    "nothing-to-verify": "grounded, but nothing could be checked: the text states no fact that"
    " memories can support",
}
_WHY = {
    "wrong-value": "the memories state another value",
    "unsupported": "no memory states this",
    "negated": "the memories state the opposite",
    "past": "the memories state this for another time",
    "uncertain": "the memories only mention this as a plan",
}


def as_text(result: Verification) -> str:
    """Returns the result as text for people: the verdict, then one line for each finding."""
    confidence = f" (confidence {result.confidence:.2f}, checked {result.scope:.0%} of the words)"
    lines = [_VERDICTS[result.verdict] + (confidence if result.checked else "")]
    for wrong in result.hallucinations:
        instead = f": {wrong.expected}" if wrong.expected else ""
        ids = f" [{', '.join(wrong.memory_ids[:8])}]" if wrong.memory_ids else ""
        lines.append(f"  “{wrong.text}”: {_WHY[wrong.reason]}{instead}{ids}")
    lines.extend(f"  contradiction in {_describe(c)}" for c in result.contradictions if c.used)
    if result.requires_disclosure:
        lines.append(f"  disclose: {result.expected_disclosure}")
    if result.corrected:
        lines.append(f"  corrected: {result.corrected}")
    said = result.grounding_map.items()
    lines.extend(f"  “{span}” from {', '.join(by[:8])}" for span, by in said)
    return "".join(f"{printable(line)}\n" for line in lines)


def source_text(result: TextJudgement) -> str:
    """Returns the comparison of a text with its sources as text for people: each claim with its
    status and the quoted source, then a summary line."""
    lines: list[str] = []
    for claim in result.claims:
        lines.append(f"{claim.status} ({claim.type}): {claim.text}")
        if claim.source_quote:
            lines.append(f"  {claim.source}:{claim.source_line}: {claim.source_quote}")
        if claim.differs:
            lines.append(f"  {claim.differs}")
    verdict = "hallucinated" if result.is_hallucinated else "not hallucinated"
    lines.append(f"{result.summary}; confidence {result.confidence_score:g}, {verdict}")
    return "".join(f"{printable(line)}\n" for line in lines)


def _describe(found: Contradiction) -> str:
    of = f" of {found.subject}" if found.subject else ""
    places = (place or name for place, name in zip(found.places, found.memory_ids, strict=True))
    rows = zip(found.values, places, found.trust_scores, strict=True)
    values = (f"{value} ({place}, trust {trust:g})" for value, place, trust in rows)
    return f"{found.slot}{of}: {', '.join(values)}"

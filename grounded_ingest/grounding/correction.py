"""A text with its wrong values replaced by grounded ones, and what nothing licenses left out."""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.grounding.facts import Contradiction, Hallucination
from grounded_ingest.patterns import compiled

_TIDY = (
    (compiled(r"\s+([,.;:!?)])"), r"\1"),
    (compiled(r"\(\s*\)"), ""),
    (compiled(r"([,;])(?:\s*[,;])+"), r"\1"),
    (compiled(r",?\s+(?:and|or|but)\s*(?=[.;!?)]|$)"), ""),
    (compiled(r",?\s+(?:and|or)\s+(?:and|or)\b"), " and"),
    (compiled(r"(?:,\s*)?\b(?:in|on|at|for|with|as|from|by|near|of|within|using|via|to)(?:\s+(?:the|a|an))?\s*(?=[,.;!?)]|$|\s(?:and|or|in|on|at|for|with|as|from)\b)"), ""),
    (compiled(r"\b(?:a|an|the)\s*(?=[,.;!?)]|$|\s(?:and|or)\b)"), ""),
    (compiled(r",\s*(?=[.;!?]|$)"), ""),
    (compiled(r",\s+and\s*,"), ","),
    (compiled(r"\s{2,}"), " "),
)  # fmt: skip


def corrected(
    text: str, hallucinations: Sequence[Hallucination], undisclosed: Sequence[Contradiction], values: Sequence[tuple[int, int, Contradiction]]
) -> str:
    """The text as memories would have it."""
    del undisclosed
    changes: list[tuple[int, int, str]] = [(h.start, h.end, h.expected) for h in hallucinations]
    for _, end, contradiction in values:
        others = [v for v in contradiction.values if v.lower() not in text.lower()]
        if others:
            changes.append((end, end, f" (changed from {' and '.join(others)})"))
    for start, end, instead in sorted(changes, reverse=True):
        text = text[:start] + instead + text[end:]
    if any(not h.expected for h in hallucinations):
        for _ in range(3):
            for pattern, instead in _TIDY:
                text = pattern.sub(instead, text)
    return text.strip()

"""A text with its wrong values replaced by grounded ones, and what nothing licenses left out."""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.grounding.extraction import reading
from grounded_ingest.grounding.facts import Contradiction, Grounding, Hallucination
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


def empty_clauses(
    text: str, hallucinations: Sequence[Hallucination], grounding: Sequence[Grounding]
) -> list[tuple[int, int]]:
    """Clauses of which nothing stays when what nothing licenses is left out."""
    found = []
    for sentence in reading(text).sentences:
        for number, piece in enumerate(sentence.pieces):
            start = sentence.tokens[piece.start].start
            end = sentence.tokens[piece.end - 1].end
            inside = [h for h in hallucinations if start <= h.start < end]
            kept = [g for g in grounding if start <= g.start < end]
            if not inside or kept or any(h.expected for h in inside):
                continue
            carries = number == 0 and len(sentence.pieces) > 1 and sentence.pieces[1].verb < 0
            if not carries:
                found.append((sentence.tokens[piece.start - 1].start if piece.start else start, end))
    return found


def corrected(
    text: str,
    hallucinations: Sequence[Hallucination],
    undisclosed: Sequence[tuple[int, int, Contradiction]],
    empty: Sequence[tuple[int, int]],
) -> str:
    """The text as memories would have it."""
    changes = [(start, end, "") for start, end in empty]
    changes += [
        (h.start, h.end, h.expected)
        for h in hallucinations
        if not any(start <= h.start < end for start, end in empty)
    ]
    for _, end, contradiction in undisclosed:
        others = [v for v in contradiction.values if v.lower() not in text.lower()]
        if others:
            changes.append((end, end, f" (changed from {' and '.join(others)})"))
    for start, end, instead in sorted(changes, reverse=True):
        text = text[:start] + instead + text[end:]
    if any(not h.expected for h in hallucinations):
        for _ in range(3):
            for pattern, instead in _TIDY:
                text = pattern.sub(instead, text)
    text = text.strip(" ,;")
    return text if any(c.isalnum() for c in text) else ""

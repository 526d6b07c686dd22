"""Corrects a text so that it says only what the memories support."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grounded_ingest.verify.result import Contradiction, Hallucination

_LEAD = re.compile(
    r"(?i)(?:(?:,\s*)?\b(?:and|or|but)\s+|,\s*)?"
    r"(?:\b(?:with|in|on|at|for|as|from|by|near|of|within|using|via|to)\s+)?"
    r"(?:\b(?:the|a|an|your|my|their|his|her)\s+)?$"
)
_JOINT = re.compile(r"(?i)(?:,\s*)?(?:\b(?:and|or|but|while)\s+)?$")
_TIDY = (
    (re.compile(r"\s+([,.;:!?)])"), r"\1"),
    (re.compile(r"\(\s*\)"), ""),
    (re.compile(r"([,;])(?:\s*[,;])+"), r"\1"),
    (re.compile(r"(?i),?\s+(?:and|or|but)\s*(?=[.;!?)]|$)"), ""),
    (re.compile(r"(?i)\b(?:and|or)\s+(?=(?:and|or)\b)"), ""),
    (re.compile(r"(?i)(?:,\s*)?\b(?:in|on|at|for|with|as|from|by|of|to)\s*(?=[,.;!?)]|$)"), ""),
    (re.compile(r"\s{2,}"), " "),
)


def corrected(
    text: str,
    wrong: Sequence[Hallucination],
    undisclosed: Sequence[tuple[int, int, Contradiction]],
    dropped: Sequence[tuple[int, int]],
) -> str:
    """Returns the corrected text. The values in `wrong` are replaced by the expected values, or
    removed, and so are the clauses in `dropped`. A value in `undisclosed`, about which memories
    contradict each other, is written as `new (changed from old)`."""
    changes = [_without_joint(text, start, end) for start, end in dropped]
    changes += [_change(text, h) for h in wrong]
    for start, end, contradiction in undisclosed:
        newest = contradiction.most_recent
        others = [v for v in contradiction.values if v.lower() != newest.lower()]
        changes.append((start, end, f"{newest} (changed from {' and '.join(others)})"))
    parts, at = [], 0
    for start, end, instead in sorted(changes, key=lambda c: (c[0], -c[1])):
        if start >= at:
            parts += [text[at:start], instead]
            at = end
    result = "".join([*parts, text[at:]])
    for pattern, instead in _TIDY:
        result = pattern.sub(instead, result)
    result = result.strip(" ,;")
    return result if any(c.isalnum() for c in result) else ""


def _without_joint(text: str, start: int, end: int) -> tuple[int, int, str]:
    """Returns the offsets to remove for a clause, with the conjunction before it or else the full
    stop after it, and an empty string as its replacement."""
    joint = _JOINT.search(text[:start])
    if joint and joint[0]:
        return joint.start(), end, ""
    while end < len(text) and text[end] in ".!?":
        end += 1
    return start, end, ""


def _change(text: str, wrong: Hallucination) -> tuple[int, int, str]:
    """Returns the start and end offset to replace, and the expected value.

    If no expected value is known, returns an empty string as the value, and a span that includes
    the words before the wrong value, such as `and with a`.
    """
    if wrong.expected:
        return wrong.start, wrong.end, wrong.expected
    lead = _LEAD.search(text[: wrong.start])
    return lead.start() if lead else wrong.start, wrong.end, ""

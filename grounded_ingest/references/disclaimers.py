"""What takes a claim back where it stands."""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.model.claims import Claim, Form
from grounded_ingest.text.force import denying_cell, disowning, taken_back
from grounded_ingest.text.mask import masked_code
from grounded_ingest.text.printable import printable
from grounded_ingest.text.sentences import sentences


def disowned(claim: Claim, context: Sequence[tuple[str, str]]) -> str:
    """Why what stands over a claim, or its own form, takes it back: a heading, lead-in or parent
    that denies, an open check box, text that is struck out. `context` is what it stands in, as
    (kind, text), the outermost first."""
    if "~~" in claim.text:
        return "it is struck out"
    if claim.form is Form.ROW and (denied := next(filter(denying_cell, _cells(claim)), "")):
        return f"its row says “{printable(denied, 60)}”"
    over = [("heading", h) for h in claim.section.split(" > ")]
    for kind, text in (*over, *context):
        if (kind, text) == ("check box", "open"):
            return "its check box is open"
        if kind == "paragraph" and (beside := taken_back(*_beside(claim.text, text))):
            return f"“{printable(beside, 60)}” stands beside it"
        word = disowning(text) if kind in ("heading", "lead-in", "item") else ""
        if word and word.lower() not in claim.text.lower():
            return f"“{printable(text, 60)}” stands over it"
    return ""


def _cells(claim: Claim) -> list[str]:
    return claim.text.split("; ")


def _beside(said: str, paragraph: str) -> tuple[str, str]:
    """The sentences of a paragraph before and behind one of them; empty where there are none."""
    before, _, behind = paragraph.partition(said)
    ends = [before[a:b] for a, b in sentences(masked_code(before))]
    begins = [behind[a:b] for a, b in sentences(masked_code(behind))]
    return (ends[-1].strip() if ends else ""), (begins[0].strip() if begins else "")

"""What became of one citation, and the outcomes that evidence alone decides."""

from __future__ import annotations

from typing import NamedTuple

from grounded_ingest.audit.citation_inventory import InventoryItem
from grounded_ingest.audit.model import EvidenceState
from grounded_ingest.audit.quote_fates import LineRange
from grounded_ingest.extract.adr_lists import adr_references
from grounded_ingest.language.closed_classes import function_words
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_claim
from grounded_ingest.model.claims import Verdict
from grounded_ingest.verify.adr import adr_number

_FEW, _STEM = 3, 5
_CITING = frozenset(("see", "file"))
_WORD = compiled(r"\d+|[A-Z]?[a-z]{3,}|[A-Z]{3,}")


class CitationFate(NamedTuple):
    """The outcome for one citation; `cited` is what it meant when it was written. `path` and
    `lines` are where a certain move leads."""

    state: EvidenceState
    reason: str = ""
    cited: str = ""
    to: str = ""
    commit: str = ""
    candidates: tuple[str, ...] = ()
    path: str = ""
    lines: LineRange | None = None
    certain: bool = False


def by_verdict(asked: InventoryItem, refuted: EvidenceState = EvidenceState.DEAD) -> CitationFate:
    """What the verifier found; a page or issue that it saw refused twice is dead."""
    evidence = asked.evidence
    match evidence.verdict:
        case Verdict.CONFIRMED:
            return CitationFate(EvidenceState.OK, evidence.reason)
        case Verdict.REFUTED:
            return CitationFate(refuted, evidence.reason)
        case Verdict.UNKNOWN:
            return CitationFate(EvidenceState.UNKNOWN, evidence.reason)


def shares_a_word(asked: InventoryItem, quote: str) -> bool:
    """Whether quoted lines speak of their claim at all: its numbers and words, by their beginning.
    A claim that is little more than its citation speaks of what it quotes."""
    claim = asked.decision.place.claim
    own = " ".join(read_claim(claim).uncited_words)
    words = {w.lower() for w in _WORD.findall(own)} - function_words() - _CITING
    text = quote.lower()
    return len(words) < _FEW or any(w[:_STEM] in text for w in words)


def superseding(asked: InventoryItem, path: str) -> CitationFate:
    """An ADR that no longer holds, by which other one. What it says of itself, and what its
    successor says of it, is as it should be."""
    reason = asked.evidence.reason
    successor = next((raw for _, _, raw in adr_references(reason) if raw.isdigit()), "")
    own = adr_number(asked.document)
    if path == asked.document or (successor and own == int(successor)):
        return CitationFate(EvidenceState.OK, reason)
    digits = asked.evidence.target.removeprefix("ADR-")
    width = len(digits) if digits.isdigit() else 3
    to = f"ADR-{int(successor):0{width}}" if successor else ""
    return CitationFate(EvidenceState.SUPERSEDED, reason, to=to)

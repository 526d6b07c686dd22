"""Every citation of the knowledge base with what is known of it before history is asked, and the
outcomes that evidence alone decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from grounded_ingest.audit.blame import LineOrigin, Origins
from grounded_ingest.audit.citation_spans import CitationSpot, DocumentBytes, spots
from grounded_ingest.audit.model import EvidenceState
from grounded_ingest.audit.quote_fates import LineRange
from grounded_ingest.extract.citations import adr_references
from grounded_ingest.language.closed_classes import function_words
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_claim
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    ClaimKey,
    Decision,
    Document,
    Evidence,
    Verdict,
)
from grounded_ingest.pipeline import Result
from grounded_ingest.records.sidecar import CitationLine, Line
from grounded_ingest.verify.adr import adr_number
from grounded_ingest.verify.context import Request, requests_of
from grounded_ingest.verify.context import evidence as unseen


class InventoryItem(NamedTuple):
    """One citation of a claim: where it is written, its evidence now, what its sidecar holds of
    it, and what wrote its line. `doubtful`: its verifier sees no citation; history may."""

    document: str
    number: int
    decision: Decision
    request: Request
    evidence: Evidence
    doubtful: bool
    spots: tuple[CitationSpot, ...]
    line: int
    origin: LineOrigin | None
    recorded: CitationLine | None
    line_recorded: Line | None

    @property
    def citation(self) -> Citation:
        return self.request.citation


def ask(
    result: Result,
    contents: Mapping[str, bytes],
    blamed: Mapping[str, Origins],
    recorded: Mapping[str, Mapping[ClaimKey, Line]],
) -> Iterator[InventoryItem]:
    """The own citations of every claim, in order; what verifiers found to be none left out."""
    decisions: dict[str, list[Decision]] = {d.path: [] for d in result.documents}
    for decision in result.report.decisions:
        decisions[decision.place.path].append(decision)
    for document in result.documents:
        text = DocumentBytes(contents.get(document.path, b""))
        lines = recorded.get(document.path, {})
        yield from _of_document(
            document, decisions[document.path], text, blamed.get(document.path, {}), lines, result
        )


def _of_document(
    document: Document,
    decisions: list[Decision],
    text: DocumentBytes,
    blamed: Origins,
    recorded: Mapping[ClaimKey, Line],
    result: Result,
) -> Iterator[InventoryItem]:
    claims = document.extraction.claims
    for number, (claim, decision) in enumerate(zip(claims, decisions, strict=True)):
        known = recorded.get(claim.key)
        for request in dict.fromkeys(requests_of(document.path, claim)):
            citation = request.citation
            evidence = result.judge.verified.get(request)
            is_file = citation.kind is CitationKind.PATH and not citation.cue
            if not citation.own or (evidence is None and not is_file):
                continue
            found = spots(text, claims, number, request.citation)
            line = text.line_at(found[0].start) if found else claim.line
            yield InventoryItem(
                document.path,
                number,
                decision,
                request,
                evidence or unseen(request, Verdict.UNKNOWN, "no such file"),
                evidence is None,
                tuple(found),
                line,
                blamed.get(line) if found else None,
                _recorded(evidence, known) if evidence else None,
                known,
            )


def _recorded(evidence: Evidence, line: Line | None) -> CitationLine | None:
    """What a sidecar line holds of a citation, by kind and target."""
    if line is None:
        return None
    same = [c for c in line.citations if c.target == evidence.target]
    return same[0] if same else None


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
        case Verdict.UNKNOWN | Verdict.SKIPPED:
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

"""The context that a reviewer sees with a claim: its section, its sources, and similar claims."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from grounded_ingest.git.trees import Tree, rows_of, text_of
from grounded_ingest.model.claims import CitationKind, Decision, Evidence, Place, Verdict
from grounded_ingest.net.messages import iso_time
from grounded_ingest.report.explanation import explain_decision
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.review.desk import Desk
from grounded_ingest.statements.near_duplicates import jaccard
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import read_claim

MAX_LINES, MARGIN = 12, 1
"""Maximum number of source lines to show, and number of lines before and after the cited lines."""
MIN_SIMILARITY, MAX_SIMILAR, MAX_COMMON = 0.25, 2, 2_000
"""Minimum similarity and maximum number of similar claims. Words in more than MAX_COMMON claims are
ignored."""
_LINES = compiled(r"(?P<path>.+?):(?P<first>\d+)(?:-(?P<last>\d+))?", re.DOTALL)
_HEADING = compiled(r" {0,3}#{1,6}(?:\s|$)")

NumberedLines = list[tuple[int, str]]


def source_excerpts(decision: Decision, tree: Tree) -> list[tuple[str, NumberedLines]]:
    """Returns the target of each confirmed citation in a claim, and the cited lines. They are
    numbered as in the file; for a quote, the numbers begin at 1."""
    found = [e for e in decision.own_evidence if e.verdict is Verdict.CONFIRMED]
    return [(e.target, lines) for e in found if (lines := _source_lines(e, tree))]


def _source_lines(evidence: Evidence, tree: Tree) -> NumberedLines:
    at = _LINES.fullmatch(evidence.target)
    if evidence.kind is CitationKind.PATH and at is not None:
        text = text_of(tree, at["path"])
        first = int(at["first"])
        last = min(int(at["last"] or first), first + MAX_LINES)
        if text is not None:
            rows = rows_of(text)
            begin, end = max(1, first - MARGIN), min(len(rows), last + MARGIN)
            return [(n, rows[n - 1]) for n in range(begin, end + 1)]
    file = re.split("::|#", evidence.target, maxsplit=1)[0]
    # The citation names a definition in code.
    if evidence.line and not evidence.quote and tree.has(file):
        rows = rows_of(text_of(tree, file) or "")
        return [(evidence.line, rows[evidence.line - 1])] if evidence.line <= len(rows) else []
    quote = evidence.quote.split("\n")[:MAX_LINES] if evidence.quote else []
    return [(n, row) for n, row in enumerate(quote, 1)]


def section_lines(
    rows: Sequence[str], claims: Iterable[tuple[int, int]], others: Iterable[int]
) -> NumberedLines:
    """Returns the lines of a section, from its heading to its last claim.

    `claims` are the line ranges of the claims in the section. `others` are the lines of claims in
    other sections."""
    ranges = sorted(claims)
    first, last = ranges[0][0], max(end for _, end in ranges)
    taken = {n for n in others if n < first}
    start = first
    while start > 1 and start - 1 not in taken:
        start -= 1
        if _HEADING.match(rows[start - 1]):
            break
    return [(n, rows[n - 1]) for n in range(start, min(last, len(rows)) + 1)]


class SimilarClaims:
    """Finds the claims that share the most words with a given claim."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._places = [p for path in sorted(kb.documents) for p in kb.places(path)]
        self._words = [read_claim(p.claim).word_set for p in self._places]
        self._claims_with: dict[str, list[int]] = {}
        for number, words in enumerate(self._words):
            for word in words:
                self._claims_with.setdefault(word, []).append(number)

    def similar_to(self, place: Place) -> list[tuple[Place, float]]:
        """Returns other claims with their similarity, the most similar first. The similarity is the
        Jaccard index of the two word sets."""
        words = read_claim(place.claim).word_set
        rare = [w for w in words if len(self._claims_with.get(w, ())) < MAX_COMMON]
        candidates = {n for w in rare for n in self._claims_with.get(w, ())}
        scored = [(jaccard(words, self._words[n]), n) for n in candidates]
        best = sorted((s for s in scored if s[0] >= MIN_SIMILARITY), key=lambda s: (-s[0], s[1]))
        others = [(self._places[n], share) for share, n in best]
        return [(p, share) for p, share in others if p != place][:MAX_SIMILAR]


def review_entries(desk: Desk, decisions: Iterable[Decision]) -> list[dict[str, Any]]:
    """Returns the JSON output of `review show`, with an object for each claim."""
    similar = SimilarClaims(desk.result.kb)
    return [_entry(desk, d, similar) for d in decisions]


def _entry(desk: Desk, decision: Decision, similar: SimilarClaims) -> dict[str, Any]:
    place = decision.place
    owners = desk.authority.owners(place.path)
    authors = desk.authors(decision)
    log = desk.view.rulings.lines(place.path, base=False)
    return {
        **explain_decision(decision),
        "context": [{"kind": kind, "text": text} for kind, text in desk.context(decision)],
        "state": desk.state(decision),
        "owners": list(owners.names),
        "owners_said": owners.named_in,
        "author": list(authors.addresses),
        "written_at": iso_time(authors.at) if authors.at else "",
        "sources_read": [
            {"target": target, "lines": [list(row) for row in lines]}
            for target, lines in source_excerpts(decision, desk.result.scoped.tree)
        ],
        "nearest": [
            {
                "path": near.path, "line": near.claim.line, "id": near.claim.id,
                "claim": near.claim.text, "similarity": round(share, 4),
            }
            for near, share in similar.similar_to(place)
        ],
        "log": [
            {"reason": "", **msgspec.to_builtins(r)} for r in log if r.key == place.claim.key
        ],
    }  # fmt: skip

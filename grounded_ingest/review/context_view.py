"""What a reviewer sees beside a claim: section, sources' text, the memories nearest to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from grounded_ingest.git.quoted_lines import rows_of, text_of
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import CitationKind, Decision, Evidence, Place, Verdict
from grounded_ingest.net.messages import iso_time
from grounded_ingest.report.explanation import explain_decision
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.review.desk import Desk
from grounded_ingest.statements.near_duplicates import jaccard
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import read_claim

MOST_LINES, AROUND = 12, 1
_AT = compiled(r"(?P<path>.+?):(?P<first>\d+)(?:-(?P<last>\d+))?", re.DOTALL)
_HEADING = compiled(r" {0,3}#{1,6}(?:\s|$)")
_NEAR, _SHOWN, _COMMON = 0.25, 2, 2_000

Numbered = list[tuple[int, str]]


class SourceExcerpt(NamedTuple):
    """The text behind a confirmed citation; `lines` are numbered where it is a file's."""

    target: str
    lines: Numbered


def sources(decision: Decision, tree: Tree) -> list[SourceExcerpt]:
    """What the confirmed citations of a claim lead to."""
    found = [e for e in decision.own_evidence if e.verdict is Verdict.CONFIRMED]
    return [SourceExcerpt(e.target, lines) for e in found if (lines := _lines(e, tree))]


def _lines(evidence: Evidence, tree: Tree) -> Numbered:
    at = _AT.fullmatch(evidence.target)
    if evidence.kind is CitationKind.PATH and at is not None:
        text = text_of(tree, at["path"])
        first = int(at["first"])
        last = min(int(at["last"] or first), first + MOST_LINES)
        if text is not None:
            rows = rows_of(text)
            begin, end = max(1, first - AROUND), min(len(rows), last + AROUND)
            return [(n, rows[n - 1]) for n in range(begin, end + 1)]
    file = re.split("::|#", evidence.target, maxsplit=1)[0]
    if evidence.line and not evidence.quote and tree.has(file):  # a reference: where it is defined
        rows = rows_of(text_of(tree, file) or "")
        return [(evidence.line, rows[evidence.line - 1])] if evidence.line <= len(rows) else []
    quote = evidence.quote.split("\n")[:MOST_LINES] if evidence.quote else []
    return [(n, row) for n, row in enumerate(quote, 1)]


def section_lines(
    rows: Sequence[str], claims: Iterable[tuple[int, int]], others: Iterable[int]
) -> Numbered:
    """The lines of a section: from its heading to its last claim. `claims` are the line ranges of
    its claims, `others` the lines on which claims of other sections stand."""
    ranges = sorted(claims)
    first, last = ranges[0][0], max(end for _, end in ranges)
    taken = {n for n in others if n < first}
    start = first
    while start > 1 and start - 1 not in taken:
        start -= 1
        if _HEADING.match(rows[start - 1]):
            break
    return [(n, rows[n - 1]) for n in range(start, min(last, len(rows)) + 1)]


class Nearest:
    """Looks for the claims that share most words with one; an index over words, made once."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._places = [p for path in sorted(kb.documents) for p in kb.places(path)]
        self._words = [read_claim(p.claim).word_set for p in self._places]
        self._holding: dict[str, list[int]] = {}
        for number, words in enumerate(self._words):
            for word in words:
                self._holding.setdefault(word, []).append(number)

    def to(self, place: Place) -> list[tuple[Place, float]]:
        """The nearest other claims, the nearest first."""
        words = read_claim(place.claim).word_set
        rare = [w for w in words if len(self._holding.get(w, ())) < _COMMON]
        candidates = {n for w in rare for n in self._holding.get(w, ())}
        scored = [(jaccard(words, self._words[n]), n) for n in candidates]
        best = sorted((s for s in scored if s[0] >= _NEAR), key=lambda s: (-s[0], s[1]))
        others = [(self._places[n], share) for share, n in best]
        return [(p, share) for p, share in others if p != place][:_SHOWN]


def in_full(desk: Desk, decisions: Iterable[Decision]) -> list[dict[str, Any]]:
    """A dictionary for each claim: the JSON of `review show`."""
    nearest = Nearest(desk.result.kb)
    return [_entry(desk, d, nearest) for d in decisions]


def _entry(desk: Desk, decision: Decision, nearest: Nearest) -> dict[str, Any]:
    place = decision.place
    owners = desk.authority.owners(place.path)
    written = desk.written(decision)
    log = desk.standing.people.lines(place.path, base=False)
    return {
        **explain_decision(decision),
        "context": [{"kind": kind, "text": text} for kind, text in desk.context(decision)],
        "state": desk.state(decision),
        "owners": list(owners.names),
        "owners_said": owners.said,
        "author": list(written.addresses),
        "written_at": iso_time(written.at) if written.at else "",
        "sources_read": [
            {"target": s.target, "lines": [list(row) for row in s.lines]}
            for s in sources(decision, desk.result.scoped.tree)
        ],
        "nearest": [
            {
                "path": near.path, "line": near.claim.line, "id": near.claim.id,
                "claim": near.claim.text, "similarity": round(share, 4),
            }
            for near, share in nearest.to(place)
        ],
        "log": [
            {"reason": "", **msgspec.to_builtins(r)} for r in log if r.key == place.claim.key
        ],
    }  # fmt: skip

"""Answers a question with the passages of a repository's documents.

1. Ranks the passages with claims that may be returned.
2. Returns nothing if the best passages do not cover enough of the question.
3. Drops passages that repeat a better passage.

The module reads from the store and does no other I/O."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from math import ceil, log
from typing import Any, NamedTuple

from msgspec.structs import replace

from grounded_ingest.model.claims import Evidence, MemoryType, Tier
from grounded_ingest.retrieval.bm25 import BESIDE, Ranker, Scored
from grounded_ingest.retrieval.query import expected_value
from grounded_ingest.retrieval.store import (
    Ground,
    JudgedState,
    SelectionKey,
    StoredClaim,
    StoredDocument,
    mark_of,
    parted,
    passage_starts,
    row_of,
)
from grounded_ingest.statements.relations import INVERSES
from grounded_ingest.text.dates import resolved_since
from grounded_ingest.text.reading import read_text

GROWTH = 0.055
"""Minimum coverage of a question: how many of its words the best passage must contain, from 0 to 1.

The minimum is GROWTH * ln(N). N is the number of claims in the repository. In a larger repository,
a passage covers more of any question by chance (docs/decisions/memory.md)."""
WITHOUT_VALUE = 0.25
"""Factor of the score of a passage without a value of the kind that the question asks for."""
DEEP = 0.1
"""Part of the score that a passage loses for each directory above its document."""
HOPS, RELATED = 2, 5
"""Maximum number of relations from a result to a related claim (`HOPS`), and of related claims in a
result (`RELATED`)."""


_ANY = frozenset(range(256))
"""Every value of the byte in which the store encodes the properties of a claim (`SelectionKey`)."""


class RecallQuery(NamedTuple):
    """A question to `recall` with its options.

    `k` is the maximum number of results. `budget` is the maximum number of tokens in all results,
    at four characters a token. A budget of 0 means no limit. `types` are the memory types of the
    wanted claims. If `pending` is true, claims that are not approved are returned too. `least` is
    the minimum coverage, from 0 to 1: the best claim must contain at least this part of the
    question's words. If `least` is None, the minimum depends on the number of claims."""

    question: str
    k: int = 20
    budget: int = 0
    types: tuple[MemoryType, ...] = tuple(MemoryType)
    pending: bool = False
    least: float | None = None


class Related(NamedTuple):
    """A claim that is related to a result. `kind` is the relation, such as `derived_from`, seen
    from the result, and `hops` (1 or 2) is the number of relations between the two claims."""

    kind: str
    place: str
    text: str
    hops: int


class RecallResult(NamedTuple):
    """A passage in the answer to a question, with one or more claims that may be returned.

    `memory.text` is their text, `ground` has their evidence, and `nodes` are their numbers in the
    store. The other fields of `memory`, the rule in `ground`, and `mark` are those of the claim
    with the weakest evidence. `contradicted` lists the places (`path:line`) of claims that
    contradict the passage. `related` lists related claims, the nearest first."""

    memory: StoredClaim
    document: StoredDocument
    mark: SelectionKey
    ground: Ground
    score: float
    nodes: tuple[int, ...]
    contradicted: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()

    @property
    def tokens(self) -> int:
        return ceil(len(self.memory.text) / 4)

    @property
    def place(self) -> str:
        return f"{self.document.path}:{self.memory.line}"


class Answer(NamedTuple):
    """The answer to a question.

    `covered` says how many of the question's words the best passage contains, from 0 (none) to 1
    (all). If `covered` is too small, `results` is empty.
    `waiting` is true if only claims that are not approved would answer the question."""

    wanted: RecallQuery
    results: tuple[RecallResult, ...] = ()
    covered: float = 0.0
    waiting: bool = False

    @property
    def tokens(self) -> int:
        return sum(r.tokens for r in self.results)


class Recall:
    """Searches the passages of a repository in the stored results of a check (`kept`)."""

    def __init__(self, kept: JudgedState, ranker: Ranker) -> None:
        self.kept = kept
        self.ranker = ranker
        self._marks = kept.marks()
        self._starts = cache(self._find_starts)
        self._documents: dict[int, StoredDocument] = {}
        self._blob = cache(lambda blob: kept.blobs([blob])[blob])
        self._ground = cache(kept.grounds)

    def answer(self, wanted: RecallQuery) -> Answer:
        """Returns the passages that answer the question, best first. The answer has no results if
        no passage contains enough of the question's words."""
        allowed = _allowed(wanted)
        served, covered, waiting = self._ranked(wanted, allowed)
        best = islice(_without_repeats(self._result(s, allowed) for s in served), wanted.k)
        results = tuple(self._with_relations(r, allowed) for r in _within(best, wanted.budget))
        return Answer(wanted, results, covered, waiting)

    def _ranked(
        self, wanted: RecallQuery, allowed: frozenset[int]
    ) -> tuple[list[Scored], float, bool]:
        """Returns the passages that may be returned, best first.

        Also returns the coverage of the best passage (0 to 1), and whether only claims that are not
        approved would answer. The list is empty if the passages contain too few of the question's
        words. It is also empty if a passage that may not be returned contains so many more of them
        that the others may only be its neighbours."""
        scored = self._weighed(
            self.ranker.ranked(wanted.question, lambda row: self._may_return(row, _ANY)),
            expected_value(wanted.question),
        )
        served = [s for s in scored if self._may_return(s.row, allowed)]
        claims = sum(len(marks) for found in self._marks.values() for _, marks in found)
        enough = GROWTH * log(max(claims, 1)) if wanted.least is None else wanted.least
        covered, best = _covered(served), _covered(scored)
        # A neighbour of an answer that may not be returned is no answer.
        if covered < enough or covered <= BESIDE[0] * best:
            return [], covered, not wanted.pending and best >= enough
        return served, covered, False

    def _weighed(self, scored: Sequence[Scored], value: re.Pattern[str] | None) -> list[Scored]:
        """Returns the passages with lower scores for documents in deeper directories, because
        README.md and CONTRIBUTING.md speak for the whole repository, and for passages without the
        expected value. The best comes first."""
        numbers = {s.row: [n for n, _ in self._marks[parted(s.row)[0]]] for s in scored}
        new = {n for some in numbers.values() for n in some} - self._documents.keys()
        self._documents.update(self.kept.documents(new))
        found = []
        for one in scored:
            depth = min(self._documents[n].path.count("/") for n in numbers[one.row])
            lacks = value is not None and not value.search(self._text(one.row))
            factor = (1 - DEEP) ** depth * (WITHOUT_VALUE if lacks else 1)
            found.append(one._replace(score=one.score * factor))
        return sorted(found, key=lambda s: (-s.score, s.row))

    def _text(self, row: int) -> str:
        blob, number = parted(row)
        return self._blob(blob).passages[number][0]

    def _may_return(self, row: int, allowed: frozenset[int]) -> bool:
        """Returns whether a claim of the passage with a row id of the full-text index may be
        returned. Must be fast, because it is called for every row that shares a word with the
        question."""
        blob = parted(row)[0]
        if blob not in self._marks:
            return False
        claims = self._claims(row)
        return any(not allowed.isdisjoint(marks[claims]) for _, marks in self._marks[blob])

    def _claims(self, row: int) -> slice:
        blob, number = parted(row)
        return slice(*self._starts(blob)[number : number + 2])

    def _find_starts(self, blob: int) -> list[int]:
        marks = self._marks[blob][0][1]  # passages are the same in every document of a blob
        return [*passage_starts(marks), len(marks)]

    def _result(self, scored: Scored, allowed: frozenset[int]) -> RecallResult:
        """Returns the result for a passage. If several documents contain the passage, the result is
        from the document in which the passage is best grounded."""
        claims = self._claims(scored.row)
        return min(
            (
                self._in_document(number, marks, claims, scored, allowed)
                for number, marks in self._marks[parted(scored.row)[0]]
                if not allowed.isdisjoint(marks[claims])
            ),
            key=lambda result: result.mark,
        )

    def _in_document(
        self, number: int, marks: bytes, span: slice, scored: Scored, allowed: frozenset[int]
    ) -> RecallResult:
        document = self._document(number)
        stored = self._blob(document.blob)
        claims = range(span.start, span.stop)
        shown = [n for n in claims if marks[n] in allowed]
        text, _ = stored.passages[parted(scored.row)[1]]
        if shown[0] == span.start and stored.claims[span.start].text == text:
            shown = [span.start]  # a code block contains the text of its lead-in
        elif len(shown) < len(claims):
            text = " ".join(stored.claims[n].text for n in shown)
        mark = max((mark_of(number, n, marks) for n in shown), key=lambda m: (m[:2], not m.cited))
        grounds = self._ground(number)
        weakest = parted(mark.node)[1]
        first, last = stored.claims[shown[0]].line, max(stored.claims[n].end_line for n in shown)
        memory = replace(stored.claims[weakest], text=text, line=first, end_line=last)
        ground = Ground(grounds[weakest].rule, tuple(e for n in shown for e in grounds[n].evidence))
        nodes = tuple(row_of(number, n) for n in shown)
        return RecallResult(memory, document, mark, ground, scored.score, nodes)

    def _with_relations(self, result: RecallResult, allowed: frozenset[int]) -> RecallResult:
        """Returns the result with the places of contradicting claims, and with related claims that
        may be returned."""
        seen, start = set(result.nodes), list(result.nodes)
        against, related = list[str](), list[Related]()
        for hops in range(1, HOPS + 1):
            found = list(self.kept.relatives(start)) if start else []
            start = []
            for other, kind, inverse in found:
                if kind == "contradicts":
                    if hops == 1 and inverse:
                        against.append(self._place(other))
                elif other not in seen and self._byte(other) in allowed:
                    seen.add(other)
                    start.append(other)
                    kind = INVERSES[kind] if inverse else kind
                    related.append(Related(kind, self._place(other), self._claim(other).text, hops))
        return result._replace(contradicted=tuple(against), related=tuple(related[:RELATED]))

    def _place(self, node: int) -> str:
        return f"{self._document(parted(node)[0]).path}:{self._claim(node).line}"

    def _claim(self, node: int) -> StoredClaim:
        number, claim = parted(node)
        return self._blob(self._document(number).blob).claims[claim]

    def _byte(self, node: int) -> int:
        """Returns the byte that encodes the tier and the other properties of a claim (see
        `mark_of`)."""
        number, claim = parted(node)
        places = self._marks[self._document(number).blob]
        return next(marks[claim] for n, marks in places if n == number)

    def _document(self, number: int) -> StoredDocument:
        if number not in self._documents:
            self._documents.update(self.kept.documents([number]))
        return self._documents[number]


def _allowed(wanted: RecallQuery) -> frozenset[int]:
    """Returns every byte of properties (see `mark_of`) with which a claim may be returned.

    A claim that has a wrong reference, is in tier 3 or is outdated may not be returned. Without
    `pending`, a claim must also be approved (tier 1), cited or a code block."""
    return frozenset(
        b for b in range(256) if (m := mark_of(0, 0, bytes([b]))) and _serves(m, wanted)
    )


def _serves(mark: SelectionKey, wanted: RecallQuery) -> bool:
    grounded = mark.tier == Tier.APPROVE or mark.cited
    right = not (mark.wrong or mark.outdated)
    return right and mark.memory_type in wanted.types and (grounded or wanted.pending)


def _without_repeats(results: Iterable[RecallResult]) -> Iterator[RecallResult]:
    taken = set[frozenset[str]]()
    for result in results:
        words = read_text(result.memory.text).word_set
        if words not in taken:
            taken.add(words)
            yield result


def _covered(best: Sequence[Scored]) -> float:
    """Returns the largest `covered` of the passages: how much of the question's words one passage
    contains, from 0 to 1."""
    return max((s.covered for s in best), default=0.0)


def _within(results: Iterable[RecallResult], budget: int) -> Iterator[RecallResult]:
    """Yields results until the next result would exceed the budget of tokens. A budget of 0 means
    no limit."""
    spent = 0
    for result in results:
        spent += result.tokens
        if budget and spent > budget:
            return
        yield result


# The answer as JSON


def recall_json(answer: Answer, times: Mapping[str, str]) -> dict[str, Any]:
    """Returns the answer as a dictionary in the JSON format of docs/recall.md. `times` maps a place
    (`path:line`) to the date when the claim was written."""
    wanted = answer.wanted
    return {
        "schema": "grounded-ingest/recall/2",
        "query": wanted.question,
        "answered": bool(answer.results),
        "reason": "" if answer.results else _nothing(answer),
        "k": wanted.k,
        "budget": wanted.budget or None,
        "pending": wanted.pending,
        "covered": round(answer.covered, 4),
        "tokens": answer.tokens,
        "results": [_result_json(r, times) for r in answer.results],
    }


def _result_json(result: RecallResult, times: Mapping[str, str]) -> dict[str, Any]:
    memory, when = result.memory, times.get(result.place, "")
    is_event = memory.memory_type is MemoryType.EPISODIC
    return {
        "id": memory.id,
        "claim": memory.text,
        "path": result.document.path,
        "line": memory.line,
        "end_line": memory.end_line,
        "section": memory.section,
        "class": result.document.doc_class,
        "memory_type": memory.memory_type,
        "tier": result.mark.tier,
        "rule": result.ground.rule,
        "outdated": result.mark.outdated,
        "contradicted_by": list(result.contradicted),
        "related": [
            {"relation": r.kind, "place": r.place, "claim": r.text, "hops": r.hops}
            for r in result.related
        ],
        "score": round(result.score, 4),
        "tokens": result.tokens,
        "when": when,
        "times": resolved_since(memory.text, when) if is_event else [],
        "evidence": [_evidence_json(e) for e in result.ground.evidence],
    }


def _evidence_json(evidence: Evidence) -> dict[str, Any]:
    return {
        "kind": evidence.kind, "target": evidence.target, "verdict": evidence.verdict,
        "quote": evidence.quote, "inherited": not evidence.own,
    }  # fmt: skip


def _nothing(answer: Answer) -> str:
    if answer.wanted.pending:
        return "no claim answers the question"
    waits = "; unapproved claims may answer: use --pending to see them" if answer.waiting else ""
    return f"no grounded claim answers the question{waits}"

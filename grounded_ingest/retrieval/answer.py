"""Answers to a question from judged memories: ranked and cut. No I/O but the store.

rank what may be served -> is it an answer at all? -> what is not far below the best
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import ceil, log
from typing import NamedTuple

from grounded_ingest.model.claims import MemoryType, Tier
from grounded_ingest.retrieval.bm25 import Lexical, Ranker, Scored
from grounded_ingest.retrieval.fulltext import parted
from grounded_ingest.retrieval.store import (
    Ground,
    JudgedStates,
    SelectionKey,
    StoredClaim,
    StoredDocument,
    mark_of,
)
from grounded_ingest.statements.near_duplicates import jaccard
from grounded_ingest.text.reading import read_text

NEAR = 0.92
"""Jaccard of two texts from which on only the better one is served."""
LOOKED_AT = 10
"""Claims that are asked whether they answer at all."""
POOL = 100
"""Claims of the repository, the best ones, among which those stand that are served."""
LEAST, GROWTH = 0.275, 0.05
"""Share of a question's weight that the best claim has to cover: LEAST, or GROWTH ln N if that is
more, of N claims of the repository, served or not. The more there are, the more of any question one
covers by chance (docs/decisions/memory.md)."""
FAR = 0.15
"""Share of the best claim's score below which a claim is not served."""


_ANY = frozenset(range(256))
"""The marks of every claim."""


class RecallQuery(NamedTuple):
    """A question. `budget` in tokens of four characters, 0 for none. `least`: what share of the
    question is enough to answer it; None goes by the size of the store."""

    question: str
    k: int = 20
    budget: int = 0
    types: tuple[MemoryType, ...] = tuple(MemoryType)
    pending: bool = False
    least: float | None = None


class ScoredClaim(NamedTuple):
    """A claim with its score."""

    mark: SelectionKey
    score: float


class RecallResult(NamedTuple):
    """A claim as it is served. `contradicted` are places of claims that contradict it."""

    memory: StoredClaim
    document: StoredDocument
    mark: SelectionKey
    ground: Ground
    score: float
    contradicted: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        return ceil(len(self.memory.text) / 4)

    @property
    def place(self) -> str:
        return f"{self.document.path}:{self.memory.line}"


class Answer(NamedTuple):
    """`covered` is the share of the question's weight that the best claim has words for; where that
    is too little there are no results. `waiting`: pending claims would answer."""

    wanted: RecallQuery
    results: tuple[RecallResult, ...] = ()
    covered: float = 0.0
    waiting: bool = False

    @property
    def tokens(self) -> int:
        return sum(r.tokens for r in self.results)


class Recall:
    """Answers from one judged state."""

    def __init__(self, kept: JudgedStates, state: int, ranker: Ranker | None = None) -> None:
        self.kept, self.state = kept, state
        self.ranker = ranker or Lexical(kept.shelf)
        self._marks = kept.marks(state)
        self._documents: dict[int, StoredDocument] = {}
        self._memories: dict[int, list[StoredClaim]] = {}

    def answer(self, wanted: RecallQuery) -> Answer:
        """The claims that answer a question, best first; none where nothing does."""
        ranked, covered, waiting = self._ranked(wanted)
        best = islice(self._once(_near_best(ranked)), wanted.k)
        results = tuple(_within(self._results(best), wanted.budget))
        return Answer(wanted, results, covered, waiting)

    def results(self, marks: Iterable[SelectionKey]) -> Iterator[RecallResult]:
        """Claims as they are served."""
        return self._results(ScoredClaim(m, 0.0) for m in marks)

    def _ranked(self, wanted: RecallQuery) -> tuple[list[ScoredClaim], float, bool]:
        """Claims that may be served, the best first, none where they answer nothing; how much of
        the question one of the best covers; whether only what waits would answer.

        What is no more than a distant match beside all that the repository says is left out, so
        that a few grounded claims do not have to answer everything."""
        allowed = _allowed(wanted)
        scored = self.ranker.ranked(wanted.question, lambda row: self._may(row, _ANY))
        pool = scored[: max(POOL, wanted.k)]
        served = [s for s in pool if self._may(s.row, allowed)]
        enough = self._enough() if wanted.least is None else wanted.least
        covered = _covered(served)
        if covered < enough:
            return [], covered, not wanted.pending and _covered(scored) >= enough
        return (
            [ScoredClaim(min(self._places(s.row, allowed)), s.score) for s in served],
            covered,
            False,
        )

    def _enough(self) -> float:
        """How much of a question has to be covered."""
        places = (marks for found in self._marks.values() for _, marks in found)
        return max(LEAST, GROWTH * log(max(sum(map(len, places)), 1)))

    def _may(self, row: int, allowed: frozenset[int]) -> bool:
        """Whether a claim of the shelf may be served; asked of every row that shares a word."""
        blob, claim = parted(row)
        return any(marks[claim] in allowed for _, marks in self._marks.get(blob, ()))

    def _places(self, row: int, allowed: frozenset[int]) -> list[SelectionKey]:
        """Where a claim of the shelf stands, as far as it may be served there."""
        blob, claim = parted(row)
        return [
            mark_of(number, claim, marks)
            for number, marks in self._marks.get(blob, ())
            if marks[claim] in allowed
        ]

    def _once(self, ranked: Iterable[ScoredClaim]) -> Iterator[ScoredClaim]:
        """Claims of which none before says the same."""
        taken = list[frozenset[str]]()
        for found in ranked:
            words = read_text(self._memory(found.mark.node).text).word_set
            if all(jaccard(words, other) < NEAR for other in taken):
                taken.append(words)
                yield found

    def _results(self, found: Iterable[ScoredClaim]) -> Iterator[RecallResult]:
        for one in found:
            node = one.mark.node
            number, claim = parted(node)
            yield RecallResult(
                self._memory(node),
                self._document(number),
                one.mark,
                self.kept.grounds(self.state, number)[claim],
                one.score,
                tuple(self._against(node)),
            )

    def _against(self, node: int) -> Iterator[str]:
        for relative in self.kept.relatives(self.state, [node]):
            if relative.kind == "contradicts" and relative.inverse:
                yield self._place(relative.other)

    def _place(self, node: int) -> str:
        return f"{self._document(parted(node)[0]).path}:{self._memory(node).line}"

    def _document(self, number: int) -> StoredDocument:
        if number not in self._documents:
            self._documents.update(self.kept.documents(self.state, [number]))
        return self._documents[number]

    def _memory(self, node: int) -> StoredClaim:
        number, claim = parted(node)
        blob = self._document(number).blob
        if blob not in self._memories:
            self._memories.update(self.kept.memories([blob]))
        return self._memories[blob][claim]


def _allowed(wanted: RecallQuery) -> frozenset[int]:
    """Returns the bytes of claims that may be served: tier 1 or cited, and up to date, unless all
    are asked for; never what is wrong."""
    return frozenset(
        b for b in range(256) if (m := mark_of(0, 0, bytes([b]))) and _serves(m, wanted)
    )


def _serves(mark: SelectionKey, wanted: RecallQuery) -> bool:
    served = (mark.tier == Tier.APPROVE or mark.cited) and not mark.outdated
    return mark.memory_type in wanted.types and not mark.wrong and (wanted.pending or served)


def _near_best(ranked: Sequence[ScoredClaim]) -> Iterator[ScoredClaim]:
    """Claims that are not far below the best."""
    return (f for f in ranked if f.score >= FAR * ranked[0].score)


def _covered(best: Sequence[Scored]) -> float:
    """How much of a question one of the best claims covers."""
    return max((s.covered for s in best[:LOOKED_AT]), default=0.0)


def _within(results: Iterable[RecallResult], budget: int) -> Iterator[RecallResult]:
    """Results up to the one with which their tokens would pass the budget."""
    spent = 0
    for result in results:
        spent += result.tokens
        if budget and spent > budget:
            return
        yield result

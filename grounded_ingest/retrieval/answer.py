"""Answers a question with the claims of a repository.

1. Ranks the claims that may be returned.
2. Returns no claims if the best claims do not cover enough of the question.
3. Drops claims whose score is far below the best score, and claims that repeat a better claim.

The module reads from the store and does no other I/O.
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
"""Two claims whose word sets have at least this Jaccard similarity count as the same claim, and
only the better claim is returned."""
LOOKED_AT = 10
"""Number of best claims that are checked for covering enough of the question."""
POOL = 100
"""A claim is only returned if it is among this many best claims in the whole repository."""
LEAST, GROWTH = 0.275, 0.05
"""Minimum coverage of a question: how many of its words the best claim must contain, from 0 to 1.

The minimum is the larger of LEAST and GROWTH * ln(N). N is the number of claims in the repository.
In a larger repository, a claim covers more of any question by chance (docs/decisions/memory.md).
"""
FAR = 0.15
"""A claim is not returned if its score is less than `FAR` times the best claim's score."""


_ANY = frozenset(range(256))
"""Every value that the byte with a claim's selection properties (`SelectionKey`) can have."""


class RecallQuery(NamedTuple):
    """A question to `recall` with its options.

    `k` is the maximum number of results. `budget` is the maximum number of tokens in all results,
    at four characters a token. A budget of 0 means no limit. `types` are the memory types of the
    wanted claims. If `pending` is true, claims that are not approved are returned too. `least` is
    the minimum coverage, from 0 to 1: the best claim must contain at least this part of the
    question's words. If `least` is None, the minimum depends on the number of claims.
    """

    question: str
    k: int = 20
    budget: int = 0
    types: tuple[MemoryType, ...] = tuple(MemoryType)
    pending: bool = False
    least: float | None = None


class ScoredClaim(NamedTuple):
    """A claim with its score for the question: the higher the score, the better the claim fits."""

    mark: SelectionKey
    score: float


class RecallResult(NamedTuple):
    """A claim in the answer to a question.

    `mark` contains the tier and the other properties by which the claim was selected. `ground`
    contains the rule that decided the claim, and the evidence. `contradicted` lists the places
    (`path:line`) of claims that contradict this claim.
    """

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
    """The answer to a question.

    `covered` says how many of the question's words the best claim contains, from 0 (none) to 1
    (all). Rare words count more than frequent words. If `covered` is too small, `results` is empty.
    `waiting` is true if only claims that are not approved would answer the question.
    """

    wanted: RecallQuery
    results: tuple[RecallResult, ...] = ()
    covered: float = 0.0
    waiting: bool = False

    @property
    def tokens(self) -> int:
        return sum(r.tokens for r in self.results)


class Recall:
    """Searches the claims that a repository had at one point in time (a stored state)."""

    def __init__(self, kept: JudgedStates, state: int, ranker: Ranker | None = None) -> None:
        self.kept, self.state = kept, state
        self.ranker = ranker or Lexical(kept.shelf)
        self._marks = kept.marks(state)
        self._documents: dict[int, StoredDocument] = {}
        self._memories: dict[int, list[StoredClaim]] = {}

    def answer(self, wanted: RecallQuery) -> Answer:
        """Returns the claims that answer the question, best first. The answer has no results if no
        claim contains enough of the question's words."""
        ranked, covered, waiting = self._ranked(wanted)
        best = islice(self._once(_near_best(ranked)), wanted.k)
        results = tuple(_within(self._results(best), wanted.budget))
        return Answer(wanted, results, covered, waiting)

    def results(self, marks: Iterable[SelectionKey]) -> Iterator[RecallResult]:
        """Yields a result with text, document and evidence for each claim. `marks` identify the
        claims."""
        return self._results(ScoredClaim(m, 0.0) for m in marks)

    def _ranked(self, wanted: RecallQuery) -> tuple[list[ScoredClaim], float, bool]:
        """Returns the claims that may be returned, best first.

        Also returns the coverage of the best claim (0 to 1), and whether only claims that are not
        approved would answer. The list is empty if the claims contain too few of the question's
        words. A claim must rank among the best claims of the whole repository. Otherwise a
        repository with few approved claims would return them for every question.
        """
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
        """Returns the minimum coverage (0 to 1) that the best claim must reach. It grows with the
        number of claims in the repository."""
        places = (marks for found in self._marks.values() for _, marks in found)
        return max(LEAST, GROWTH * log(max(sum(map(len, places)), 1)))

    def _may(self, row: int, allowed: frozenset[int]) -> bool:
        """Returns whether the claim with a row id of the full-text index may be returned. This
        method is called for every row that shares a word with the question, so the method must be
        fast."""
        blob, claim = parted(row)
        return any(marks[claim] in allowed for _, marks in self._marks.get(blob, ()))

    def _places(self, row: int, allowed: frozenset[int]) -> list[SelectionKey]:
        """Returns a selection key for each document that contains the claim with a row id of the
        full-text index. Skips documents in which the claim's selection byte is not in `allowed`.
        """
        blob, claim = parted(row)
        return [
            mark_of(number, claim, marks)
            for number, marks in self._marks.get(blob, ())
            if marks[claim] in allowed
        ]

    def _once(self, ranked: Iterable[ScoredClaim]) -> Iterator[ScoredClaim]:
        """Yields the claims in order, without claims that repeat an earlier claim."""
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
    """Returns the selection bytes of claims that may be returned (see `mark_of`).

    A claim must be approved (tier 1) or cited, and not outdated. With `pending`, every claim may be
    returned except a claim with a wrong reference or of tier 3.
    """
    return frozenset(
        b for b in range(256) if (m := mark_of(0, 0, bytes([b]))) and _serves(m, wanted)
    )


def _serves(mark: SelectionKey, wanted: RecallQuery) -> bool:
    served = (mark.tier == Tier.APPROVE or mark.cited) and not mark.outdated
    return mark.memory_type in wanted.types and not mark.wrong and (wanted.pending or served)


def _near_best(ranked: Sequence[ScoredClaim]) -> Iterator[ScoredClaim]:
    """Yields the claims whose score is at least `FAR` times the best score."""
    return (f for f in ranked if f.score >= FAR * ranked[0].score)


def _covered(best: Sequence[Scored]) -> float:
    """Returns the largest `covered` of the best claims: how much of the question's words one claim
    contains, from 0 to 1."""
    return max((s.covered for s in best[:LOOKED_AT]), default=0.0)


def _within(results: Iterable[RecallResult], budget: int) -> Iterator[RecallResult]:
    """Yields results until the next result would exceed the budget of tokens. A budget of 0 means
    no limit."""
    spent = 0
    for result in results:
        spent += result.tokens
        if budget and spent > budget:
            return
        yield result

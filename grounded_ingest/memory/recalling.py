"""Answers to a question from judged memories: routed, ranked, expanded, cut. No I/O but the store.

rank -> keep what may be served -> is it an answer at all? -> best of each type -> relations
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil, log
from typing import NamedTuple

from grounded_ingest.detect.words import jaccard, word_set
from grounded_ingest.memory.kept import Document, Ground, Kept, Mark, Memory, Relative, mark_of
from grounded_ingest.memory.ranking import Lexical, Ranker
from grounded_ingest.memory.relations import INVERSES
from grounded_ingest.memory.routing import Weights, route, shares, tilted
from grounded_ingest.memory.shelf import parted
from grounded_ingest.model import MemoryType, Tier

DECAY = 0.85
"""What a step over a relation leaves of a score: 0.85^(d-1), the claim itself at d = 1. A neighbour
so stands below the claim that brought it, unless its own words earn it more."""
NEAR = 0.92
"""Jaccard of two texts from which on only the better one is served."""
LOOKED_AT = 10
"""Claims that are asked whether they answer at all."""
CHANCE, GROWTH = 0.27, 0.0425
"""Share of a question's weight that the best claim has to have words for: CHANCE + GROWTH ln N. The
more claims there are, the more of any question one of them covers by chance (docs/recall.md)."""


class Wanted(NamedTuple):
    """A question. `budget` in tokens of four characters, 0 for none. `least`: what share of the
    question is enough to answer it; None goes by the size of the store."""

    question: str
    k: int = 20
    budget: int = 0
    types: tuple[MemoryType, ...] = tuple(MemoryType)
    hops: int = 1
    pending: bool = False
    least: float | None = None


class Found(NamedTuple):
    """A claim with its score; `via` is the relation that brought it."""

    mark: Mark
    score: float
    via: Relative | None = None


class Result(NamedTuple):
    """A claim as it is served. `contradicted` are places of claims that contradict it."""

    memory: Memory
    document: Document
    mark: Mark
    ground: Ground
    score: float
    via: str = ""
    words: str = ""
    origin: str = ""
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

    wanted: Wanted
    weights: Weights
    results: tuple[Result, ...] = ()
    covered: float = 0.0
    waiting: bool = False

    @property
    def tokens(self) -> int:
        return sum(r.tokens for r in self.results)


class Recall:
    """Answers from one judged state."""

    def __init__(self, kept: Kept, state: int, ranker: Ranker | None = None) -> None:
        self.kept, self.state = kept, state
        self.ranker = ranker or Lexical(kept.shelf)
        self._marks = kept.marks(state)
        self._documents: dict[int, Document] = {}
        self._memories: dict[int, list[Memory]] = {}

    def answer(self, wanted: Wanted) -> Answer:
        """The claims that answer a question, best first; none where nothing does."""
        weights = route(wanted.question, wanted.types)
        ranked, covered, enough = self.ranked(wanted)
        if covered < enough:
            waiting = not wanted.pending and self._waiting(wanted)
            return Answer(wanted, weights, (), covered, waiting)
        weights = tilted(weights, [f.mark.memory_type for f in ranked[: wanted.k]])
        best = list(self._best(ranked, shares(weights, wanted.k)))
        found = self._expanded(best, wanted)
        results = tuple(_within(self._results(found[: wanted.k]), wanted.budget))
        return Answer(wanted, weights, results, covered)

    def results(self, marks: Iterable[Mark]) -> Iterator[Result]:
        """Claims as they are served."""
        return self._results(Found(m, 0.0) for m in marks)

    def ranked(self, wanted: Wanted) -> tuple[list[Found], float, float]:
        """Claims that may be served, the best first; how much of the question one of the best
        covers, and how much would be enough."""
        allowed = _allowed(wanted)
        scored = self.ranker.ranked(wanted.question, lambda row: self._may(row, allowed))
        covered = max((s.covered for s in scored[:LOOKED_AT]), default=0.0)
        found = [Found(min(self._places(s.row, allowed)), s.score) for s in scored]
        if wanted.least is not None:
            return found, covered, wanted.least
        return found, covered, CHANCE + GROWTH * log(max(self._served(allowed), 2))

    def _may(self, row: int, allowed: frozenset[int]) -> bool:
        """Whether a claim of the shelf may be served; asked of every row that shares a word."""
        blob, claim = parted(row)
        return any(marks[claim] in allowed for _, marks in self._marks.get(blob, ()))

    def _places(self, row: int, allowed: frozenset[int]) -> list[Mark]:
        """Where a claim of the shelf stands, as far as it may be served there."""
        blob, claim = parted(row)
        return [
            mark_of(number, claim, marks)
            for number, marks in self._marks.get(blob, ())
            if marks[claim] in allowed
        ]

    def _served(self, allowed: frozenset[int]) -> int:
        """How many claims may be served."""
        refused = bytes(b for b in range(256) if b not in allowed)
        every = (marks for places in self._marks.values() for _, marks in places)
        return sum(len(marks.translate(None, refused)) for marks in every)

    def _waiting(self, wanted: Wanted) -> bool:
        """Whether claims that are not grounded would answer."""
        _, covered, enough = self.ranked(wanted._replace(pending=True))
        return covered >= enough

    def _best(self, ranked: Iterable[Found], room: dict[MemoryType, int]) -> Iterator[Found]:
        """The best of each type as far as there is room, each text once."""
        left, taken = dict(room), list[frozenset[str]]()
        for found in ranked:
            kind = found.mark.memory_type
            if not any(left.values()):
                return
            if not left[kind] or not self._new(found, taken):
                continue
            left[kind] -= 1
            yield found

    def _new(self, found: Found, taken: list[frozenset[str]]) -> bool:
        """Whether no claim taken before says the same; takes it."""
        words = word_set(self._memory(found.mark.node).text)
        if any(jaccard(words, other) >= NEAR for other in taken):
            return False
        taken.append(words)
        return True

    def _expanded(self, best: list[Found], wanted: Wanted) -> list[Found]:
        """The best with what relations bring, by score."""
        found = {f.mark.node: f for f in best}
        taken = [word_set(self._memory(f.mark.node).text) for f in best]
        border = best
        for _ in range(wanted.hops):
            scores = {f.mark.node: f.score * DECAY for f in border}
            border = []
            for via in self.kept.relatives(self.state, scores) if scores else ():
                brought = Found(self._mark(via.other), scores[via.node], via)
                if via.other in found or not _serves(brought.mark, wanted):
                    continue
                if self._new(brought, taken):
                    found[via.other] = brought
                    border.append(brought)
        return sorted(found.values(), key=lambda f: (-f.score, f.mark.node))

    def _results(self, found: Iterable[Found]) -> Iterator[Result]:
        for one in found:
            node = one.mark.node
            number, claim = parted(node)
            result = Result(
                self._memory(node),
                self._document(number),
                one.mark,
                self.kept.grounds(self.state, number)[claim],
                one.score,
                contradicted=tuple(self._against(node)),
            )
            if one.via:
                kind = one.via.kind if one.via.inverse else INVERSES[one.via.kind]
                origin = self._place(one.via.node)
                result = result._replace(via=kind, words=one.via.words, origin=origin)
            yield result

    def _against(self, node: int) -> Iterator[str]:
        for relative in self.kept.relatives(self.state, [node]):
            if relative.kind == "contradicts" and relative.inverse:
                yield self._place(relative.other)

    def _place(self, node: int) -> str:
        return f"{self._document(parted(node)[0]).path}:{self._memory(node).line}"

    def _document(self, number: int) -> Document:
        if number not in self._documents:
            self._documents.update(self.kept.documents(self.state, [number]))
        return self._documents[number]

    def _memory(self, node: int) -> Memory:
        number, claim = parted(node)
        blob = self._document(number).blob
        if blob not in self._memories:
            self._memories.update(self.kept.memories([blob]))
        return self._memories[blob][claim]

    def _mark(self, node: int) -> Mark:
        number, claim = parted(node)
        marks = dict(self._marks[self._document(number).blob])
        return mark_of(number, claim, marks[number])


def _allowed(wanted: Wanted) -> frozenset[int]:
    """The bytes of claims that may be served: grounded and up to date if not all are asked for."""
    return frozenset(
        b for b in range(256) if (m := mark_of(0, 0, bytes([b]))) and _serves(m, wanted)
    )


def _serves(mark: Mark, wanted: Wanted) -> bool:
    grounded = mark.tier == Tier.APPROVE and not mark.outdated
    return mark.memory_type in wanted.types and (wanted.pending or grounded)


def _within(results: Iterable[Result], budget: int) -> Iterator[Result]:
    """Results up to the one with which their tokens would pass the budget."""
    spent = 0
    for result in results:
        spent += result.tokens
        if budget and spent > budget:
            return
        yield result

"""Ranks passages for a question with BM25, synonyms, and the words of neighbouring passages.

An alternative way to rank, such as an embedding model, implements the protocol `Ranker`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

from grounded_ingest.retrieval.query import QueryWord, asked
from grounded_ingest.retrieval.store import JudgedState, parted

BESIDE, OTHER = (0.6, 0.3, 0.3), 0.6
"""How well a passage matches a word of the question, from 0 to 1, if only the first, second or
third passage before or after it has the word (`BESIDE`), or if it has only a synonym (`OTHER`)."""
CANDIDATES = 300
"""Maximum number of passages that are returned."""
MOST = 10_000
"""Maximum number of rows that are scored, so that the time for a question stays bounded. Above this
number, the search ignores the most common words of the question, but never the two rarest."""


class Scored(NamedTuple):
    """A passage, given by its row id in the full-text index, with its score for a question.

    `score` is larger for a better match. `covered` says how many of the question's words the
    passage contains, from 0 (none) to 1 (all). Words that only a neighbouring passage contains
    count less."""

    row: int
    score: float
    covered: float


class Ranker(Protocol):
    """Ranks passages for a question, best first. `ranked` leaves out a passage if `serves` is false
    for its row id."""

    def ranked(self, question: str, serves: Callable[[int], bool]) -> Sequence[Scored]: ...


class Lexical:
    """Ranks passages by the words that they share with the question, and by synonyms."""

    def __init__(self, kept: JudgedState) -> None:
        self._kept = kept

    def ranked(self, question: str, serves: Callable[[int], bool]) -> list[Scored]:
        terms = list(self._terms(asked(question)))
        total = sum(weight for weight, _, _ in terms) or 1.0
        scores: dict[int, float] = {}
        covered: dict[int, float] = {}
        for weight, own, held in terms:
            share = weight / total
            for row, score in own.items():
                scores[row] = scores.get(row, 0.0) + score
                covered[row] = covered.get(row, 0.0) + share * held[row]
        for row, part in covered.items():
            scores[row] *= part
        order = sorted(scores, key=scores.__getitem__, reverse=True)
        best = islice(filter(serves, order), CANDIDATES)
        return [Scored(row, scores[row], covered[row]) for row in best]

    def _terms(
        self, words: Sequence[QueryWord]
    ) -> Iterator[tuple[float, dict[int, float], dict[int, float]]]:
        """Yields (weight, BM25 scores, qualities of the match from 0 to 1) for the words of a
        question. Scores and qualities are by the row ids of the passages with the word."""
        sizes = self._kept.sizes()
        counts = {w.word: self._kept.count(w.word) for w in words}
        room = MOST
        for number, word in enumerate(sorted(words, key=lambda w: counts[w.word])):
            room -= counts[word.word]
            if room < 0 and number > 1:
                return
            own = self._kept.scores(word.word)
            scores, held = dict(own), dict.fromkeys(own, 1.0)
            for row, near, worth in _beside(own, sizes):
                held[near] = max(held.get(near, 0.0), worth)
                scores[near] = max(scores.get(near, 0.0), worth * own[row])
            for other, count, worth in self._others(word, room):
                room -= count
                for row, score in self._kept.scores(other).items():
                    scores[row] = max(scores.get(row, 0.0), worth * score)
                    held[row] = max(held.get(row, 0.0), worth)
            yield word.factor, scores, held

    def _others(self, word: QueryWord, room: int) -> Iterator[tuple[str, int, float]]:
        """Yields (synonym, number of rows with the synonym, quality from 0 to 1) for the synonyms
        of a word. Skips a synonym that occurs in more rows than a quarter of `room`, the number of
        rows that may still be scored."""
        worth = dict.fromkeys(word.others, OTHER) | dict.fromkeys(word.same, 1.0)
        for other, value in worth.items():
            count = self._kept.count(other)
            if 0 < count <= room // 4:
                room -= count
                yield other, count, value


def _beside(rows: Iterable[int], sizes: Mapping[int, int]) -> Iterator[tuple[int, int, float]]:
    """Yields (row, neighbour, quality of the match from 0 to 1) for the passages before and after
    each row in the same document. `sizes` has the number of passages in each blob."""
    for row in rows:
        blob, number = parted(row)
        for distance, worth in enumerate(BESIDE, 1):
            if number >= distance:
                yield row, row - distance, worth
            if number + distance < sizes[blob]:
                yield row, row + distance, worth

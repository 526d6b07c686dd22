"""Ranks claims for a question with BM25, synonyms, and the words of neighbouring claims.

An alternative way to rank, such as an embedding model, implements the protocol `Ranker`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import log
from operator import itemgetter
from typing import NamedTuple, Protocol

from grounded_ingest.retrieval.fulltext import Shelf
from grounded_ingest.retrieval.query import QueryWord, asked

SECTION, BESIDE, OTHER = 0.9, 0.7, 0.35
"""Weights of a match. `SECTION`: the word is in a heading above the claim. `BESIDE`: the word is in
the next claim. Two claims away, half of `BESIDE` applies. `OTHER`: the claim has a synonym. A match
of the word itself in the claim has the weight 1."""
_AWAY = (1, 2, 3)
"""Distances to a neighbouring claim, in claims, at which its words count."""
CANDIDATES = 300
"""Maximum number of claims that are scored together with their neighbours."""
MOST = 10_000
"""Maximum number of rows that are scored, so that the time for a question stays bounded. Above this
number, the search ignores the most common words. It always uses the two rarest words.
"""
FLAT = 2.0
"""This number is added to the inverse document frequency of each word when `covered` is computed,
so that rare words do not decide alone.
"""


class Scored(NamedTuple):
    """A claim, given by its row id in the full-text index, with its score for a question.

    `score` is larger for a better match. `covered` says how many of the question's words the claim
    contains, from 0 (none) to 1 (all). Rare words count more. Words that only a neighbouring claim
    contains count less.
    """

    row: int
    score: float
    covered: float


class Ranker(Protocol):
    """Ranks claims for a question. `ranked` returns the claims whose row ids pass the test
    `serves`, best first.
    """

    def ranked(self, question: str, serves: Callable[[int], bool]) -> Sequence[Scored]: ...


class _Term(NamedTuple):
    """A word of a question.

    `weight` says how much the word counts: a rare word counts more. `scores` maps the row id of
    each claim with the word to its BM25 score. `held` maps the row id to the quality of the match:
    1 for the word itself, less for a synonym.
    """

    weight: float
    scores: dict[int, float]
    held: dict[int, float]


class Lexical:
    """Ranks claims by the words that they share with the question, and by synonyms."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def ranked(self, question: str, serves: Callable[[int], bool]) -> list[Scored]:
        terms = list(self._terms(asked(question)))
        own: dict[int, float] = {}
        for term in terms:
            for row, score in term.scores.items():
                own[row] = own.get(row, 0.0) + score
        ordered = (row for row, _ in sorted(own.items(), key=itemgetter(1), reverse=True))
        best = islice(filter(serves, ordered), CANDIDATES)
        total = sum(t.weight for t in terms) or 1.0
        found = [_scored(row, terms, total) for row in best]
        return sorted(found, key=lambda s: (-s.score, s.row))

    def _terms(self, words: Sequence[QueryWord]) -> Iterator[_Term]:
        size = self._shelf.size()
        counts = {w.word: self._shelf.count(w.word) for w in words}
        room = MOST
        for number, word in enumerate(sorted(words, key=lambda w: counts[w.word])):
            room -= counts[word.word]
            if room < 0 and number > 1:
                return
            scores = self._shelf.scores(word.word, SECTION)
            held = dict.fromkeys(scores, 1.0)
            own = len(scores)
            for other, count, worth in self._others(word, room):
                room -= count
                for row, score in self._shelf.scores(other, SECTION).items():
                    scores[row] = max(scores.get(row, 0.0), worth * score)
                    held[row] = max(held.get(row, 0.0), worth)
            rows = min(own or len(scores), size)
            rarity = log(1 + (size - rows + 0.5) / (rows + 0.5))
            yield _Term(word.factor * (FLAT + rarity), scores, held)

    def _others(self, word: QueryWord, room: int) -> Iterator[tuple[str, int, float]]:
        """Yields (synonym, number of rows with the synonym, quality from 0 to 1) for the synonyms
        of a word. Skips a synonym that occurs in more rows than a quarter of `room`, the number of
        rows that may still be scored.
        """
        worth = dict.fromkeys(word.others, OTHER) | dict.fromkeys(word.same, 1.0)
        for other, value in worth.items():
            count = self._shelf.count(other)
            if 0 < count <= room // 4:
                room -= count
                yield other, count, value


def _scored(row: int, terms: Iterable[_Term], total: float) -> Scored:
    """Returns the score of a claim, given by its row id: BM25 including the neighbouring claims,
    multiplied by the covered part of the question. `total` is the sum of the weights of `terms`."""
    score = covered = 0.0
    for term in terms:
        score += _near(term.scores, row)
        covered += term.weight * _near(term.held, row)
    share = covered / total
    return Scored(row, score * share, share)


def _near(rows: Mapping[int, float], row: int) -> float:
    """Returns the value of a claim, or the reduced value of a neighbouring claim if that is larger.
    `rows` maps row ids to values."""
    best = rows.get(row, 0.0)
    for away in _AWAY:
        part = BESIDE / away
        for other in (row - away, row + away):
            value = rows.get(other)
            if value is not None and value * part > best:
                best = value * part
    return best

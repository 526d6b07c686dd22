"""Which claims of the shelf speak of what is asked: BM25, other words, what stands beside.

Any other way to rank (an embedding model) is another `Ranker`.
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
"""What a word counts in the headings above, in the claim beside (half of it two claims away), and
another word for it: against the word itself in the claim itself."""
_AWAY = (1, 2, 3)
"""How many claims away a word still counts."""
CANDIDATES = 300
"""Claims whose surroundings are looked at."""
MOST = 10_000
"""Rows that are scored at most, so that a question costs the same in a large store: the commonest
words are left out for it, but never the rarest two."""
FLAT = 2.0
"""Added to a word's inverse document frequency where shares are counted, so that rare words do not
decide alone."""


class Scored(NamedTuple):
    """A row; `covered` is the share of the question's weight that the claim, or at its part what
    stands beside it, has words for."""

    row: int
    score: float
    covered: float


class Ranker(Protocol):
    """Scores rows of a shelf that may be served, the best first."""

    def ranked(self, question: str, serves: Callable[[int], bool]) -> Sequence[Scored]: ...


class _Term(NamedTuple):
    """A word of a question with the rows that have it: their scores, and how nearly they do."""

    weight: float
    scores: dict[int, float]
    held: dict[int, float]


class Lexical:
    """The ranker by words."""

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
        """Other words for one with how many rows have them and what they are worth, as far as
        there is room for these rows."""
        worth = dict.fromkeys(word.others, OTHER) | dict.fromkeys(word.same, 1.0)
        for other, value in worth.items():
            count = self._shelf.count(other)
            if 0 < count <= room // 4:
                room -= count
                yield other, count, value


def _scored(row: int, terms: Iterable[_Term], total: float) -> Scored:
    """BM25 with what stands beside, times the share of the question that is covered so."""
    score = covered = 0.0
    for term in terms:
        score += _near(term.scores, row)
        covered += term.weight * _near(term.held, row)
    share = covered / total
    return Scored(row, score * share, share)


def _near(rows: Mapping[int, float], row: int) -> float:
    """What a row has, or what one beside it has at its part, if that is more."""
    best = rows.get(row, 0.0)
    for away in _AWAY:
        part = BESIDE / away
        for other in (row - away, row + away):
            value = rows.get(other)
            if value is not None and value * part > best:
                best = value * part
    return best

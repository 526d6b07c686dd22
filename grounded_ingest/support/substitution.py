"""What stands in a source in the place of a claim's word, where both say the rest alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product

from msgspec import Struct

from grounded_ingest.language.closed_classes import group
from grounded_ingest.language.number_words import number
from grounded_ingest.language.opposites import are_opposites, are_rival_values, has_opposite
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.statements import finite_verbs
from grounded_ingest.language.terms import Term, grade, root
from grounded_ingest.support.claim_view import claim_view

TELLING = 0.6
"""Weight of a word that states something."""

LONGEST = 3
"""Words that can stand in the place of others."""

_NUMBER = "#"
READ = 80
"""Words of a sentence beyond which it is not aligned: it takes the square of them."""


class SlotWord(Struct, frozen=True):
    """A word that can be replaced, with what it holds and the keys it is found by."""

    text: str
    low: str
    start: int
    terms: tuple[Term, ...]
    keys: frozenset[str]


class Substitution(Struct, frozen=True):
    """Words `said` by a claim where the source has those `known`, between the same words."""

    said: tuple[SlotWord, ...]
    known: tuple[SlotWord, ...]


class SideBySide(Struct, frozen=True):
    """A clause and a sentence, word by word: what is replaced, the words of both, and how many of
    them both hold in one order."""

    replaced: tuple[Substitution, ...]
    said: tuple[SlotWord, ...]
    known: tuple[SlotWord, ...]
    held: int

    @property
    def only_one(self) -> Substitution | None:
        """What is replaced where both say all the rest."""
        if not self.held or len(self.replaced) != 1:
            return None
        (one,) = self.replaced
        apart = len(self.said) - len(one.said), len(self.known) - len(one.known)
        return one if apart == (self.held, self.held) else None


@lru_cache(maxsize=2048)
def replaceable_words(text: str) -> tuple[SlotWord, ...]:
    """The words of a text that state something or have an opposite, in order. Of
    numbers only that one stands there counts: they are compared by themselves."""
    reading = read_text(text)
    spans = [(a.start, a.end) for a in reading.amounts]
    found = [SlotWord(a.text, _NUMBER, a.start, (), frozenset()) for a in reading.amounts]
    for word in reading.placed:
        low = word.text.lower()
        if number(low) is not None or any(a <= word.start < b for a, b in spans):
            continue
        held = [t for t in reading.terms if word.start == t.start]
        terms = tuple(t for t in held if t.weight >= TELLING)
        if terms or _turns(low):
            found.append(SlotWord(word.text, low, word.start, terms, word.keys))
    return tuple(sorted(found, key=lambda w: w.start))


def _turns(low: str) -> bool:
    """Whether a word that says little has an opposite: up, old, most. Verbs carry others."""
    if low in finite_verbs() or low in group("AUXILIARIES") or low in group("PRONOUNS"):
        return False
    return has_opposite(low)


@lru_cache(maxsize=1024)
def side_by_side(said: str, known: str) -> SideBySide:
    """A clause beside a sentence."""
    mine, theirs = replaceable_words(said)[:READ], replaceable_words(known)[:READ]
    pairs = _aligned(mine, theirs)
    ends = [(-1, -1), *pairs, (len(mine), len(theirs))]
    replaced = tuple(
        Substitution(mine[a + 1 : b], theirs[c + 1 : d])
        for (a, c), (b, d) in pairwise(ends)
        if 0 < b - a - 1 <= LONGEST and 0 < d - c - 1 <= LONGEST
    )
    return SideBySide(replaced, mine, theirs, len(pairs))


@lru_cache(maxsize=1024)
def said_apart(text: str) -> tuple[str, ...]:
    """The clauses of a sentence of a source, and the whole of it."""
    read = claim_view(text)
    return tuple(dict.fromkeys((*(c.reading.text for c in read.clauses), read.reading.text)))


def _aligned(mine: Sequence[SlotWord], theirs: Sequence[SlotWord]) -> list[tuple[int, int]]:
    """The longest run of words that both hold in one order."""
    like = [[_alike(a, b) for b in theirs] for a in mine]
    best = [[0.0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    for a in range(len(mine) - 1, -1, -1):
        for b in range(len(theirs) - 1, -1, -1):
            both = best[a + 1][b + 1] + like[a][b] if like[a][b] else 0.0
            best[a][b] = max(best[a + 1][b], best[a][b + 1], both)
    found, a, b = [], 0, 0
    while a < len(mine) and b < len(theirs):
        if like[a][b] and best[a][b] == best[a + 1][b + 1] + like[a][b]:
            found.append((a, b))
            a, b = a + 1, b + 1
        elif best[a][b] == best[a + 1][b]:
            a += 1
        else:
            b += 1
    return found


def _alike(one: SlotWord, other: SlotWord) -> float:
    if one.low == other.low:
        return 1.0
    if are_opposites(one.low, other.low):
        return 0.0
    return min((grade(t, other.keys) for t in one.terms), default=0.0)


def excluded(said: str, known: str) -> tuple[str, str] | None:
    """A word of a clause and the one in its place in a sentence that excludes it: an opposite, or
    another value of its kind. Neither text holds both."""
    for part in said_apart(known):
        both = side_by_side(said, part)
        for one, other in _replaced(both) if both.held else ():
            if _exclude(one, other) and not (_holds(both.known, one) or _holds(both.said, other)):
                return one.low, other.low
    return None


def replaced_word(said: str, known: str, elsewhere: frozenset[str]) -> tuple[str, str] | None:
    """A word of a clause that stands nowhere near, and what a sentence that is otherwise like the
    clause has in its place."""
    for part in said_apart(known):
        both = side_by_side(said, part)
        replaced = both.only_one
        if replaced is None:
            continue
        for one in replaced.said:
            tells = one.terms or one.low in group("DIRECTIONS")
            if tells and not any(grade(t, elsewhere) for t in one.terms):
                return one.text, " ".join(w.text for w in replaced.known)
    return None


def crossed(said: str, known: str) -> tuple[str, str] | None:
    """Two words of a clause that have changed places in a sentence of just the same words;
    neighbours in a list may."""
    for part in said_apart(known):
        if sorted(read_text(said).words) != sorted(read_text(part).words):
            continue
        mine, theirs = replaceable_words(said), replaceable_words(part)
        moved = [n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if not _alike(a, b)]
        if len(mine) == len(theirs) and len(moved) == 2 and moved[1] - moved[0] > 1:
            return mine[moved[0]].text, theirs[moved[0]].text
    return None


def swapped_subject(said: str, known: str) -> tuple[str, str] | None:
    """The name that begins a clause, and the one that begins a sentence which says just the same:
    one word without an article before a verb of one, and derived from no other word."""
    for part in said_apart(known):
        both = side_by_side(said, part)
        replaced = both.only_one
        if replaced is None or len(replaced.said) + len(replaced.known) > 2:
            continue
        one, other = replaced.said[0], replaced.known[0]
        if _begins_as_name(one, said) and _begins_as_name(other, part):
            return one.text, other.text
    return None


def _begins_as_name(word: SlotWord, text: str) -> bool:
    """Whether a word begins a text before a verb of one: `Bert owns it`, not `Retry calls are`."""
    verb, behind, *_ = (*read_text(text[word.start + len(word.text) :]).words, "", "")
    if word.start or not word.text.istitle() or not verb.endswith("s"):
        return False
    if verb not in finite_verbs() or behind in finite_verbs():
        return False
    return root(word.low) in (word.low, word.low.rstrip("aeiouy"))


def _replaced(both: SideBySide) -> Iterator[tuple[SlotWord, SlotWord]]:
    for replaced in both.replaced:
        yield from product(replaced.said, replaced.known)


def _exclude(one: SlotWord, other: SlotWord) -> bool:
    return are_opposites(one.low, other.low) or are_rival_values(one.low, other.low)


def _holds(words: Sequence[SlotWord], word: SlotWord) -> bool:
    return any(_alike(word, w) or _alike(w, word) for w in words)

"""Claims that repeat or contradict each other, across the whole knowledge base.

Near-duplicates are found without comparing all word sets. Equal sets are collapsed first. Sets that
share a key of `hash_keys` are compared; where many share one, words that are rare among them tell
apart which have to be, and what a template's lines have in common decides about all of them at once
(docs/adr/0008).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice, product
from math import ceil
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.audit.model import ClaimPair
from grounded_ingest.language.reading import Reading, read_claim
from grounded_ingest.language.word_keys import allowances, hash_keys, word_hash
from grounded_ingest.model.claims import Finding, Place
from grounded_ingest.pipeline import Result
from grounded_ingest.rules.duplicate import TEMPLATE
from grounded_ingest.rules.near_duplicates import repeats

_COMPARED = 200_000
"""Near pairs that are looked at: templates make many of no use."""

_RULES = ("contradiction", "conflicting-update")


def contradictions(
    result: Result, is_dated: Callable[[str, str], bool] = lambda _path, _id: False
) -> tuple[ClaimPair, ...]:
    """Every pair the detectors found, once; `dated` where one of them tells of a day."""
    found: dict[frozenset[tuple[str, int, str]], ClaimPair] = {}
    for decision in result.report.decisions:
        for finding in decision.findings:
            if finding.rule in _RULES and finding.other is not None:
                both = frozenset((_name(decision.place), _name(finding.other)))
                pair = _pair(decision.place, finding.other, finding)
                old = any(is_dated(p.path, p.claim.id) for p in (decision.place, finding.other))
                found.setdefault(both, replace(pair, dated=old))
    return tuple(found.values())


def duplicates(result: Result) -> tuple[ClaimPair, ...]:
    """Every pair of claims of which one repeats the other, mirrors and templates left out."""
    places = [Place(d.path, d.doc_class, c) for d in result.documents for c in d.extraction.claims]
    standing = result.judge.standing
    found = []
    for one, other in islice(_close(places, standing.threshold), _COMPARED):
        for place, earlier in ((one, other), (other, one)):
            if similarity := repeats(place, earlier, standing):
                said = f"says again what {earlier.path}:{earlier.claim.line} says"
                finding = Finding("repeat", said, similarity=round(similarity, 4))
                found.append(_pair(place, earlier, finding))
                break
    return tuple(sorted(found, key=lambda p: (p.path, p.line, p.other_path, p.other_line)))


def _close(places: list[Place], threshold: float) -> Iterator[tuple[Place, Place]]:
    """Pairs with as many words in common; of a text that stands often, none."""
    joined = join((read_claim(p.claim).word_set for p in places), threshold)
    crowded = set()
    for group in joined.groups:
        if len(group) > TEMPLATE:
            crowded.update(group)
            continue
        for a, b in combinations(group, 2):
            yield places[a], places[b]
    for a, b in joined.near():
        if a not in crowded and b not in crowded:
            yield places[a], places[b]


def _name(place: Place) -> tuple[str, int, str]:
    return (place.path, place.claim.line, place.claim.id)


def _pair(place: Place, other: Place, finding: Finding) -> ClaimPair:
    return ClaimPair(
        place.path,
        place.claim.line,
        place.claim.text,
        other.path,
        other.claim.line,
        other.claim.text,
        finding.rule,
        finding.similarity,
        finding.message,
    )


_PARTS = 16
"""Shares of the keys that are looked at one after the other: memory for time."""

_FEW = 24
"""Sets of which all pairs are compared."""

_WHOLE = (1 << 64) - 1


class Join(NamedTuple):
    """The pairs at or above a threshold; numbers are those of the sets as given.

    `groups` are equal sets. Where a set of a group stands in `pairs` or `blocks`, it is the first,
    and stands for all. In a block each of one side is paired with each other of the other side.
    """

    groups: list[list[int]]
    pairs: list[tuple[int, int]]
    blocks: list[tuple[list[int], list[int]]]

    def near(self) -> Iterator[tuple[int, int]]:
        """Pairs of sets that are not equal, written out: each once, the lower number first."""
        equal = {group[0]: group for group in self.groups}
        crossed = {
            (min(pair), max(pair))
            for block in self.blocks
            for pair in product(*block)
            if pair[0] != pair[1]
        }
        for one, other in sorted(crossed.union(self.pairs)) if crossed else self.pairs:
            for a, b in product(equal.get(one, (one,)), equal.get(other, (other,))):
                yield (a, b) if a < b else (b, a)


class _Vocabulary(dict[str, int]):
    """Words to numbers in the order in which they are met, and their hashes."""

    def __init__(self) -> None:
        super().__init__()
        self.hashes: list[int] = []

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self.hashes)
        self.hashes.append(word_hash(word))
        return number


class _Sets:
    """Distinct word sets as sorted numbers, one behind the other; `given` are their numbers."""

    def __init__(self) -> None:
        self.vocabulary = _Vocabulary()
        self.words, self.ends, self.given = array("I"), array("Q", [0]), array("I")
        self.groups: dict[int, list[int]] = {}
        self._known: dict[int, int] = {}

    def take(self, sets: Iterable[Iterable[str]]) -> None:
        number = self.vocabulary
        for given, words in enumerate(sets):
            own = array("I", sorted(map(number.__getitem__, set(words))))
            if not own:
                continue
            at = self._place(own)
            if at == len(self.given):
                self.words += own
                self.ends.append(len(self.words))
                self.given.append(given)
            else:
                self.groups.setdefault(at, [self.given[at]]).append(given)
        self._known = {}

    def _place(self, own: array[int]) -> int:
        """The number of the equal set that is there, or the next one."""
        hashes = self.vocabulary.hashes
        key = sum(map(hashes.__getitem__, own)) & _WHOLE
        while (at := self._known.setdefault(key, len(self.given))) != len(self.given):
            if self[at] == own:
                break
            key += 1
        return at

    def __getitem__(self, at: int) -> array[int]:
        return self.words[self.ends[at] : self.ends[at + 1]]

    def size(self, at: int) -> int:
        return self.ends[at + 1] - self.ends[at]


def join(sets: Iterable[Iterable[str]], threshold: float) -> Join:
    """All pairs of word sets whose Jaccard similarity reaches the threshold (above 0). Sets
    without words are left out."""
    known = _Sets()
    known.take(sets)
    compare = _Comparison(known, threshold)
    for crowd in _sharing(known, threshold):
        compare.crowd(crowd)
    given = known.given
    pairs = sorted({(given[p >> 32], given[p & 0xFFFFFFFF]) for p in compare.pairs})
    blocks = [([given[a] for a in one], [given[b] for b in other]) for one, other in compare.blocks]
    return Join(list(known.groups.values()), pairs, blocks)


def pairs(
    claims: Sequence[str], threshold: float = 0.92, exact_words: int = 5, near_words: int = 7
) -> Iterator[tuple[int, int]]:
    """Numbers of claims that are duplicates: equal sets from `exact_words` on, near ones from
    `near_words` on. Each pair once, the lower number first."""
    sizes = array("I")

    def sets() -> Iterator[frozenset[str]]:
        for claim in claims:
            words = Reading(claim).word_set
            sizes.append(len(words))
            yield words

    found = join(sets(), threshold)
    for group in found.groups:
        if sizes[group[0]] >= exact_words:
            yield from combinations(group, 2)
    for one, other in found.near():
        if min(sizes[one], sizes[other]) >= near_words:
            yield one, other


def _sharing(sets: _Sets, threshold: float) -> Iterator[list[int]]:
    """Sets that share a key, two or more, in ascending order."""
    keys = [array("q") for _ in range(_PARTS)]
    owners = [array("I") for _ in range(_PARTS)]
    hashes = sets.vocabulary.hashes
    for at in range(len(sets.given)):
        if allowances(sets.size(at), threshold):
            for key in hash_keys([hashes[w] for w in sets[at]], threshold):
                part = key % _PARTS
                keys[part].append(key)
                owners[part].append(at)
    for part in range(_PARTS):
        yield from _crowds(keys[part], owners[part])
        keys[part], owners[part] = array("q"), array("I")


def _crowds(keys: array[int], owners: array[int]) -> Iterable[list[int]]:
    first: dict[int, int] = {}
    crowds: dict[int, list[int]] = {}
    for key, at in zip(keys, owners, strict=True):
        if (other := first.setdefault(key, at)) != at:
            crowds.setdefault(key, [other]).append(at)
    return crowds.values()


class _Comparison:
    """Finds the pairs among sets that may be some: pairs as two numbers of 32 bits, and blocks."""

    def __init__(self, sets: _Sets, threshold: float) -> None:
        self.sets, self.threshold = sets, threshold
        self.pairs = array("Q")
        self.blocks: list[tuple[Sequence[int], Sequence[int]]] = []

    def crowd(self, members: list[int]) -> None:
        """Find the pairs among sets, each at most once in `members`, which are in order."""
        if len(members) <= _FEW:
            self._each(members, members)
            return
        parts = self._by_rare_words(members)
        if 2 * sum(len(some) ** 2 for some in parts) > len(members) ** 2:
            self._between(members, members)
            return
        for some in parts:
            self.crowd(some)

    def _by_rare_words(self, members: list[int]) -> list[list[int]]:
        """Sets that share one of their rarest words: as two have to that differ in few."""
        counts = self._counts(members)
        found: dict[int, list[int]] = {}
        for at in members:
            words = sorted(self.sets[at], key=lambda w: (counts[w], w))
            for word in words[: len(words) - ceil(len(words) * self.threshold - 1e-9) + 1]:
                if counts[word] > 1:
                    found.setdefault(word, []).append(at)
        return [some for some in found.values() if len(some) > 1]

    def _counts(self, members: Sequence[int]) -> Counter[int]:
        counts: Counter[int] = Counter()
        for at in members:
            counts.update(self.sets[at])
        return counts

    def _each(self, some: Sequence[int], others: Sequence[int]) -> None:
        """Compare each with each."""
        theirs = [(b, frozenset(self.sets[b])) for b in others]
        for a in some:
            mine = frozenset(self.sets[a])
            for b, words in theirs:
                if a == b:
                    break
                common = len(mine & words)
                if common / (len(mine) + len(words) - common) >= self.threshold:
                    self.pairs.append(min(a, b) << 32 | max(a, b))

    def _between(self, some: Sequence[int], others: Sequence[int]) -> None:
        """Find the pairs between two disjoint halves, or inside one (the same twice), by what all
        of a half have and what any of them could share."""
        if some is others and len(some) < 2:
            return
        one = self._counts(some)
        other = one if some is others else self._counts(others)
        small, large = (
            sum(pick(map(self.sets.size, half)) for half in (some, others)) for pick in (min, max)
        )
        shared = sum(n == len(some) and other[w] == len(others) for w, n in one.items())
        if shared / (large - shared) >= self.threshold:
            self.blocks.append((some, others))
            return
        alone = 1 if some is others else 0
        fewest = ceil(small * self.threshold / (1 + self.threshold) - 1e-6)
        if not self._shares(some, other, alone, fewest):
            return
        if some is not others and not self._shares(others, one, alone, fewest):
            return
        if len(some) * len(others) <= _FEW * _FEW:
            self._each(some, others)
            return
        self._halved(some, others, one, other)

    def _shares(
        self, members: Sequence[int], counts: Counter[int], alone: int, fewest: int
    ) -> bool:
        """Whether one of these sets may share as many words with another of those counted."""
        known = {w for w, n in counts.items() if n > alone}
        return any(len(known.intersection(self.sets[at])) >= fewest for at in members)

    def _halved(
        self, some: Sequence[int], others: Sequence[int], one: Counter[int], other: Counter[int]
    ) -> None:
        """The same for the parts of the larger side, told apart by one word."""
        if some is others:
            having, lacking = self._parted(some, one)
            self._between(having, having)
            self._between(lacking, lacking)
            self._between(having, lacking)
            return
        if len(some) < len(others):
            some, others, one = others, some, other
        for part in self._parted(some, one):
            self._between(part, others)

    def _parted(self, members: Sequence[int], counts: Counter[int]) -> tuple[list[int], list[int]]:
        size = len(members)
        word = max(counts, key=lambda w: (min(counts[w], size - counts[w]), -w))
        having: list[int] = []
        lacking: list[int] = []
        for at in members:
            (having if word in self.sets[at] else lacking).append(at)
        return having, lacking

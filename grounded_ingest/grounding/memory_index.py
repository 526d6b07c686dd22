"""Memories, read once: their facts by subject and slot, their words, and where they contradict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from re import IGNORECASE, Pattern
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from grounded_ingest.facts.comparison import contradict
from grounded_ingest.facts.content_words import licences, pieces
from grounded_ingest.facts.extraction import LONGEST, by_sentence, reading
from grounded_ingest.facts.fact import Contradiction, Fact, Memory
from grounded_ingest.language.clauses import UNKNOWN
from grounded_ingest.language.lexicon.frames import RETRACT, WITHDRAW
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.status import Status
from grounded_ingest.language.value_normal_form import normal, same

THRESHOLD, DIFFERENCE = 0.75, 0.3
"""The trust rule where nobody sets another one: what trust counts, and how far apart."""
SUBJECTS = 64
"""Subjects of a slot that are looked at where the text's own has no such fact."""


_TELLING = (
    "meant", " not ", "rather than", "instead of", "scratch", "wrong", "incorrect", "mistak",
    "outdated", "obsolete", "out of date", "invalid", "error", "withdrawn", "no longer",
)  # fmt: skip
"""A memory without any of these takes nothing back."""


@cache
def _patterns() -> tuple[Pattern[str], ...]:
    return tuple(compiled(p, IGNORECASE) for p in (*RETRACT, WITHDRAW))


class HeldFact(NamedTuple):
    """A fact and the number of the memory that states it."""

    fact: Fact
    memory: int


class MemorySentence(NamedTuple):
    """A sentence of a memory: what it licenses, and how each of it is meant."""

    memory: int
    subject: str
    keys: dict[str, set[Status]]


class MemoryReading(Struct, frozen=True):
    """What a memory's text says, whatever other memories say: its facts, and of every sentence its
    subject and what it licenses."""

    facts: tuple[Fact, ...]
    sentences: tuple[tuple[str, dict[str, set[Status]]], ...]


def read_memory(memory: Memory) -> MemoryReading:
    """A function of the memory's text and section."""
    read = reading(memory.text[:LONGEST], memory.section)
    facts = by_sentence(read)
    sentences = []
    for sentence in read.sentences:
        keys: dict[str, set[Status]] = {}
        for piece in () if sentence.question else pieces(sentence):
            for key in licences(sentence, piece):
                keys.setdefault(key, set()).add(piece.status)
        inside = facts.get(sentence.start, ())
        sentences.append((inside[0].subject if inside else sentence.pieces[0].subject, keys))
    return MemoryReading(read.facts, tuple(sentences))


K = TypeVar("K", contravariant=True)
V = TypeVar("V", covariant=True)


class Looked(Protocol[K, V]):
    """As much of a mapping as judging takes."""

    def get(self, key: K, default: Any, /) -> Any: ...
    def __getitem__(self, key: K, /) -> V: ...


class Numbered(Protocol[V]):
    """As much of a sequence as judging takes."""

    def __len__(self) -> int: ...
    def __getitem__(self, number: int, /) -> V: ...


class HeldMemories:
    """What judging asks of memories. `threshold` and `difference` are those of the trust rule."""

    threshold: float
    difference: float
    all: Numbered[Memory]
    held: Looked[tuple[str, str], list[HeldFact]]
    subjects: Looked[str, Iterable[str]]
    """The subjects that have a fact of a slot, in order."""
    units: Numbered[MemorySentence]
    by_key: Looked[str, Sequence[int]]
    """The sentences that license a key, in order."""
    by_memory: Looked[int, Sequence[int]]
    retracted: set[tuple[int, str]]

    @property
    def subjects_by_word(self) -> Looked[str, frozenset[Any]]:
        """The subjects that have a word in their name, as whatever tells them apart."""
        raise NotImplementedError

    @property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """Every contradiction among the memories, by the trust rule."""
        raise NotImplementedError

    @property
    def trust_by_id(self) -> dict[str, float]:
        """The trust of every memory that a judgement can name."""
        raise NotImplementedError

    def facts_of(self, fact: Fact) -> list[HeldFact]:
        """What memories hold of the subject and slot of a fact, else of subjects near to it."""
        exact = self.held.get((fact.subject, fact.slot), [])
        found = [h for h in exact if self._applies(h, fact)]
        if found:
            return found
        near: list[HeldFact] = []
        whole: list[HeldFact] = []
        for subject in list(self.subjects.get(fact.slot, ()))[:SUBJECTS]:
            if subject == fact.subject:
                continue
            listed = [h for h in self.held[subject, fact.slot] if self._applies(h, fact)]
            if _is_near(fact.subject, subject):
                near.extend(listed)
            elif not subject.split():
                whole.extend(listed)
        return near if near or self._speaks_of(set(fact.subject.split())) else whole

    def _speaks_of(self, words: set[str]) -> bool:
        """Whether some memory is about what has all these words in its name."""
        listed = [self.subjects_by_word.get(w, frozenset()) for w in words]
        return bool(listed) and bool(frozenset.intersection(*listed))

    def _applies(self, held: HeldFact, fact: Fact) -> bool:
        theirs = held.fact.setting
        if theirs and fact.setting and theirs != fact.setting:
            return False
        return (held.memory, held.fact.normal.key) not in self.retracted

    @cached_property
    def retracted_of(self) -> dict[int, tuple[str, ...]]:
        """The values that each memory no longer licenses."""
        found: dict[int, tuple[str, ...]] = {}
        for number, key in sorted(self.retracted):
            found[number] = (*found.get(number, ()), key)
        return found

    @cached_property
    def contradicted(self) -> frozenset[tuple[str, str]]:
        """The subjects and slots of which memories contradict each other."""
        return frozenset((c.subject, c.slot) for c in self.contradictions)


def tells(memory: Memory) -> bool:
    """Whether a memory may take back what others say."""
    low = memory.text.lower()
    return len(low) <= 2000 and any(word in low for word in _TELLING)


class MemoriesInMaking(HeldMemories):
    """What memories do to each other, worked out once all of them have been read."""

    def hold(self, fact: Fact, number: int) -> None:
        """Take in a fact that a memory states."""
        raise NotImplementedError

    def _stating(self, value: str) -> Iterable[HeldFact]:
        """The facts of a value's key, as memories state them."""
        raise NotImplementedError

    def retract(self, number: int) -> None:
        """`I meant X, not Y`: what other memories say of Y falls, and X takes its slot. To be asked
        for each memory that `tells`, in order."""
        text = self.all[number].text
        for pattern in _patterns()[:-1]:
            found = pattern.search(text)
            if found:
                self._replace(number, found["old"], found["new"], found.start("new"))
                break
        if _patterns()[-1].search(text):
            self._withdraw(number)

    def _replace(self, number: int, old: str, new: str, at: int) -> None:
        wrong, right = normal(old.strip()), normal(new.strip())
        for held in tuple(self._stating(wrong.key)):
            fact = held.fact
            if held.memory == number and fact.start < at and fact.polarity:
                self.retracted.add((number, fact.normal.key))
            if held.memory != number and self._not_later(held.memory, number):
                self.retracted.add((held.memory, fact.normal.key))
                self.hold(
                    Fact(
                        fact.subject,
                        fact.slot,
                        new.strip(),
                        right,
                        at,
                        at + len(new.strip()),
                        setting=fact.setting,
                        many=fact.many,
                    ),
                    number,
                )

    def _withdraw(self, number: int) -> None:
        """`The earlier note was wrong`: what others say of the same slots falls."""
        for fact in reading(self.all[number].text[:LONGEST], self.all[number].section).facts:
            for held in self.held.get((fact.subject, fact.slot), ()):
                if held.memory != number and self._not_later(held.memory, number):
                    self.retracted.add((held.memory, held.fact.normal.key))

    def _not_later(self, one: int, other: int) -> bool:
        first, second = self.all[one].timestamp, self.all[other].timestamp
        return first is None or second is None or first <= second


class Memories(MemoriesInMaking):
    """An index over memories, in memory."""

    def __init__(
        self,
        memories: Iterable[Memory],
        *,
        threshold: float = THRESHOLD,
        difference: float = DIFFERENCE,
    ) -> None:
        self.all: tuple[Memory, ...] = tuple(memories)
        self.threshold, self.difference = threshold, difference
        self.held: dict[tuple[str, str], list[HeldFact]] = {}
        self.subjects: dict[str, dict[str, None]] = {}
        self.units: list[MemorySentence] = []
        self.by_key: dict[str, list[int]] = {}
        self.by_memory: dict[int, list[int]] = {}
        self.retracted: set[tuple[int, str]] = set()
        for number, read in enumerate(map(read_memory, self.all)):
            self._take_in(number, read)
        for number, memory in enumerate(self.all):
            if tells(memory):
                self.retract(number)

    def _take_in(self, number: int, read: MemoryReading) -> None:
        for fact in read.facts:
            self.hold(fact, number)
        for subject, keys in read.sentences:
            unit = len(self.units)
            self.units.append(MemorySentence(number, subject, keys))
            self.by_memory.setdefault(number, []).append(unit)
            for key in keys:
                self.by_key.setdefault(key, []).append(unit)

    def hold(self, fact: Fact, number: int) -> None:
        self.held.setdefault((fact.subject, fact.slot), []).append(HeldFact(fact, number))
        self.subjects.setdefault(fact.slot, {})[fact.subject] = None

    def _stating(self, value: str) -> Iterable[HeldFact]:
        return self._by_value.get(value, ())

    @cached_property
    def _by_value(self) -> dict[str, list[HeldFact]]:
        found: dict[str, list[HeldFact]] = {}
        for listed in self.held.values():
            for held in listed:
                found.setdefault(held.fact.normal.key, []).append(held)
        return found

    @cached_property
    def contradictions(self) -> tuple[Contradiction, ...]:
        return tuple(
            c for listed in self.held.values() if len(listed) > 1 for c in among(listed, self)
        )

    @cached_property
    def subjects_by_word(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for unit in self.units:
            for word in unit.subject.split():
                found.setdefault(word, set()).add(unit.subject)
        return {word: frozenset(subjects) for word, subjects in found.items()}

    @cached_property
    def trust_by_id(self) -> dict[str, float]:
        return {m.id: m.trust for m in self.all}


VALUES = 256
"""Values of one subject and slot that are compared with each other."""


def _is_near(asked: str, subject: str) -> bool:
    """Whether a subject can be meant: one has all words of the other, or anything can be."""
    mine, theirs = set(asked.split()), set(subject.split())
    if asked == UNKNOWN or not mine:
        return True
    return bool(theirs) and (mine <= theirs or theirs <= mine)


def credible(one: float, other: float, memories: HeldMemories) -> bool:
    """The trust rule: both at least the threshold, and not too far apart."""
    low, high = sorted((one, other))
    return low >= memories.threshold - 1e-9 and high - low < memories.difference - 1e-9


def among(listed: Sequence[HeldFact], memories: HeldMemories) -> list[Contradiction]:
    """The contradictions among facts of one subject and slot, one for each setting."""
    current = [
        h for h in listed
        if h.fact.time == "now" and (h.memory, h.fact.normal.key) not in memories.retracted
    ]  # fmt: skip
    moved = _moved(listed, memories)
    current = [h for h in current if (h.memory, h.fact.normal.key) not in moved]
    found = []
    for setting in dict.fromkeys(h.fact.setting for h in current):
        mine = [h for h in current if h.fact.setting == setting]
        taking_part = _pairs(mine, memories)
        if taking_part:
            found.append(_contradiction([mine[i] for i in sorted(taking_part)], memories))
    return found


def _moved(listed: Sequence[HeldFact], memories: HeldMemories) -> set[tuple[int, str]]:
    """Values that a memory itself says have been left (`moved from X to Y`)."""
    left = [h for h in listed if h.fact.time == "before"]
    return {
        (h.memory, h.fact.normal.key)
        for h in listed
        for gone in left
        if h.memory != gone.memory and h.fact.time == "now"
        and same(h.fact.normal, gone.fact.normal)
        and not _later(h.memory, gone.memory, memories)
        and any(n.memory == gone.memory and n.fact.time == "now" for n in listed)
    }  # fmt: skip


def _later(one: int, other: int, memories: HeldMemories) -> bool:
    first, second = memories.all[one].timestamp, memories.all[other].timestamp
    return first is not None and second is not None and first > second


def _pairs(mine: Sequence[HeldFact], memories: HeldMemories) -> set[int]:
    """The facts that contradict another one; equal values are compared once."""
    groups: dict[tuple[str, bool, bool], list[int]] = {}
    for i, held in enumerate(mine):
        groups.setdefault((held.fact.normal.key, held.fact.polarity, held.fact.many), []).append(i)
    found: set[int] = set()
    keys = list(groups)[:VALUES]
    for a, first in enumerate(keys):
        for second in keys[a + 1 :]:
            if not contradict(mine[groups[first][0]].fact, mine[groups[second][0]].fact):
                continue
            found |= _credible_pairs(mine, groups[first], groups[second], memories)
    return found


def _credible_pairs(
    mine: Sequence[HeldFact], ours: list[int], theirs: list[int], memories: HeldMemories
) -> set[int]:
    trust = {i: memories.all[mine[i].memory].trust for i in (*ours, *theirs)}
    found: set[int] = set()
    best_ours, best_theirs = max(trust[i] for i in ours), max(trust[i] for i in theirs)
    for some, best in ((ours, best_theirs), (theirs, best_ours)):
        found |= {i for i in some if credible(trust[i], best, memories)}
    distinct = {mine[i].memory for i in found}
    return found if len(distinct) > 1 else set()


def _contradiction(mine: Sequence[HeldFact], memories: HeldMemories) -> Contradiction:
    first: dict[tuple[str, bool], HeldFact] = {}
    for held in mine:
        first.setdefault((held.fact.normal.key, held.fact.polarity), held)
    kept = list(first.values())
    of = [memories.all[h.memory] for h in kept]
    values = tuple(h.fact.value if h.fact.polarity else f"not {h.fact.value}" for h in kept)
    trusts = tuple(m.trust for m in of)
    times = tuple(m.timestamp for m in of)
    order = range(len(kept))
    recent = max(order, key=lambda i: (times[i] is not None, times[i] or 0.0, trusts[i], i))
    trusted = max(order, key=lambda i: (trusts[i], times[i] or 0.0, i))
    return Contradiction(
        kept[0].fact.slot,
        kept[0].fact.subject,
        values,
        tuple(m.id for m in of),
        trusts,
        times,
        tuple(f"{m.path}:{m.line}" if m.path else "" for m in of),
        values[recent],
        values[trusted],
    )

"""Indexes the facts that memories state, and finds the memories that contradict each other. A fact
has a subject (`Anna`), a property, which is called slot (`location`), and a value (`Rome`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.statements.clauses import UNKNOWN
from grounded_ingest.statements.facts import LONGEST, Fact, contradict, read_facts
from grounded_ingest.text.lexicon.fact_words import RETRACT
from grounded_ingest.text.values import normal, same
from grounded_ingest.verify.result import Contradiction, Memory
from grounded_ingest.verify.source_words import SentenceWords, read_words

THRESHOLD, DIFFERENCE = 0.75, 0.3
"""The default trust rule. Two conflicting memories count as a contradiction if both have at least
the trust `THRESHOLD`, and if their trust differs by less than `DIFFERENCE`."""
LONGEST_RETRACTION = 2000
"""Maximum length in characters of a memory that is searched for a retraction."""
_RETRACTING = re.compile(r"(?i)\bmeant\b|\bnot\b|rather than|instead of|\bscratch\b")
VALUES = 256
"""Maximum number of values of one subject and slot that are compared with each other."""


class HeldFact(NamedTuple):
    """A fact, such as "Anna lives in Rome", and the index of its memory in `Memories.all`."""

    fact: Fact
    memory: int


class Memories:
    """An index of the facts and words in memories. `held` maps a subject and a slot, such as
    (`anna`, `location`), to the facts about them. `subjects` maps each slot to its subjects.
    `words` lists the words of each memory. `retracted` has a pair (memory index, value) if another
    memory says that the value was a mistake."""

    def __init__(
        self,
        memories: Iterable[Memory],
        *,
        threshold: float = THRESHOLD,
        difference: float = DIFFERENCE,
    ) -> None:
        self.threshold, self.difference = threshold, difference
        self.all: list[Memory] = list(memories)
        self.held: dict[tuple[str, str], list[HeldFact]] = {}
        self.subjects: dict[str, dict[str, None]] = {}
        self.words: list[SentenceWords] = []
        for number, memory in enumerate(self.all):
            text = memory.text[:LONGEST]
            self.words.append(read_words(text))
            for fact in read_facts(text, memory.section)[1]:
                self.held.setdefault((fact.subject, fact.slot), []).append(HeldFact(fact, number))
                self.subjects.setdefault(fact.slot, {})[fact.subject] = None

        self.retracted: set[tuple[int, str]] = set()
        for number, memory in enumerate(self.all):
            if len(memory.text) <= LONGEST_RETRACTION and _RETRACTING.search(memory.text):
                self._retract(number)

    def _retract(self, number: int) -> None:
        """Applies a retraction such as `I meant X, not Y`: Y is retracted in all memories that are
        not newer, and X is added for the same subject and slot."""
        patterns = (re.search(p, self.all[number].text, re.IGNORECASE) for p in RETRACT)
        found = next((match for match in patterns if match), None)
        if not found:
            return
        old, new = found["old"].strip(), found["new"].strip()
        stated = [h for listed in self.held.values() for h in listed]
        for held in stated:
            if held.fact.normal.key != normal(old).key:
                continue
            if held.memory == number or not self._time(held) > (self.all[number].timestamp or 0.0):
                self.retracted.add((held.memory, held.fact.normal.key))
                fact = replace(held.fact, value=new, normal=normal(new), polarity=True, time="now")
                self.held[fact.subject, fact.slot].append(HeldFact(fact, number))

    def trust(self, held: HeldFact) -> float:
        return self.all[held.memory].trust

    def facts_of(self, fact: Fact) -> list[HeldFact]:
        """Returns the facts in memories about the subject and slot of `fact`, or else those about
        subjects with a similar name, or else those without a subject."""
        found = [h for h in self.held.get((fact.subject, fact.slot), ()) if self._applies(h, fact)]
        if found:
            return found
        near: list[HeldFact] = []
        whole: list[HeldFact] = []
        for subject in self.subjects.get(fact.slot, ()):
            listed = [h for h in self.held[subject, fact.slot] if self._applies(h, fact)]
            if _is_near(fact.subject, subject):
                near.extend(listed)
            elif not subject:
                whole.extend(listed)
        return near or whole

    def _applies(self, held: HeldFact, fact: Fact) -> bool:
        settings = {held.fact.setting, fact.setting} - {""}
        return len(settings) < 2 and (held.memory, held.fact.normal.key) not in self.retracted

    @cached_property
    def by_value(self) -> dict[frozenset[str], list[HeldFact]]:
        """Maps a value, as the set of its word stems, to the facts that have this value."""
        found: dict[frozenset[str], list[HeldFact]] = {}
        for listed in self.held.values():
            for held in listed:
                stems = frozenset(w.stem for w in read_words(held.fact.value).words)
                found.setdefault(stems, []).append(held)
        found.pop(frozenset(), None)
        return found

    @cached_property
    def value_words(self) -> dict[str, list[frozenset[str]]]:
        """Maps each word stem to the values that contain it, as `by_value` has them."""
        found: dict[str, list[frozenset[str]]] = {}
        for stems in self.by_value:
            for one in stems:
                found.setdefault(one, []).append(stems)
        return found

    @cached_property
    def by_stem(self) -> dict[str, list[int]]:
        """Returns for each word stem the indexes of the memories that contain the word."""
        found: dict[str, list[int]] = {}
        for number, read in enumerate(self.words):
            for word in dict.fromkeys(w.stem for w in read.words):
                found.setdefault(word, []).append(number)
        return found

    @cached_property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """The contradictions among memories that are trusted enough and about equally trusted."""
        several = (listed for listed in self.held.values() if len(listed) > 1)
        return tuple(c for listed in several for c in self._among(listed))

    def _among(self, listed: Sequence[HeldFact]) -> list[Contradiction]:
        """Returns the contradictions among facts with the same subject and slot, at most one for
        each setting, such as `production`."""
        listed = [h for h in listed if (h.memory, h.fact.normal.key) not in self.retracted]
        now = [h for h in listed if h.fact.time == "now" and not self._left(h, listed)]
        settings = dict.fromkeys(h.fact.setting for h in now)
        groups = (self._taking_part([h for h in now if h.fact.setting == s]) for s in settings)
        return [self._contradiction(g) for g in groups if len({h.memory for h in g}) > 1]

    def _taking_part(self, held: Sequence[HeldFact]) -> list[HeldFact]:
        """Returns the facts that contradict another fact in the list `held`. If several facts have
        an equal value, returns only the first of these facts."""
        first: dict[tuple[str, bool], HeldFact] = {}
        for one in held:
            first.setdefault((one.fact.normal.key, one.fact.polarity), one)
        kept = list(first.values())[:VALUES]
        return [h for h in kept if any(self._cannot_both_hold(h, other) for other in kept)]

    def _left(self, held: HeldFact, listed: Sequence[HeldFact]) -> bool:
        """Returns whether another fact in `listed` ended this fact, as in `moved from X to Y`."""
        return any(
            gone.fact.time == "before"
            and gone.memory != held.memory
            and same(gone.fact.normal, held.fact.normal)
            and not (self._time(held) > self._time(gone) > 0)
            and any(h.memory == gone.memory and h.fact.time == "now" for h in listed)
            for gone in listed
        )

    def _time(self, held: HeldFact) -> float:
        return self.all[held.memory].timestamp or 0.0

    def _cannot_both_hold(self, one: HeldFact, other: HeldFact) -> bool:
        low, high = sorted((self.trust(one), self.trust(other)))
        trusted = low >= self.threshold - 1e-9 and high - low < self.difference - 1e-9
        return trusted and contradict(one.fact, other.fact)

    def _contradiction(self, kept: Sequence[HeldFact]) -> Contradiction:
        of = [self.all[h.memory] for h in kept]
        values = tuple(h.fact.value if h.fact.polarity else f"not {h.fact.value}" for h in kept)
        order = range(len(kept))
        recent = max(order, key=lambda i: (self._time(kept[i]), of[i].trust, i))
        trusted = max(order, key=lambda i: (of[i].trust, self._time(kept[i]), i))
        return Contradiction(
            kept[0].fact.slot,
            kept[0].fact.subject,
            values,
            tuple(m.id for m in of),
            tuple(m.trust for m in of),
            tuple(m.timestamp for m in of),
            tuple(f"{m.path}:{m.line}" if m.path else "" for m in of),
            values[recent],
            values[trusted],
        )


def _is_near(asked: str, subject: str) -> bool:
    """Returns whether two names can mean the same subject: one name contains all words of the
    other. A pronoun (`asked` is `UNKNOWN`) can mean any subject."""
    mine, theirs = set(asked.split()), set(subject.split())
    if asked == UNKNOWN:
        return True
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)

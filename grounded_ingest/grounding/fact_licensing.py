"""Which facts of a sentence memories hold: as they are said, otherwise, or not at all."""

from __future__ import annotations

from collections.abc import Callable

from grounded_ingest.facts.comparison import values_agree, versioned
from grounded_ingest.facts.fact import Fact, Grounding, Hallucination, Reason
from grounded_ingest.facts.pattern_people import REFLEXIVES
from grounded_ingest.grounding.memory_index import HeldFact, Memories
from grounded_ingest.language.clauses import UNKNOWN
from grounded_ingest.language.parse import Sentence
from grounded_ingest.language.value_normal_form import entails, same

COMPARED = 256
"""Facts of memories that one fact of a text is compared with."""


class FactsJudged:
    """What memories say of the facts of one sentence."""

    def __init__(
        self, sentence: Sentence, facts: tuple[Fact, ...], text: str, memories: Memories
    ) -> None:
        self.sentence, self.facts, self.text, self.memories = sentence, facts, text, memories
        self.grounding: list[Grounding] = []
        self.wrong: list[Hallucination] = []
        self.supported: list[tuple[Fact, tuple[HeldFact, ...]]] = []
        self.decided: set[int] = set()
        for fact in facts:
            self._fact(fact)

    def _fact(self, fact: Fact) -> None:
        held = _nearest(self.memories.facts_of(fact), fact, self._trust)
        if not held:
            return
        agreeing = [h for h in held if _licensed(h.fact, fact)]
        meant = [h for h in agreeing if self._same_time(h, fact, held)]
        if meant:
            if self._outweighed(meant, held, fact):
                self._refuse(fact, held, "wrong-value")
            else:
                self._support(fact, meant)
        elif agreeing:
            self._otherwise(fact, agreeing, held)
        else:
            self._other_value(fact, held)

    def _same_time(self, held: HeldFact, fact: Fact, listed: list[HeldFact]) -> bool:
        if held.fact.polarity != fact.polarity:
            return False
        if held.fact.time == fact.time:
            return True
        if fact.time == "before":
            return any(
                h.memory != held.memory and not values_agree(h.fact, held.fact) for h in listed
            )
        return False

    def _outweighed(self, meant: list[HeldFact], held: list[HeldFact], fact: Fact) -> bool:
        """Whether another value is so much better trusted that this one loses."""
        if fact.many or fact.time != "now" or not fact.polarity:
            return False
        mine = max(self._trust(h) for h in meant)
        return any(
            self._trust(h) >= max(mine + self.memories.difference - 1e-9, self.memories.threshold)
            and h.fact.time == "now" and h.fact.polarity and not h.fact.many
            and h.fact.subject == fact.subject and not values_agree(h.fact, fact)
            for h in held
        )  # fmt: skip

    def _trust(self, held: HeldFact) -> float:
        return self.memories.all[held.memory].trust

    def _support(self, fact: Fact, meant: list[HeldFact]) -> None:
        ids = tuple(dict.fromkeys(self.memories.all[h.memory].id for h in meant))
        self.grounding.append(Grounding(fact.value, fact.start, fact.end, ids))
        self.supported.append((fact, tuple(meant)))
        self._decide(fact)

    def _decide(self, fact: Fact) -> None:
        self.decided.update(
            i for i, t in enumerate(self.sentence.tokens) if fact.start <= t.start < fact.end
        )

    def _otherwise(self, fact: Fact, agreeing: list[HeldFact], held: list[HeldFact]) -> None:
        """Memories know the value, but not as something that holds now."""
        first = agreeing[0].fact
        if not fact.polarity and first.time == "before":
            self._support(fact, agreeing)
        elif first.polarity != fact.polarity:
            self._refuse(fact, held, "negated")
        elif fact.time == "now" and first.time == "before":
            self._refuse(fact, held, "past")
        elif fact.time == "now" and first.time == "planned":
            self._refuse(fact, held, "uncertain")
        elif fact.time == "before" and not fact.many:
            self._refuse(fact, held, "past")

    def _other_value(self, fact: Fact, held: list[HeldFact]) -> None:
        """Memories hold another value of a slot that has one."""
        if fact.many or fact.time != "now" or not fact.polarity:
            return
        current = [
            h
            for h in held
            if h.fact.time == "now"
            and h.fact.polarity
            and not h.fact.many
            and _may_be_of_one(h.fact, fact)
        ]
        if current and not any(_adds(h.fact, fact) for h in current):
            self._refuse(fact, current, "wrong-value")

    def _refuse(self, fact: Fact, held: list[HeldFact], reason: Reason) -> None:
        current = [
            h
            for h in held
            if h.fact.time == "now" and h.fact.polarity and not values_agree(h.fact, fact)
        ]
        best = max(
            current,
            key=lambda h: (self._trust(h), self.memories.all[h.memory].timestamp or 0.0),
            default=None,
        )
        ids = tuple(dict.fromkeys(self.memories.all[h.memory].id for h in current))
        start, end = fact.start, fact.end
        self.wrong.append(
            Hallucination(
                self.text[start:end],
                start,
                end,
                reason,
                fact.slot,
                _told_again(best.fact) if best else "",
                ids,
            )
        )
        self._decide(fact)


def _told_again(fact: Fact) -> str:
    """A memory's value for a text to say; `myself` is somebody else there."""
    return "" if fact.value.lower() in REFLEXIVES else fact.value


def _may_be_of_one(held: Fact, said: Fact) -> bool:
    """Whether two facts are of one subject; `he` may be anybody but the speaker."""
    return held.subject == said.subject or (said.subject == UNKNOWN and bool(held.subject))


def _nearest(
    held: list[HeldFact], fact: Fact, trust: Callable[[HeldFact], float]
) -> list[HeldFact]:
    """The facts that one is compared with: of very many those of its value, then the most trusted,
    so that what is left out can only fail to license it."""
    if len(held) <= COMPARED:
        return held
    key = fact.normal.key
    return sorted(held, key=lambda h: (h.fact.normal.key != key, -trust(h)))[:COMPARED]


def _licensed(held: Fact, said: Fact) -> bool:
    """Whether a memory's value licenses the one that is said."""
    if said.slot == "title" or said.normal.kind in ("version", "quantity"):
        if versioned(said.slot) and held.normal.kind in ("version", "quantity", "date"):
            return _as_exact(held, said)
        return entails(held.normal, said.normal)
    return entails(held.normal, said.normal)


def _as_exact(held: Fact, said: Fact) -> bool:
    """A version licenses what says no more: 15.2 licenses 15, 15 does not license 15.2."""
    if not same(held.normal, said.normal, versions=True):
        return False
    return len(said.value.rstrip("x.*+").split(".")) <= len(held.value.rstrip("x.*+").split("."))


def _adds(held: Fact, said: Fact) -> bool:
    """Whether a text only adds words to a memory's value (`Senior`); the words are judged then."""
    if held.normal.kind != "name" or said.normal.kind != "name" or not held.normal.parts:
        return False
    return set(held.normal.parts) < set(said.normal.parts)

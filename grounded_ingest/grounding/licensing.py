"""Which memories license what a sentence says: its facts first, then every word that is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from grounded_ingest.facts.comparison import values_agree, versioned
from grounded_ingest.facts.content_words import ContentWord, parts_of, pieces, slot_words
from grounded_ingest.facts.fact import Fact, Grounding, Hallucination, Reason
from grounded_ingest.facts.pattern_people import REFLEXIVES
from grounded_ingest.grounding.memory_index import HeldFact, HeldMemories, MemorySentence
from grounded_ingest.language.clauses import UNKNOWN
from grounded_ingest.language.closed_classes import group, light_words
from grounded_ingest.language.dates import Date, months_between
from grounded_ingest.language.parse import Sentence
from grounded_ingest.language.status import Status
from grounded_ingest.language.stemming import canonical, singular
from grounded_ingest.language.value_normal_form import entails, normal, same

MOST = 200
"""Sentences of memories looked at for one word: the rare words of a sentence come first."""


FEW = 128
"""Sentences of memories up to which others are looked for that speak of what these name."""

ENOUGH = 8
"""Sentences that license a word, after which no more are looked for."""


class Outcome(NamedTuple):
    """What became of a sentence: spans licensed and not, facts by whether memories hold them."""

    grounding: tuple[Grounding, ...]
    hallucinations: tuple[Hallucination, ...]
    supported: tuple[tuple[Fact, tuple[HeldFact, ...]], ...]
    words: int


class Licensing:
    """The judgement of one sentence against memories: its facts, then its words."""

    def __init__(
        self, sentence: Sentence, facts: tuple[Fact, ...], text: str, memories: HeldMemories
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

    def outcome(self) -> Outcome:
        self.mentioned = _mentioned(self.sentence)
        content = pieces(self.sentence)
        self._words(content)
        words = sum(not p.bare or p.first in self.decided for p in content)
        return Outcome(tuple(self.grounding), tuple(self.wrong), tuple(self.supported), words)

    def _words(self, content: list[ContentWord]) -> None:
        named = slot_words(self.sentence, {f.slot for f in self.facts})
        open_pieces = [p for p in content if not p.bare and p.first not in self.decided]
        allowed = self._allowed(content)
        loose: list[tuple[ContentWord, Reason]] = []
        for piece in open_pieces:
            units, reason = self._licensing(piece, allowed)
            if units:
                self._ground(piece, units)
            elif self._is_whole(piece) or (
                piece.first in named and not self._is_value(piece) and self._names_found(piece)
            ):
                continue
            elif (composed := difference(self.sentence, piece, self.memories, allowed)) is not None:
                self._ground_ids(piece, composed)
            else:
                loose.append((piece, reason))
        self._spans(self._without_verbs(loose, open_pieces))

    def _is_whole(self, piece: ContentWord) -> bool:
        """`the project`, `our app` as a subject: what the memories speak of unnamed."""
        here = self.sentence.piece(piece.first)
        whole = self.sentence.tokens[piece.first].low in group("WHOLE")
        return whole and piece.first < here.verb and not here.subject

    def _is_value(self, piece: ContentWord) -> bool:
        at = self.sentence.tokens[piece.first].start
        return any(f.start <= at < f.end for f in self.facts)

    def _names_found(self, piece: ContentWord) -> bool:
        """Whether a slot's noun stands beside a value that was judged as such."""
        here = self.sentence.piece(piece.first)
        first, last = self.sentence.tokens[here.start].start, self.sentence.tokens[here.end - 1].end
        return any(first <= f.start < last + 40 for f in self.facts)

    def _allowed(self, content: list[ContentWord]) -> set[int]:
        """The sentences of memories that speak of what this sentence speaks of."""
        memories = self.memories
        if len(memories.units) <= 64:
            candidates = set(range(len(memories.units)))
        else:
            candidates = set()
            listed = sorted(
                (memories.by_key.get(k, []) for p in content if not p.bare for k in p.keys), key=len
            )
            for units in listed:
                if len(candidates) > MOST:
                    break
                candidates.update(units[:MOST])
        for _, held in self.supported:
            for each in held:
                candidates.update(memories.by_memory.get(each.memory, ()))
        subjects = {p.subject for p in self.sentence.pieces}
        known = {memories.units[u].subject for u in candidates}
        near = {u for u in candidates if self._near(memories.units[u], subjects, known)}
        return near | self._bridged(candidates - near, near)

    def _near(self, unit: MemorySentence, subjects: set[str], known: set[str]) -> bool:
        if unit.subject in subjects or UNKNOWN in subjects:
            return True
        if not unit.subject:
            return not all(s and any(_same_thing(s, k) for k in known) for s in subjects)
        if set(unit.subject.split()) & self.mentioned or canonical(unit.subject) in self.mentioned:
            return True
        return not (subjects - {""} & known) and bool(subjects - {""}) and not subjects & known

    def _bridged(self, rest: set[int], near: set[int]) -> set[int]:
        """Sentences about something that a near one names: the company one works for."""
        found: set[int] = set()
        if len(near) > FEW:
            return found
        for unit in rest:
            words = self.memories.units[unit].subject.split()
            if words and any(
                all(
                    w in self.memories.units[n].keys or f"={w}" in self.memories.units[n].keys
                    for w in words
                )
                for n in near
                if n != unit
            ):
                found.add(unit)
        return found

    def _licensing(self, piece: ContentWord, allowed: set[int]) -> tuple[list[int], Reason]:
        """The sentences that license a piece; without any, why not."""
        reason: Reason = "unsupported"
        found: list[int] = []
        compound = (
            parts_of(self.sentence.tokens[piece.first]) if piece.end == piece.first + 1 else []
        )
        for unit in self._with_any(piece.keys, allowed):
            statuses = {s for k in piece.keys for s in self.memories.units[unit].keys.get(k, ())}
            why = _meant_so(piece.status, statuses)
            if not why and not self._fallen(unit, piece):
                found.append(unit)
                if len(found) == ENOUGH:
                    break
            elif why:
                reason = why
        if not found and compound and reason == "unsupported":
            found = [u for u in allowed if all(k in self.memories.units[u].keys for k in compound)]
        return found, reason

    def _with_any(self, keys: tuple[str, ...], allowed: set[int]) -> list[int]:
        units: dict[int, None] = {}
        for key in keys:
            listed = self.memories.by_key.get(key, ())
            if len(listed) > len(allowed):
                units.update((u, None) for u in allowed if key in self.memories.units[u].keys)
            else:
                units.update((u, None) for u in listed if u in allowed)
        return sorted(units)

    def _fallen(self, unit: int, piece: ContentWord) -> bool:
        gone = self.memories.retracted_of.get(self.memories.units[unit].memory, ())
        return any(
            any(k.lstrip("=#") == key or k == key for k in piece.keys)
            or key in self._written(piece)
            for key in gone
        )

    def _written(self, piece: ContentWord) -> str:
        tokens = self.sentence.tokens
        return canonical(self.text[tokens[piece.first].start : tokens[piece.end - 1].end])

    def _ground(self, piece: ContentWord, units: list[int]) -> None:
        self._ground_ids(
            piece,
            tuple(
                dict.fromkeys(
                    self.memories.all[self.memories.units[u].memory].id for u in units[:8]
                )
            ),
        )

    def _ground_ids(self, piece: ContentWord, ids: tuple[str, ...]) -> None:
        start, end = (
            self.sentence.tokens[piece.first].start,
            self.sentence.tokens[piece.end - 1].end,
        )
        self.grounding.append(Grounding(self.text[start:end], start, end, ids))

    def _without_verbs(
        self, loose: list[tuple[ContentWord, Reason]], content: list[ContentWord]
    ) -> list[tuple[ContentWord, Reason]]:
        """A verb in other words is no new detail where all it speaks of is licensed."""
        tokens = self.sentence.tokens
        verbs = {
            p.verb
            for p in self.sentence.pieces
            if p.verb > p.start or not tokens[p.verb].low.endswith("ing")
        }
        verbs |= {
            i + 1
            for i, t in enumerate(tokens[:-1])
            if t.low in group("AUXILIARIES") and tokens[i + 1].low.endswith("ed")
        }
        nouns = [item for item in loose if item[0].first not in verbs or item[1] != "unsupported"]
        carried = len(content) > len(loose) or bool(self.supported)
        return nouns if nouns or carried else loose

    def _spans(self, loose: list[tuple[ContentWord, Reason]]) -> None:
        """Neighbouring pieces without licence as one span."""
        tokens = self.sentence.tokens
        at = 0
        while at < len(loose):
            first, reason = loose[at]
            stop = first.end
            while (
                at + 1 < len(loose)
                and loose[at + 1][1] == reason
                and self._joins(stop, loose[at + 1][0].first)
            ):
                at += 1
                stop = loose[at][0].end
            start, end = tokens[first.first].start, tokens[stop - 1].end
            slot = next(
                (
                    f.slot
                    for f in self.facts
                    if f.start < end and start < f.end and not f.slot.startswith("says: ")
                ),
                "",
            )
            self.wrong.append(Hallucination(self.text[start:end], start, end, reason, slot))
            at += 1

    def _joins(self, stop: int, start: int) -> bool:
        between = self.sentence.tokens[stop:start]
        return all(
            t.low in ("-", "the", "of", "a", "&", "'s")
            or (t.low in light_words() and t.kind == "word" and t.low not in ("work", "works"))
            for t in between
        )


def _same_thing(one: str, other: str) -> bool:
    """Whether two subjects can be one: `sister` and `sister ana`."""
    first, second = set(one.split()), set(other.split())
    return bool(first and second) and (first <= second or second <= first)


def _mentioned(sentence: Sentence) -> set[str]:
    found = {t.low for t in sentence.tokens if t.kind in ("word", "path")} | {
        t.stem for t in sentence.tokens
    }
    found |= {singular(t.low) for t in sentence.tokens if t.kind == "word"}
    return found | {canonical(t.low) for t in sentence.tokens if t.kind == "word"}


def _meant_so(said: Status, held: set[Status]) -> Reason | None:
    """Why a word is not licensed as it is meant; empty where it is."""
    if said.denied:
        return None if any(s.denied or s.time == "before" for s in held) else "negated"
    if said.time == "before":
        return None if any(not s.denied for s in held) else "negated"
    if said.time in ("maybe", "planned"):
        return None if held else "unsupported"
    return _not_so_now(held)


def _not_so_now(held: set[Status]) -> Reason | None:
    """Why memories do not license that something is so now; empty where they do."""
    if any(not s.denied and s.time in ("now", "ever") for s in held):
        return None
    if any(s.denied for s in held):
        return "negated"
    return "past" if any(s.time == "before" for s in held) else "uncertain"


_MONTH_S = 2629746.0
_DAY_S = 86400.0
MOST_DATES = 32


def difference(
    sentence: Sentence, piece: ContentWord, memories: HeldMemories, allowed: set[int]
) -> tuple[str, ...] | None:
    """The memories whose dates lie as far apart as a duration says; None where there are none."""
    tokens = sentence.tokens[piece.first : piece.end]
    found = normal(" ".join(t.low for t in tokens))
    if found.kind != "quantity" or (found.parts[0] != "time" and not _years(sentence, piece)):
        return None
    seconds = found.amount if found.parts[0] == "time" else found.amount * 12 * _MONTH_S
    dated = _dates(memories, allowed)
    for i, (one, first) in enumerate(dated):
        for other, second in dated[i + 1 :]:
            if first != second and _apart(one, other, seconds):
                ids = sorted((first, second))
                return tuple(memories.all[n].id for n in ids)
    return None


def _years(sentence: Sentence, piece: ContentWord) -> bool:
    """`32` as an age: a bare number before `years old` or behind `age`."""
    near = {t.low for t in sentence.tokens[max(0, piece.first - 3) : piece.end + 2]}
    return bool(near & {"age", "aged", "old", "turned"})


def _dates(memories: HeldMemories, allowed: set[int]) -> list[tuple[Date, int]]:
    found = []
    today = {
        u for key in ("date", "today", "year") for u in memories.by_key.get(key, ())[:MOST_DATES]
    }
    for unit in sorted(allowed | today):
        keys = [k for k in memories.units[unit].keys if k.startswith("@")]
        exact = max(keys, key=lambda k: sum(p != "0" for p in k[1:].split("-")), default="")
        if exact:
            year, month, day = (int(p) for p in exact[1:].split("-"))
            if year:
                found.append((Date(year, month, day), memories.units[unit].memory))
        if len(found) >= MOST_DATES:
            break
    return found


def _apart(one: Date, other: Date, seconds: float) -> bool:
    months = abs(months_between(one, other))
    exact = bool(one.month and other.month)
    if one.day and other.day and seconds < 2 * _MONTH_S:
        from datetime import date

        try:
            days = abs((date(*one) - date(*other)).days)
        except ValueError:
            return False
        return days * _DAY_S == seconds
    wanted = seconds / _MONTH_S
    if wanted >= 12 and abs(wanted / 12 - round(wanted / 12)) < 1e-6:
        years = round(wanted / 12)
        return months // 12 == years if exact else abs(months / 12 - years) < 0.01
    return exact and abs(wanted - months) < 0.01


COMPARED = 256
"""Facts of memories that one fact of a text is compared with."""


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

"""Which memories license what a sentence says: its facts first, then every word that is left."""

from __future__ import annotations

from typing import NamedTuple

from grounded_ingest.facts.content_words import ContentWord, parts_of, pieces, slot_words
from grounded_ingest.facts.fact import Fact, Grounding, Hallucination, Reason
from grounded_ingest.grounding.derived_facts import difference
from grounded_ingest.grounding.fact_licensing import FactsJudged
from grounded_ingest.grounding.memory_index import HeldFact, MemorySentence
from grounded_ingest.language.clauses import UNKNOWN
from grounded_ingest.language.modality import Status
from grounded_ingest.language.parse import Sentence
from grounded_ingest.language.stemming import canonical, singular
from grounded_ingest.language.tokens import group, light_words

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


class Licensing(FactsJudged):
    """The judgement of one sentence against memories: its facts, then its words."""

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
        memory = self.memories.units[unit].memory
        return bool(self.memories.retracted) and any(
            (number == memory and any(k.lstrip("=#") == key or k == key for k in piece.keys))
            or (number == memory and key in self._written(piece))
            for number, key in self.memories.retracted
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

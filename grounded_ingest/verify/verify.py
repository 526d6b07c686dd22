"""Judges whether memories support a text (`verify --memories`).

1. Reads facts from the text. A fact has a subject, a slot (such as `employer`) and a value.
2. A memory supports a fact if the memory states the same value, for the same slot and time.
3. If a sentence states a fact or names a value in the memories, each other content word must be in
a memory. A memory that supports a fact must also contain the verb of its clause, or a related verb.
4. If memories contradict each other about a value in the text, the text must name both values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import chain, combinations, pairwise
from typing import Literal

from msgspec.structs import replace

from grounded_ingest.statements.clauses import UNKNOWN, Sentence
from grounded_ingest.statements.facts import LONGEST, Fact, read_facts, values_agree
from grounded_ingest.text.dates import months_between
from grounded_ingest.text.names import word_stem
from grounded_ingest.text.values import entails, normal
from grounded_ingest.text.words import function_words, group
from grounded_ingest.verify.correction import corrected
from grounded_ingest.verify.memory_index import HeldFact, Memories
from grounded_ingest.verify.result import (
    Contradiction,
    Grounding,
    Hallucination,
    Memory,
    Reason,
    Verdict,
    Verification,
)
from grounded_ingest.verify.source_words import ContentWord, Measure, alike, read_words, same_amount

VerificationMode = Literal["strict", "permissive"]
MOST_IDS = 8
"""Maximum number of memories that are listed for one word."""


def verify_text(
    text: str, memories: Memories | Iterable[Memory], *, mode: VerificationMode = "strict"
) -> Verification:
    """Returns whether memories support a text, with all unsupported spans.

    In `permissive` mode, unsupported words outside of facts are reported, but the text still counts
    as grounded. A text without facts counts as grounded, and `checked` is false.
    """
    index = memories if isinstance(memories, Memories) else Memories(memories)
    sentences, facts = read_facts(text)
    judges = []
    for sentence in sentences:
        if not sentence.question:
            own = [f for f in facts if sentence.start <= f.start < sentence.end]
            judges.append(_SentenceJudge(text, sentence, own, index))
    return _summed_up(text, mode, facts, judges, index)


def _summed_up(
    text: str,
    mode: VerificationMode,
    facts: tuple[Fact, ...],
    judges: Sequence[_SentenceJudge],
    index: Memories,
) -> Verification:
    """Returns the result for the whole text: joins the results of the sentences, and adds the
    contradictions among memories about values in the text."""
    wrong = tuple(sorted(chain(*(j.wrong for j in judges)), key=lambda h: (h.start, h.end)))
    grounding = tuple(sorted(chain(*(j.grounding for j in judges)), key=lambda g: g.start))
    supported = list(chain(*(j.supported for j in judges)))
    found = tuple(_with_use(c, text, facts, supported, index) for c in index.contradictions)
    used = [c for c in found if c.used]
    undisclosed = [c for c in used if not c.disclosed]
    counting = _counting(wrong, mode)
    words, checked = sum(j.words for j in judges), sum(j.checked for j in judges)
    strict = mode == "strict"
    return Verification(
        text,
        mode,
        not counting and not undisclosed,
        _verdict(bool(counting), bool(undisclosed), bool(checked)),
        wrong,
        found,
        bool(undisclosed),
        "; ".join(map(_changed_from, used)),
        _correction(text, wrong, supported, undisclosed, judges) if strict else "",
        grounding,
        _confidence(grounding, wrong, index, halved=bool(undisclosed)),
        facts,
        round(checked / words, 4) if words else 0.0,
        bool(checked),
    )


def _counting(wrong: Sequence[Hallucination], mode: VerificationMode) -> list[Hallucination]:
    strict = mode == "strict"
    return [h for h in wrong if strict or h.slot or h.reason != "unsupported"]


def _correction(
    text: str,
    wrong: Sequence[Hallucination],
    supported: Sequence[tuple[Fact, list[HeldFact]]],
    undisclosed: Sequence[Contradiction],
    judges: Sequence[_SentenceJudge],
) -> str:
    firsts = ((c, next((f for f, held in supported if _is_of(held, c)), None)) for c in undisclosed)
    places = [(fact.start, fact.end, c) for c, fact in firsts if fact]
    dropped = [span for j in judges for span in j.dropped]
    return corrected(text, wrong, places, dropped) if wrong or places else ""


def _verdict(wrong: bool, undisclosed: bool, checked: bool) -> Verdict:
    if wrong:
        return "ungrounded"
    if undisclosed:
        return "undisclosed"
    return "grounded" if checked else "nothing-to-verify"


class _SentenceJudge:
    """Compares a sentence with the memories: first its facts, then its other words. `grounding`
    lists the supported spans, `wrong` the unsupported ones. `supported` pairs a supported fact with
    the facts in memories that support it. `decided` lists the facts that have a result. `dropped`
    lists the clauses that a correction removes. `words` counts the content words and numbers,
    `checked` those that could be checked."""

    def __init__(
        self, text: str, sentence: Sentence, facts: Sequence[Fact], memories: Memories
    ) -> None:
        self.text, self.sentence, self.facts, self.memories = text, sentence, facts, memories
        self.grounding: list[Grounding] = []
        self.wrong: list[Hallucination] = []
        self.supported: list[tuple[Fact, list[HeldFact]]] = []
        self.decided: list[Fact] = []
        self.dropped: list[tuple[int, int]] = []
        for fact in facts:
            self._judge_fact(fact)
        self.read = read_words(text[sentence.start : sentence.end][:LONGEST])
        read = self.read
        content = [w for w in read.words if w.text.lower() not in _LIGHT]
        self.words = len(content) + len(read.amounts)
        self.checked = 0
        if facts or self._memories_of_values(content) is not None:
            self.checked = self.words
            self._judge_words(content)

    def _judge_fact(self, fact: Fact) -> None:
        held = self.memories.facts_of(fact)
        agreeing = [h for h in held if entails(h.fact.normal, fact.normal)]
        meant = [h for h in agreeing if self._same_time(h, fact, held)]
        if not held and self._is_of_another(fact):
            self._refuse(fact, [], "unsupported")
        elif meant and not self._outweighed(meant, held, fact):
            self._support(fact, meant)
        elif meant:
            self._refuse(fact, held, "wrong-value")
        elif agreeing:
            self._judge_time(fact, agreeing, held)
        elif _is_current(fact) and (others := _other_values(held, fact)):
            self._refuse(fact, others, "wrong-value")

    def _judge_time(self, fact: Fact, agreeing: list[HeldFact], held: list[HeldFact]) -> None:
        """Judges a fact if the memories deny its value, or state the value for another time (such
        as past instead of present)."""
        first = agreeing[0].fact
        if not fact.polarity and first.time == "before":
            self._support(fact, agreeing)
        elif first.polarity != fact.polarity:
            self._refuse(fact, held, "negated")
        elif fact.time == "now" and first.time in ("before", "planned"):
            self._refuse(fact, held, "past" if first.time == "before" else "uncertain")
        elif fact.time == "before" and not fact.many:
            self._refuse(fact, held, "past")

    def _is_of_another(self, fact: Fact) -> bool:
        """Returns whether the memories state the fact only about somebody else: "Her son is
        allergic to peanuts" does not support "you are allergic to peanuts"."""
        value = frozenset(w.stem for w in read_words(fact.value).words)
        same_slot = [h for h in self.memories.by_value.get(value, ()) if h.fact.slot == fact.slot]
        spoken = {word_stem(t.low) for t in self.sentence.tokens}
        return bool(same_slot) and not any(
            all(word_stem(word) in spoken for word in h.fact.subject.split()) for h in same_slot
        )

    def _same_time(self, held: HeldFact, fact: Fact, listed: list[HeldFact]) -> bool:
        if held.fact.polarity != fact.polarity:
            return False
        if held.fact.time == fact.time:
            return True
        # "You lived in Rome" is supported if another memory names a different, later place.
        return fact.time == "before" and any(
            h.memory != held.memory and not values_agree(h.fact, held.fact) for h in listed
        )

    def _outweighed(self, meant: list[HeldFact], held: list[HeldFact], fact: Fact) -> bool:
        """Returns whether memories with much more trust state another value than the text. `meant`
        are the facts in memories that support the text's value, and `held` are all facts for the
        same subject and slot."""
        if fact.many or fact.time != "now" or not fact.polarity:
            return False
        memories, mine = self.memories, max(map(self.memories.trust, meant))
        least = max(mine + memories.difference - 1e-9, memories.threshold)
        return any(
            memories.trust(h) >= least
            and _is_current(h.fact)
            and h.fact.subject == fact.subject
            and not values_agree(h.fact, fact)
            for h in held
        )

    def _support(self, fact: Fact, meant: list[HeldFact]) -> None:
        ids = tuple(dict.fromkeys(self.memories.all[h.memory].id for h in meant))
        self.grounding.append(Grounding(fact.value, fact.start, fact.end, ids))
        self.supported.append((fact, meant))
        self.decided.append(fact)

    def _refuse(self, fact: Fact, held: list[HeldFact], reason: Reason) -> None:
        current = [h for h in held if _is_current(h.fact, many=True)]
        current = [h for h in current if not values_agree(h.fact, fact)]
        # If two values have equal trust, the newer value is suggested.
        best = max(
            current,
            key=lambda h: (self.memories.trust(h), self.memories.all[h.memory].timestamp or 0.0),
            default=None,
        )
        ids = tuple(dict.fromkeys(self.memories.all[h.memory].id for h in current))
        start, end = fact.start, fact.end
        expected = best.fact.value if best else ""
        self.wrong.append(
            Hallucination(self.text[start:end], start, end, reason, fact.slot, expected, ids)
        )
        self.decided.append(fact)

    def _memories_of_values(self, words: Sequence[ContentWord]) -> set[int] | None:
        """Returns the indexes of the memories about the subject of the sentence that state a value
        in `words`. The sentence has to name the person whom a memory is about, or have a word such
        as "you" for the speaker. Returns None if there are none: "Spotify is great for playlists"
        says nothing about the speaker."""
        said = {w.stem for w in words}
        values = {v for one in said for v in self.memories.value_words.get(one, ()) if v <= said}
        lows = {t.low for t in self.sentence.tokens}
        spoken, self_named = set(map(word_stem, lows)), bool(lows & group("SELF"))
        found = {
            held.memory
            for value in values
            for held in self.memories.by_value[value]
            if (held.fact.subject or self_named)
            and all(word_stem(word) in spoken for word in held.fact.subject.split())
        }
        return found or None

    def _judge_words(self, content: Sequence[ContentWord]) -> None:
        tokens, auxiliaries = self.sentence.tokens, group("AUXILIARIES")
        verbs = {tokens[p.verb].start for p in self.sentence.pieces if p.verb >= 0}
        pairs = pairwise(tokens)
        verbs |= {b.start for a, b in pairs if a.low in auxiliaries and b.low.endswith("ed")}
        loose = sorted((*self._loose_words(content, verbs), *self._loose_amounts()))
        self._drop_clauses([x[0] for x in loose], verbs)
        for first, last, reason in _joined(self.text, loose):
            slot = next((f.slot for f in self.facts if f.start < last and first < f.end), "")
            self.wrong.append(Hallucination(self.text[first:last], first, last, reason, slot))

    def _loose_words(
        self, content: Sequence[ContentWord], verbs: set[int]
    ) -> Iterator[tuple[int, int, Reason]]:
        """Yields (start, end, reason) for the words that no memory contains. A verb must be in a
        memory that supports its clause: "works at Acme; owns a bike" does not support "owns Acme".
        """
        start = self.sentence.start
        of_slots = {s for f in self.decided for s in slot_relations().get(f.slot, ())}
        for word in content:
            first, last = start + word.start, start + word.end
            covered = any(f.start <= first < f.end for f in self.decided)
            if covered or (word.stem in of_slots and not word.negated):
                continue
            among = self._memories_of_clause(first, content) if first in verbs else None
            holders, reason = self._holders(word, among)
            if holders:
                ids = tuple(self.memories.all[n].id for n in holders[:MOST_IDS])
                self.grounding.append(Grounding(word.text, first, last, ids))
            else:
                yield first, last, reason

    def _clause(self, at: int) -> tuple[int, int]:
        tokens, pieces = self.sentence.tokens, self.sentence.pieces
        spans = [(tokens[p.start].start, tokens[p.end - 1].end) for p in pieces if p.end > p.start]
        whole = (self.sentence.start, self.sentence.end)
        return next(((a, b) for a, b in spans if a <= at < b), whole)

    def _memories_of_clause(self, at: int, content: Sequence[ContentWord]) -> list[int] | None:
        """Returns the indexes of the memories that state the facts and values in the clause around
        an offset. Returns None if it has no fact and names no value."""
        first, last = self._clause(at)
        inside = [f for f, _ in self.supported if first <= f.start < last]
        if inside:
            return sorted({h.memory for f, held in self.supported if f in inside for h in held})
        start = self.sentence.start
        values = self._memories_of_values([w for w in content if first <= start + w.start < last])
        return None if values is None else sorted(values)

    def _drop_clauses(self, loose: Sequence[int], verbs: set[int]) -> None:
        """Adds the clauses that a correction removes to `dropped`: those with an unsupported word
        up to the verb, and those without any supported part. `loose` are unsupported offsets.
        """
        kept = [g.start for g in self.grounding]
        kept += [h.start for h in self.wrong if h.expected]
        for at in loose:
            first, last = self._clause(at)
            verb = max((v for v in verbs if first <= v < last), default=first)
            if at <= verb or not any(first <= k < last for k in kept):
                self.dropped.append((first, last))

    def _holders(self, word: ContentWord, among: list[int] | None) -> tuple[list[int], Reason]:
        """Returns the indexes of the memories that contain the word. The sentence and the memory
        must both negate the word, or neither of them.

        Also returns the reason for a missing word: `negated` if a memory has the word with the
        opposite negation, else `unsupported`.
        """
        found: list[int] = []
        reason: Reason = "unsupported"
        wanted = {word.stem, *related_stems().get(word.stem, ())}
        numbers = among
        if numbers is None:
            numbers = sorted({n for s in wanted for n in self.memories.by_stem.get(s, ())})
        for number in numbers:
            said = [
                w
                for w in self.memories.words[number].words
                if w.stem in wanted or alike(w.stem, word.stem)
            ]
            if any(w.negated == word.negated for w in said):
                found.append(number)
            elif said:
                reason = "negated"
        return found, reason

    def _loose_amounts(self) -> Iterator[tuple[int, int, Reason]]:
        """Yields (start, end, reason) for each number that is in no fact and no memory."""
        start, words = self.sentence.start, self.memories.words
        for amount in self.read.amounts:
            first = start + amount.start
            last = first + len(amount.text)
            if any(f.start < last and first < f.end for f in self.decided):
                continue
            stated = [read.amounts for read in words]
            holders = [
                n for n, own in enumerate(stated) if any(same_amount(amount, a) for a in own)
            ]
            holders = holders or between_dates(amount, stated)
            if holders:
                ids = tuple(self.memories.all[n].id for n in holders[:MOST_IDS])
                self.grounding.append(Grounding(amount.text, first, last, ids))
            else:
                yield first, last, "unsupported"


MONTH = 2629746.0
MOST_DATES = 32


def between_dates(amount: Measure, stated: Sequence[Sequence[Measure]]) -> list[int]:
    """Returns the indexes of two memories whose dates are as far apart as the duration `amount`,
    such as "for 2 years", or an empty list."""
    if amount.kind != "time":
        return []
    dates = [(n, a.day) for n, amounts in enumerate(stated) for a in amounts if a.day]
    for (one, first), (other, second) in combinations(dates[:MOST_DATES], 2):
        months = abs(months_between(first, second))
        if one != other and first.year and second.year and months * MONTH == amount.value:
            return [one, other]
    return []


def _joined(text: str, loose: Sequence[tuple[int, int, Reason]]) -> list[tuple[int, int, Reason]]:
    """Joins neighbouring spans with the same reason into one span. Small words between the spans,
    such as `the` and `of`, become part of the joined span."""
    found: list[tuple[int, int, Reason]] = []
    for start, end, reason in loose:
        first, behind, before = found[-1] if found else (0, 0, "")
        between = text[behind:start].lower().split()
        if reason == before and {"-", "the", "of", "a", "&", "'s"}.issuperset(between):
            found[-1] = (first, end, reason)
        else:
            found.append((start, end, reason))
    return found


@cache
def _relation_lines() -> tuple[tuple[tuple[str, ...], frozenset[str]], ...]:
    data = resources.files("grounded_ingest.verify").joinpath("relations.txt")
    lines = (line.partition("#")[0] for line in data.read_text("utf-8").splitlines())
    parts = (line.rpartition(":") for line in lines if line.strip())
    return tuple((tuple(s.split()), frozenset(map(word_stem, w.split()))) for s, _, w in parts)


@cache
def related_stems() -> dict[str, frozenset[str]]:
    """Maps each word stem to the stems for the same relation, such as `employ` for `work`."""
    lines = _relation_lines()
    every = {one for _, stems in lines for one in stems}
    return {one: frozenset().union(*(s for _, s in lines if one in s)) for one in every}


@cache
def slot_relations() -> dict[str, frozenset[str]]:
    """Maps a slot, such as the employer, to the stems of the words that state it, such as `work`.
    If a source supports the fact, these words need no other support."""
    return {slot: stems for slots, stems in _relation_lines() for slot in slots}


_LIGHT = function_words() | group("LIGHT")


def _is_current(fact: Fact, *, many: bool = False) -> bool:
    return fact.time == "now" and fact.polarity and (many or not fact.many)


def _other_values(held: Sequence[HeldFact], fact: Fact) -> list[HeldFact]:
    """Returns the current facts with another value. An unknown subject, such as `he`, can be
    anybody except the speaker."""
    current = (h for h in held if _is_current(h.fact) and not values_agree(h.fact, fact))
    return [
        h
        for h in current
        if h.fact.subject == fact.subject or (fact.subject == UNKNOWN and h.fact.subject)
    ]


def _is_of(held: Iterable[HeldFact], contradiction: Contradiction) -> bool:
    wanted = (contradiction.slot, contradiction.subject)
    return any((h.fact.slot, h.fact.subject) == wanted for h in held)


def _with_use(
    contradiction: Contradiction,
    text: str,
    facts: Sequence[Fact],
    supported: Sequence[tuple[Fact, list[HeldFact]]],
    memories: Memories,
) -> Contradiction:
    """Returns the contradiction with `used` and `disclosed` set: whether the text uses one of the
    values, and whether the text names more than one value."""
    named = [v for v in contradiction.values if _names(text, v, contradiction.values)]
    used = any(
        fact.time == "now"
        and any(memories.all[h.memory].id in contradiction.memory_ids for h in held)
        and _is_of(held, contradiction)
        for fact, held in supported
    ) or any(
        f.slot == contradiction.slot
        and f.subject == contradiction.subject
        and any(entails(normal(v), f.normal) for v in named)
        for f in facts
    )
    several = len(named) > 1
    return replace(contradiction, used=used or several, disclosed=several)


def _names(text: str, value: str, values: Sequence[str]) -> bool:
    """Returns whether a text names the value, and not only a longer value in `values`."""
    said = {w.stem for w in read_words(text).words}
    key = normal(value).key
    for other in values:
        if other.lower() != value.lower() and set(normal(value).parts) < set(normal(other).parts):
            text = text.replace(other, " ")
            said = {w.stem for w in read_words(text).words}
    wanted = {w.stem for w in read_words(value).words}
    if wanted:
        return wanted <= said
    return any(normal(a.text).key == key for a in read_words(text).amounts) or (
        value.lower() in text.lower()
    )


def _confidence(
    grounding: Sequence[Grounding],
    wrong: Sequence[Hallucination],
    memories: Memories,
    *,
    halved: bool,
) -> float:
    """Returns the mean over all spans, from 0 to 1: the trust in the best memory of a supported
    span, and 0 for an unsupported one. If `halved` is true, the mean is halved."""
    trust = {m.id: m.trust for m in memories.all}
    scores = [max(trust[i] for i in g.memory_ids) for g in grounding if g.memory_ids]
    scores += [0.0] * len(wrong)
    return round(sum(scores) / len(scores) * (0.5 if halved else 1.0), 4) if scores else 0.0


def _changed_from(contradiction: Contradiction) -> str:
    order = sorted(
        range(len(contradiction.values)),
        key=lambda i: (contradiction.timestamps[i] or 0.0, contradiction.trust_scores[i], i),
        reverse=True,
    )
    first, *others = [contradiction.values[i] for i in order]
    return f"{first} (changed from {' and '.join(others)})"

"""Reads facts from a text, and finds facts that contradict each other."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from grounded_ingest.statements.clauses import (
    BE,
    UNKNOWN,
    Clause,
    Sentence,
    Technology,
    Token,
    is_verb,
    kind_stems,
    rival_tools,
    sentences_of,
    subject_key,
    technologies_in,
    words_of,
)
from grounded_ingest.statements.slots import (
    ONE_OF_A_KIND,
    Slot,
    Span,
    is_title,
    listed_values,
    named_slot,
    noun_stems,
    parse_value,
    people_words,
    phrase,
    slot_named,
    slots_at,
    status_length,
    value_start,
)
from grounded_ingest.text.lexicon import fact_words
from grounded_ingest.text.lexicon.function_words import HEADINGS, SETTINGS
from grounded_ingest.text.lexicon.number_words import EVERY
from grounded_ingest.text.lexicon.technologies import RIVALS
from grounded_ingest.text.names import canonical, word_stem
from grounded_ingest.text.values import UNITS_BY_NAME, Normal, entails, normal, same
from grounded_ingest.text.words import NEGATIONS, function_words, group

Time = Literal["now", "before", "planned", "ever"]

LONGEST = 20_000
"""Maximum number of characters of a text that are searched for facts."""
LONGEST_SENTENCE = 400
"""Maximum number of words in a sentence that is searched for facts. A longer sentence is usually a
table or a list."""
_HEADINGS = frozenset(HEADINGS.split())
_MARKS = frozenset(fact_words.LABELS_MARKS.split())
_NO_LABELS = frozenset(fact_words.LABELS_NO_LABELS.split())
_COUNTED = {word_stem(noun): slot for noun, slot in fact_words.QUANTITIES_NOUNS.items()}


def _own_subject(subject: str, slot: str) -> str:
    """Removes the words from a subject that are usual for the slot: "The data is stored in
    PostgreSQL" is about the whole project."""
    usual = kind_stems(slot) | _GENERAL
    return canonical(" ".join(w for w in subject.split() if word_stem(w) not in usual))


_GENERAL = frozenset(map(word_stem, ("primary", "main", "stack", "pipeline")))
_AFTER_BE = frozenset(("set", "to", "called", "named"))
_BEFORE_VERSION = frozenset((">", "=", "≥", "^", "~", "version", "versions"))
_AMOUNTS = frozenset(("quantity", "number"))
_MEASURED = frozenset(("number", "interval", "clock", "weekday"))
"""Kinds of values that may follow the object of a verb: `retries failed requests five times`."""
MOST_BETWEEN = 5
"""Maximum number of words between a verb and a value that follows the verb's object."""
_NAMING = frozenset(("the", "our", "its", "their", "my", "your"))
_HAVING = frozenset(map(word_stem, ("have", "has", "own", "adopt")))
_WORKING = frozenset(map(word_stem, ("work", *BE)))
_POSSESSING = frozenset(("'s", "user's", "favorite", "favourite"))
_FOLLOWING = {
    ("employer", "as"): ("title", "title"),
    ("employer", "in"): ("location", "city"),
    ("location", "to"): ("location", "place"),
    ("title", "in"): ("location", "city"),
    ("title", "from"): ("location", "city"),
    ("title", "at"): ("employer", "company"),
    ("title", "for"): ("employer", "company"),
    ("title", "with"): ("employer", "company"),
    ("school", "in"): ("graduation_year", "year"),
    ("degree", "in"): ("graduation_year", "year"),
    ("major", "at"): ("school", "company"),
    ("major", "from"): ("school", "company"),
    ("degree", "from"): ("school", "company"),
}
"""Maps a slot and the preposition after its value to the slot and the kind of the next value: `at
Nokia as a cook`."""


def _is_time(word: str) -> bool:
    return word in UNITS_BY_NAME or word in EVERY or normal(word).key.startswith("weekday")


class Fact(Struct, frozen=True):
    """A fact in a text, such as "the port of the API is 8080": `value` (8080), from `start` to
    `end`, fills `slot` (port) of `subject`, which is empty for the speaker or the whole project.
    `polarity` is false if the fact is negated. `setting` is the environment in which the fact is
    true, such as "production". If `many` is true, the slot can have several values."""

    subject: str
    slot: str
    value: str
    normal: Normal
    start: int
    end: int
    polarity: bool = True
    time: Time = "now"
    setting: str = ""
    many: bool = False


@lru_cache(maxsize=32768)
def read_facts(text: str, section: str = "") -> tuple[tuple[Sentence, ...], tuple[Fact, ...]]:
    """Returns the sentences and the facts in a text. If a fact does not name a subject, the heading
    `section` is its subject."""
    sentences = sentences_of(text)
    about = _heading_subject(section)
    found = [
        fact
        for sentence in sentences
        if not sentence.question and len(sentence.tokens) <= LONGEST_SENTENCE
        for fact in _SentenceFacts(text, sentence, about).read()
    ]
    return tuple(sentences), tuple(found)


def _heading_subject(section: str) -> str:
    """Returns the subject that a heading gives to the text below. Returns an empty string for a
    general heading such as "Overview"."""
    words = [w for w in words_of(section.rsplit(" > ", 1)[-1]) if w.low not in _HEADINGS]
    return canonical(subject_key(words)) if len(words) <= 4 else ""


class _SentenceFacts:
    """Collects the facts in one sentence. The first pattern that finds a value decides its slot."""

    def __init__(self, text: str, sentence: Sentence, about: str) -> None:
        self.text, self.sentence, self.about = text, sentence, about
        self.tokens = sentence.tokens
        self.lows = [t.low for t in self.tokens]
        self.stems = [t.stem for t in self.tokens]
        self.end = len(self.tokens)
        self.facts: list[Fact] = []
        self.taken: set[int] = set()
        self.technologies = technologies_in(self.tokens)

    def read(self) -> list[Fact]:
        self._label()
        self._status()
        self._apposed()
        self._relations()
        self._conditions()
        for clause in self.sentence.pieces:
            if clause.verb >= 0 and self.lows[clause.verb] in BE | {"became", "remains"}:
                self._named(clause)
                self._person(clause)
            elif clause.verb >= 0 and self.stems[clause.verb] in _HAVING:
                self._possessions(clause)
        self._measures()
        self._notes()
        self._counts()
        self._technologies()
        return self.facts

    def _free(self, span: Span) -> bool:
        return self.taken.isdisjoint(range(*span))

    def _add(
        self, slot: str, span: Span | None, *, subject: str | None = None, many: bool | None = None
    ) -> bool:
        """Adds a fact with the value at a span, except if another fact has it, or the sentence only
        considers it. `subject` is by default the subject of the clause."""
        if span is None or not self._free(span):
            return False
        known = slot_named(slot) or Slot(slot, "any")
        clause, meant = self.sentence.piece(span[0]), self.sentence.meant[span[0]]
        if meant.time == "maybe" and not known.planned:
            return False
        self.taken.update(range(*span))
        subject = clause.subject if subject is None else subject
        subject = _own_subject(subject, slot)
        if self.about and subject in ("", UNKNOWN):
            subject = self.about
        first, last = self.tokens[span[0]].start, self.tokens[span[1] - 1].end
        value = self.text[first:last]
        self.facts.append(
            Fact(
                subject,
                slot,
                value,
                normal(value),
                first,
                last,
                not meant.denied,
                "now" if known.planned else meant.time,  # type: ignore[arg-type]
                "" if slot == "ci_cd" else self._setting(clause, span, slot),
                known.many if many is None else many,
            )
        )
        return True

    def _setting(self, clause: Clause, span: Span, slot: str) -> str:
        """Returns the environment that a clause names, such as "production". Ignores words in the
        value and in the name of the slot."""
        words = SETTINGS.get(clause.setting, "").split()
        named = [i for i in range(clause.start, clause.end) if self.lows[i] in words]
        own = noun_stems(slot)
        others = [i for i in named if i not in range(*span) and self.stems[i] not in own]
        return clause.setting if others or not named else ""

    def _label(self) -> None:
        """Adds the facts in labelled values: `timezone = Europe/Lisbon`, `Port: 8080`."""
        start = 2 if self.lows[0] in _MARKS and self.lows[1:2] == [":"] else 0
        at = next((i for i in range(start, min(self.end, start + 5)) if self.lows[i] in ":="), 0)
        if not start < at < self.end - 1 or self.lows[start] in _NO_LABELS:
            return
        slot, subject = named_slot(self.tokens[start:at])
        if slot:
            self._fill(slot, subject, at + 1, listed=True)

    def _fill(self, slot: str, subject: str, at: int, *, listed: bool) -> bool:
        """Adds a fact with the value that begins at the index `at`; if `listed` is true, for each
        value in a list. Returns whether a value was found."""
        known = slot_named(slot)
        kind = known.values if known else "any"
        span = parse_value(self.tokens, at, self.end, kind) if at < self.end else None
        if span is None or not (known or slot.startswith("favorite_") or self._is_value(span)):
            return False
        begins = any(t.first == span[0] and t.end < span[1] for t in self.technologies)
        if kind == "name" and begins:
            return False  # "The project is MIT licensed"
        for each in listed_values(self.tokens, span, self.end, kind) if listed else (span,):
            self._add(slot, each, subject=subject)
        return True

    def _relations(self) -> None:
        """Adds the facts that a verb and the value beside it state, such as `works at Nokia` and
        `Ada owns the API`. The table of slots lists the verbs."""
        for at in range(self.end):
            for length, slot in slots_at("verbs_behind", self.stems, at):
                self._active(at, length, slot)
            noun = at > 0 and self.lows[at - 1] in group("DETERMINERS")  # "the sync job"
            for length, slot in slots_at("verbs", self.stems, at):
                named = noun and slot.values in _MEASURED
                if named or not self._free((at, at + 1)) or not self._relation(at, length, slot):
                    continue
                if slot.values not in _MEASURED:  # "runs every night at 01:00" states two facts
                    break

    def _active(self, at: int, length: int, slot: Slot) -> None:
        """Adds the fact in a clause with the value before the verb: `Ada owns the API`."""
        value = phrase(self.tokens, self.sentence.piece(at).start, at)
        of = phrase(self.tokens, at + length, self.end)
        if value and of and value[1] == at:
            self._add(slot.name, value, subject=subject_key(self.tokens[slice(*of)]))

    def _relation(self, at: int, length: int, slot: Slot) -> bool:
        behind, stop = at + length, self.end
        while behind < stop and self.lows[behind] in group("ADVERBS"):
            behind += 1
        if slot.values == "clause" and not self._is_personal(at, at + length):
            return False
        span, of = self._behind_object(behind, slot.values)
        subject = "" if behind <= self.sentence.piece(at).verb else None
        if span is None or not self._add(slot.name, span, subject=of or subject):
            return False
        listed = slot.many and slot.values != "clause"
        for each in listed_values(self.tokens, span, stop, slot.values)[1:] if listed else ():
            self._add(slot.name, each)
        self._behind(slot.name, span[1])
        return True

    def _behind_object(self, at: int, kind: str) -> tuple[Span | None, str]:
        """Returns the value behind a verb, and the object between the two: `five times` and "failed
        request" in `retries failed requests five times`."""
        span = parse_value(self.tokens, at, self.end, kind)
        if span or kind not in _MEASURED:
            near = span and span[0] <= value_start(self.tokens, at, self.end) + 2
            return (span if near else None), ""
        for start in range(at, min(self.end, at + MOST_BETWEEN)):
            low = self.lows[start]
            if low == "to" or (is_verb(self.tokens, start, at) and not low.endswith("ed")):
                break
            if span := parse_value(self.tokens, start, self.end, kind):
                between = (t for t in self.tokens[at:start] if not _is_time(t.low))
                return span, subject_key([*between])
        return None, ""

    def _is_personal(self, at: int, behind: int) -> bool:
        """Returns whether a goal or opinion belongs to one person. "We plan to …" is about a group,
        and "Thinking about …" is not an opinion."""
        opinion = {"about", "of"}.isdisjoint(self.lows[behind : behind + 1])
        return opinion and "we" not in self.lows[:at]

    def _behind(self, slot: str, at: int) -> None:
        """Adds the facts in the words after a value: "… as a manager", "… from MIT in 2018"."""
        following = _FOLLOWING.get((slot, self.lows[at])) if at < self.end else None
        if following:
            span = parse_value(self.tokens, at + 1, self.end, following[1])
            if span and self._add(following[0], span):
                self._behind(following[0], span[1])

    def _named(self, clause: Clause) -> None:
        """Adds the facts in clauses such as `the port is 8080` and `Max is my dog`."""
        head, start = self.tokens[clause.start : clause.verb], clause.verb + 1
        while start < self.end and self.lows[start] in group("ADVERBS") | NEGATIONS | _AFTER_BE:
            start += 1
        if self._fill_noun(head, start):
            return
        span = phrase(self.tokens, start, self.end)
        before = (clause.start, clause.verb)
        named = head and head[0].text[:1].isupper() and not self._names_technology(before)
        if span and span[0] > start and named:
            slot, subject = named_slot(self.tokens[start : span[1]])
            if slot_named(slot) and slot != "title":
                self._add(slot, before, subject=subject)

    def _fill_noun(self, head: list[Token], start: int) -> bool:
        """Adds the value of the slot that the subject `head` names, such as "the port" in `the port
        is 8080`. A noun that is not in the table of slots must have a determiner."""
        determined = any(t.low in group("DETERMINERS") | _POSSESSING for t in head)
        slot, subject = named_slot(head)
        known = slot_named(slot)
        plain = known and (len(head) == 1 or known.values in _AMOUNTS)  # "Log retention is 30 days"
        if not slot or not (determined or plain):
            return False
        return self._fill(slot, subject, start, listed=bool(known and known.many))

    def _is_value(self, span: Span) -> bool:
        """Returns whether a phrase can be the value of a slot that is not in the table. Long
        phrases, technologies and participles ("The ledger is kept in PostgreSQL") cannot."""
        if span[1] - span[0] > 3 or is_verb(self.tokens, span[0], span[0]):
            return False
        return not self._names_technology(span)

    def _person(self, clause: Clause) -> None:
        """Adds the facts in descriptions of a person: `vegan`, `from Porto`, `a pilot`."""
        start = clause.verb + 1
        while start < self.end and self.lows[start] in group("ADVERBS") | NEGATIONS:
            start += 1
        span = phrase(self.tokens, start, self.end)
        low = self.lows[start] if start < self.end else ""
        inner = phrase(self.tokens, start + 1, self.end)
        if low in ("on", "in") and inner:
            if self.lows[inner[1] - 1] in ("team", "squad", "department"):
                self._add("team", inner)
        elif low == "from" and inner and self.tokens[inner[0]].text[:1].isupper():
            self._add("origin", inner)
        elif span and self._free(span):
            self._described(clause, span, start)

    def _described(self, clause: Clause, span: Span, start: int) -> None:
        first = self.tokens[span[0]]
        alone, me = span[1] - span[0] == 1, not clause.subject
        one = (span[0], span[0] + 1)
        if is_title(self.tokens, span):
            self._add("title", span)
            self._behind("title", span[1])
            return
        for slot in ("diet", "relationship", "schedule"):
            if first.low in people_words(f"{slot.upper()}S"):
                self._add("work_schedule" if slot == "schedule" else slot, one)
                return
        if alone and first.low in people_words("NATIONALITIES"):
            self._add("nationality", span)
        elif me and first.low.isdigit() and (alone or "old" in self.lows[span[0] : span[1]]):
            self._add("age", one)
        elif me and span[0] == start and span[1] - start <= 3 and self._is_full_name(span):
            self._add("name", span)

    def _is_full_name(self, span: Span) -> bool:
        out = people_words("STATES_OF_MIND") | people_words("PLACES")
        tokens = self.tokens[slice(*span)]
        named = all(t.text[:1].isupper() and t.low not in out for t in tokens)
        return named and not self._names_technology(span)

    def _names_technology(self, span: Span) -> bool:
        return any(t.first < span[1] and span[0] < t.end for t in self.technologies)

    def _possessions(self, clause: Clause) -> None:
        """Adds the facts about certifications, degrees, pets and the names of pets."""
        span = phrase(self.tokens, clause.verb + 1, self.end)
        for each in listed_values(self.tokens, span, self.end, "any") if span else ():
            lows = self.lows[slice(*each)]
            named = next((lows.index(w) for w in ("named", "called") if w in lows), len(lows))
            stop = each[0] + named
            if named and lows[named - 1].removesuffix("s") in people_words("PETS"):
                self._add("pet", (each[0], stop))
                if stop + 1 < self.end and self.lows[stop] in ("named", "called"):
                    self._add("pet_name", (stop + 1, stop + 2), many=True)
            elif lows[-1] in ("certification", "certificate", "certifications"):
                self._add("certification", each, many=True)
            elif lows[-1] == "degree":
                self._add("degree", each, many=True)

    def _apposed(self) -> None:
        """Adds the facts in `develop, our default branch` and `develop as the default branch`."""
        for at in range(1, self.end - 2):
            if self.lows[at] in (",", "as", "(") and self.lows[at + 1] in _NAMING:
                label = phrase(self.tokens, at + 1, self.end)
                slot, subject = named_slot(self.tokens[slice(*label)]) if label else ("", "")
                if known := slot_named(slot):
                    value = parse_value(self.tokens, at - 1, at, known.values)
                    self._add(slot, value, subject=subject)

    def _measures(self) -> None:
        """Adds the facts in `a timeout of 30 seconds` and `a 30-second timeout`."""
        for at in range(self.end):
            for length, slot in slots_at("nouns", self.stems, at):
                if slot.values in _AMOUNTS:
                    self._add(slot.name, self._measure(at, at + length, slot.values))

    def _measure(self, at: int, behind: int, kind: str) -> Span | None:
        """Returns the span of the amount beside the noun from the index `at` to `behind`."""
        if self.lows[behind : behind + 1] == ["of"]:
            return parse_value(self.tokens, behind + 1, self.end, kind)
        starts = [i for i in range(max(0, at - 4), at - 1) if self.lows[i][:1].isdigit()]
        span = parse_value(self.tokens, starts[0], at, kind) if starts else None
        return span if span and span[1] == at else None

    def _status(self) -> None:
        """Adds the status of an account that a clause names: `Your account is on hold`."""
        for clause in self.sentence.pieces:
            words = range(clause.start, clause.end)
            named = any(self._is_account(at) for at in words)
            for at in words if named else ():
                length = status_length(self.lows, at)
                if length and self._add("account_status", (at, at + length), subject=""):
                    break

    def _is_account(self, at: int) -> bool:
        """Returns whether a word means an account, unlike in "the account page"."""
        named = self.lows[at].removesuffix("'s") in people_words("ACCOUNTS")
        return named and (self._ends_noun(at) or self.lows[at + 1] in ("'s", "status"))

    def _conditions(self) -> None:
        """Adds the medical conditions in `has type 2 diabetes` and `lives with epilepsy`."""
        for at, low in enumerate(self.lows):
            if low in people_words("CONDITIONS") and self._ends_noun(at):
                first = at
                while first and self._describes(first - 1):
                    first -= 1
                self._add("diagnosis", (first, at + 1), many=True)

    def _describes(self, at: int) -> bool:
        plain = self.tokens[at].kind in ("word", "num") and self.lows[at] not in function_words()
        return plain and at > self.sentence.piece(at).verb

    def _ends_noun(self, at: int) -> bool:
        """Returns whether a noun ends its phrase: "account" in "the account", but not in "the
        account page"."""
        if at + 1 == self.end or self.tokens[at + 1].kind != "word":
            return True
        return self.lows[at + 1] in function_words() or is_verb(self.tokens, at + 1, at)

    def _notes(self) -> None:
        """Adds a person's work schedule: `works remotely`."""
        for at, low in enumerate(self.lows):
            if low in people_words("SCHEDULES") and at and self.stems[at - 1] in _WORKING:
                self._add("work_schedule", (at, at + 1))

    def _counts(self) -> None:
        """Adds the facts about counted people: `three siblings`."""
        for at in range(self.end - 1):
            slot = _COUNTED.get(self.stems[at + 1])
            span = parse_value(self.tokens, at, at + 1, "number") if slot else None
            if slot and span:
                self._add(slot, span)

    def _technologies(self) -> None:
        """Adds a fact for each technology, whose kind is the slot: PostgreSQL is a `database`."""
        kinds = [self._kind(t) for t in self.technologies if self._is_stated(t)]
        for found in self.technologies:
            span = (found.first, found.end)
            if self._free(span):
                subject = "" if found.first < self.sentence.piece(found.first).verb else None
                kind = self._kind(found)
                many = kinds.count(kind) > 1 or not self._is_only(kind, span)
                self._add(kind, span, subject=subject, many=many)
            self._version(found)

    def _version(self, found: Technology) -> None:
        """Adds the fact with the version behind a technology: `Node 20`, `Node >= 20`."""
        marks = (i for i in range(found.end, self.end) if self.lows[i] not in _BEFORE_VERSION)
        at = next(marks, self.end)
        if at < self.end and self.lows[at].lstrip("v")[:1].isdigit():
            name = self.text[self.tokens[found.first].start : self.tokens[found.end - 1].end]
            listed = self.lows[at + 1 : at + 2] in ([","], ["and"], ["or"], ["/"])
            many = listed and any(low[:1].isdigit() for low in self.lows[at + 2 : at + 3])
            self._add("version", (at, at + 1), subject=normal(name).key, many=many)

    def _is_stated(self, found: Technology) -> bool:
        meant = self.sentence.meant[found.first]
        return meant.time == "now" and not meant.denied

    def _is_only(self, kind: str, span: Span) -> bool:
        """Returns whether a subject can have only one technology of this kind, such as one
        database, or one language in "The API is written in Go"."""
        if kind in RIVALS:
            return bool(rival_tools(kind, self.lows[span[0]]))
        return kind in ONE_OF_A_KIND or (kind == "language" and "written" in self.lows)

    def _kind(self, found: Technology) -> str:
        """Returns the kind of a technology that the clause names, or else its first kind."""
        clause = self.sentence.piece(found.first)
        stems = set(self.stems[clause.start : clause.end])
        named = (k for k in found.kinds if stems & kind_stems(k))
        return next(named, found.kinds[0])


_REFINED = frozenset(("place", "name", "timezone", "any", "team"))


def values_agree(one: Fact, other: Fact) -> bool:
    """Returns whether two values of one property can both be true: they are equal, or one is a less
    exact form of the other ("Seattle" of "Seattle, Washington")."""
    if same(one.normal, other.normal, versions=one.slot.endswith("version")):
        return True
    if one.slot in RIVALS and other.normal.key not in rival_tools(one.slot, one.normal.key):
        return True
    known = slot_named(one.slot)
    kinds = {one.normal.kind, other.normal.kind}
    refined = known is not None and known.values in _REFINED and kinds == {"name"}
    if not refined and kinds != {"date"}:
        return False
    return entails(one.normal, other.normal) or entails(other.normal, one.normal)


def contradict(one: Fact, other: Fact) -> bool:
    """Returns whether two facts about the present exclude each other: they have the same subject,
    slot and setting, but different values, or one denies the value of the other."""
    if (one.subject, one.slot, one.setting) != (other.subject, other.slot, other.setting):
        return False
    if one.subject == UNKNOWN or one.time != "now" or other.time != "now":
        return False
    if one.polarity != other.polarity:
        return same(one.normal, other.normal, versions=one.slot.endswith("version"))
    return one.polarity and not one.many and not other.many and not values_agree(one, other)

"""Finds the memory operation of a new claim: add, update (of an older claim) or skip (a
repetition). In doubt, a claim is an addition. The operation follows from the findings, from the
claims that the change removes from the same document, and from the other memories."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import ceil

from msgspec import Struct

from grounded_ingest.model.claims import Claim, DocClass, Finding, Form, Operation, Place
from grounded_ingest.statements.conflicts import masks
from grounded_ingest.statements.knowledge_protocol import Knowledge, have_different_types
from grounded_ingest.text.clause_form import is_bare_verb
from grounded_ingest.text.lexicon.conflict_words import CHANGE
from grounded_ingest.text.names import word_stem
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import read_claim, read_text
from grounded_ingest.text.values import number as numeral
from grounded_ingest.text.values import quantity
from grounded_ingest.text.words import function_words, group

ADD = Operation()

COVERING = ("duplicate", "repeat")
REVISING = ("conflicting-update", "contradiction")
"""Rules whose findings name another claim that the claim repeats, or contradicts."""

IN_OTHER_SECTION, IN_SECTION = 0.6, 0.45
"""Minimum Jaccard similarity of a new claim and the removed claim that it updates, in another
section and in the same one. The minimum is never above `IN_SECTION` if only one value differs."""

SHORTEST = 4
"""Minimum number of words in a claim that updates another claim. Both claims have at least
`SHORTEST - 1` words in common."""

COMPARED = 128
"""Maximum number of removed claims that one new claim is compared with. Removed claims with the
rarest words of the new claim come first, so that the right line is found even among many lines made
from one template."""


class Former:
    """The claims that a change removes from a document; a new claim may replace one of them."""

    def __init__(self, path: str, doc_class: DocClass, removed: Sequence[Claim]) -> None:
        self.places = [Place(path, doc_class, claim) for claim in removed]
        self._words = [read_claim(claim).word_set for claim in removed]
        self._masks: dict[int, frozenset[int]] = {}
        self._holding: dict[str, list[int]] = {}
        self._rows: dict[str, list[Place]] = {}
        for number, words in enumerate(self._words):
            for word in words:
                self._holding.setdefault(word, []).append(number)
        for old in self.places:
            if old.claim.form is Form.ROW:
                self._rows.setdefault(_first(old), []).append(old)

    def updated_by(self, place: Place) -> Place | None:
        """Returns the removed claim that a new claim updates: one that differs in only one value,
        or else the most similar one. Returns None if none is similar enough."""
        if not self.places:
            return None
        best, nearest = 0.0, None
        own = _mask_keys(place)
        for number, share in self._near(read_claim(place.claim).word_set):
            old = self.places[number]
            if old.claim.id == place.claim.id or have_different_types(place, old):
                continue
            if number not in self._masks:
                self._masks[number] = _mask_keys(old)
            if not own.isdisjoint(self._masks[number]):
                share += 1
            if share >= _least(place, old) and share > best:
                best, nearest = share, old
        return nearest or self._row(place)

    def _row(self, place: Place) -> Place | None:
        """Returns the only removed table row with the same first cell, or None."""
        if place.claim.form is not Form.ROW:
            return None
        rows = self._rows.get(_first(place), ())[: COMPARED + 1]
        alike = [p for p in rows if _least(place, p) == IN_SECTION]
        one = len(alike) == 1 and alike[0].claim.id != place.claim.id
        return alike[0] if one and not have_different_types(place, alike[0]) else None

    def _near(self, words: frozenset[str]) -> Iterator[tuple[int, float]]:
        """Yields pairs (number of a removed claim, Jaccard similarity) for the removed claims that
        are similar enough. To save time, looks only at claims with one of the rarest words."""
        rare = sorted(words, key=lambda w: (len(self._holding.get(w, ())), w))
        fewest = len(words) - ceil(len(words) * IN_SECTION) + 1
        found: dict[int, None] = {}
        for word in rare[:fewest]:
            for number in self._holding.get(word, ())[: COMPARED - len(found)]:
                found[number] = None
        for number in sorted(found):
            theirs = self._words[number]
            common = len(words & theirs)
            share = common / (len(words) + len(theirs) - common)
            if share >= IN_SECTION and common >= SHORTEST - 1:
                yield number, share


def _least(place: Place, old: Place) -> float:
    """Returns the minimum Jaccard similarity at which a claim counts as an update of the removed
    claim `old`."""
    return IN_SECTION if place.claim.section == old.claim.section else IN_OTHER_SECTION


def _mask_keys(place: Place) -> frozenset[int]:
    return frozenset(m.key for m in masks(read_claim(place.claim)))


def _first(place: Place) -> str:
    return place.claim.text.partition("; ")[0]


_TOKEN = compiled(r"`[^`]+`|[^\W_][\w.,:/'’+-]*")
_CHANGED = compiled(CHANGE, re.IGNORECASE)
_BEING = frozenset(("is", "are", "be", "been"))
_ORDERING = frozenset(("before", "after", "until", "without", "except", "only", "over", "under"))
"""Function words that change the meaning of a statement: "before the push", "after the push"."""
HALF = 0.5
"""Minimum share of a memory's words in a claim that updates it with a word such as "now"."""
SHARED = 2
"""Minimum number of words in common if a claim repeats a memory, denies it or changes its value."""


class Statement(Struct, frozen=True):
    """The words of a claim, to find memories that say the same in other words. `words` are in lower
    case. `stems` are the words with a meaning of their own, in order and without their endings; the
    first `subject` of them name what the claim is about."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    subject: int
    negated: bool

    def says_the_same(self, other: Statement) -> bool:
        """Returns whether the same words make the same statement: "Redis stores sessions" and
        "sessions are stored in Redis", but not "A feeds B" and "B feeds A"."""
        if len(set(self.stems)) < SHARED or set(self.stems) != set(other.stems):
            return False
        if self.negated != other.negated or self._allows != other._allows:
            return False
        if self.stems == other.stems:
            return ("by" in self.words) == ("by" in other.words)
        if self._order != other._order:
            return True
        turned = self.stems[self.subject :] + self.stems[: self.subject]
        return self._order == "passive" and turned == other.stems  # "A is B" and "B is A"

    @property
    def _order(self) -> str:
        """Returns how the word order differs from a plain statement: "passive", "order" (an
        imperative), "light order" ("use X for Y"), or not at all (an empty string)."""
        if not _BEING.isdisjoint(self.words):
            return "passive"
        first = self.words[0]
        if is_bare_verb(first) or first in ("do", "don't", "never"):
            return "light order" if first in group("LIGHT") else "order"
        return ""

    @property
    def _allows(self) -> bool:
        return not {"may", "can", "might", "could"}.isdisjoint(self.words)

    def revises(self, other: Statement, *, changed: bool) -> bool:
        """Returns whether this statement gives another value, or denies the other statement.
        `changed` is true if it says that something changed."""
        mine, theirs = set(self.stems), set(other.stems)
        common = len(mine & theirs)
        if mine == theirs:
            return self.negated != other.negated and common >= SHARED
        if changed:
            return common / max(1, len(theirs)) >= HALF
        new, old = list(mine - theirs), list(theirs - mine)
        if len(new) != 1 or len(old) != 1 or self.negated or other.negated or common < SHARED:
            return False  # two denials hold beside each other: "don't edit A", "don't edit B"
        if self.stems[: self.subject] != other.stems[: other.subject]:
            return False
        numbers = new[0][0].isdigit() and old[0][0].isdigit()
        return numbers or not _BEING.isdisjoint(self.words)


@lru_cache(maxsize=4096)
def read_statement(text: str) -> Statement:
    """Reads the words of a sentence, to compare it with others. A clause in front of a comma counts
    as if it stood at the end. "30s" and "30 seconds" have the same stems, and so have "3" and
    "three"."""
    tokens = _TOKEN.findall(text)
    if tokens and tokens[0].lower() in _FRONTING:
        front, comma, rest = text.partition(", ")
        tokens = _TOKEN.findall(f"{rest.rstrip('. ')} {front}") if comma else tokens
    words = tuple(t.strip("`").rstrip(".,:").lower() for t in tokens)
    being = next((n for n, w in enumerate(words) if w in _BEING), 0)
    subject = len(_stems(words[:being])) or 1
    denied = read_text(text.replace("instead of", "not")).negated
    return Statement(words, _stems(words), subject, denied)


def _stems(words: tuple[str, ...]) -> tuple[str, ...]:
    found, at = list[str](), 0
    while at < len(words):
        read = quantity(list(words[at : at + 8]))
        if read and read[0].dimension:
            found += (f"{read[0].amount:.15g}", read[0].dimension)
            at += read[1]
        else:
            value = numeral(words[at])
            found.append(word_stem(words[at]) if value is None else f"{value:g}")
            at += 1
    return tuple(s for s in found if s not in _EMPTY_STEMS)


_FRONTING = group("PREPOSITIONS") | group("CONJUNCTIONS")
_EMPTY_STEMS = frozenset(map(word_stem, (function_words() | group("LIGHT")) - _ORDERING))


class StoredMemories:
    """The memories that stay in the repository, indexed by their words."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._places = list(places)
        self._holding: dict[str, list[int]] = {}
        for at, place in enumerate(self._places):
            for stem in set(read_statement(place.claim.text).stems):
                self._holding.setdefault(stem, []).append(at)

    def operation(self, claim: Claim) -> Operation:
        """Returns whether a new claim is added to these memories, updates one, or repeats one."""
        if not self._places:
            return ADD
        mine, best, nearest = read_statement(claim.text), 0, None
        changed = bool(_CHANGED.search(claim.text))
        for memory in self._near(mine):
            theirs = read_statement(memory.claim.text)
            if mine.says_the_same(theirs):
                return Operation("SKIP", memory)
            common = len(set(mine.stems) & set(theirs.stems))
            if common > best and mine.revises(theirs, changed=changed):
                best, nearest = common, memory
        return Operation("UPDATE", nearest) if nearest else ADD

    def _near(self, statement: Statement) -> Iterator[Place]:
        """Yields the memories with a word of the statement, at most `COMPARED`: if there are more,
        those with the rarest words."""
        lists = (self._holding.get(stem, []) for stem in set(statement.stems))
        found: dict[int, None] = {}
        for numbers in sorted(lists, key=len):
            found |= dict.fromkeys(numbers[: COMPARED - len(found)])
        return (self._places[at] for at in sorted(found))


def operation(
    place: Place,
    findings: Iterable[Finding],
    former: Former,
    knowledge: Knowledge,
    memories: StoredMemories,
) -> Operation:
    """Returns whether a claim that a change adds is a new memory, an update or a repetition.
    `former` has the claims that the change removes from the same document. `memories` are the
    memories on the base branch with which the claim is compared."""
    if place.claim.only_refers:
        return ADD
    found = [f for f in findings if f.other is not None]
    for finding in found:
        if finding.rule in COVERING:
            return Operation("SKIP", finding.other)
    for finding in found:
        if finding.rule in REVISING and finding.other and knowledge.on_base(finding.other):
            return Operation("UPDATE", finding.other)
    revised = former.updated_by(place)
    return Operation("UPDATE", revised) if revised else memories.operation(place.claim)

"""Settled claims: the facts another claim can contradict, and the slots they are found under.

Precision before completeness: what a sentence says of some case, an example, another time or of
nothing in particular contradicts nothing (docs/grounding.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from heapq import merge
from typing import TYPE_CHECKING

from grounded_ingest.language.lexicon import present_state as tables
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import Reading, read_claim, read_text
from grounded_ingest.language.word_keys import sequence_key
from grounded_ingest.model.claims import DocClass, Form, Place

if TYPE_CHECKING:
    import re

    from grounded_ingest.facts.fact import Fact

_IN_SOME_CASE = compiled(tables.IN_SOME_CASE)
_SECTION = compiled(tables.UNSETTLED_SECTIONS)
_PATH = compiled(tables.UNSETTLED_PATHS)
_DECISION = compiled(r"(?i)\bdecision\b")
_LABEL = compiled(r"[^:.]{1,40}: ?\S")
_NO_SENTENCE = compiled(r"[:：]\s*$|```|= ?[{\[]")
"""It introduces what follows, or is code."""
_WHOLE = compiled("(?i)" + tables.WHOLE)
_PLAINLY = compiled(
    r"^(?:Per [^,]*, )?(?:[Tt]he|[Oo]ur) [\w-]+ (?:uses|is built on) [A-Z]\w+(?: \d[\d.]*)?[ .]*$"
)
_KEY_AND_VALUE = compiled(
    r"(?i)^(?:setting|parameter|option|key|name|property|variable|item|component)\W[^;]*;"
    r" (?:value|choice|current|technology|setting): [^;]*(?:;.*)?$"
)
_OF_A_PROJECT = frozenset(tables.OF_A_PROJECT.split())
_OF_A_THING = frozenset(tables.OF_A_THING.split())
_OF_THEIR_OWN = frozenset(tables.OF_THEIR_OWN.split())
_GENERIC = frozenset(tables.GENERIC.split())
_SOMEBODY = frozenset(tables.SOMEBODY.split())
_MEASURED = frozenset(tables.MEASURED.split())


def is_settled(place: Place) -> bool:
    """Whether a claim is one of what holds now, by its form, its headings and its words. Asked of
    claims before they are indexed, so not of its path."""
    claim = place.claim
    if claim.form is Form.ROW:
        if not _KEY_AND_VALUE.match(claim.text):
            return False
    elif claim.form not in (Form.PROSE, Form.RECORD):
        return False
    if not is_current(claim.section):
        return False
    if place.doc_class is DocClass.DECISIONS and not _DECISION.search(_below_title(claim.section)):
        return False
    return not (_NO_SENTENCE.search(claim.text) or _IN_SOME_CASE.search(plain_text(place)))


def is_current(section: str) -> bool:
    """Whether headings, the title aside, stand over what holds now."""
    return not _SECTION.search(_below_title(section))


def _below_title(section: str) -> str:
    return " > ".join(section.split(" > ")[1:])


@lru_cache(maxsize=1024)
def settled_path(path: str) -> bool:
    """Whether a document is one of what holds now, by its path."""
    return not _PATH.search(path)


def plain_text(place: Place) -> str:
    """A claim's text, its citations left out."""
    return read_claim(place.claim).uncited.text


def facts_of(place: Place) -> tuple[Fact, ...]:
    """What a settled claim states now, firmly and of a known thing, its citations left out."""
    from grounded_ingest.facts.extraction import facts

    reading = read_claim(place.claim).uncited
    text = reading.text
    if not (_LABEL.match(text) or reading.has_verb):
        return ()  # a phrase: what it speaks of, only its surroundings say
    plain = bool(_PLAINLY.match(text.strip()))
    found = facts(text, place.claim.section)
    return tuple(
        f
        for f in found
        if (f.firm or plain)
        and f.normal.kind != "date"
        and not _aside(f, text)
        and _counts(f, text)
    )


def names_subject(place: Place, fact: Fact) -> bool:
    """Whether a claim itself says what its fact is about, rather than the heading above it."""
    from grounded_ingest.facts.extraction import facts

    return any((f.slot, f.subject) == (fact.slot, fact.subject) for f in facts(plain_text(place)))


def _aside(fact: Fact, text: str) -> bool:
    """Whether a fact is stated in parentheses, beside what is said."""
    before = text[: fact.start]
    return before.count("(") > before.count(")")


def _counts(fact: Fact, text: str) -> bool:
    slot = fact.slot.partition(":")[0]
    said = _said().get(slot)
    if said is not None and not said.search(text):
        return False
    if not _is_value_of(fact, slot) or not _a_kind_of(fact, slot):
        return False
    if slot in _OF_A_PROJECT or (said is not None and slot not in _OF_A_THING):
        return True
    if "_" in slot and slot.rpartition("_")[2] in _OF_THEIR_OWN:
        return True
    return slot in _OF_A_THING and (bool(fact.subject) or bool(_WHOLE.search(text)))


def _is_value_of(fact: Fact, slot: str) -> bool:
    """Whether a value is no name where a measure is asked for, and somebody where a person is."""
    if slot in _MEASURED and fact.normal.kind == "name":
        return False
    return slot not in _SOMEBODY or fact.value[:1].isupper() or fact.value[:1] == "@"


def _a_kind_of(fact: Fact, slot: str) -> bool:
    """Whether a value is a known thing of the kind that the slot asks for, if it asks for one."""
    from grounded_ingest.language.slots import slot_named
    from grounded_ingest.language.tokens import entities

    known = slot_named(slot)
    if known is None or not known.kinds:
        return True
    tokens = read_text(fact.value).tokens
    named = [e for e in entities(tokens, governed=True) if e.kinds & known.kinds]
    generic = _GENERIC.issuperset(fact.value.lower().split())
    # A value that begins with other words says more than what is used.
    return not generic and any(e.first == 0 for e in named)


@cache
def _said() -> dict[str, re.Pattern[str]]:
    return {slot: compiled("(?i)" + pattern) for slot, pattern in tables.SAID.items()}


@cache
def _slots_of() -> dict[str, tuple[str, ...]]:
    """Slots by word."""
    from grounded_ingest.language.lexicon.slot_words import WORDS

    found: dict[str, tuple[str, ...]] = {}
    for slot, words in WORDS.items():
        for word in words.split():
            found[word] = (*found.get(word, ()), slot)
    return found


def slots(words: Iterable[str]) -> frozenset[str]:
    """The slots that words belong to."""
    table = _slots_of()
    return frozenset(s for w in words if w in table for s in table[w])


class BySlot:
    """Settled claims under the slots their words belong to."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._places = [p for p in places if is_settled(p)]
        self._of: dict[str, list[int]] = {}
        for number, place in enumerate(self._places):
            for slot in slots(read_claim(place.claim).word_set):
                self._of.setdefault(slot, []).append(number)

    def sharing(self, wanted: Iterable[str]) -> Iterator[Place]:
        """Claims of any of these slots, in the order they were given in."""
        last = -1
        for number in merge(*(self._of.get(slot, ()) for slot in wanted)):
            if number != last:
                yield self._places[number]
            last = number


def index_keys(place: Place, reading: Reading) -> Iterator[int]:
    """Keys of a claim that somebody can come to trust by what it cites."""
    cites = any(c.own for c in place.claim.citations)
    return slot_keys(place, reading) if cites else iter(())


def slot_keys(place: Place, reading: Reading) -> Iterator[int]:
    """Keys of any claim that is settled."""
    own = slots(reading.word_set)
    return keys_of_slots(own if own and is_settled(place) and facts_of(place) else ())


def keys_of_slots(own: Iterable[str]) -> Iterator[int]:
    return (sequence_key("slot", [slot]) for slot in sorted(own))

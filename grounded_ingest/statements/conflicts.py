"""Finds conflicts between two memories.

The rule `conflicting-update` compares claims that have the same words except for one value. The
rule `contradiction` compares facts about the same thing, such as the port of a service, in files
that agents load together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from grounded_ingest.model.claims import DocClass, Finding, Form, Place
from grounded_ingest.model.digests import blake2b
from grounded_ingest.statements.agreed_facts import Agreed, AgreedFacts, agreed_facts, disagree
from grounded_ingest.statements.knowledge_protocol import (
    Knowledge,
    comes_after,
    have_different_types,
)
from grounded_ingest.text.dates import dates_in
from grounded_ingest.text.lexicon import conflict_words as lexicon
from grounded_ingest.text.lexicon.number_words import CARDINALS, FRACTIONS, SCALES
from grounded_ingest.text.lexicon.verbs import AUXILIARIES, IRREGULAR
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import Reading, bare_word, read_claim
from grounded_ingest.text.sentences import finite_verbs, third_person
from grounded_ingest.text.words import without_negation

COMPARED = 50
"""Maximum number of claims that one claim is compared with."""

SHORTEST = 4
"""Minimum number of words in a claim that is compared."""

VALUES = 12
"""Maximum number of values in one claim that are removed, one at a time, to find the same sentence
with another value."""

_NUMBERS = frozenset((*CARDINALS, *SCALES, *FRACTIONS))
_VERBS = (frozenset(f"{AUXILIARIES} {IRREGULAR}".split()) | third_person()) - _NUMBERS
_DO_SUPPORT = frozenset(("do", "does", "did"))
_DISCLOSED = compiled("|".join(lexicon.DISCLOSURES), re.IGNORECASE)
_RELATIVE = compiled(lexicon.RELATIVE_DATES, re.IGNORECASE)
_LABEL = compiled(r"[^:.`]{1,40}: ")
_FORBIDDING = compiled(
    r"(?i)\b(?:never|don'?t|do not|avoid|anti-?patterns?|wrong|bad|mistakes?)\b|❌"
)


def find_conflict(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """Yields at most one finding about a conflicting claim. Looks first for another version of the
    same sentence, and then for a contradicting fact."""
    found = _find_update(place, knowledge) or _find_contradiction(place, knowledge)
    if found is not None:
        yield found


def _find_update(place: Place, knowledge: Knowledge) -> Finding | None:
    """Returns a finding if the new claim repeats a claim on the base branch except for one value,
    and that claim is approved or has right references."""
    if knowledge.alone(place) or not _is_comparable(place) or knowledge.on_base(place):
        return None
    own = {m.key: m for m in masks(read_claim(place.claim))}
    others = islice(knowledge.sharing(own), COMPARED)
    return next(filter(None, (_compare(place, own, other, knowledge) for other in others)), None)


def masked_keys(place: Place) -> Iterator[int]:
    """Yields index keys that two claims share if they differ in only one value."""
    if _is_comparable(place):
        yield from (m.key for m in masks(read_claim(place.claim)))


def _is_comparable(place: Place) -> bool:
    """Returns whether a claim is a memory in prose, without a date and without words for a change
    of value."""
    claim = place.claim
    if place.doc_class is not DocClass.MEMORY or claim.form not in (Form.PROSE, Form.RECORD):
        return False
    if claim.text.endswith((":", "：")) or claim.timestamp or _has_date(claim.section):
        return False
    return not (_has_date(claim.text) or _DISCLOSED.search(claim.text))


@lru_cache(maxsize=4096)
def _has_date(text: str) -> bool:
    return bool(_RELATIVE.search(text)) or any(dates_in(text))


def _compare(
    place: Place, own: dict[int, Masked], other: Place, knowledge: Knowledge
) -> Finding | None:
    if other.claim.id == place.claim.id or have_different_types(place, other):
        return None
    if not knowledge.on_base(other) or not comes_after(place, other, knowledge):
        return None
    if not _is_comparable(other) or _are_cases(place, other):
        return None
    for theirs in masks(read_claim(other.claim)):
        mine = own.get(theirs.key)
        if mine is None or mine.value.lower() == theirs.value.lower():
            continue
        # Below the heading "Anti-patterns", a sentence with "not" and one without it say the same.
        forbidding = any(_FORBIDDING.search(p.claim.section) for p in (place, other))
        if (mine.at < 0 and forbidding) or not knowledge.grounded(other):
            return None
        where = f"{other.path}:{other.claim.line}"
        message = _difference(where, theirs.value, mine.value)
        return Finding("conflicting-update", message, words=mine.value, other=other)
    return None


def _are_cases(place: Place, other: Place) -> bool:
    """Returns whether two claims of one section are the same field of different entries: `Cause: …`
    of one incident and of the next."""
    if (place.path, place.claim.section) != (other.path, other.claim.section):
        return False
    mine, theirs = _LABEL.match(place.claim.text), _LABEL.match(other.claim.text)
    return bool(mine and theirs and mine[0] == theirs[0]) and place.claim.block != other.claim.block


def _difference(where: str, was: str, now: str) -> str:
    if was and now:
        return f"{where} says {was}, this claim says {now}"
    return f"{where} says the same {'with' if was else 'without'} “{was or now}”"


class Masked(Struct, frozen=True):
    """A claim without one of its values: the number at the index `at`, or the negation if `at` is
    -1. `key` is a digest of the other words, and `value` is the removed text."""

    key: int
    at: int
    value: str


def masks(reading: Reading) -> tuple[Masked, ...]:
    """Returns one result for each number after the verb, and one for the negation. Each result is
    the claim without that number or negation. Returns an empty tuple if the claim is short, or is
    an imperative and so has no subject."""
    written = reading.uncited_words
    words = [bare_word(w).lower() for w in written]
    if len(words) < SHORTEST or words[0] in finite_verbs():
        return ()
    plain = [stem for w in words for stem in _without_negation(w)]
    found = [Masked(_key("negation", plain), -1, "not" if reading.uncited.negated else "")]
    for at in [n for n, w in enumerate(words) if _is_number(w)][:VALUES]:
        # "Node 18 is supported" and "Node 20 is supported" have different subjects.
        if not _VERBS.isdisjoint(words[1:at]):
            key = _key("value", [*words[:at], "\1", *words[at + 1 :]])
            found.append(Masked(key, at, bare_word(written[at])))
    return tuple(found)


def _key(kind: str, words: Sequence[str]) -> int:
    raw = blake2b("\0".join((kind, *words)).encode(), digest_size=8).digest()
    return int.from_bytes(raw, "big", signed=True)


def _is_number(word: str) -> bool:
    return word in _NUMBERS or (any(c.isdigit() for c in word) and not word.isalpha())


def _without_negation(word: str) -> list[str]:
    """Normalises a word, so that a sentence and its negation get the same words: ["accept"] for
    "accepts", [] for "doesn't"."""
    spread = without_negation(word.replace("’", "'")).split()
    return [w[:-1] if len(w) > 3 and w.endswith("s") else w for w in spread if w not in _DO_SUPPORT]


def _find_contradiction(place: Place, knowledge: Knowledge) -> Finding | None:
    """Returns a finding if a fact in the same section, or in a file that agents load together with
    this file, contradicts a fact in this claim. A text without a file is compared with all
    memories."""
    facts = agreed_facts(place)
    if not facts:
        return None
    own = knowledge.agreed(place.path)
    for mine in own.of_claim(place.claim.key) if place.path else facts:
        for other in (*_in_section(mine, own), *_in_other_files(mine, own, knowledge)):
            if comes_after(place, other.place, knowledge):
                return _contradiction(mine, other)
    return None


def _in_section(mine: Agreed, own: AgreedFacts) -> Iterator[Agreed]:
    """Yields the facts in the same section that contradict the fact `mine`, except values that a
    claim only uses in passing."""
    section = mine.place.claim.section
    for other in own.of_thing(mine.fact):
        stated = mine.fact.firm and other.fact.firm
        beside = other.place.claim.section == section or not mine.place.path
        if stated and beside and disagree(mine.fact, other.fact):
            yield other


def _in_other_files(mine: Agreed, own: AgreedFacts, knowledge: Knowledge) -> Iterator[Agreed]:
    """Yields the facts in other files that contradict the fact `mine`. Uses only the first fact
    about a thing in each file. Skips files that contradict themselves."""
    same = own.of_thing(mine.fact)
    if not mine.place.path or same[0].place.claim.key != mine.place.claim.key:
        return
    if any(disagree(mine.fact, a.fact) for a in same):
        return
    for path in knowledge.loaded_with(mine.place.path):
        theirs = knowledge.agreed(path).of_thing(mine.fact)
        if theirs and all(disagree(mine.fact, a.fact) for a in theirs):
            yield theirs[0]


def _contradiction(mine: Agreed, theirs: Agreed) -> Finding:
    fact, other = mine.fact, theirs.place
    now, was = (f.value if f.polarity else f"not {f.value}" for f in (fact, theirs.fact))
    about = f"{fact.slot} of {fact.subject}" if fact.subject else fact.slot
    where = f"{other.path}:{other.claim.line}"
    message = f"{where} says {was}, this claim says {now} ({about})"
    return Finding("contradiction", message, words=fact.value, other=other)

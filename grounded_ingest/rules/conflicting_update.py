"""Conflicting updates: the same word sequence but for one value (docs/adr/0009)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from grounded_ingest.language.lexicon import updates as lexicon
from grounded_ingest.language.lexicon.verbs import AUXILIARIES, IRREGULAR
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import Reading, read_claim
from grounded_ingest.language.statements import finite_verbs, third_person
from grounded_ingest.language.word_keys import bare_word, sequence_key
from grounded_ingest.model.claims import DocClass, Finding, Form, Place
from grounded_ingest.rules.knowledge_protocol import Knowledge, comes_after, told_apart

SHORTEST = 4
MASKS = 12
VERSIONS = 50
LABEL = 5
SPELLED = 6
"""Words of the shortest sequence compared; masks tried per claim, and claims compared with it: a
sentence with more versions than that is an enumeration. Words of the longest label (`Cause:`);
letters from which on a word with the same ones is a misspelling of it."""

_ORDINAL = compiled(r"\d+(?:st|nd|rd|th)")
_SPLIT = compiled(r"[a-z][A-Z]")
_LABEL = compiled(r"[^:.`]{1,40}: ")
_FORBIDDING = compiled(
    r"(?i)\b(?:never|don'?t|do not|avoid|anti-?patterns?|wrong|bad|mistakes?)\b|❌"
)
_EXAMPLE = compiled(r"(?i)\b(?:for (?:example|instance)|e\.g\.|such as|like)[ ,]")
_DASHES = compiled("[\u2010-\u2015]")
_JOINED = compiled(r"_|\w\.\w|::|\(\)")


_NEGATIONS = frozenset(lexicon.NEGATIONS.split())
_DROPPED = _NEGATIONS.union(lexicon.DO_SUPPORT.split())
_NAMED = (
    dict.fromkeys(lexicon.NUMBER_WORDS.split(), "number")
    | dict.fromkeys(lexicon.ORDINAL_WORDS.split(), "ordinal")
    | dict.fromkeys([*lexicon.MONTHS.split(), *lexicon.DATE_WORDS.split()], "date")
)


class Masked(NamedTuple):
    """A claim's sequence with one word masked (`at`), or its negation dropped (`at` -1)."""

    key: int
    at: int
    kind: str
    word: str
    code: bool = False


@cache
def _words(group: str) -> frozenset[str]:
    return frozenset(group.split())


@cache
def _pattern(name: str) -> re.Pattern[str]:
    patterns = {"date": lexicon.DATES, "disclosed": "|".join(lexicon.DISCLOSURES)}
    return compiled(patterns[name], re.IGNORECASE)


@lru_cache(maxsize=1 << 15)
def _kind(written: str, first: bool) -> str:
    """What sort of value a word is: number, ordinal, date, name; empty for plain words."""
    word = bare_word(written)
    lowered = word.lower()
    if named := _NAMED.get(lowered):
        return named
    if not word.isalpha():
        if _pattern("date").fullmatch(lowered):
            return "date"
        if _ORDINAL.fullmatch(lowered):
            return "ordinal"
        if any(ch.isdigit() for ch in word):
            return "number"
    if "`" in written or (word != lowered and _SPLIT.search(word)) or _JOINED.search(word):
        return "name"
    return "name" if not first and word[:1].isupper() else ""


@lru_cache(maxsize=1 << 15)
def _stem(word: str) -> str:
    if not word.endswith("s"):
        return word
    for ending, stem in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("s", "")):
        if len(word) > 3 and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)] + stem
    return word


def _plain(words: list[str]) -> tuple[list[str], bool]:
    """Stems without negation and do-support; whether the negations were odd in number."""
    spread: list[str] = []
    for word in words:
        plain = word.replace("’", "'")
        spread += lexicon.CONTRACTED[plain].split() if plain in lexicon.CONTRACTED else word.split()
    negations = sum(w in _NEGATIONS for w in spread)
    return [_stem(w) for w in spread if w not in _DROPPED], negations % 2 == 1


def masks(place: Place) -> tuple[Masked, ...]:
    """Every sequence under which a conflicting version of this claim would be found."""
    return _masks(read_claim(place.claim))


@lru_cache(maxsize=4096)
def _masks(reading: Reading) -> tuple[Masked, ...]:
    written = reading.uncited_words
    lowered = [bare_word(w).lower() for w in written]
    if len(written) < SHORTEST:
        return ()
    plain, negated = _plain(lowered)
    negation = "not" if negated else ""
    found = [Masked(sequence_key("negation", plain), -1, "negation", negation)]
    values = [(at, kind) for at, word in enumerate(written) if (kind := _kind(word, not at))]
    for at, kind in values[:MASKS]:
        slot = "name" if kind == "name" else "value"
        key = sequence_key(slot, [*lowered[:at], "\1", *lowered[at + 1 :]])
        found.append(Masked(key, at, kind, bare_word(written[at]), "`" in written[at]))
    return tuple(found)


def disclosed(text: str) -> bool:
    """Whether a text says that something has changed."""
    return bool(_pattern("disclosed").search(text))


def find_conflicts(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """The claim whose value this one changes: rule `conflicting-update` or `contradiction`."""
    if knowledge.alone(place) or place.claim.text.endswith((":", "：")):
        return
    if disclosed(place.claim.text):
        return
    own = {m.key: m for m in masks(place)}
    for other in islice(knowledge.sharing(own), VERSIONS):
        finding = _compare(place, own, other, knowledge)
        if finding:
            yield finding
            return


def _compare(
    place: Place, own: dict[int, Masked], other: Place, knowledge: Knowledge
) -> Finding | None:
    if not _comparable(place, other, knowledge):
        return None
    theirs = next(
        (m for m in masks(other) if m.key in own and m.word.lower() != own[m.key].word.lower()),
        None,
    )
    if theirs is None:
        return None
    mine = own[theirs.key]
    if "date" in (mine.kind, theirs.kind) or not said_of_subject(place, mine):
        return None
    if mine.kind == "negation" and any(_FORBIDDING.search(p.claim.section) for p in (place, other)):
        return None
    was, now = theirs.word or "(not negated)", mine.word or "(not negated)"
    message = f"{other.path}:{other.claim.line} says {was} where this says {now}"
    rule = _rule(place, mine, theirs, other, knowledge)
    return Finding(rule, message, words=now, other=other) if rule else None


def _comparable(place: Place, other: Place, knowledge: Knowledge) -> bool:
    """Whether one claim may revise another: it comes after it, and neither tells cases apart."""
    if other.claim.id == place.claim.id or told_apart(place, other):
        return False
    if place.claim.table and (other.path, other.claim.table) == (place.path, place.claim.table):
        return False
    if not comes_after(place, other, knowledge) or disclosed(other.claim.text):
        return False
    return not _cases(place, other)


def _cases(place: Place, other: Place) -> bool:
    """Whether two claims tell cases or items apart: headings side by side, and fields of records
    that follow each other below one heading (`Cause: …`, `Cause: …`)."""
    if place.path != other.path or place.claim.section != other.claim.section:
        return False
    if place.claim.form is other.claim.form is Form.HEADING:
        return True
    mine, theirs = _LABEL.match(place.claim.text), _LABEL.match(other.claim.text)
    same_label = mine and theirs and mine[0] == theirs[0]
    return bool(same_label) and place.claim.block != other.claim.block


def _rule(place: Place, mine: Masked, theirs: Masked, other: Place, knowledge: Knowledge) -> str:
    blocking = mine.kind in ("number", "negation") and _undated(place) and _undated(other)
    if (
        blocking
        and not knowledge.on_base(place)
        and knowledge.on_base(other)
        and knowledge.grounded(other)
    ):
        return "conflicting-update"
    same_section = place.path == other.path and place.claim.section == other.claim.section
    # Names tell the items of one list apart, and code the variants of one example.
    told_apart = mine.kind == "name" and (mine.code or place.claim.block == other.claim.block)
    if not same_section or told_apart or _EXAMPLE.search(place.claim.text):
        return ""
    if "```" in place.claim.text or _one_name(mine.word, theirs.word):
        return ""
    return "contradiction"


def _one_name(one: str, other: str) -> bool:
    """Whether two words are one: in another spelling, or with another target of its link."""
    mine, theirs = (_DASHES.sub("-", w.partition("](")[0].partition("][")[0]) for w in (one, other))
    if mine == theirs or "][" in one or "](" in one:
        return True
    return mine.isalpha() and len(mine) >= SPELLED and sorted(mine) == sorted(theirs)


def _undated(place: Place) -> bool:
    claim = place.claim
    if place.doc_class is not DocClass.MEMORY or claim.form not in (Form.PROSE, Form.RECORD):
        return False
    return not claim.timestamp and not _pattern("date").search(f"{claim.section} {claim.text}")


def said_of_subject(place: Place, masked: Masked) -> bool:
    """Whether the masked word belongs to what is said of a subject. An imperative, or an item that
    begins with its verb, has no subject of its own: two of them do not contradict."""
    written = read_claim(place.claim).uncited_words
    label = next((at + 1 for at, w in enumerate(written[:LABEL]) if w.endswith(":")), 0)
    if -1 < masked.at < label:
        return False
    lowered = [bare_word(w).lower() for w in written[label:]]
    told = [w for w in lowered if w not in _words(lexicon.NARRATIVE)][:1] or [""]
    if not lowered:
        return False
    if told[0] in third_person() or told[0] in finite_verbs() or lowered[0] in ("and", "then"):
        return False
    if masked.kind == "negation":
        return True
    verbs = _words(AUXILIARIES) | _words(IRREGULAR) | third_person()
    return any(w in verbs for w in lowered[1 : masked.at - label])

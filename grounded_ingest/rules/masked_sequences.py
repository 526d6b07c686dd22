"""Claims as word sequences with one value masked (docs/adr/0009)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec import Struct

from grounded_ingest.language.dates import date
from grounded_ingest.language.identifiers import is_identifier
from grounded_ingest.language.lexicon import updates as lexicon
from grounded_ingest.language.lexicon.number_words import (
    CARDINALS,
    FRACTIONS,
    MONTHS,
    ORDINALS,
    SCALES,
    WEEKDAYS,
)
from grounded_ingest.language.lexicon.verbs import AUXILIARIES, IRREGULAR
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.polarity import affirmed
from grounded_ingest.language.reading import KEPT, Reading, bare_word, read_claim
from grounded_ingest.language.statements import finite_verbs, third_person
from grounded_ingest.language.word_keys import sequence_key
from grounded_ingest.model.claims import Place

SHORTEST, MASKS, LABEL = 4, 12, 5
"""Words of the shortest sequence compared; masks tried per claim; words of the longest label
(`Cause:`)."""

_AGREES = compiled(r"[a-z]+(?<!s) [a-z]{3,}(?<![siu])s")
_ORDINAL = compiled(r"\d+(?:st|nd|rd|th)")

_DO_SUPPORT = frozenset(lexicon.DO_SUPPORT.split())
_NAMED = (
    dict.fromkeys([*CARDINALS, *SCALES, *FRACTIONS], "number")
    | dict.fromkeys([*ORDINALS, "last"], "ordinal")
    | dict.fromkeys([*MONTHS, *WEEKDAYS, *lexicon.DATE_WORDS.split()], "date")
)


class Masked(Struct, frozen=True):
    """A claim's sequence with one word masked (`at`), or its negation dropped (`at` -1)."""

    key: int
    at: int
    kind: str
    word: str
    code: bool = False


@cache
def _words(group: str) -> frozenset[str]:
    return frozenset(group.split())


_RELATIVE = compiled(lexicon.RELATIVE_DATES, re.IGNORECASE)
_DISCLOSED = compiled("|".join(lexicon.DISCLOSURES), re.IGNORECASE)


@lru_cache(maxsize=1 << 15)
def _kind(written: str, first: bool) -> str:
    """What sort of value a word is: number, ordinal, date, name; empty for plain words."""
    word = bare_word(written)
    lowered = word.lower()
    if named := _NAMED.get(lowered):
        return named
    if not word.isalpha():
        if (when := date(lowered)) and when.month:
            return "date"
        if _ORDINAL.fullmatch(lowered):
            return "ordinal"
        if any(ch.isdigit() for ch in word):
            return "number"
    if "`" in written or is_identifier(word):
        return "name"
    return "name" if not first and word[:1].isupper() else ""


def _stem(word: str) -> str:
    if not word.endswith("s"):
        return word
    for ending, stem in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("s", "")):
        if len(word) > 3 and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)] + stem
    return word


@lru_cache(maxsize=1 << 15)
def _plain(word: str) -> tuple[str, ...]:
    """The stems of a word without negation and do-support."""
    spread = affirmed(word.replace("’", "'")).split()
    return tuple([_stem(w) for w in spread if w not in _DO_SUPPORT])


def index_keys(place: Place, reading: Reading) -> Iterator[int]:
    del place
    return (m.key for m in masks(reading))


@lru_cache(maxsize=KEPT)
def masks(reading: Reading) -> tuple[Masked, ...]:
    """Every sequence under which a conflicting version of this claim would be found."""
    written = reading.uncited_words
    lowered = [bare_word(w).lower() for w in written]
    if len(written) < SHORTEST:
        return ()
    negation = "not" if reading.uncited.negated else ""
    found = [
        Masked(
            sequence_key("negation", [s for w in lowered for s in _plain(w)]),
            -1,
            "negation",
            negation,
        )
    ]
    values = [(at, kind) for at, word in enumerate(written) if (kind := _kind(word, not at))]
    for at, kind in values[:MASKS]:
        slot = "name" if kind == "name" else "value"
        key = sequence_key(slot, [*lowered[:at], "\1", *lowered[at + 1 :]])
        found.append(Masked(key, at, kind, bare_word(written[at]), "`" in written[at]))
    return tuple(found)


@lru_cache(maxsize=4096)
def disclosed(text: str) -> bool:
    """Whether a text says that something has changed."""
    return bool(_DISCLOSED.search(text))


def differs(says: str, was: str, now: str) -> str:
    """How two values of one mask differ, `says` naming where the former stands."""
    if was and now:
        return f"{says} {was} where this says {now}"
    return f"{says} it {'with' if was else 'without'} “{was or now}”"


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
    at = masked.at - label
    return any(w in verbs for w in lowered[1:at]) or _counts_objects(lowered, at)


def _counts_objects(lowered: list[str], at: int) -> bool:
    """Whether a number counts what a verb that no list knows takes: `the job archives 40 files`. A
    word in -s behind a singular one and before a counted plural is no noun."""
    if not 1 < at < len(lowered) - 1 or not _AGREES.fullmatch(
        f"{lowered[at - 2]} {lowered[at - 1]}"
    ):
        return False
    return lowered[at + 1].isalpha() and _stem(lowered[at + 1]) != lowered[at + 1]


def has_date(text: str) -> bool:
    """Whether a text holds a date."""
    from grounded_ingest.language.amounts import dates_in

    return bool(_RELATIVE.search(text)) or any(dates_in(text))

"""Finds two versions of one sentence: keys of its words with a number or its negation masked."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from grounded_ingest.text.lexicon import updates as lexicon
from grounded_ingest.text.lexicon.number_words import CARDINALS, FRACTIONS, SCALES
from grounded_ingest.text.lexicon.verbs import AUXILIARIES, IRREGULAR
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.polarity import affirmed
from grounded_ingest.text.reading import Reading, bare_word
from grounded_ingest.text.statements import finite_verbs, third_person
from grounded_ingest.text.word_keys import sequence_key

SHORTEST, MASKS = 4, 12
"""Words of the shortest claim that is compared; values of one claim that are tried."""

_NUMBERS = frozenset((*CARDINALS, *SCALES, *FRACTIONS))
_VERBS = (frozenset(f"{AUXILIARIES} {IRREGULAR}".split()) | third_person()) - _NUMBERS
_DO_SUPPORT = frozenset(lexicon.DO_SUPPORT.split())
_DISCLOSED = compiled("|".join(lexicon.DISCLOSURES), re.IGNORECASE)


class Masked(Struct, frozen=True):
    """A claim's words with the number at `at` masked, or without its negation (`at` -1)."""

    key: int
    at: int
    value: str


@lru_cache(maxsize=4096)
def disclosed(text: str) -> bool:
    """Whether a text says that something has changed."""
    return bool(_DISCLOSED.search(text))


def masks(reading: Reading) -> tuple[Masked, ...]:
    """Returns the keys under which another version of a claim is found: one for each number that
    the claim says of its subject, and one without its negation."""
    written = reading.uncited_words
    words = [bare_word(w).lower() for w in written]
    if len(words) < SHORTEST or words[0] in finite_verbs():  # an imperative has no subject
        return ()
    plain = [stem for w in words for stem in _affirmed(w)]
    found = [Masked(sequence_key("negation", plain), -1, "not" if reading.uncited.negated else "")]
    for at in [n for n, w in enumerate(words) if _is_number(w)][:MASKS]:
        if not _VERBS.isdisjoint(words[1:at]):
            key = sequence_key("value", [*words[:at], "\1", *words[at + 1 :]])
            found.append(Masked(key, at, bare_word(written[at])))
    return tuple(found)


def _is_number(word: str) -> bool:
    return word in _NUMBERS or (any(c.isdigit() for c in word) and not word.isalpha())


def _affirmed(word: str) -> list[str]:
    """Returns a word without its negation, do-support and final s, as zero or more words."""
    spread = affirmed(word.replace("’", "'")).split()
    return [w[:-1] if len(w) > 3 and w.endswith("s") else w for w in spread if w not in _DO_SUPPORT]

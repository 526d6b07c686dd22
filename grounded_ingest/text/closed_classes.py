"""The closed classes of English words: one list of each, whoever asks."""

from __future__ import annotations

from functools import cache

from grounded_ingest.text.lexicon import function_words as words
from grounded_ingest.text.polarity import NEGATIONS


@cache
def group(name: str) -> frozenset[str]:
    """A group of `lexicon.function_words` by its name."""
    return frozenset(getattr(words, name).split())


@cache
def structure_words() -> frozenset[str]:
    """Pronouns, determiners, prepositions, conjunctions and auxiliaries: they only join others."""
    return (
        group("SELF")
        | group("PRONOUNS")
        | group("DETERMINERS")
        | group("PREPOSITIONS")
        | group("CONJUNCTIONS")
        | group("AUXILIARIES")
    )


@cache
def function_words() -> frozenset[str]:
    """Words that state nothing by themselves: adverbs and negations as well."""
    return structure_words() | group("ADVERBS") | NEGATIONS


@cache
def light_words() -> frozenset[str]:
    """Words that carry others; what they carry is checked."""
    return group("LIGHT")

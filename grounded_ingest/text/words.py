"""Finds English function words, negations, and words that limit a statement."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from grounded_ingest.text.code_spans import blank_code
from grounded_ingest.text.lexicon import force_words as force
from grounded_ingest.text.lexicon import function_words as lexicon
from grounded_ingest.text.patterns import compiled

NEGATIONS = frozenset(f"{lexicon.DENIALS} {lexicon.CONTRACTIONS}".split())
"""Words that negate a sentence or a part of it, such as "not" and "isn't"."""

_WORD = compiled(r"[a-z]\w*(?:['-]\w+)*")
_QUOTED_NEGATION = compiled(rf"([\"'`“])(?:{'|'.join(sorted(NEGATIONS))})[\"'`”]")
_QUOTE = compiled("[\"'`“]")
_UNSPECIFIC = frozenset(lexicon.UNSPECIFIC.split())
_ADVERBIAL = frozenset(lexicon.ADVERBIAL.split())
_DENIES_NOTHING = compiled(lexicon.DENY_NOTHING)
_MAY_DENY = compiled(r"\bn[eo]|n['’]t|cannot|without", re.IGNORECASE)
"""Matches every text that may have a negation. A fast test before looking at each word."""


@cache
def group(name: str) -> frozenset[str]:
    """Returns the words of a group in `lexicon.function_words`, given by its name, such as
    "DETERMINERS"."""
    return frozenset(getattr(lexicon, name).split())


@cache
def structure_words() -> frozenset[str]:
    """Returns the words that only join other words, such as pronouns and prepositions."""
    joining = ("PREPOSITIONS", "CONJUNCTIONS", "AUXILIARIES")
    return frozenset().union(*map(group, ("SELF", "PRONOUNS", "DETERMINERS", *joining)))


@cache
def function_words() -> frozenset[str]:
    """Returns words that state nothing by themselves: structure words, adverbs, negations."""
    return structure_words() | group("ADVERBS") | NEGATIONS


def negations_in(text: str) -> list[str]:
    """Returns the negations in a text, in lower case and in order. `no-op` and `NOT_FOUND` do not
    count, and neither does a negation in quotation marks."""
    if not _MAY_DENY.search(text):
        return []
    plain = text.lower().replace("’", "'")
    if _QUOTE.search(plain):
        plain = _QUOTED_NEGATION.sub(" ", plain)
    return [w for w in _WORD.findall(plain) if w in NEGATIONS]


def is_negated(text: str) -> bool:
    """Returns whether a clause has an odd number of negations, which makes it a denial. The word
    "nor" counts only if the clause has no other negation."""
    if not _MAY_DENY.search(text):
        return False
    found = [w for w in negations_in(_DENIES_NOTHING.sub(" ", text.lower())) if w not in _ADVERBIAL]
    return bool((sum(w != "nor" for w in found) or len(found)) % 2)


def without_negation(word: str) -> str:
    """Returns a word without its negation: "is" for "isn't", "" for "not"."""
    if word in _UNSPECIFIC or word not in NEGATIONS:
        return word
    if word in lexicon.AFFIRMED:
        return lexicon.AFFIRMED[word]
    return word.removesuffix("n't") if word.endswith("n't") else ""


_NOT_LIMITING = tuple(map(compiled, (force.NO_FORCE, force.POINTING)))
_DISOWNING = compiled(force.DISOWNS)
_POINTS_ON, _POINTS_BACK = compiled(force.POINTS_ON), compiled(force.POINTS_BACK)
_STATUS_HEADER, _NO_CELL = compiled(force.STATUS_HEADER), compiled(force.NO_CELL)
_LONGEST_STATUS = 4
"""Maximum number of words in a table cell that is read as a status."""


def _limiting_pattern() -> str:
    listed = (*force.CHANGING.split(), *force.DENYING.split(), *lexicon.CONTRACTIONS.split())
    phrases = {word.replace("-", " ") for word in listed} - {"n't"}
    longest_first = sorted(phrases, key=len, reverse=True)
    return rf"(?<![\w`.-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w`-]|\.\w)"


_LIMITING = compiled(_limiting_pattern)


def limiting_word(text: str) -> str:
    """Returns the first word in a text that limits or negates a statement, such as "only", or an
    empty string. Skips code."""
    plain = blank_code(text.lower().replace("’", "'"), " ")
    for pattern in _NOT_LIMITING:
        plain = pattern.sub(lambda m: " " * len(m[0]), plain)
    found = _LIMITING.search(plain)
    return found[0] if found else ""


@lru_cache(maxsize=1024)  # every claim below a heading asks again
def denying_word(text: str) -> str:
    """Returns the word with which a heading or lead-in denies the text below, such as "rejected" in
    "Rejected ideas". Returns an empty string if there is no such word."""
    found = _DISOWNING.search(text)
    return found[0] if found else ""


def denying_neighbour(before: str, behind: str) -> str:
    """Returns the neighbouring sentence that denies a statement. `before` and `behind` are the
    sentences before and after the statement.

    Returns `before` for a sentence such as "The following is false." Returns `behind` for a
    sentence such as "This is outdated." Returns an empty string if no neighbour denies the
    statement.
    """
    for text, points in ((before, _POINTS_ON), (behind, _POINTS_BACK)):
        if points.search(text) and denying_word(text):
            return text
    return ""


def is_about_neighbour(text: str) -> bool:
    """Returns whether a sentence is about the sentence before or after it: "That is old", "Ignore
    this"."""
    return any(p.search(text) for p in (_POINTS_ON, _POINTS_BACK, _IGNORES))


_IGNORES = compiled(r"(?i)\b(?:ignore|disregard|forget|scrap)\b")


def denying_cell(cell: str) -> bool:
    """Returns whether a cell of a table row, "header: value", denies the row: "Valid: no"."""
    header, _, value = cell.rpartition(": ")
    if len(value.split()) > _LONGEST_STATUS or not _STATUS_HEADER.search(header):
        return False
    return bool(_NO_CELL.match(value)) or bool(denying_word(value))

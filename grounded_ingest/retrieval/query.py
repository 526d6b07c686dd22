"""Splits a question into weighted words with their synonyms. The module does no I/O."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from grounded_ingest.text.lexicon import question_words, technologies
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.words import structure_words

LITTLE, NAMED = 0.1, 1.5
"""Weights of words in a question: a word with little meaning, such as "go", and a name, such as
"Go"."""
_WORD = compiled(r"[^\W_]+")
_RAW = compiled(r"[^\W_][\w./:-]*")
# Each pattern starts only at the first letter of a word, because a match that fails there would
# also fail at every later letter. So the search takes linear time.
_CAMEL = compiled(r"(?<![^\W\d_])[^\W\d_]*[a-z][A-Z][^\W_]*|(?<![A-Z])[A-Z]+[A-Z][a-z][^\W_]*")
_PART = compiled(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_ZEROS = compiled(r"\b0+(?=[1-9])\d+\b")
_BRITISH = compiled(r"\b([^\W\d_]{3,})is(e[sdr]?|ing|ations?|ers)\b")
_ENDING = compiled(r"(?:ed|ing|es|s)$")
_SHORTEST = 3
_WEAK = frozenset(question_words.LITTLE.split())


class QueryWord(NamedTuple):
    """A word of a question.

    `factor` says how much the word counts compared with an ordinary word (1.0). `same` lists other
    spellings and parts of the word, `others` lists synonyms. An entry of `same` or `others` can be
    a phrase."""

    word: str
    factor: float = 1.0
    same: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def spread(text: str) -> str:
    """Returns the text with other forms of its words appended.

    Adds the parts of camelCase names, numbers without leading zeros (3 for 0003), and -ize for
    -ise. The tokenizer itself splits words at punctuation (snake_case, paths)."""
    found = " ".join(_forms(text))
    return f"{text} {found}" if found else text


def _forms(text: str) -> Iterator[str]:
    for word in _CAMEL.findall(text):
        yield from (p for p in _PART.findall(word) if len(p) >= _SHORTEST)
    yield from (number.lstrip("0") for number in _ZEROS.findall(text))
    yield from (f"{stem}iz{ending}" for stem, ending in _BRITISH.findall(text))


def expected_value(question: str) -> re.Pattern[str] | None:
    """Returns the pattern of the value that a question asks for, such as a version or a port.
    Returns None if the question does not ask for a value."""
    for asks, value in question_words.VALUES:
        if compiled(asks, re.IGNORECASE).search(question):
            return compiled(value, re.IGNORECASE)
    return None


def query_terms(question: str) -> list[str]:
    """Returns the search words of a question in lower case. Leaves out function words and single
    letters that are not names. If the question has no other words, returns all words."""
    return list(_spelt(question))


def _spelt(question: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in _WORD.findall(question):
        found.setdefault(word.lower(), word)
    names = set(_names(question))
    told = {w: raw for w, raw in found.items() if w in names or _telling(w)}
    return told or found


def _telling(word: str) -> bool:
    return word not in structure_words() and (len(word) > 1 or word.isdigit())


def asked(question: str) -> list[QueryWord]:
    """Returns the words of a question with their factors and synonyms. The list is empty if the
    question has only function words."""
    names = set(_names(question))
    phrases = {one: f"{one} {two}" for one, two in pairwise(_WORD.findall(question.lower()))}
    return [
        QueryWord(
            word,
            NAMED if word in names else LITTLE if word in _WEAK else 1.0,
            tuple(dict.fromkeys(form.lower() for form in _forms(raw))),
            (*_others(word), *_groups().get(phrases.get(word, ""), ())),
        )
        for word, raw in _spelt(question).items()
        if word in names or _telling(word)
    ]


def _names(question: str) -> Iterator[str]:
    """Yields the words that have a capital letter or a digit, without the first word and "I".

    So "Go" and "C" are names, although "go" and "c" are no search words."""
    for raw in _RAW.findall(question)[1:]:
        if raw != "I" and (raw != raw.lower() or any(c.isdigit() for c in raw)):
            yield from (t for t in query_terms(raw) if not t.isdigit())


@cache
def _groups() -> Mapping[str, tuple[str, ...]]:
    """Maps each word in the word lists to its synonyms. Also maps each kind of technology, such as
    "database", to the names of technologies of this kind."""
    found: dict[str, dict[str, None]] = {}
    for line in question_words.GROUPS:
        group = dict.fromkeys(w.replace("_", " ").replace("-", " ") for w in line.split())
        for word in group:
            found.setdefault(word, {}).update(group)
    for kind, names in technologies.KINDS.items():
        for word in kind.split("_"):
            found.setdefault(word, {}).update(dict.fromkeys(_unmistakable(names)))
    return {word: tuple(others) for word, others in found.items()}


def _unmistakable(names: str) -> Iterator[str]:
    """Yields the names of technologies in a list that are not also English words, in lower case."""
    for name in (n for entry in names.split(", ") for n in entry.split("=")):
        if name not in technologies.AMBIGUOUS and _WORD.search(name):
            yield " ".join(_WORD.findall(name)).lower()


def _others(word: str) -> tuple[str, ...]:
    """Returns the synonyms of a word, which is looked up with and without its ending."""
    bare = _ENDING.sub("", word)
    forms = dict.fromkeys((word, bare, f"{bare}e", word.removesuffix("s")))
    found = dict.fromkeys(o for form in forms for o in _groups().get(form, ()))
    return tuple(o for o in found if o not in forms and _WORD.search(o))

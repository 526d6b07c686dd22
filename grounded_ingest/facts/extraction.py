"""Facts of a text: every frame looks at every sentence, the first to claim a value has it."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from grounded_ingest.facts import pattern_labels as labels
from grounded_ingest.facts import pattern_people as people
from grounded_ingest.facts import pattern_quantities as quantities
from grounded_ingest.facts import pattern_technology as technology
from grounded_ingest.facts import pattern_verbs as predicates
from grounded_ingest.facts.collector import Finder
from grounded_ingest.facts.fact import Fact
from grounded_ingest.language.clauses import subject_key
from grounded_ingest.language.lexicon.function_words import HEADINGS
from grounded_ingest.language.parse import Sentence
from grounded_ingest.language.reading import Reading, read_text
from grounded_ingest.language.slots import tables

LONGEST = 20_000
"""Characters of one memory that are read."""

_GENERIC = frozenset(HEADINGS.split())


class TextFacts(Struct, frozen=True):
    """A text as sentences, and the facts it states."""

    text: str
    sentences: tuple[Sentence, ...]
    facts: tuple[Fact, ...]


def facts(text: str, section: str = "", *, persons: bool = False) -> tuple[Fact, ...]:
    """What a text states of things, and of people where asked for. `section` is the heading it
    stands under, which can be its subject."""
    return reading(text, section, persons=persons).facts


def reading(text: str, section: str = "", *, persons: bool = True) -> TextFacts:
    """A text read; texts that were read before cost nothing."""
    return _reading(text, section, persons, id(tables(persons=persons)))


@lru_cache(maxsize=32768)
def _reading(text: str, section: str, persons: bool, tables_used: int) -> TextFacts:
    del tables_used
    said = read_text(text)
    about = heading_subject(section) if section else ""
    found: list[Fact] = []
    for sentence in said.sentences:
        if not sentence.question:
            found.extend(_of_sentence(sentence, said, about, persons=persons))
    return TextFacts(text, tuple(said.sentences), tuple(found))


def _of_sentence(sentence: Sentence, reading: Reading, about: str, *, persons: bool) -> list[Fact]:
    finder = Finder(sentence, reading, about, tables(persons=persons))
    for frame in (
        labels.find,
        predicates.owners,
        predicates.relations,
        predicates.copulas,
        people.find,
        quantities.find,
        technology.find,
    ):
        if persons or frame is not people.find:
            frame(finder)
    return finder.facts


def heading_subject(section: str) -> str:
    """What a heading says the text below it is about; empty for general headings."""
    last = section.rsplit(" > ", 1)[-1]
    kept = [
        t for t in read_text(last).tokens if t.kind in ("word", "path") and t.low not in _GENERIC
    ]
    return subject_key(kept) if len(kept) <= 4 else ""

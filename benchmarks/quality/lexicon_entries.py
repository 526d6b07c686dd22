"""The entries of the engine's lexicon, in which examples they occur, and the engine without some.

Open tables only: slots, technologies, aliases, synonyms, words about people, verbs. Closed classes
(function words, units, number words, irregular forms), patterns and the rules in code are no
entries that could be left out one by one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

from grounded_ingest.language import terms
from grounded_ingest.language.closed_classes import group
from grounded_ingest.language.lexicon import synonym_stems
from grounded_ingest.language.tokens import tokenize

LONGEST = 6
"""Words of an entry by which its occurrences are looked up."""

Entry = tuple[str, str, str]
"""Table, row and entry: `("slots_personal.SLOTS", "employer.relations", "works at")`."""

_FIELDS = ("nouns", "relations", "purposes")


class Table(NamedTuple):
    """A constant of a lexicon module. `apart` separates entries, `stems` says they are stems."""

    module: str
    name: str
    apart: str = " "
    stems: bool = False

    @property
    def path(self) -> str:
        return f"{self.module}.{self.name}"

    @property
    def value(self) -> Any:
        return getattr(import_module(f"grounded_ingest.language.lexicon.{self.module}"), self.name)


_PEOPLE = (
    "OCCUPATIONS RANKS DIETS RELATIONSHIPS SCHEDULES NATIONALITIES HUMAN_LANGUAGES STATES_OF_MIND "
    "PETS PLACES"
)
TABLES = (
    Table("slots_personal", "SLOTS", ", "),
    Table("slots_repository", "SLOTS", ", "),
    Table("slots_repository", "SCALARS"),
    Table("technologies", "KINDS", ", "),
    Table("names", "ALIASES", "="),
    Table("synonyms", "GROUPS"),
    *(Table("people", name) for name in _PEOPLE.split()),
    *(Table("frames", n, ", ") for n in ("ADOPT", "MIGRATE", "LEAVE", "CONSIDER", "PLANNED")),
    *(Table("frames", name, stems=True) for name in ("EVENTS", "ADDITIVE")),
    Table("frames", "SWITCHED"),
    Table("verbs", "REGULAR"),
    Table("verbs", "IRREGULAR"),
    Table("frame_words", "MORE_VERBS"),
)


def entries() -> Iterator[tuple[Entry, tuple[str, ...]]]:
    """Every entry of the open tables, and the words it occurs as."""
    for table in TABLES:
        for row, entry in _entries(table):
            words = (entry,) if table.stems else words_of(entry)
            yield (table.path, row, entry), words[:LONGEST]


def _entries(table: Table) -> Iterator[tuple[str, str]]:
    value = table.value
    if table.name == "SLOTS":
        for slot, row in value.items():
            for field in _FIELDS:
                for entry in filter(None, row.get(field, "").split(", ")):
                    yield f"{slot}.{field}", entry
    elif table.name == "KINDS":
        for kind, listed in value.items():
            yield from ((kind, s) for e in listed.split(", ") for s in e.split("="))
    elif isinstance(value, str):
        yield from (("", entry) for entry in value.split(table.apart))
    elif isinstance(value, Mapping):
        yield from (("", entry) for entry in value)
    else:
        for row in value:
            yield from ((row.split(table.apart)[0], e) for e in row.split(table.apart))


def words_of(text: str) -> tuple[str, ...]:
    """A text as stems, adverbs left out, as phrases of the tables are looked up."""
    adverbs = group("ADVERBS")
    tokens = [t for t in tokenize(text) if t.kind != "line"]
    kept = [t for t in tokens if t.low not in adverbs] or tokens
    return tuple(t.stem for t in kept)


def occurrences(
    texts: Iterable[tuple[str, Iterable[str]]],
) -> Callable[[tuple[str, ...]], set[str]]:
    """In which of the named texts a row of words occurs."""
    found: dict[tuple[str, ...], set[str]] = {}
    for name, several in texts:
        for text in several:
            words = words_of(text)
            for size in range(1, LONGEST + 1):
                for at in range(len(words) - size + 1):
                    found.setdefault(words[at : at + size], set()).add(name)
    return lambda words: found.get(words, set())


@contextmanager
def without(removed: frozenset[Entry]) -> Iterator[None]:
    """The engine without some entries; everything is as it was behind it."""
    changed: list[tuple[Any, str, Any]] = []
    try:
        for table in TABLES:
            mine = {(row, entry) for path, row, entry in removed if path == table.path}
            if mine:
                old = table.value
                changed.extend(_put(old, _less(table, old, mine)))
        if any(name == "GROUPS" for _, name, _ in changed):  # what was drawn of them, drawn again
            changed.extend(_put(synonym_stems.STEMS, _drawn()))
        _forget()
        yield
    finally:
        for module, name, old in changed:
            setattr(module, name, old)
        _forget()


def _drawn() -> str:
    groups = terms.stemmed_groups().items()
    return " ".join(f"{word}:{','.join(n[1:] for n in numbers)}" for word, numbers in groups)


def _put(old: object, new: object) -> Iterator[tuple[Any, str, Any]]:
    """Put a table in the place of another, wherever a module holds it; what was there before."""
    for module in [m for n, m in sys.modules.items() if n.startswith("grounded_ingest.")]:
        for name in [n for n, held in vars(module).items() if held is old]:
            setattr(module, name, new)
            yield module, name, old


def _forget() -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith(
            ("grounded_ingest.grounding.", "grounded_ingest.facts.", "grounded_ingest.language.")
        ):
            for held in list(vars(module).values()):
                clear = getattr(held, "cache_clear", None)
                if clear:
                    clear()


def _less(table: Table, old: Any, mine: set[tuple[str, str]]) -> object:
    """A table without some of its entries."""
    apart = table.apart
    if table.name == "SLOTS":
        return {
            slot: {
                field: _joined(value, apart, f"{slot}.{field}", mine) if field in _FIELDS else value
                for field, value in row.items()
            }
            for slot, row in old.items()
        }
    if table.name == "KINDS":
        return {
            kind: apart.join(
                filter(None, [_joined(e, "=", kind, mine) for e in listed.split(apart)])
            )
            for kind, listed in old.items()
        }
    if isinstance(old, str):
        return _joined(old, apart, "", mine)
    if isinstance(old, Mapping):
        return {key: value for key, value in old.items() if ("", key) not in mine}
    return tuple(filter(None, (_joined(row, apart, row.split(apart)[0], mine) for row in old)))


def _joined(listed: str, apart: str, row: str, mine: set[tuple[str, str]]) -> str:
    return apart.join(e for e in listed.split(apart) if (row, e) not in mine)

"""The slot tables as lookups: nouns, relation phrases and purposes to slots."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from grounded_ingest.language.phrase_table import Phrases
from grounded_ingest.language.stemming import stem


class Slot(NamedTuple):
    name: str
    values: str
    many: bool
    kinds: frozenset[str]
    planned: bool
    of_person: bool = False


class Tables(Struct, frozen=True):
    slots: dict[str, Slot]
    nouns: Phrases
    relations: Phrases
    purposes: Phrases
    by_kind: dict[str, str]
    one_of_a_kind: frozenset[str]


@cache
def slots_by_name(*, persons: bool = True) -> dict[str, Slot]:
    """The slots, without the phrases that name them: those take a while to read."""
    from grounded_ingest.language.lexicon import slots_repository

    found: dict[str, Slot] = {}
    specific = frozenset(slots_repository.SPECIFIC.split())
    for name, row, of_person in _rows(persons=persons):
        kinds = frozenset(row.get("kinds", "").split())
        slot = found[name] = Slot(
            name, row["values"], bool(row.get("many")), kinds, bool(row.get("planned")),
            of_person,
        )  # fmt: skip
        if name in specific:
            names = (_specific_name(phrase, name) for phrase in row["nouns"].split(", ")[2:])
            found.update((own, slot._replace(name=own)) for own in names)
    return found


@cache
def tables(*, persons: bool = True) -> Tables:
    """`persons`: with the slots that only people have (diet, pets, employer)."""
    from grounded_ingest.language.lexicon import slots_repository

    slots = slots_by_name(persons=persons)
    by_kind: dict[str, str] = {}
    specific = frozenset(slots_repository.SPECIFIC.split())
    nouns, relations, purposes = Phrases(), Phrases(), Phrases()
    for name, row, _ in _rows(persons=persons):
        for kind in slots[name].kinds:
            if kind == name or kind not in by_kind:
                by_kind[kind] = name
        if name in specific:
            _add_specific(nouns, row["nouns"], name)
        else:
            _add(nouns, row["nouns"], name)
        _add(relations, row["relations"], name)
        _add(purposes, row.get("purposes", ""), name)
    one = frozenset(slots_repository.ONE_OF_A_KIND.split())
    return Tables(slots, nouns, relations, purposes, by_kind, one)


def _rows(*, persons: bool) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Every slot as it is written, and whether only people have it."""
    from grounded_ingest.language.lexicon import slots_personal, slots_repository

    personal: dict[str, Any] = slots_personal.SLOTS
    common: dict[str, Any] = slots_repository.SLOTS
    every: dict[str, dict[str, Any]] = {**personal, **common}
    of_anything = frozenset(slots_personal.OF_ANYTHING.split())
    for name, row in every.items():
        of_person = name in personal and name not in of_anything
        if persons or not of_person:
            yield name, row, of_person


def slot_named(name: str) -> Slot | None:
    return slots_by_name().get(name)


@cache
def noun_stems() -> frozenset[str]:
    """The stems of all words that slots' nouns are made of."""
    from grounded_ingest.language.lexicon import slots_personal, slots_repository

    rows: tuple[Any, ...] = (*slots_personal.SLOTS.values(), *slots_repository.SLOTS.values())
    listed = " ".join(row["nouns"] for row in rows).lower().replace("'s", " 's").replace(",", " ")
    return frozenset(map(stem, listed.split()))


def _add_specific(nouns: Phrases, listed: str, slot: str) -> None:
    """Nouns that stand for themselves: a batch size is no pool size."""
    own, rest = listed.split(", ")[:2], listed.split(", ")[2:]
    _add(nouns, ", ".join(own), slot)
    for phrase in rest:
        _add(nouns, phrase, _specific_name(phrase, slot))


def _specific_name(phrase: str, slot: str) -> str:
    kept = [w for w in phrase.split() if w not in ("max", "maximum", "default", "primary", "main")]
    own_name = not kept or kept == ["limit"]
    return slot if own_name else f"{slot}: {' '.join(kept)}"


def _add(table: Phrases, listed: str, name: str) -> None:
    for phrase in listed.split(", "):
        plain = phrase.removeprefix("is ") if phrase.count(" ") > 1 else phrase
        if plain:
            table.add(plain, name)

"""The slot tables as lookups: nouns, relation phrases and purposes to slots."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from grounded_ingest.language.phrase_table import Phrases
from grounded_ingest.language.stemming import stem


class Slot(NamedTuple):
    name: str
    values: str
    many: bool
    kinds: frozenset[str]
    planned: bool
    of_person: bool = False


class Tables(NamedTuple):
    slots: dict[str, Slot]
    nouns: Phrases
    relations: Phrases
    purposes: Phrases
    by_kind: dict[str, str]
    one_of_a_kind: frozenset[str]


@cache
def tables(*, persons: bool = True) -> Tables:
    """`persons`: with the slots that only people have (diet, pets, employer)."""
    from grounded_ingest.language.lexicon import slots_personal, slots_repository

    rows: tuple[Any, ...] = (slots_personal.SLOTS, slots_repository.SLOTS)
    every: dict[str, dict[str, Any]] = {**rows[0], **rows[1]}
    slots: dict[str, Slot] = {}
    by_kind: dict[str, str] = {}
    specific = frozenset(slots_repository.SPECIFIC.split())
    of_anything = frozenset(slots_personal.OF_ANYTHING.split())
    nouns, relations, purposes = Phrases(), Phrases(), Phrases()
    for name, row in every.items():
        of_person = name in slots_personal.SLOTS and name not in of_anything
        if of_person and not persons:
            continue
        kinds = frozenset(row.get("kinds", "").split())
        slots[name] = Slot(
            name, row["values"], bool(row.get("many")), kinds, bool(row.get("planned")),
            of_person,
        )  # fmt: skip
        for kind in kinds:
            if kind == name or kind not in by_kind:
                by_kind[kind] = name
        if name in specific:
            _add_specific(nouns, row["nouns"], slots, slots[name])
        else:
            _add(nouns, row["nouns"], name)
        _add(relations, row["relations"], name)
        _add(purposes, row.get("purposes", ""), name)
    one = frozenset(slots_repository.ONE_OF_A_KIND.split())
    return Tables(slots, nouns, relations, purposes, by_kind, one)


def slot_named(name: str) -> Slot | None:
    return tables(persons=False).slots.get(name) or tables().slots.get(name)


@cache
def noun_stems() -> frozenset[str]:
    """The stems of all words that slots' nouns are made of."""
    from grounded_ingest.language.lexicon import slots_personal, slots_repository

    rows: tuple[Any, ...] = (*slots_personal.SLOTS.values(), *slots_repository.SLOTS.values())
    listed = " ".join(row["nouns"] for row in rows).lower().replace("'s", " 's").replace(",", " ")
    return frozenset(map(stem, listed.split()))


def _add_specific(nouns: Phrases, listed: str, slots: dict[str, Slot], slot: Slot) -> None:
    """Nouns that stand for themselves: a batch size is no pool size."""
    own, rest = listed.split(", ")[:2], listed.split(", ")[2:]
    _add(nouns, ", ".join(own), slot.name)
    for phrase in rest:
        kept = [
            w for w in phrase.split() if w not in ("max", "maximum", "default", "primary", "main")
        ]
        own_name = not kept or kept == ["limit"]
        name = slot.name if own_name else f"{slot.name}: {' '.join(kept)}"
        slots[name] = slot._replace(name=name)
        _add(nouns, phrase, name)


def _add(table: Phrases, listed: str, name: str) -> None:
    for phrase in listed.split(", "):
        plain = phrase.removeprefix("is ") if phrase.count(" ") > 1 else phrase
        if plain:
            table.add(plain, name)

"""The slot tables as lookups: nouns, relation phrases and purposes to slots."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from grounded_ingest.grounding.phrases import Phrases


class Slot(NamedTuple):
    name: str
    values: str
    many: bool
    kinds: frozenset[str]
    planned: bool


class Tables(NamedTuple):
    """`left_out` entries (slot, entry) are removed for the 5-fold figure."""

    slots: dict[str, Slot]
    nouns: Phrases
    relations: Phrases
    purposes: Phrases
    by_kind: dict[str, str]
    one_of_a_kind: frozenset[str]


_left_out: frozenset[tuple[str, str]] = frozenset()


def leave_out(entries: frozenset[tuple[str, str]]) -> None:
    """Work without some entries; for measuring what they bring. An empty set brings them back."""
    global _left_out  # noqa: PLW0603
    _left_out = entries
    tables.cache_clear()


@cache
def tables() -> Tables:
    from grounded_ingest.lexicon import slots_personal, slots_repository

    every: dict[str, dict[str, Any]] = {**slots_personal.SLOTS, **slots_repository.SLOTS}
    slots, by_kind = {}, {}
    nouns, relations, purposes = Phrases(), Phrases(), Phrases()
    for name, row in every.items():
        kinds = frozenset(row.get("kinds", "").split())
        slots[name] = Slot(name, row["values"], bool(row.get("many")), kinds, bool(row.get("planned")))
        for kind in kinds:
            if kind == name or kind not in by_kind:
                by_kind[kind] = name
        _add(nouns, row["nouns"], name)
        _add(nouns, name.replace("_", " "), name)
        _add(relations, row["relations"], name)
        _add(purposes, row.get("purposes", ""), name)
    one = frozenset(slots_repository.ONE_OF_A_KIND.split())
    return Tables(slots, nouns, relations, purposes, by_kind, one)


def _add(table: Phrases, listed: str, name: str) -> None:
    for phrase in listed.split(", "):
        plain = phrase.removeprefix("is ") if phrase.count(" ") > 1 else phrase
        if plain and (name, plain) not in _left_out:
            table.add(plain, name)

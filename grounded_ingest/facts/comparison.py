"""When two facts cannot both hold, and which of their memories are trusted enough to say so."""

from __future__ import annotations

from grounded_ingest.facts.fact import Fact
from grounded_ingest.language.clauses import UNKNOWN
from grounded_ingest.language.slots import slot_named
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.value_normal_form import entails, same

_REFINED = frozenset(
    ("place", "name", "path", "field", "address", "timezone", "tech", "any", "team")
)
_LIMITS = frozenset(("size_limit", "rate_limit"))
_VERSIONED = frozenset(("version", "tech", "license", "language"))


def versioned(slot: str) -> bool:
    known = slot_named(slot)
    return (
        slot in _VERSIONED or slot.endswith("version") or bool(known and known.values == "version")
    )


def values_agree(one: Fact, other: Fact) -> bool:
    """Whether two values of a slot can hold together: equal, compatible, or one says more."""
    if same(one.normal, other.normal, versions=versioned(one.slot)):
        return True
    known = slot_named(one.slot)
    if known and known.values in _REFINED and one.normal.kind == other.normal.kind == "name":
        return entails(one.normal, other.normal) or entails(other.normal, one.normal)
    dated = one.normal.kind == other.normal.kind == "date"
    return dated and (entails(one.normal, other.normal) or entails(other.normal, one.normal))


def contradict(one: Fact, other: Fact) -> bool:
    """Whether two facts cannot both hold now: same subject, slot and setting, another value."""
    if (one.subject, one.slot, one.setting) != (other.subject, other.slot, other.setting):
        return False
    if one.subject == UNKNOWN or one.time != "now" or other.time != "now":
        return False
    if one.polarity != other.polarity:
        return same(one.normal, other.normal, versions=versioned(one.slot))
    if one.many or other.many or not one.polarity:
        return False
    return not values_agree(one, other) and _comparable(one, other)


def _comparable(one: Fact, other: Fact) -> bool:
    """Whether two limits are of one thing: 20 MB and 12 connections are not."""
    kinds = {one.normal.kind, other.normal.kind}
    if one.slot not in _LIMITS or kinds != {"quantity"}:
        return True
    mine, theirs = _measure(one), _measure(other)
    return not (mine and theirs and mine != theirs)


def _measure(fact: Fact) -> str:
    """The dimension of an amount, else the noun it counts."""
    if fact.normal.parts and fact.normal.parts[0]:
        return fact.normal.parts[0]
    return " ".join(stem(w) for w in fact.value.lower().split()[1:])

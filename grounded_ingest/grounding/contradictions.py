"""When two facts cannot both hold, and which of their memories are trusted enough to say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grounded_ingest.grounding.facts import Contradiction, Fact
from grounded_ingest.grounding.segments import UNKNOWN
from grounded_ingest.grounding.slots import tables
from grounded_ingest.values import entails, same
from grounded_ingest.values.names import stem

if TYPE_CHECKING:
    from grounded_ingest.grounding.memories import Held, Memories

_REFINED = frozenset(
    ("place", "name", "path", "field", "address", "timezone", "tech", "any", "team")
)
_LIMITS = frozenset(("size_limit", "rate_limit"))
_VERSIONED = frozenset(("version", "tech", "license", "language"))


def versioned(slot: str) -> bool:
    known = tables().slots.get(slot)
    return (
        slot in _VERSIONED or slot.endswith("version") or bool(known and known.values == "version")
    )


def agree(one: Fact, other: Fact) -> bool:
    """Whether two values of a slot can hold together: equal, compatible, or one says more."""
    if same(one.normal, other.normal, versions=versioned(one.slot)):
        return True
    known = tables().slots.get(one.slot)
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
    return not agree(one, other) and _comparable(one, other)


def _comparable(one: Fact, other: Fact) -> bool:
    """Whether two limits are of one thing: 20 MB and 12 connections are not."""
    kinds = {one.normal.kind, other.normal.kind}
    if one.slot not in _LIMITS or kinds != {"quantity"}:
        return True
    mine, theirs = _measure(one), _measure(other)
    return not (mine and theirs and mine != theirs)


VALUES = 256
"""Values of one subject and slot that are compared with each other."""


def _measure(fact: Fact) -> str:
    """The dimension of an amount, else the noun it counts."""
    if fact.normal.parts and fact.normal.parts[0]:
        return fact.normal.parts[0]
    return " ".join(stem(w) for w in fact.value.lower().split()[1:])


def credible(one: float, other: float, memories: Memories) -> bool:
    """The trust rule: both at least the threshold, and not too far apart."""
    low, high = sorted((one, other))
    return low >= memories.threshold - 1e-9 and high - low < memories.difference - 1e-9


def among(listed: Sequence[Held], memories: Memories) -> list[Contradiction]:
    """The contradictions among facts of one subject and slot, one for each setting."""
    current = [
        h for h in listed
        if h.fact.time == "now" and (h.memory, h.fact.normal.key) not in memories.retracted
    ]  # fmt: skip
    moved = _moved(listed, memories)
    current = [h for h in current if (h.memory, h.fact.normal.key) not in moved]
    found = []
    for setting in dict.fromkeys(h.fact.setting for h in current):
        mine = [h for h in current if h.fact.setting == setting]
        taking_part = _pairs(mine, memories)
        if taking_part:
            found.append(_contradiction([mine[i] for i in sorted(taking_part)], memories))
    return found


def _moved(listed: Sequence[Held], memories: Memories) -> set[tuple[int, str]]:
    """Values that a memory itself says have been left (`moved from X to Y`)."""
    left = [h for h in listed if h.fact.time == "before"]
    return {
        (h.memory, h.fact.normal.key)
        for h in listed
        for gone in left
        if h.memory != gone.memory and h.fact.time == "now"
        and same(h.fact.normal, gone.fact.normal)
        and not _later(h.memory, gone.memory, memories)
        and any(n.memory == gone.memory and n.fact.time == "now" for n in listed)
    }  # fmt: skip


def _later(one: int, other: int, memories: Memories) -> bool:
    first, second = memories.all[one].timestamp, memories.all[other].timestamp
    return first is not None and second is not None and first > second


def _pairs(mine: Sequence[Held], memories: Memories) -> set[int]:
    """The facts that contradict another one; equal values are compared once."""
    groups: dict[tuple[str, bool, bool], list[int]] = {}
    for i, held in enumerate(mine):
        groups.setdefault((held.fact.normal.key, held.fact.polarity, held.fact.many), []).append(i)
    found: set[int] = set()
    keys = list(groups)[:VALUES]
    for a, first in enumerate(keys):
        for second in keys[a + 1 :]:
            if not contradict(mine[groups[first][0]].fact, mine[groups[second][0]].fact):
                continue
            found |= _credible_pairs(mine, groups[first], groups[second], memories)
    return found


def _credible_pairs(
    mine: Sequence[Held], ours: list[int], theirs: list[int], memories: Memories
) -> set[int]:
    trust = {i: memories.all[mine[i].memory].trust for i in (*ours, *theirs)}
    found: set[int] = set()
    best_ours, best_theirs = max(trust[i] for i in ours), max(trust[i] for i in theirs)
    for some, best in ((ours, best_theirs), (theirs, best_ours)):
        found |= {i for i in some if credible(trust[i], best, memories)}
    distinct = {mine[i].memory for i in found}
    return found if len(distinct) > 1 else set()


def _contradiction(mine: Sequence[Held], memories: Memories) -> Contradiction:
    first: dict[tuple[str, bool], Held] = {}
    for held in mine:
        first.setdefault((held.fact.normal.key, held.fact.polarity), held)
    kept = list(first.values())
    of = [memories.all[h.memory] for h in kept]
    values = tuple(h.fact.value if h.fact.polarity else f"not {h.fact.value}" for h in kept)
    trusts = tuple(m.trust for m in of)
    times = tuple(m.timestamp for m in of)
    order = range(len(kept))
    recent = max(order, key=lambda i: (times[i] is not None, times[i] or 0.0, trusts[i], i))
    trusted = max(order, key=lambda i: (trusts[i], times[i] or 0.0, i))
    return Contradiction(
        kept[0].fact.slot,
        kept[0].fact.subject,
        values,
        tuple(m.id for m in of),
        trusts,
        times,
        tuple(f"{m.path}:{m.line}" if m.path else "" for m in of),
        values[recent],
        values[trusted],
    )

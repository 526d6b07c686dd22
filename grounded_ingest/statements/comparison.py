"""When two facts cannot both hold."""

from __future__ import annotations

from grounded_ingest.statements.fact import Fact
from grounded_ingest.statements.sentence import UNKNOWN
from grounded_ingest.statements.slots import slot_named
from grounded_ingest.text.values import entails, same

_REFINED = frozenset(("place", "name", "timezone", "any", "team"))


def values_agree(one: Fact, other: Fact) -> bool:
    """Whether two values of a slot can hold together: equal, compatible, or one says more."""
    if same(one.normal, other.normal, versions=one.slot.endswith("version")):
        return True
    known = slot_named(one.slot)
    kinds = {one.normal.kind, other.normal.kind}
    refined = known is not None and known.values in _REFINED and kinds == {"name"}
    if not refined and kinds != {"date"}:
        return False
    return entails(one.normal, other.normal) or entails(other.normal, one.normal)


def contradict(one: Fact, other: Fact) -> bool:
    """Whether two facts cannot both hold now: same subject, slot and setting, another value."""
    if (one.subject, one.slot, one.setting) != (other.subject, other.slot, other.setting):
        return False
    if one.subject == UNKNOWN or one.time != "now" or other.time != "now":
        return False
    if one.polarity != other.polarity:
        return same(one.normal, other.normal, versions=one.slot.endswith("version"))
    return one.polarity and not one.many and not other.many and not values_agree(one, other)

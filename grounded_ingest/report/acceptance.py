"""Holds a baseline beside a report: what it accepts, what of it is found no more, and what it holds
once it is derived anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from grounded_ingest.records.baseline import Accepted, AcceptedKey
from grounded_ingest.report.ordering import ReportItem
from grounded_ingest.text.printable import printable

SHOWN_TEXT = 100
"""Characters of a finding that its entry shows."""


def accept(
    found: Iterable[ReportItem], entries: Iterable[Accepted]
) -> tuple[frozenset[str], list[Accepted]]:
    """Returns the fingerprints of the accepted findings, and the entries that accept none.

    An entry accepts one finding. Of equal findings the first is accepted, so that a repetition is
    not accepted for what stood there before.
    """
    left: dict[AcceptedKey, list[Accepted]] = {}
    for entry in entries:
        left.setdefault(entry.key, []).append(entry)
    accepted = set()
    for item in found:
        if left.get(item_key(item)):
            left[item_key(item)].pop()
            accepted.add(item.fingerprint)
    return frozenset(accepted), [entry for rest in left.values() for entry in rest]


def acceptable(found: Iterable[ReportItem]) -> list[Accepted]:
    """Returns the entries of the findings that a baseline can accept: errors and warnings in
    files."""
    return [
        Accepted(*item_key(e), printable(e.text or e.fact, SHOWN_TEXT))
        for e in found
        if e.path and e.severity in ("error", "warning")
    ]


def renewed(
    old: Iterable[Accepted], found: Iterable[Accepted], looked_at: Callable[[Accepted], bool]
) -> tuple[list[Accepted], int, int]:
    """Returns a baseline derived anew: what is found, and of the old entries those that this run
    did not look at. Also how many entries came, and how many went."""
    before = list(old)
    after = [*(e for e in before if not looked_at(e)), *found]
    had, has = Counter(e.key for e in before), Counter(e.key for e in after)
    return after, (has - had).total(), (had - has).total()


def item_key(item: ReportItem) -> AcceptedKey:
    """Returns what a baseline knows a finding by: path, rule, and claim, target or
    message."""
    path = item.path.encode("utf-8", "backslashreplace").decode()  # git's paths are bytes
    return (path, item.rule, item.key)

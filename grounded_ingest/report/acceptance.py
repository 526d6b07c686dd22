"""A baseline beside a report: which findings it accepts, what of it is of nothing any more, and
what it holds once it is derived anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import Decision, DocClass, Problem, Tier
from grounded_ingest.model.digests import blake2b
from grounded_ingest.model.report import Report
from grounded_ingest.records.baseline import Accepted, AcceptedKey
from grounded_ingest.rules.problems import EVERY_RULE

SHOWN_TEXT = 100
"""Characters of a finding that its entry shows."""
_OF_A_CHANGE = ("lost-source",)
"""Problems that a later run does not find again."""


class Acceptance(NamedTuple):
    """What a baseline accepts of a report, by their places in it, and its entries that nothing in
    the report is of."""

    decisions: frozenset[int] = frozenset()
    problems: frozenset[int] = frozenset()
    idle: tuple[Accepted, ...] = ()


def accept(report: Report, entries: Iterable[Accepted]) -> Acceptance:
    """Every entry accepts one finding. Of equal ones the first, so that what a change repeats is
    not accepted for what stood there before."""
    left: dict[AcceptedKey, list[Accepted]] = {}
    for entry in entries:
        left.setdefault(entry.key, []).append(entry)
    decisions = [n for n, d in enumerate(report.decisions) if _taken(left, decision_key(d), d.tier)]
    problems = [n for n, p in enumerate(report.problems) if _taken(left, problem_key(p))]
    idle = tuple(entry for rest in left.values() for entry in rest)
    return Acceptance(frozenset(decisions), frozenset(problems), idle)


def _taken(left: dict[AcceptedKey, list[Accepted]], key: AcceptedKey, tier: int = 2) -> bool:
    if tier == Tier.APPROVE or not left.get(key):
        return False
    left[key].pop()
    return True


def findings(
    report: Report, keeps: Callable[[str, str], bool], fails: Callable[[int, DocClass], bool]
) -> Iterator[Accepted]:
    """The findings of a report that a baseline can accept: what is kept and somebody can act on, or
    makes the run fail."""
    for d in report.decisions:
        if not d.changed or d.tier is Tier.APPROVE or not keeps(d.rule, d.place.path):
            continue
        if EVERY_RULE[d.rule].signal != "silent" or fails(d.weight, d.place.doc_class):
            yield Accepted(*decision_key(d), printable(d.place.claim.text, SHOWN_TEXT))
    for p in report.problems:
        lasts = EVERY_RULE[p.rule].signal != "note" and p.rule not in _OF_A_CHANGE
        if p.path and lasts and keeps(p.rule, p.path):
            yield Accepted(*problem_key(p), printable(p.message, SHOWN_TEXT))


def renewed(
    old: Iterable[Accepted], found: Iterable[Accepted], looked_at: Callable[[Accepted], bool]
) -> tuple[list[Accepted], int, int]:
    """A baseline derived anew: what is found, and of the old one what was not looked at. Also how
    many entries came, and how many went."""
    before = list(old)
    after = [*(e for e in before if not looked_at(e)), *found]
    had, has = Counter(e.key for e in before), Counter(e.key for e in after)
    return after, (has - had).total(), (had - has).total()


def decision_key(decision: Decision) -> AcceptedKey:
    place = decision.place
    return (_as_text(place.path), decision.rule, place.claim.id)


def problem_key(problem: Problem) -> AcceptedKey:
    digest = blake2b(_as_text(problem.message).encode(), digest_size=8).hexdigest()
    return (_as_text(problem.path), problem.rule, digest)


def _as_text(path: str) -> str:
    """Git's paths are bytes; a line of JSON is not."""
    return path.encode("utf-8", "backslashreplace").decode()

"""Selectors: the id of a rule, the beginning of one or of several, or `ALL`, as ruff has them. An id
is itself alone: `unread` is not `unreadable`."""

from __future__ import annotations

from collections.abc import Iterable

from grounded_ingest.rules.old_names import LOST_SOURCE, OLD_RULES
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import CHANGED, KINDS, WRONG, family

ALL = "ALL"
OF_KINDS = tuple(f"{WRONG}[{kind}]" for kind in KINDS)

NOT_CHECKED = frozenset(
    {
        "scope", "not-granted", "judge", "config-change", "baseline",
        "check-failed", "unreadable", "broken-record",
    }
)  # fmt: skip
"""Rules that tell what a run did not check, or by what it judged: a selection is no reason to be
silent about them."""


def selects_any(selector: str) -> bool:
    """Whether a selector is one of any rule."""
    if selector in OLD_RULES or selector == LOST_SOURCE:
        return True
    return bool(selector) and any(_matches(selector, rule) for rule in (*EVERY_RULE, *OF_KINDS))


def matches_any(selectors: Iterable[str], rule: str, *, left: bool = False) -> bool:
    """Whether one of the selectors names a rule. `left`: it reports a claim that the change leaves
    as it is."""
    names = _names(rule, left=left)
    return any(_matches(selector, name) for selector in selectors for name in names)


def _names(rule: str, *, left: bool) -> tuple[str, ...]:
    """Returns the names by which a finding can be selected."""
    return (rule, LOST_SOURCE) if left or rule == f"{WRONG}[{CHANGED}]" else (rule,)


def selector_words() -> tuple[str, ...]:
    """What a misspelt selector may have meant: ids, and where they can be cut at a hyphen."""
    parts = (rule.split("-") for rule in EVERY_RULE)
    return (
        ALL,
        *OF_KINDS,
        *dict.fromkeys("-".join(p[:n]) for p in parts for n in range(len(p), 0, -1)),
    )


def is_chosen(
    rule: str, select: Iterable[str], ignore: Iterable[str], *, left: bool = False
) -> bool:
    """Whether a rule is selected and not ignored. The longest selector that matches it decides,
    `ignore` where two are of one length; nothing selected is `ALL`. `left` as in `matches_any`."""
    select, names = tuple(select), _names(rule, left=left)
    wanted = _longest(names, select or (ALL,))
    if rule in NOT_CHECKED:
        wanted = max(wanted, 0)
    return wanted > _longest(names, ignore)


def _longest(names: tuple[str, ...], selectors: Iterable[str]) -> int:
    """The length of the longest selector that matches, 0 for `ALL`, -1 where none does."""
    found = (s for s in selectors if any(_matches(s, name) for name in names))
    return max((0 if s == ALL else len(s) for s in found), default=-1)


def _matches(selector: str, rule: str) -> bool:
    if selector in EVERY_RULE:
        return selector == family(rule)
    return selector == ALL or rule.startswith(selector)

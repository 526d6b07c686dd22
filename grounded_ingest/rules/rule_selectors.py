"""Selectors: the id of a rule, the beginning of one or of several, or `ALL`, as ruff has them. An id
is itself alone: `unread` is not `unreadable`."""

from __future__ import annotations

from collections.abc import Iterable

from grounded_ingest.rules.old_names import OLD_RULES
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import KINDS, WRONG, family

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
    if selector in OLD_RULES:
        return True
    return bool(selector) and any(_matches(selector, rule) for rule in (*EVERY_RULE, *OF_KINDS))


def matches_any(selectors: Iterable[str], rule: str) -> bool:
    """Whether one of the selectors names a rule."""
    return any(_matches(selector, rule) for selector in selectors)


def selector_words() -> tuple[str, ...]:
    """What a misspelt selector may have meant: ids, and where they can be cut at a hyphen."""
    parts = (rule.split("-") for rule in EVERY_RULE)
    return (
        ALL,
        *OF_KINDS,
        *dict.fromkeys("-".join(p[:n]) for p in parts for n in range(len(p), 0, -1)),
    )


def is_chosen(rule: str, select: Iterable[str], ignore: Iterable[str]) -> bool:
    """Whether a rule is selected and not ignored. The longest selector that matches it decides,
    `ignore` where two are of one length; nothing selected is `ALL`."""
    select = tuple(select)
    wanted = _longest(rule, select or (ALL,))
    if rule in NOT_CHECKED:
        wanted = max(wanted, 0)
    return wanted > _longest(rule, ignore)


def _longest(rule: str, selectors: Iterable[str]) -> int:
    """The length of the longest selector that matches, 0 for `ALL`, -1 where none does."""
    return max((0 if s == ALL else len(s) for s in selectors if _matches(s, rule)), default=-1)


def _matches(selector: str, rule: str) -> bool:
    if selector in EVERY_RULE:
        return selector == family(rule)
    return selector == ALL or rule.startswith(selector)

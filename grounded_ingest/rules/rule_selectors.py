"""Matches rule selectors as in ruff: the id of a rule, the beginning of rule ids, or `ALL`.

A full id selects only the rule with this id: `unread` does not select `unreadable`.
"""

from __future__ import annotations

from collections.abc import Iterable

from grounded_ingest.rules.reference_rules import KINDS, WRONG, family
from grounded_ingest.rules.registry import EVERY_RULE

ALL = "ALL"
REFERENCE_RULES = tuple(f"{WRONG}[{kind}]" for kind in KINDS)

OLD_RULES = frozenset({
    "contamination", "contradicted-by-source", "impacted", "lost-source", "queue-full",
    "refuted-citation[package]", "refuted-citation[variable]", "unsupported", "unverified-citation",
})  # fmt: skip
"""Ids of rules from earlier versions. If a configuration still names such a rule, a note says that
the rule does not exist any more."""

ALWAYS_SHOWN = frozenset(
    {
        "scope", "not-granted", "judge", "config-change", "baseline",
        "check-failed", "unreadable", "broken-record",
    }
)  # fmt: skip
"""Rules that report what a run could not check, or which configuration the run used. The setting
`select` does not hide these rules; only the setting `ignore` does."""


def selects_any(selector: str) -> bool:
    """Returns whether a selector matches at least one rule in this version or in an earlier one."""
    if selector in OLD_RULES:
        return True
    rules = (*EVERY_RULE, *REFERENCE_RULES)
    return bool(selector) and any(_matches(selector, rule) for rule in rules)


def matches_any(selectors: Iterable[str], rule: str) -> bool:
    """Returns whether at least one of the selectors matches a rule."""
    return any(_matches(selector, rule) for selector in selectors)


def selector_words() -> tuple[str, ...]:
    """Returns the selectors that a message may suggest for a misspelt selector: rule ids, and
    their beginnings up to a hyphen."""
    parts = (rule.split("-") for rule in EVERY_RULE)
    beginnings = ("-".join(p[:n]) for p in parts for n in range(len(p), 0, -1))
    return (ALL, *REFERENCE_RULES, *dict.fromkeys(beginnings))


def is_chosen(rule: str, select: Iterable[str], ignore: Iterable[str]) -> bool:
    """Returns whether findings of a rule are reported. `select` and `ignore` are the rule selectors
    in the options with these names.

    The longest matching selector decides. If the longest selectors in `select` and `ignore` have
    the same length, the rule is ignored. An empty `select` means `ALL`.
    """
    select = tuple(select)
    selected = _longest_match(rule, select or (ALL,))
    if rule in ALWAYS_SHOWN:
        selected = max(selected, 0)
    return selected > _longest_match(rule, ignore)


def _longest_match(rule: str, selectors: Iterable[str]) -> int:
    """Returns the length of the longest selector that matches `rule`. Returns 0 if only `ALL`
    matches, and -1 if no selector matches."""
    return max((0 if s == ALL else len(s) for s in selectors if _matches(s, rule)), default=-1)


def _matches(selector: str, rule: str) -> bool:
    if selector in EVERY_RULE:
        return selector == family(rule)
    return selector == ALL or rule.startswith(selector)

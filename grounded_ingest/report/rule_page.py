"""A rule in full, for `rule`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grounded_ingest.report.verbosity import Look
from grounded_ingest.rules.registry import ROWS
from grounded_ingest.rules.rule import Rule

EXAMPLES = 3
"""Examples shown for each group of words."""

_TIERS = {0: "said, not counted", 1: "tier 1, approve", 2: "tier 2, review", 3: "tier 3, block"}


def described(rule: Rule) -> dict[str, Any]:
    """A rule as JSON: `row` is its place in the decision table, 0 for a problem."""
    return {
        "id": rule.id,
        "row": ROWS.index(rule.id) + 1 if rule.id in ROWS else 0,
        "tier": rule.tier,
        "fixed": rule.fixed,
        "policy": list(rule.actions),
        "summary": rule.summary,
        "way_out": rule.way_out,
        "docs": docs(rule.id),
        "examples": examples(rule.id),
    }


def docs(rule: str) -> str:
    """Where the project's documentation describes a rule."""
    return f"docs/rules/{rule}.md"


def examples(rule: str) -> list[dict[str, Any]]:
    """What a rule that goes by words flags and passes, by group; none for other rules."""
    if rule not in ("speculation", "technical-hedge"):
        return []
    from grounded_ingest.language.lexicon import speculation, technical_hedges
    from grounded_ingest.language.lexicon.hedge_examples import EXAMPLES as TABLE

    lexicon = speculation if rule == "speculation" else technical_hedges
    return [
        {"group": group, "flags": list(TABLE[group][0]), "passes": list(TABLE[group][1])}
        for group in lexicon.PHRASES
        if group in TABLE
    ]


def overview(rules: list[Rule], look: Look) -> Iterator[str]:
    """A line per rule: name, tier, what it says."""
    width = max(len(r.id) for r in rules)
    for rule in rules:
        name = look.rule(rule.id, rule.tier) + " " * (width - len(rule.id))
        yield f"{name}  {rule.tier or '-'}  {rule.summary}"


def page(rule: Rule, look: Look) -> Iterator[str]:
    """One rule in full."""
    yield f"{look.rule(rule.id, rule.tier)} ({_TIERS[rule.tier]})"
    yield f"  {rule.summary}"
    yield f"  What to do: {rule.way_out}"
    yield f"  Policy: {_policy(rule)}"
    for group in examples(rule.id):
        yield f"  {group['group']}:"
        yield from (f"    flags   {text}" for text in _short(group["flags"]))
        yield from (f"    passes  {text}" for text in _short(group["passes"]))
    yield f"  Documentation: {docs(rule.id)}"


def _policy(rule: Rule) -> str:
    if not rule.actions:
        return "fixed, no policy moves it"
    return f"`policy: {{{rule.id}: ACTION}}`, ACTION one of {', '.join(rule.actions)}"


def _short(texts: list[str]) -> list[str]:
    from grounded_ingest.language.printable import printable

    return [printable(t) for t in texts[:EXAMPLES]]

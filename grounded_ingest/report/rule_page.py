"""Describes rules for the command `rule`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grounded_ingest.config.syntax import nearest
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.report.formats import Look
from grounded_ingest.rules.example import MEMORY, Example, examples_of
from grounded_ingest.rules.registry import EVERY_RULE, ROWS
from grounded_ingest.rules.rule import Rule
from grounded_ingest.text.printable import printable

MOST = 2
"""Maximum number of examples of each kind that a terminal or a page shows for a group."""

_REVIEWS = {
    "approve": "approved on the base branch",
    "reject": "rejected on the base branch",
    "approve in the change": "approved in the change",
}

_TIERS = {
    0: "does not decide a tier",
    1: "tier 1, approve",
    2: "tier 2, review",
    3: "tier 3, block",
}


def find_rule(name: str) -> Rule:
    """Returns the rule with an id. Raises GroundedIngestError with the most similar id if there is
    no such rule."""
    if name in EVERY_RULE:
        return EVERY_RULE[name]
    near = nearest(name, EVERY_RULE)
    hint = f"did you mean {near}?" if near else "`grounded-ingest rule` lists the rules"
    raise GroundedIngestError(f"unknown rule: {name}", hint)


def rule_json(rule: Rule) -> dict[str, Any]:
    """Returns a rule as a JSON-ready record. `row` is the position in the decision table, or 0 if
    the rule does not decide a tier."""
    return {
        "id": rule.id,
        "row": ROWS.index(rule.id) + 1 if rule.id in ROWS else 0,
        "tier": rule.tier,
        "fixed": rule.fixed,
        "policy": list(rule.actions),
        "summary": rule.summary,
        "way_out": rule.way_out,
        "docs": rule_docs(rule.id),
        "examples": examples(rule.id),
    }


def rule_docs(rule: str) -> str:
    """Returns the path of the documentation page for a rule, relative to the project's root."""
    return f"docs/rules/{rule}.md"


def examples(rule: str) -> list[dict[str, Any]]:
    """Returns example texts that a rule flags, and example texts that pass. A rule that looks for
    words has a group of examples for each group of words."""
    return [
        {
            "group": group.group,
            "flags": [_example_text(e) for e in group.flags],
            "passes": [_example_text(e) for e in group.passes],
        }
        for group in examples_of(rule)
    ]


def _example_text(example: Example | str) -> str:
    """Returns the text of an example, with the state of its repository in brackets."""
    if isinstance(example, str):
        return example
    around = "; ".join(_around(example))
    return f"{example.text.strip()} [{around}]".lstrip() if around else example.text


def _around(example: Example) -> Iterator[str]:
    if example.path != MEMORY:
        yield f"in {example.path}"
    if example.was:
        yield f"was “{example.was}”"
    if example.review:
        yield _REVIEWS[example.review]
    if example.adr:
        yield f"ADR-0001 “{example.adr}”"
    yield from (f"{path} “{_content(text)}”" for path, text in example.base.items())
    if example.config:
        yield f"configured “{_content(example.config)}”"
    for path, text in example.change.items():
        yield f"changed {path} “{_content(text)}”" if text is not None else f"removed {path}"
    if example.breaks:
        yield f"a check that reads {example.breaks} stops with an error"
    if example.online:
        yield "online"


def _content(content: str | bytes) -> str:
    text = content if isinstance(content, str) else content.decode("utf-8", "backslashreplace")
    return " / ".join(line for line in text.splitlines() if line)


def rules_overview(rules: list[Rule], look: Look) -> Iterator[str]:
    """Yields a line for each rule with id, tier and summary."""
    width = max(len(r.id) for r in rules)
    for rule in rules:
        name = look.rule(rule.id, rule.severity) + " " * (width - len(rule.id))
        yield f"{name}  {rule.tier or '-'}  {rule.summary}"


def rule_lines(rule: Rule, look: Look) -> Iterator[str]:
    """Yields all lines that describe one rule."""
    yield f"{look.rule(rule.id, rule.severity)} ({_TIERS[rule.tier]}; severity {rule.severity})"
    yield f"  {rule.summary}"
    yield f"  What to do: {rule.way_out}"
    yield f"  Policy: {policy_of(rule)}"
    for group in examples(rule.id):
        yield f"  {group['group'] or 'Examples'}:"
        yield from (f"    flags   {text}" for text in _short(group["flags"]))
        yield from (f"    passes  {text}" for text in _short(group["passes"]))
    yield f"  Documentation: {rule_docs(rule.id)}"


def policy_of(rule: Rule) -> str:
    """Returns in words how the setting `policy` can change a rule."""
    if not rule.actions:
        return "none, because a policy cannot change this rule"
    return f"`policy: {{{rule.id}: ACTION}}`; ACTION is one of {', '.join(rule.actions)}"


def _short(texts: list[str]) -> list[str]:
    return [printable(t) for t in texts[:MOST]]

"""Describes rules for the command `rule` and for the pages in the documentation."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.report.as_text import ignore_example
from grounded_ingest.report.formats import Look
from grounded_ingest.rules.example import MEMORY, Example, examples_of
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import KINDS, STOPPING
from grounded_ingest.rules.registry import ROWS
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

_PAGE_TIERS = {
    0: "This rule does not decide a tier. Its severity is ",
    1: "Tier: 1 (approve). Severity: ",
    2: "Tier: 2 (review). Severity: ",
    3: "Tier: 3 (block). Severity: ",
}


def rule_named(name: str) -> Rule:
    """Returns the rule with an id.

    Raises GroundedIngestError with the most similar id if there is no such rule.
    """
    if name in EVERY_RULE:
        return EVERY_RULE[name]
    near = get_close_matches(name, EVERY_RULE, 1)
    hint = f"did you mean {near[0]}?" if near else "`grounded-ingest rule` lists the rules"
    raise GroundedIngestError(f"unknown rule: {name}", hint)


def rule_json(rule: Rule) -> dict[str, Any]:
    """Returns a rule as a JSON-ready record.

    `row` is the position in the decision table, or 0 if the rule does not decide a tier.
    """
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
    """Returns example texts that a rule flags, and example texts that pass.

    A rule that looks for words has a group of examples for each group of words.
    """
    return [
        {
            "group": group.group,
            "flags": [_shown(e) for e in group.flags],
            "passes": [_shown(e) for e in group.passes],
        }
        for group in examples_of(rule)
    ]


def _shown(example: Example | str) -> str:
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
        yield f"the check of {example.breaks} fails"
    if example.online:
        yield "online"


def _content(content: str | bytes) -> str:
    """Returns the lines of a file as one line."""
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
    yield f"  Policy: {_policy(rule)}"
    for group in examples(rule.id):
        yield f"  {group['group'] or 'Examples'}:"
        yield from (f"    flags   {text}" for text in _short(group["flags"]))
        yield from (f"    passes  {text}" for text in _short(group["passes"]))
    yield f"  Documentation: {rule_docs(rule.id)}"


def markdown_page(rule: Rule) -> str:
    """Returns the documentation page for a rule as Markdown."""
    parts = [
        f"# {rule.id}",
        f"**{_PAGE_TIERS[rule.tier]}`{rule.severity}`.** {rule.summary}",
        f"What to do: {rule.way_out}",
    ]
    if rule.actions:
        parts.append(f"Policy: {_policy(rule)}.")
    if rule.severity in ("error", "warning"):
        parts.append(
            f"To ignore a finding, write this comment on its line or on the line above:"
            f" `{ignore_example(rule.id)}`"
        )
    for group in examples(rule.id):
        named = f" ({group['group']})" if group["group"] else ""
        for title, texts in (("Flags", group["flags"]), ("Passes", group["passes"])):
            if texts:
                lines = (map(printable, text.split("\n")) for text in texts[:MOST])
                shown = "\n\n".join("\n".join(rows) for rows in lines).replace("\n", "\n    ")
                parts.append(f"{title}{named}:\n\n    {shown}")
    return "".join(f"{line.rstrip()}\n" for line in "\n\n".join(parts).split("\n"))


def markdown_overview() -> str:
    """Returns the documentation page that lists all rules, as Markdown."""
    parts = [
        "# Rules",
        _ROWS,
        "| # | rule | tier | severity | policy | when |\n|--:|---|---|---|---|---|",
    ]
    for number, row in enumerate(ROWS, 1):
        rule = EVERY_RULE[row]
        policy = ", ".join(f"`{action}`" for action in rule.actions) or "fixed"
        parts[-1] += (
            f"\n| {number} | [`{row}`]({row}.md) | {rule.tier} | {rule.severity} | {policy} |"
            f" {rule.summary} |"
        )
    parts += [_GROUNDED, _BESIDE, "| rule | severity | when |\n|---|---|---|"]
    for name, rule in EVERY_RULE.items():
        if name not in ROWS:
            parts[-1] += f"\n| [`{name}`]({name}.md) | {rule.severity} | {rule.summary} |"
    parts.append(_KINDS)
    return "\n\n".join(parts) + "\n"


_ROWS = (
    "Each row is a rule. The first row that applies to a claim decides the claim's tier: tier 1"
    " approves the claim, tier 2 leaves the claim open, tier 3 blocks the claim. With preset"
    " `default`, an `error` fails a run; with preset `strict`, a `warning` fails a run too."
    " Findings with severity `quiet` are not printed. Each page shows the first examples of a rule;"
    " `grounded-ingest rule NAME --json` prints all."
    " A policy can give a rule another tier, or switch the rule off"
    " ([configuration](../configuration.md#policy))."
)
_GROUNDED = (
    "A claim is **grounded** if the claim has tier 1 on the base branch, or if all of its own"
    " references hold. In documents of class `docs`, the rules `speculation` and `technical-hedge`"
    " apply only if the setting `policy` names them, or if the claim would otherwise be approved."
)
_BESIDE = "These rules do not decide a tier. Their findings are reported in addition:"
_KINDS = (
    "A wrong reference is reported as `refuted-citation[KIND]`. Errors are "
    f"{', '.join(f'`{kind}`' for kind in KINDS if kind in STOPPING)}; warnings are "
    f"{', '.join(f'`{kind}`' for kind in KINDS if kind not in (*STOPPING, 'package'))}. A"
    " `package` is never wrong. `--select`, `--ignore`,"
    " `per_file_ignores` and ignore comments accept rules, and also rules with a kind."
)


def _policy(rule: Rule) -> str:
    if not rule.actions:
        return "none, because a policy cannot change this rule"
    return f"`policy: {{{rule.id}: ACTION}}`; ACTION is one of {', '.join(rule.actions)}"


def _short(texts: list[str]) -> list[str]:
    return [printable(t) for t in texts[:MOST]]

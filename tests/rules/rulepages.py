"""Writes the pages in docs/rules from the rules and their examples."""

from __future__ import annotations

from grounded_ingest.report.as_text import ignore_example
from grounded_ingest.report.rule_page import MOST, examples, policy_of
from grounded_ingest.rules.reference_rules import KINDS, STOPPING
from grounded_ingest.rules.registry import EVERY_RULE, ROWS
from grounded_ingest.rules.rule import Rule
from grounded_ingest.text.printable import printable

_PAGE_TIERS = {
    0: "This rule does not decide a tier. Its severity is ",
    1: "Tier: 1 (approve). Severity: ",
    2: "Tier: 2 (review). Severity: ",
    3: "Tier: 3 (block). Severity: ",
}


def markdown_page(rule: Rule) -> str:
    """Returns the documentation page for a rule as Markdown."""
    parts = [
        f"# {rule.id}",
        f"**{_PAGE_TIERS[rule.tier]}`{rule.severity}`.** {rule.summary}",
        f"What to do: {rule.way_out}",
    ]
    if rule.actions:
        parts.append(f"Policy: {policy_of(rule)}.")
    if rule.severity in ("error", "warning") and (comment := ignore_example(rule.id, "a.md")):
        parts.append(f"To ignore a finding, write above it: `{comment}`")
    groups = examples(rule.id)
    most = MOST if len(groups) == 1 else 1
    for group in groups:
        named = f" ({group['group']})" if group["group"] else ""
        for title, texts in (("Flags", group["flags"]), ("Passes", group["passes"])):
            if texts:
                lines = (map(printable, text.split("\n")) for text in texts[:most])
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
    " approves the claim, tier 2 leaves it open, tier 3 blocks it. With preset"
    " `default`, an `error` fails a run; with preset `strict`, a `warning` fails a run too."
    " Findings with severity `quiet` are not printed. Each page shows the first examples of a rule;"
    " `grounded-ingest rule NAME --json` prints all."
    " A policy can give a rule another tier, or switch it off"
    " ([configuration](../configuration.md#policy)). Write an ignore comment on the line of the"
    " finding or on the line above."
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

"""`grounded-ingest rule`: what the rules are, and one of them in full."""

from __future__ import annotations

from typing import Any

import click

from grounded_ingest.cli.options import color_option
from grounded_ingest.cli.terminal import coloured, emit
from grounded_ingest.report.formats import Look
from grounded_ingest.report.rule_page import rule_json, rule_lines, rule_named, rules_overview
from grounded_ingest.rules.problems import EVERY_RULE


def _rules(_context: click.Context, _name: click.Parameter, begun: str) -> list[str]:
    return [rule for rule in EVERY_RULE if rule.startswith(begun)]


@click.command()
@click.argument("name", required=False, shell_complete=_rules)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@color_option
def command(name: str | None, *, as_json: bool, color: Any) -> None:
    """Describe the rules, or the rule NAME in full.

    Rules stand in the order in which they decide: the first that applies does. Those without a
    tier are problems, said beside the decisions.
    """
    rules = [rule_named(name)] if name else list(EVERY_RULE.values())
    if as_json:
        from grounded_ingest.report.as_json import format_json

        found = [rule_json(r) for r in rules]
        emit(format_json(found[0] if name else found), exact=True)
        return
    look = Look(color=coloured(color))
    lines = rule_lines(rules[0], look) if name else rules_overview(rules, look)
    emit("".join(f"{line}\n" for line in lines))

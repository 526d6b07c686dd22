"""Counts by rule, as ruff writes them: the most first."""

from __future__ import annotations

from collections import Counter

from grounded_ingest.model.report import Report
from grounded_ingest.report.as_json import pretty
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.ordering import entries
from grounded_ingest.report.verbosity import Look
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import family

SCHEMA = "grounded-ingest/statistics/1"


def render(report: Report, look: Look) -> str:
    """A line for each rule with a finding: how many, the rule, what it says; then the counts."""
    found = _by_rule(report)
    width = max((len(rule) for rule, _ in found), default=0)
    digits = len(str(found[0][1])) if found else 0
    colours = {entry.rule: entry.severity for entry in reversed(entries(report))}
    lines = [
        f"{count:>{digits}}\t{look.rule(rule, colours[rule])}{' ' * (width - len(rule))}"
        f"\t{EVERY_RULE[family(rule)].summary}"
        for rule, count in found
    ]
    return "\n".join([*lines, *([counts(report)] if look.verbosity >= 0 else []), ""])


def statistics_json(report: Report) -> str:
    """The same as a JSON object."""
    rows = [
        {"rule": rule, "count": count, "summary": EVERY_RULE[family(rule)].summary}
        for rule, count in _by_rule(report)
    ]
    return pretty({"schema": SCHEMA, "statistics": rows})


def _by_rule(report: Report) -> list[tuple[str, int]]:
    return Counter(e.rule for e in entries(report) if e.severity != "note").most_common()

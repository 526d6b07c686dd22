"""Prints the number of findings for each rule, like `ruff --statistics`, the highest first."""

from __future__ import annotations

from collections import Counter

from grounded_ingest.model.report import Report
from grounded_ingest.report.as_json import format_json
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.findings import list_findings
from grounded_ingest.report.formats import Look
from grounded_ingest.rules.reference_rules import family
from grounded_ingest.rules.registry import EVERY_RULE


def render(report: Report, look: Look) -> str:
    """Returns a line for each rule with findings, made of count, rule and summary. The last line is
    the same as in the text format."""
    found = _by_rule(report)
    width = max((len(rule) for rule, _ in found), default=0)
    digits = len(str(found[0][1])) if found else 0
    severities = {item.rule: item.severity for item in reversed(list_findings(report))}
    lines = [
        f"{count:>{digits}}\t{look.rule(rule, severities[rule])}{' ' * (width - len(rule))}"
        f"\t{EVERY_RULE[family(rule)].summary}"
        for rule, count in found
    ]
    return "\n".join([*lines, *([counts(report)] if look.verbosity >= 0 else []), ""])


def statistics_json(report: Report) -> str:
    """Returns the number of findings for each rule as a JSON object."""
    rows = [
        {"rule": rule, "count": count, "summary": EVERY_RULE[family(rule)].summary}
        for rule, count in _by_rule(report)
    ]
    return format_json({"schema": "grounded-ingest/statistics/1", "statistics": rows})


def _by_rule(report: Report) -> list[tuple[str, int]]:
    return Counter(e.rule for e in list_findings(report) if e.severity != "note").most_common()

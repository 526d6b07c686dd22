"""Renders a report as JUnit XML for Jenkins: a suite for a document, a test case for a claim.

https://github.com/jenkinsci/xunit-plugin (junit-10.xsd)
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from grounded_ingest.model.claims import Tier
from grounded_ingest.model.report import Report
from grounded_ingest.report.findings import ReportItem, list_findings
from grounded_ingest.text.printable import printable

_ELSEWHERE = "grounded-ingest"
"""Name of the test suite for findings without a document."""


def render(report: Report) -> str:
    """Returns the report as JUnit XML. An error is a failure, a warning is a skipped test case, and
    an approved claim is a passed test case. Notes become the `system-out` of the suite."""
    found = [e for e in list_findings(report, quiet=True) if _is_shown(e)]
    suites: dict[str, list[ReportItem]] = {}
    for item in sorted(found, key=lambda e: (e.path, e.line)):
        suites.setdefault(item.path, []).append(item)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f'<testsuites name="grounded-ingest" {_counts(found)}>')
    for path, found in suites.items():
        lines += _suite(printable(path) or _ELSEWHERE, found)
    return "\n".join([*lines, "</testsuites>", ""])


def _is_shown(item: ReportItem) -> bool:
    return item.severity != "quiet" or item.tier == Tier.APPROVE


def _counts(found: list[ReportItem]) -> str:
    tests = sum(e.severity != "note" for e in found)
    failures = sum(e.severity == "error" for e in found)
    return f'tests="{tests}" failures="{failures}" errors="0"'


def _suite(name: str, found: list[ReportItem]) -> Iterator[str]:
    skipped = sum(e.severity == "warning" for e in found)
    yield f'  <testsuite name="{escape(name)}" {_counts(found)} skipped="{skipped}">'
    for item in found:
        if item.severity != "note":
            yield from _case(name, item)
    if notes := [f"{e.rule}: {e.description}" for e in found if e.severity == "note"]:
        yield f"    <system-out>{escape(chr(10).join(notes))}</system-out>"
    yield "  </testsuite>"


def _case(suite: str, item: ReportItem) -> Iterator[str]:
    place = f"{item.line}: " if item.line else ""
    name = escape(place + (item.text or item.description))
    case = f'testcase classname="{escape(suite)}" name="{name}"'
    if item.severity == "quiet":
        yield f"    <{case}/>"
        return
    text = escape(item.description)
    outcome = "failure" if item.severity == "error" else "skipped"
    yield f"    <{case}>"
    yield f'      <{outcome} type="{item.rule}" message="{text}">'
    yield f"{escape(item.message)}</{outcome}>"
    yield "    </testcase>"

"""JUnit XML as Jenkins reads it: a suite for a document, a test case for a claim.

https://github.com/jenkinsci/xunit-plugin (junit-10.xsd)
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from grounded_ingest.model.claims import Tier
from grounded_ingest.model.report import Report
from grounded_ingest.report.ordering import ReportItem, entries
from grounded_ingest.text.printable import printable

_ELSEWHERE = "grounded-ingest"
"""The suite of what belongs to no document."""


def render(report: Report) -> str:
    """An error is a failure, a warning is skipped, an approved claim passes. Notes are the suite's
    `system-out`."""
    found = [e for e in entries(report, quiet=True) if _is_shown(e)]
    suites: dict[str, list[ReportItem]] = {}
    for entry in sorted(found, key=lambda e: (e.path, e.line)):
        suites.setdefault(entry.path, []).append(entry)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    cases = [e for e in found if e.severity != "note"]
    failures = sum(e.severity == "error" for e in cases)
    total = f'tests="{len(cases)}" failures="{failures}" errors="0"'
    lines.append(f'<testsuites name="grounded-ingest" {total}>')
    for path, found in suites.items():
        lines += _suite(printable(path) or _ELSEWHERE, found)
    return "\n".join([*lines, "</testsuites>", ""])


def _is_shown(entry: ReportItem) -> bool:
    return entry.severity != "quiet" or entry.tier == Tier.APPROVE


def _suite(name: str, found: list[ReportItem]) -> Iterator[str]:
    cases = [e for e in found if e.severity != "note"]
    failures = sum(e.severity == "error" for e in cases)
    skipped = sum(e.severity == "warning" for e in cases)
    yield (
        f'  <testsuite name="{escape(name)}" tests="{len(cases)}" failures="{failures}"'
        f' errors="0" skipped="{skipped}">'
    )
    for entry in cases:
        yield from _case(name, entry)
    if said := [f"{e.rule}: {e.what}" for e in found if e.severity == "note"]:
        yield f"    <system-out>{escape(chr(10).join(said))}</system-out>"
    yield "  </testsuite>"


def _case(suite: str, entry: ReportItem) -> Iterator[str]:
    place = f"{entry.line}: " if entry.line else ""
    name = escape(place + (entry.text or entry.what))
    case = f'testcase classname="{escape(suite)}" name="{name}"'
    if entry.severity == "quiet":
        yield f"    <{case}/>"
        return
    said = escape(entry.what)
    outcome = "failure" if entry.severity == "error" else "skipped"
    yield f"    <{case}>"
    yield f'      <{outcome} type="{entry.rule}" message="{said}">'
    yield f"{escape(entry.message)}</{outcome}>"
    yield "    </testcase>"

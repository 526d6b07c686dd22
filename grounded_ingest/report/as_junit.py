"""JUnit XML as Jenkins reads it: a suite for a document, a test case for a claim.

https://github.com/jenkinsci/xunit-plugin (junit-10.xsd)
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import Tier
from grounded_ingest.model.report import Report
from grounded_ingest.report.ordering import ReportItem, entries

_ELSEWHERE = "grounded-ingest"
"""The suite of what belongs to no document."""


def render(report: Report) -> str:
    """A blocked claim is a failure, one in doubt is skipped, an approved one passes. Problems
    that count likewise; what is said and not counted is the suite's `system-out`."""
    asked = "ungrounded" if report.show_ungrounded else ""
    found = [e for e in entries(report, silent=True) if _told(e) or e.rule == asked]
    suites: dict[str, list[ReportItem]] = {}
    for entry in sorted(found, key=lambda e: (e.path, e.line)):
        suites.setdefault(entry.path, []).append(entry)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    cases = [e for e in found if e.tier]
    failures = sum(e.tier == Tier.BLOCK for e in cases)
    total = f'tests="{len(cases)}" failures="{failures}" errors="0"'
    lines.append(f'<testsuites name="grounded-ingest" {total}>')
    for path, found in suites.items():
        lines += _suite(printable(path) or _ELSEWHERE, found)
    return "\n".join([*lines, "</testsuites>", ""])


def _told(entry: ReportItem) -> bool:
    """Neither passes nor fails: what nothing is known of."""
    return entry.signal != "silent" or entry.tier == Tier.APPROVE


def _suite(name: str, found: list[ReportItem]) -> Iterator[str]:
    cases = [e for e in found if e.tier]
    failures = sum(e.tier == Tier.BLOCK for e in cases)
    skipped = sum(e.tier == Tier.REVIEW for e in cases)
    yield (
        f'  <testsuite name="{escape(name)}" tests="{len(cases)}" failures="{failures}"'
        f' errors="0" skipped="{skipped}">'
    )
    for entry in cases:
        yield from _case(name, entry)
    if said := [f"{e.rule}: {e.text}" for e in found if not e.tier]:
        yield f"    <system-out>{escape(chr(10).join(said))}</system-out>"
    yield "  </testsuite>"


def _case(suite: str, entry: ReportItem) -> Iterator[str]:
    place = f"{entry.line}: " if entry.line else ""
    case = f'testcase classname="{escape(suite)}" name="{escape(place + entry.text)}"'
    if entry.tier == Tier.APPROVE:
        yield f"    <{case}/>"
        return
    said = escape(entry.cause or entry.text)
    outcome = "failure" if entry.tier == Tier.BLOCK else "skipped"
    yield f"    <{case}>"
    yield f'      <{outcome} type="{entry.rule}" message="{said}">'
    yield f"{escape(entry.message)}</{outcome}>"
    yield "    </testcase>"

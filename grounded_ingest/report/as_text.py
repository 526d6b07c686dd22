"""The text format: one line a finding, errors first, and one last line."""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.model.report import Report
from grounded_ingest.report.ordering import ReportItem, also, entries, fails_at, folded
from grounded_ingest.report.verbosity import Look
from grounded_ingest.text.printable import printable


def render(report: Report, look: Look) -> str:
    """Returns text for terminals, files and logs."""
    return "".join(f"{line}\n" for line in _lines(report, look))


def counts(report: Report) -> str:
    """Returns the last line: "4 wrong in 29 documents; 812 references hold, 16 unknown, 40
    skipped", "812 references hold in 29 documents", or that there is nothing to check."""
    found = entries(report)
    errors = sum(e.severity == "error" for e in found)
    warnings = sum(e.severity == "warning" for e in found)
    where = _where(report)
    told = report.references
    held = f"{told.hold} reference holds" if told.hold == 1 else f"{told.hold} references hold"
    open_ = [f"{told.unknown} unknown"] if told.unknown else []
    open_ += [f"{told.skipped} skipped"] if told.skipped else []
    first = [f"{errors} wrong"] if errors else []
    if warnings:
        first.append("1 warning" if warnings == 1 else f"{warnings} warnings")
    if not first and not report.documents and not report.unread:
        return "no documents to check"
    if not first:
        return ", ".join((f"{held} {where}", *open_))
    would = "would fail: " if report.fail_on == "never" and fails_at(found, "wrong") else ""
    return f"{would}{', '.join(first)} {where}; {', '.join((held, *open_))}"


def _where(report: Report) -> str:
    read = "1 document" if report.documents == 1 else f"{report.documents} documents"
    return f"in {read} ({report.unread} not read)" if report.unread else f"in {read}"


def _lines(report: Report, look: Look) -> Iterator[str]:
    found = entries(report, quiet=look.verbosity > 1)
    rows = folded(found) if look.verbosity < 1 else [(item, []) for item in found]
    for item, others in rows:
        yield _line(item, others, look)
        if look.verbosity > 0 and item.text:
            yield f"    {look.paint(item.text, 'dim')}"
        if look.verbosity > 0 and item.path and item.severity in ("error", "warning"):
            yield f"    {look.paint(ignore_line(item.rule), 'dim')}"
    for left in report.left_out:
        where = f"{printable(left.path)}:{left.line}" if left.line else printable(left.path)
        said = f"skipped: {left.target}" if left.target else "not read"
        yield f"{look.paint(f'{where}: ', 'bold')}{printable(f'{said}: {left.reason}', 500)}"
    if look.verbosity >= 0:
        yield counts(report)


def ignore_line(rule: str) -> str:
    """Returns the comment that ignores a finding, to be put on its line or the line above."""
    return f'<!-- grounded: ignore[{rule}] reason="..." -->'


def _line(item: ReportItem, others: list[int], look: Look) -> str:
    line = f":{item.line}" if item.line else ""
    column = f":{item.column}" if line and item.text else ""
    where = f"{printable(item.path)}{line}{column}: " if item.path else ""
    rule = look.rule(item.rule, item.severity)
    return f"{look.paint(where, 'bold')}{rule}: {item.told(look)}{also(others)}"

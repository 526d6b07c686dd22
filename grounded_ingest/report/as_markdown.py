"""Renders a report as Markdown for a job summary or a comment on GitHub.

Document text is put into code spans, in which GitHub does not render mentions, links, images or
HTML.
"""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.model.report import Report
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.findings import ReportItem, list_findings, merge_equal, name_lines
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable

SUMMARY = 1024 * 1024
"""Maximum size of a job summary in bytes. GitHub drops a longer summary entirely."""
COMMENT = 65_536
"""Maximum length of a comment in characters. GitHub rejects a longer comment."""

_SPARE = 400  # bytes reserved for the line with the number of entries that are not shown
_TICKS = compiled("`+")
_CUT = compiled(r"(\d+) more entries are not shown: GitHub accepts at most \d+ bytes\.")


def render(report: Report, limit: int = SUMMARY) -> str:
    """Returns the report as Markdown with at most `limit` bytes of UTF-8."""
    return cut_page("\n".join([*_lines(report), ""]), limit)


def cut_page(text: str, limit: int) -> str:
    """Returns the page, cut between two lines if the page is longer than `limit` bytes. The last
    line of a cut page contains the number of entries that are not shown."""
    if len(text.encode()) <= limit:
        return text
    rest, kept, used = text.splitlines(), [], 0
    if cut := _CUT.fullmatch(rest[-1]):  # an earlier call has already cut the page
        rest.pop()
    while used + len(rest[0].encode()) + 1 <= limit - _SPARE:
        used += len(rest[0].encode()) + 1
        kept.append(rest.pop(0))
    left_out = sum(line.startswith("- ") for line in rest) + (int(cut[1]) if cut else 0)
    last = f"{left_out} more entries are not shown: GitHub accepts at most {limit} bytes."
    return "\n".join([*kept, "", last, ""])


def code(text: str, limit: int = 300) -> str:
    """Returns untrusted text as an inline code span on one line."""
    text = printable(text, limit) or " "
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _lines(report: Report) -> Iterator[str]:
    """Yields a title, the counts, and the lines of the text report, with errors in bold."""
    yield "## grounded-ingest"
    yield ""
    yield counts(report)
    found = merge_equal(list_findings(report))
    if found:
        yield ""
    for item, others in found:
        rule = f"**{item.rule}**" if item.severity == "error" else item.rule
        what = f"{code(item.description.rstrip('.'))}{name_lines(others)}"
        yield f"- {_place(item)}{rule}: {what}. {item.way_out}".rstrip()


def _place(item: ReportItem) -> str:
    if not item.path:
        return ""
    return code(f"{printable(item.path)}:{item.line}" if item.line else item.path) + " "

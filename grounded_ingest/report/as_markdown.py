"""Writes Markdown for a job summary or a comment: the last line of a run, errors, warnings, notes.

Text of documents and people stands in code spans, in which GitHub renders no mention, link, image
or HTML.
"""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.model.report import Report
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.ordering import ReportItem, also, entries, folded
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable

SUMMARY = 1024 * 1024
"""Bytes of a step's summary; GitHub drops a longer one whole."""
COMMENT = 65_536
"""Characters of a comment; GitHub refuses a longer one."""

_SPARE = 400  # for the line that says what was left out
_TICKS = compiled("`+")
_CUT = compiled(r"(\d+) more entries are left out: GitHub takes \d+ bytes at most\.")


def render(report: Report, limit: int = SUMMARY) -> str:
    """Returns a page of at most `limit` bytes of UTF-8."""
    return fitted("\n".join([*_lines(report), ""]), limit)


def fitted(text: str, limit: int) -> str:
    """Returns a page that is cut between lines if it is longer than `limit` bytes; its last line
    says how many entries are left out."""
    if len(text.encode()) <= limit:
        return text
    rest, kept, used = text.splitlines(), [], 0
    if cut := _CUT.fullmatch(rest[-1]):  # a page that was cut already
        rest.pop()
    while used + len(rest[0].encode()) + 1 <= limit - _SPARE:
        used += len(rest[0].encode()) + 1
        kept.append(rest.pop(0))
    entries_ = sum(line.startswith("- ") for line in rest) + (int(cut[1]) if cut else 0)
    said = f"{entries_} more entries are left out: GitHub takes {limit} bytes at most."
    return "\n".join([*kept, "", said, ""])


def code(text: str, limit: int = 300) -> str:
    """Returns untrusted text as an inline code span on one line."""
    text = printable(text, limit) or " "
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _lines(report: Report) -> Iterator[str]:
    found = entries(report)
    yield "## grounded-ingest"
    yield ""
    yield counts(report)
    for title, severity in _TITLES.items():
        yield from _listed(title, [e for e in found if e.severity == severity])


_TITLES = {"Wrong": "error", "Warnings": "warning", "About this run": "note"}


def _listed(title: str, found: list[ReportItem]) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield f"### {title}: {len(found)}"
    yield ""
    for entry, others in folded(found):
        yield f"- {_place(entry)}**{entry.rule}**: {code(entry.what)}{also(others)}"
        if entry.way_out:
            yield f"  - {entry.way_out}"


def _place(entry: ReportItem) -> str:
    if not entry.path:
        return ""
    return code(f"{printable(entry.path)}:{entry.line}" if entry.line else entry.path) + " "

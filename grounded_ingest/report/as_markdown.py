"""Markdown for a job summary or a comment: coverage, what is wrong, doubts, the change.

Whatever documents and people wrote stands in code spans: GitHub turns neither mentions, links,
images nor HTML in them into anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import Tier
from grounded_ingest.model.report import Report
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.ordering import ReportItem, also, listing
from grounded_ingest.rules.problems import EVERY_RULE

SUMMARY = 1024 * 1024
"""Bytes of a step's summary; GitHub drops a longer one whole."""
COMMENT = 65_536
"""Characters of a comment; GitHub refuses a longer one."""

_DOCUMENTS = 50
"""Rows of the table of documents."""
_SPARE = 400  # for the line that says what was left out
_TICKS = compiled("`+")
_CUT = compiled(r"(\d+) more entries are left out: GitHub takes \d+ bytes at most\.")


def render(report: Report, limit: int = SUMMARY) -> str:
    """At most `limit` bytes of UTF-8."""
    return fitted("\n".join([*_lines(report), ""]), limit)


def fitted(text: str, limit: int) -> str:
    """A page cut between lines where it is longer, saying how many entries are left out."""
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
    """Untrusted text as an inline code span, on one line."""
    text = printable(text, limit) or " "
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _lines(report: Report) -> Iterator[str]:
    found = listing(report)
    worst = Tier(report.worst or 1)
    yield f"## grounded-ingest: {worst.name.lower()}"
    yield ""
    yield counts(report)
    yield from _listed("Wrong", found.wrong)
    yield from _listed("Doubts", found.doubts)
    yield from _listed("Ungrounded", found.asked)
    for left_out in found.left_out:
        yield ""
        yield f"{left_out}."
    yield from _listed("About this run", found.notes)
    yield from _change(report)


def _change(report: Report) -> Iterator[str]:
    """What changed, a row for each document."""
    against = report.scope.base_reason or report.scope.range
    rows: dict[str, list[int]] = {}
    for decision in report.counted:
        at = decision.tier - 1 if decision.weight == decision.tier else 3
        rows.setdefault(decision.place.path, [0, 0, 0, 0])[at] += 1
    if not rows:
        return
    new = report.scope.mode in ("worktree", "staged", "range")
    yield ""
    yield "### Changed against base" if new else "### By document"
    yield ""
    if against:
        yield f"Base: {code(against)}"
        yield ""
    yield "| document | approve | review | block | nothing to check |"
    yield "|---|--:|--:|--:|--:|"
    worst_first = sorted(rows.items(), key=lambda row: (-row[1][2], -row[1][1], row[0]))
    for path, tiers in worst_first[:_DOCUMENTS]:
        yield f"| {_cell(path)} | {' | '.join(map(str, tiers))} |"
    if len(rows) > _DOCUMENTS:
        yield ""
        yield f"{len(rows) - _DOCUMENTS} more documents."


def _cell(text: str) -> str:
    """A code span for a table, where a bar has to be escaped even in code."""
    return code(text).replace("|", "\\|")


def _listed(title: str, found: list[tuple[ReportItem, list[int]]]) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield f"### {title}: {len(found)}"
    yield ""
    for entry, others in found:
        yield f"- {_place(entry)}**{entry.rule}**: {code(entry.text)}{also(others)}"
        if entry.cause:
            yield f"  - {code(entry.cause)}"
        if entry.signal != "note":
            yield f"  - {EVERY_RULE[entry.rule].way_out}"


def _place(entry: ReportItem) -> str:
    if not entry.path:
        return ""
    return code(f"{printable(entry.path)}:{entry.line}" if entry.line else entry.path) + " "

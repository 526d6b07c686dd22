"""Renders a report as an HTML page.

A page is one file that loads nothing and runs no script. All text in it is escaped, and the
Content-Security-Policy allows only the page's own style.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from pathlib import Path

from grounded_ingest.model.claims import Decision, Evidence, Verdict
from grounded_ingest.model.report import LeftOut, Report
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.findings import ReportItem, list_findings, merge_equal, name_lines
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import number_of, printable

_FOLDER = Path(__file__).parent / "html"
_SLOT = compiled(r"\{\{(\w+)\}\}")
_TITLES = {"error": "Wrong", "warning": "Warnings", "note": "About this run"}
Rows = list[tuple[ReportItem, list[int]]]


def render(report: Report) -> str:
    """Returns the HTML page with the findings, then the documents, then what was not checked.
    Claims without a finding are only counted: 16,124 claims once made a page of 10.6 MB."""
    style = (_FOLDER / "report.css").read_text("utf-8")
    page = (_FOLDER / "page.html").read_text("utf-8")
    body = (*_findings(report), *_documents(report), *_skipped(report))
    slots = {
        "hash": b64encode(sha256(style.encode()).digest()).decode(),
        "style": style,
        "scope": _text(_scope(report)),
        "counts": _text(counts(report)),
        "body": "".join(f"{line}\n" for line in body),
    }
    return _SLOT.sub(lambda slot: slots[slot[1]], page)


def _text(text: str) -> str:
    return escape(printable(text), quote=False)


def _prose(text: str) -> str:
    """Returns escaped text, in which words between backticks are code."""
    parts = _text(text).split("`")
    if len(parts) % 2 == 0:  # the last backtick has no partner
        parts[-2:] = ["`".join(parts[-2:])]
    return "".join(f"<code>{p}</code>" if n % 2 else p for n, p in enumerate(parts))


def _place(path: str, line: int) -> str:
    return f"<bdi>{_text(path)}{f':{line}' if line else ''}</bdi>"


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    if found := [*lines]:
        yield from (f"<section><h2>{title}</h2>", *found, "</section>")


def _fold(title: str, rows: Iterable[str], *, is_open: bool = False) -> Iterator[str]:
    yield f"<details{' open' if is_open else ''}><summary>{title}</summary><ul>"
    yield from (f"<li>{row}" for row in rows)
    yield "</ul></details>"


def _scope(report: Report) -> str:
    scope = report.scope
    what = {
        "all": "every document",
        "paths": "named documents",
        "staged": "staged changes",
        "worktree": "changes since HEAD",
        "range": f"changes in {scope.range}",
    }[scope.mode]
    at = f" at {scope.head[:10]}" if scope.head and scope.mode in ("all", "paths") else ""
    offline = "" if scope.online else ", offline"
    return f"{what}{at}{offline}"


def _findings(report: Report) -> Iterator[str]:
    """Yields the findings. Those with the same rule and the same advice stand together, so that a
    large page contains the advice once."""
    groups: dict[tuple[str, str, str], Rows] = {}
    for item, others in merge_equal(list_findings(report)):
        advice = "Run `grounded-ingest check --fix`." if item.instead else item.way_out
        groups.setdefault((item.severity, item.rule, advice), []).append((item, others))
    if not groups:
        yield "<p>There are no findings.</p>"
    for severity, title in _TITLES.items():
        folds = (
            line
            for (of, rule, advice), rows in groups.items()
            if of == severity
            for line in _fold(
                f"<b class={severity}>{_text(rule)}</b> ({len(rows)}) {_prose(advice)}".rstrip(),
                (_finding(*row) for row in rows),
                is_open=True,
            )
        )
        yield from _section(title, folds)


def _finding(item: ReportItem, others: list[int]) -> str:
    where = f"{_place(item.path, item.line)} " if item.path else ""
    claim = f"<p>{_prose(item.text)}" if item.text else ""
    return f"{where}{_prose(item.description)}{name_lines(others)}{claim}"


def _documents(report: Report) -> Iterator[str]:
    """Yields the documents with their counts, those with errors first."""
    items = list_findings(report)
    wrong = Counter((e.path, e.severity) for e in items)
    checked: defaultdict[str, Counter[Verdict]] = defaultdict(Counter)
    for d in report.decisions:
        checked[d.place.path].update(e.verdict for e in _references(d))
    paths = sorted({*checked, *(e.path for e in items if e.path)})
    paths.sort(key=lambda p: (-wrong[p, "error"], -wrong[p, "warning"]))
    rows = []
    for path in paths:
        found = (("error", wrong[path, "error"]), ("warning", wrong[path, "warning"]))
        numbers = [number_of(n, noun) for noun, n in found if n]
        holds = checked[path][Verdict.CONFIRMED]
        numbers.append(f"{number_of(holds, 'reference')} {'holds' if holds == 1 else 'hold'}")
        rest = (Verdict.UNKNOWN, Verdict.SKIPPED)
        numbers += [f"{checked[path][v]} {v}" for v in rest if checked[path][v]]
        rows.append(f"{_place(path, 0)} {', '.join(numbers)}")
    yield from _section(
        "Documents", _fold(number_of(len(rows), "document"), rows, is_open=True) if rows else ()
    )


def _skipped(report: Report) -> Iterator[str]:
    """Yields what was not checked, folded, with the most frequent reasons first."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for left in _not_checked(report):
        short = left.reason.partition(":")[0].partition("(")[0].strip() or "no reason"
        target = f" <code>{_text(left.target)}</code>" if left.target else ""
        more = "" if left.reason == short else f" {_prose(left.reason)}"
        groups[short].append(f"{_place(left.path, left.line)}{target}{more}")
    lines = [
        line
        for short, rows in sorted(groups.items(), key=lambda group: -len(group[1]))
        for line in _fold(f"{_prose(short)}: {len(rows)}", rows)
    ]
    if report.unread and not report.left_out:
        unread = number_of(report.unread, "document")
        lines.append(f"<p>Not read: {unread}. <code>--show-skipped</code> lists them.</p>")
    yield from _section("Not checked", lines)


def _references(d: Decision) -> Iterator[Evidence]:
    if d.changed:
        yield from (e for e in d.own_evidence if not e.muted and not e.old)


def _not_checked(report: Report) -> Iterator[LeftOut]:
    """Yields the references that were not looked up. With `--show-skipped`, also yields the
    documents that were not read."""
    yield from report.left_out
    verdicts = {Verdict.UNKNOWN} if report.left_out else {Verdict.UNKNOWN, Verdict.SKIPPED}
    for d in report.decisions:
        for e in _references(d):
            if e.verdict in verdicts:
                yield LeftOut(d.place.path, e.reason, d.place.claim.line, e.target)

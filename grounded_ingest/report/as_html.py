"""Renders a report as an HTML page.

A page is one file and loads nothing from a server. Document text cannot run code in the page: the
Content-Security-Policy pins style and script by their hashes. Document text is escaped JSON, which
the script puts on the page as text nodes (`html/*.js`).
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from grounded_ingest.model.claims import Decision, Evidence, Verdict
from grounded_ingest.model.report import LeftOut, Report
from grounded_ingest.report.as_json import scope
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.findings import list_findings, merge_equal, name_lines
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import unseen

_FOLDER = Path(__file__).parent / "html"
_SLOT = compiled(r"\{\{(\w+)\}\}")
Row = dict[str, Any]


def render(report: Report) -> str:
    """Returns the HTML page with the findings, then the documents, then what was not checked.
    Claims without a finding are only counted: 16,124 claims once made a page of 10.6 MB."""
    style = _asset("style.css") + _asset("report.css")
    script = _asset("text.js") + _asset("page.js")
    slots = {
        "policy": _policy(style, script),
        "style": style,
        "script": script,
        "counts": counts(report),
        "data": _inert_json({**_data(report), "unseen": unseen()}),
    }
    return _SLOT.sub(lambda slot: slots[slot[1]], _asset("page.html"))


def _asset(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Returns a Content-Security-Policy that allows only this style and this script. The policy
    also stops the browser from treating text as markup or code."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _inert_json(data: Row) -> str:
    """Returns JSON that is safe inside a script element. Escapes characters that could end the
    element, be invisible in an editor, or be a command to a CI log."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return re.sub(rf"[<>&]|#(?=#[A-Za-z\[])|{unseen()}", _escape, text)


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _data(report: Report) -> Row:
    """Returns the data of the page. Each path and each advice is stored once, and referred to by
    its number."""
    advice: dict[tuple[str, str, str], int] = {}
    paths: dict[str, int] = {}
    items = list_findings(report)
    findings = [
        (
            advice.setdefault((e.severity, e.rule, e.way_out), len(advice)),
            paths.setdefault(e.path, len(paths)) if e.path else None,
            e.line,
            e.text,
            f"{e.description}{name_lines(others)}",
        )
        for e, others in merge_equal(items)
    ]
    wrong = Counter((e.path, e.severity) for e in items)
    checked = _references_by_document(report)
    documents = [
        (
            paths.setdefault(path, len(paths)),
            *(wrong[path, severity] for severity in ("error", "warning")),
            *(checked[path][verdict] for verdict in _VERDICTS),
        )
        for path in sorted({*checked, *(e.path for e in items if e.path)})
    ]
    documents.sort(key=lambda row: (-row[1], -row[2]))
    skipped = [
        (paths.setdefault(left.path, len(paths)), left.line, left.target, left.reason)
        for left in _not_checked(report)
    ]
    return {
        "scope": scope(report),
        "advice": list(advice),
        "paths": list(paths),
        "findings": findings,
        "documents": documents,
        "unread": 0 if report.left_out else report.unread,
        "skipped": skipped,
    }


_VERDICTS = (Verdict.CONFIRMED, Verdict.UNKNOWN, Verdict.SKIPPED)


def _references_by_document(report: Report) -> defaultdict[str, Counter[Verdict]]:
    found: defaultdict[str, Counter[Verdict]] = defaultdict(Counter)
    for d in report.decisions:
        found[d.place.path].update(e.verdict for e in _references(d))
    return found


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

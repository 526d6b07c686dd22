"""Renders a report as an HTML page, and builds every HTML page that this program writes.

A page is one file and loads nothing from a server. Document text cannot run code in the page: the
Content-Security-Policy pins style and script by their hashes. Document text is inert JSON, which
the script puts on the page as text nodes (`html/*.js`).
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from grounded_ingest.model.claims import Decision, Evidence, Finding, Operation
from grounded_ingest.model.report import Report
from grounded_ingest.report.as_json import finding_json, scope
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.findings import deciding_facts, list_findings
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import family
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import unseen

_FOLDER = Path(__file__).parent / "html"
_SLOT = compiled(r"\{\{(\w+)\}\}")
Row = dict[str, Any]


class HtmlAssets(NamedTuple):
    """The names of the files in `html/` that make up a page, in the order of inclusion."""

    page: str
    styles: Sequence[str]
    scripts: Sequence[str]


_ASSETS = HtmlAssets("page.html", ("style.css", "report.css"), ("text.js", "page.js"))


def render(report: Report) -> str:
    """Returns the HTML page with all findings, then all claims with the rule that decided them."""
    return html_page(_ASSETS, counts(report), _data(report))


def html_page(assets: HtmlAssets, counts: str, data: Row) -> str:
    """Returns an HTML page.

    `data` may contain document text. `counts` must not contain document text, because it becomes
    part of the markup.
    """
    style = "".join(map(_asset, assets.styles))
    script = "".join(map(_asset, assets.scripts))
    slots = {
        "policy": _policy(style, script),
        "style": style,
        "script": script,
        "counts": counts,
        "data": _inert_json({**data, "unseen": unseen()}),
    }
    return _SLOT.sub(lambda slot: slots[slot[1]], _asset(assets.page))


def describe_rules(used: Sequence[str]) -> dict[str, list[str]]:
    """Returns summary, way out and severity by rule, for the rules in `used`."""
    known = {rule: EVERY_RULE[rule] for rule in used if rule in EVERY_RULE}
    return {rule: [r.summary, r.way_out, r.severity] for rule, r in known.items()}


def _asset(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Returns a Content-Security-Policy that allows only this style and this script.

    The policy also stops the browser from treating text as markup or code.
    """
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _inert_json(data: Row) -> str:
    """Returns JSON that is safe inside a script element.

    Escapes characters that could end the element, be invisible in an editor, or be a command to a
    CI log.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return re.sub(rf"[<>&]|#(?=#[A-Za-z\[])|{unseen()}", _escape, text)


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _data(report: Report) -> Row:
    names = _Names()
    claims = [_claim(d, names, report.context(d.place)) for d in report.counted]
    findings = [finding_json(e) for e in list_findings(report)]
    for finding in findings:
        names.number_of(finding["path"])
    used = {family(f["rule"]) for f in findings}.union(*map(_rules, claims))
    return {
        "scope": scope(report),
        "rules": describe_rules(sorted(used)),
        "paths": list(names.paths),
        "sections": list(names.sections),
        "findings": findings,
        "claims": claims,
    }


class _Names:
    """A table that numbers paths and sections, so that the page contains each name only once."""

    def __init__(self) -> None:
        self.paths: dict[str, int] = {}
        self.sections: dict[str, int] = {}

    def number_of(self, path: str) -> int | None:
        return self.paths.setdefault(path, len(self.paths)) if path else None


def _claim(d: Decision, names: _Names, context: Sequence[tuple[str, str]]) -> Row:
    claim = d.place.claim
    row: Row = {
        "path": names.number_of(d.place.path),
        "line": claim.line,
        "section": names.sections.setdefault(claim.section, len(names.sections)),
        "text": claim.text,
        "tier": int(d.tier),
        "rule": d.rule,
        "kind": claim.kind,
        "memory": claim.memory_type,
        "source": d.source,
    }
    more = {
        "class": d.place.doc_class,
        "context": context,
        "operation": _operation(d.operation),
        "why": deciding_facts(d),
        "evidence": [_evidence(e) for e in d.evidence],
        "findings": [_finding(f) for f in d.findings],
    }
    return row | {key: value for key, value in more.items() if value}


def _operation(operation: Operation) -> Row:
    if operation.of is None:
        return {}
    return {"name": operation.name, "path": operation.of.path, "line": operation.of.claim.line}


def _rules(row: Row) -> set[str]:
    return {row["rule"], *(f["rule"] for f in row.get("findings", ()))}


def _evidence(e: Evidence) -> Row:
    row: Row = {"kind": e.kind, "target": e.target, "verdict": e.verdict}
    more: Row = {
        "reason": e.reason,
        "judged": e.judged,
        "inherited": not e.own,
        "checked": e.checked_at,
        "quote": e.quote,
    }
    return row | {key: value for key, value in more.items() if value}


def _finding(f: Finding) -> Row:
    row: Row = {"rule": f.rule, "message": f.message, "words": f.words}
    if f.other:
        other = f.other.claim
        row["other"] = {"path": f.other.path, "line": other.line, "text": other.text}
    return {key: value for key, value in row.items() if value}

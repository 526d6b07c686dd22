"""Checks a document that is open in an editor: its findings, the explanation of a claim, and the
places that a claim cites."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.code.definitions import definitions_in, definitions_of
from grounded_ingest.git.trees import LARGEST, text_of
from grounded_ingest.model.claims import CitationKind, Claim, Decision, Document, Evidence, Verdict
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Result
from grounded_ingest.references.code_blocks import refuted_lines
from grounded_ingest.report.explanation import explanation_lines
from grounded_ingest.report.findings import ReportItem
from grounded_ingest.report.formats import Look
from grounded_ingest.report.selection import mute_findings
from grounded_ingest.review.claim_answers import explain_claims
from grounded_ingest.rules.rule import Severity
from grounded_ingest.servers.session import Session, actionable
from grounded_ingest.servers.text_positions import TextPositions
from grounded_ingest.text.printable import printable

Span = tuple[int, int]
"""Start and end offset in characters. The end is not included."""


class EditorDocument(NamedTuple):
    """A document that is open in an editor. `path` is relative to the root of the repository,
    `session` is the session for this repository."""

    session: Session
    path: str
    positions: TextPositions

    @property
    def text(self) -> str:
        return self.positions.text


class EditorFinding(NamedTuple):
    """A finding for an editor. `id` is the id of the claim, or empty if the finding is not about a
    claim."""

    span: Span
    severity: Severity
    rule: str
    message: str
    id: str


CitedPlace = tuple[str, int]
"""The place that a citation names: an absolute file path, and a line number (1-based)."""


def spans_of(claims: Sequence[Claim], positions: TextPositions) -> list[Span]:
    """Returns the span of each claim. A span ends where the next claim starts, or at the end of the
    claim's last line."""
    begins = [positions.at(claim.line, claim.column) for claim in claims]
    later = sorted(set(begins))
    following = dict(pairwise([*later, len(positions.text)]))
    found = []
    for claim, start in zip(claims, begins, strict=True):
        end = max(start, min(following[start], positions.end_of(claim.end_line)))
        found.append((start, start + len(positions.text[start:end].rstrip())))
    return found


@contextmanager
def _check_text(document: EditorDocument) -> Iterator[tuple[Result, Document | None, list[Span]]]:
    """Yields the check result for the unsaved text, the extracted document, and the spans of its
    claims. The extracted document is None if the configuration leaves the file out."""
    with document.session.check_proposed(document.path, document.text) as result:
        read = result.kb.document(document.path)
        claims = read.extraction.claims if read is not None else ()
        yield result, read, spans_of(claims, document.positions)


def editor_findings(document: EditorDocument, look: Look) -> list[EditorFinding]:
    """Returns the findings for the unsaved text of a document: the findings that the commit hook
    would report, and all errors in unchanged lines. Leaves out findings that the configuration or a
    baseline ignores.
    """
    path, positions = document.path, document.positions
    with _check_text(document) as (result, read, spans):
        new = {e.fingerprint for e in actionable(result.report)}
        whole = result.report if read is None else _as_a_whole(result, read)
        told = actionable(mute_findings(replace(result, report=whole)).report)
    claims = read.extraction.claims if read is not None else ()
    places = {(c.line, c.column): span for c, span in zip(claims, spans, strict=True)}
    return [
        EditorFinding(
            places.get((e.line, e.column)) or _line_of(e, positions),
            e.severity, e.rule, printable(e.sentence(look), 1000), e.id,
        )
        for e in told
        if e.path == path and (e.fingerprint in new or e.severity == "error")
    ]  # fmt: skip


def _line_of(item: ReportItem, positions: TextPositions) -> Span:
    line = max(item.line, 1)
    return positions.at(line), positions.end_of(max(line, item.end_line))


def _as_a_whole(result: Result, read: Document) -> Report:
    """Returns the report as if all claims of the document were new, with the problems in its code
    blocks added."""
    report, context = result.report, result.engine.context
    own = [replace(p, path=read.path) for p in read.extraction.problems]
    shown = [line.problem for line in refuted_lines([read], context)]
    problems = dict.fromkeys([*report.problems, *shown, *own])
    return replace(
        report,
        scope=replace(report.scope, mode="paths"),
        decisions=tuple(map(_as_new, _decisions(result, read))),
        problems=tuple(problems),
    )


def _as_new(decision: Decision) -> Decision:
    evidence = tuple(replace(e, old=False) for e in decision.evidence)
    return replace(decision, changed=True, evidence=evidence)


def _decisions(result: Result, read: Document) -> list[Decision]:
    decided = [d for d in result.report.decisions if d.place.path == read.path]
    return decided or result.engine.decide([read], {})


def _claim_index(offset: int, spans: Sequence[Span]) -> int | None:
    """Returns the index of the claim at an offset, or None if there is no claim. `spans` are the
    spans of the claims. An offset right after a claim belongs to this claim."""
    inside = [n for n, (start, end) in enumerate(spans) if start <= offset <= end]
    return max(inside, key=lambda n: spans[n][0], default=None)


def editor_hover(
    document: EditorDocument, offset: int, look: Look
) -> tuple[Span, list[str]] | None:
    """Returns the span of the claim at an offset, and the lines that explain its decision, as the
    command `explain` prints them. Returns None if there is no claim at the offset."""
    path = document.path
    with _check_text(document) as (result, read, spans):
        number = _claim_index(offset, spans)
        if read is None or number is None:
            return None
        repo, claim = result.engine.context.repo, read.extraction.claims[number]
        answer = explain_claims(repo, result, f"{repo.root}/{path}:{claim.line}")
        lines = [
            line
            for found in answer["decisions"]
            if (found["section"], found["id"], found["ordinal"]) == claim.key
            for line in explanation_lines(found, look)
        ]
    return (spans[number], lines) if lines else None


def cited_places(document: EditorDocument, offset: int) -> list[CitedPlace]:
    """Returns the place to which the citation or code name at an offset leads. If the offset is at
    other words of a claim, returns the places of all its citations and names."""
    with _check_text(document) as (result, read, spans):
        number = _claim_index(offset, spans)
        if read is None or number is None:
            return []
        key = read.extraction.claims[number].key
        decided = (d for d in _decisions(result, read) if d.place.claim.key == key)
        found = dict(
            place
            for d in decided
            for e in d.evidence
            if e.own and e.verdict is Verdict.CONFIRMED
            for place in _led_to(e, result)
        )
    word = next(w[0] for w in _WORD.finditer(document.text) if w.start() <= offset <= w.end())
    return [place for place, name in found.items() if name in word] or list(found)


def _led_to(evidence: Evidence, result: Result) -> Iterator[tuple[CitedPlace, str]]:
    tree, root = result.scoped.tree, result.engine.context.repo.root
    adr = evidence.kind is CitationKind.ADR and evidence.origins
    target = _TARGET.match(adr[0].path if adr else evidence.target)
    if target is None or not tree.has(path := target[1]):
        return
    line, name = int(target["line"] or evidence.line or 1), target["name"] or ""
    if name and tree.size(path) <= LARGEST:
        defined = definitions_of(definitions_in(path, text_of(tree, path) or "") or (), name)
        line = defined[0].line if defined else line
    yield (os.path.join(root, path), line), name or path


_TARGET = re.compile(r"([^:#]+)(?::(?P<line>\d+)|::(?:.*[.:])?(?P<name>\w+))?")
_WORD = re.compile(r"[^\s`()\[\]]*(?:\(\))?")

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
from grounded_ingest.extract.citation_places import citation_places
from grounded_ingest.extract.positions import LineIndex
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    Claim,
    Decision,
    Document,
    Verdict,
)
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Result
from grounded_ingest.references import defined_symbol
from grounded_ingest.references.adr import MEMBERS, adr_files
from grounded_ingest.references.code_blocks import refuted_lines
from grounded_ingest.references.context import Context, Request, requests_of
from grounded_ingest.references.path_resolution import resolve_path
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


class EditorHover(NamedTuple):
    """The span of the claim under the cursor, and the lines that explain its decision."""

    span: Span
    lines: list[str]


class CitedPlace(NamedTuple):
    """The place that a citation names: an absolute file path, and a line number (1-based)."""

    file: str
    line: int


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
def _check_text(
    document: EditorDocument,
) -> Iterator[tuple[Result, Document | None, list[Span]]]:
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
    """Returns the decisions for all claims of a document, including unchanged claims."""
    decided = [d for d in result.report.decisions if d.place.path == read.path]
    return decided or result.engine.decide([read], {})


def _claim_index(offset: int, spans: Sequence[Span]) -> int | None:
    """Returns the index of the claim at an offset, or None if there is no claim. `spans` are the
    spans of the claims. An offset right after a claim belongs to this claim."""
    inside = [n for n, (start, end) in enumerate(spans) if start <= offset <= end]
    return max(inside, key=lambda n: spans[n][0], default=None)


def editor_hover(document: EditorDocument, offset: int, look: Look) -> EditorHover | None:
    """Returns the explanation of the claim at an offset, as the command `explain` prints it.

    Returns None if there is no claim at the offset.
    """
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
    return EditorHover(spans[number], lines) if lines else None


def cited_places(document: EditorDocument, offset: int) -> list[CitedPlace]:
    """Returns the places to which the citation or code name at an offset leads.

    If the offset is at other words of a claim, returns the places of all its citations and names.
    """
    path = document.path
    with _check_text(document) as (result, read, spans):
        number = _claim_index(offset, spans)
        if read is None or number is None:
            return []
        claims = read.extraction.claims
        content = LineIndex(document.text.encode(errors="replace"))
        byte = len(document.text[:offset].encode(errors="replace"))
        every: list[CitedPlace] = []
        for request in requests_of(path, claims[number]):
            if not request.citation.own:
                continue
            places = [CitedPlace(f, n) for f, n in _cited_files(request, result)]
            found = citation_places(content, claims, number, request.citation)
            if any(s.start <= byte <= s.end for s in found):
                return _on_disk(places, result)
            every += places
        names = list(_names(path, claims[number], result.engine.context))
        word = _code_at(offset, document.text)
        of_word = [place for name, place in names if name == word]
        return _on_disk(of_word or [*every, *(place for _, place in names)], result)


def _on_disk(places: Sequence[CitedPlace], result: Result) -> list[CitedPlace]:
    root = result.engine.context.repo.root
    return [p._replace(file=os.path.join(root, p.file)) for p in dict.fromkeys(places)]


def _cited_files(request: Request, result: Result) -> Iterator[tuple[str, int]]:
    """Yields the path and line that a citation of a file or decision record (ADR) names."""
    citation, tree = request.citation, result.scoped.tree
    match citation.kind:
        case CitationKind.PATH:
            found = [p for p in resolve_path(request, tree) if tree.has(p)]
            if len(found) == 1:
                yield found[0], _first_line(found[0], citation, tree)
        case CitationKind.ADR:
            for number in _numbers(citation.raw):
                for file in adr_files(number, tree, result.config):
                    yield file, 1
        case _:
            return


def _first_line(path: str, citation: Citation, tree: Tree) -> int:
    """Returns the first cited line, or the line of the cited definition. Returns 1 if the citation
    names neither lines nor a definition, or if the definition cannot be found."""
    if citation.lines is not None:
        return citation.lines[0]
    if not citation.anchor or tree.size(path) > LARGEST:
        return 1
    found = definitions_of(definitions_in(path, text_of(tree, path) or "") or (), citation.anchor)
    return found[0].line if found else 1


def _numbers(raw: str) -> range:
    """Returns the decision record numbers in `3`, `003b` or `3-7`."""
    first, _, last = (part.rstrip("abcdefghijklmnopqrstuvwxyz") for part in raw.partition("-"))
    if not first.isdigit():
        return range(0)
    start = int(first)
    return range(start, min(int(last) if last.isdigit() else start, start + MEMBERS) + 1)


def _names(path: str, claim: Claim, context: Context) -> Iterator[tuple[str, CitedPlace]]:
    """Yields the code names in a claim with the place of their definition. Only the last part of a
    name is yielded, such as `run` for `Worker.run`."""
    asked = defined_symbol.mentions(path, claim)
    for answer in defined_symbol.answers(asked, context).values() if asked else ():
        if answer.verdict is Verdict.CONFIRMED:
            file, _, name = answer.target.partition("::")
            yield _LAST.split(name)[-1], CitedPlace(file, max(answer.line, 1))


_LAST = re.compile("::|[#.]")
_CODE = re.compile(r"`([^`\n]+)`")


def _code_at(offset: int, text: str) -> str:
    """Returns the last part of the name in the code span at an offset, or an empty string."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    for found in _CODE.finditer(text, start, end if end >= 0 else len(text)):
        if found.start() <= offset <= found.end():
            return _LAST.split(found[1].removesuffix("()"))[-1]
    return ""

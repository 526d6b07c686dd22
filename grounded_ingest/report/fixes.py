"""Corrects wrong references that have exactly one possible correction, for `--fix`.

A document is written as a whole or not at all.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import diff_bytes, unified_diff
from posixpath import basename, dirname, relpath
from typing import NamedTuple
from urllib.parse import quote, unquote

from msgspec.structs import replace

from grounded_ingest.errors import os_errors_as
from grounded_ingest.extract.assertions import assertions_in
from grounded_ingest.extract.citation_places import CitationPlace, citation_places
from grounded_ingest.extract.citations import RESOURCE
from grounded_ingest.extract.documents import VERSION, extract
from grounded_ingest.extract.positions import LineIndex
from grounded_ingest.git.cache import remember
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    Claim,
    Decision,
    Document,
    Evidence,
    Extraction,
    Problem,
    Verdict,
)
from grounded_ingest.pipeline import Result
from grounded_ingest.records.whole_file import locked, write_whole
from grounded_ingest.references.context import Request, requests_of
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.text.patterns import compiled

ByteSpan = tuple[int, int]
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/@+")
_LINK = re.compile(rb"\]\(<?([^()\s<>#]*)#([^()\s<>]+)")
_WITHOUT_UNIT = re.compile(
    rb"[`*\"']*(?:[.,;:)](?!\w)|\s*$|\n| \(| (?:in|by|and|or|if|as|for|unless|when)\b)"
)
_NAME = compiled("::|#")
"""Splits a target into its file and the name in it."""
_LINES = compiled(r"^(.*?)(?::(\d+)(?:-(\d+))?)?$")


class Edit(NamedTuple):
    """A correction of one wrong reference in a claim. number: the position of the claim in its
    document. wrong: the wrong reference. replaced: the new bytes for each replaced byte span."""

    number: int
    wrong: Evidence
    replaced: tuple[tuple[ByteSpan, bytes], ...]


class Fixed(NamedTuple):
    """The path of a document, and its content before and after the corrections."""

    path: str
    before: bytes
    after: bytes


def plan_fixes(result: Result) -> tuple[Fixed, ...]:
    """Returns every document that has a reference to correct. Extracts and judges the corrected
    text first. The corrected references must be right, and the verdicts for all other references
    must not change."""
    report = result.report
    inside = (d for d in report.decisions if d.counts or d.newly_wrong)
    wrong = _correctable((*inside, *report.elsewhere))
    outside: dict[str, list[Problem]] = {}
    for problem in (p for p in report.problems if p.fix[1]):
        outside.setdefault(problem.path, []).append(problem)
    found = []
    for document in filter(None, map(result.kb.document, sorted({*wrong, *outside}))):
        content, kept = _kept_edits(result, document, wrong.get(document.path, []))
        after = _fix_lines(_apply(content, kept), outside.get(document.path, []))
        if after != content:
            found.append(Fixed(document.path, content, after))
    return tuple(found)


def drop_unfixable(result: Result) -> Result:
    """Returns the result without the corrections that `check --fix` would not write, so that no
    message advises them. For example, `--fix` does not edit an approved claim and writes no path
    with a space."""
    read = result.scoped.tree.read
    problems = tuple(
        replace(p, fix=("", "")) if p.fix[1] and not _place_to_fix(read(p.path) or b"", p) else p
        for p in result.report.problems
    )
    report = replace(result.report, problems=problems)
    asked = _correctable((*report.decisions, *report.elsewhere))
    if not asked:
        return replace(result, report=report)
    written = set()
    for path, wrong in asked.items():
        if document := result.kb.document(path):
            _, edits = _kept_edits(result, document, wrong)
            claims = document.extraction.claims
            written |= {(path, claims[e.number].key, e.wrong) for e in edits if e.replaced}

    def keep(decision: Decision) -> Decision:
        at = decision.place.path, decision.place.claim.key
        if not any(e.instead for e in decision.wrong):
            return decision
        evidence = (e if (*at, e) in written else replace(e, instead="") for e in decision.evidence)
        return replace(decision, evidence=tuple(evidence))

    decisions, elsewhere = tuple(map(keep, report.decisions)), tuple(map(keep, report.elsewhere))
    return replace(result, report=replace(report, decisions=decisions, elsewhere=elsewhere))


def _correctable(decisions: Iterable[Decision]) -> dict[str, list[tuple[Decision, Evidence]]]:
    """Maps paths of documents to wrong references with a correction. Leaves out approved claims,
    because their reviewer approved this text."""
    found: dict[str, list[tuple[Decision, Evidence]]] = {}
    for decision in decisions:
        if decision.rule != "approved":
            wrong = [(decision, e) for e in decision.wrong if e.instead]
            found.setdefault(decision.place.path, []).extend(wrong)
    return {path: wrong for path, wrong in found.items() if wrong}


def _kept_edits(
    result: Result, document: Document, wrong: Sequence[tuple[Decision, Evidence]]
) -> tuple[bytes, list[Edit]]:
    """Returns the content of a document, and the edits that `_correct_edits` keeps."""
    content = result.scoped.tree.read(document.path) or b""
    text = LineIndex(content)
    numbers = {claim.key: n for n, claim in enumerate(document.extraction.claims)}
    found = (_edit(numbers[d.place.claim.key], e, document, text, result) for d, e in wrong)
    edits = [e for e in found if e is not None]
    return content, _correct_edits(result, document, content, edits)


def _correct_edits(
    result: Result, document: Document, content: bytes, edits: list[Edit]
) -> list[Edit]:
    """Returns the edits after which each corrected reference is right, and all other verdicts are
    the same as before."""
    failing = _failing_claims(result, document, content, edits)
    if failing is None:
        kept, rest = [], edits
    else:
        # A claim that fails with its only edit is not tried again.
        several = Counter(e.number for e in edits)
        kept = [e for e in edits if e.number not in failing]
        rest = [e for e in edits if e.number in failing and several[e.number] > 1]
        if failing and _failing_claims(result, document, content, kept) != set():
            kept, rest = [], edits
    for edit in rest:
        if _failing_claims(result, document, content, [*kept, edit]) == set():
            kept.append(edit)
    return kept


def _edit(
    number: int, wrong: Evidence, document: Document, text: LineIndex, result: Result
) -> Edit | None:
    claims, tree = document.extraction.claims, result.scoped.tree
    claim = claims[number]
    lines = text.offset(claim.line), text.offset(claim.end_line + 1)
    if _names_both(wrong, claim):
        return None
    match wrong.kind:
        case CitationKind.ANCHOR:
            replaced = _anchor_edits(wrong, text.source, lines, document.path, tree)
        case CitationKind.PROOF:
            replaced = _proof_edits(wrong, text.source, lines, claim)
        case CitationKind.COUNT:
            replaced = _value_edits(wrong, text.source, lines)
        case CitationKind.COMMAND | CitationKind.SYMBOL:
            replaced = _name_edits(wrong, text.source, lines)
        case _:
            replaced = _citation_edits(wrong, document, number, text, result)
    edits = tuple(dict.fromkeys(replaced))
    return Edit(number, wrong, edits) if edits else None


def _names_both(wrong: Evidence, claim: Claim) -> bool:
    """Returns whether a claim also has the name that a fix would write, as a list of files may. Git
    may have taken another file for the moved one."""
    old, name = (_NAME.split(basename(target))[-1] for target in (wrong.target, wrong.instead))
    return name not in ("", old) and name in claim.text


def _name_edits(
    wrong: Evidence, content: bytes, within: ByteSpan
) -> Iterator[tuple[ByteSpan, bytes]]:
    """Yields the edit of the last name in `Makefile#test` or `src/app.py::serve`."""
    old, new = (_NAME.split(target)[-1] for target in (wrong.target, wrong.instead))
    if place := _only_place(content, within, old, new):
        yield place, new.encode()


def _citation_edits(
    wrong: Evidence, document: Document, number: int, text: LineIndex, result: Result
) -> Iterator[tuple[ByteSpan, bytes]]:
    claims, tree = document.extraction.claims, result.scoped.tree
    found = False
    for request in requests_of(document.path, claims[number]):
        one = result.engine.verified.get(request)
        if one is None or (one.kind, one.target) != (wrong.kind, wrong.target):
            continue
        for spot in citation_places(text, claims, number, request.citation):
            if not _is_right_text(spot, text, request.citation, tree):
                edits = [*_spot_edits(spot, request, wrong.instead, tree)]
                found = found or bool(edits)
                yield from edits
    lines = text.offset(claims[number].line), text.offset(claims[number].end_line + 1)
    in_command = wrong.kind is CitationKind.PATH and not found
    if in_command and (place := _only_place(text.source, lines, wrong.target, wrong.instead)):
        yield place, wrong.instead.encode()


def _is_right_text(spot: CitationPlace, text: LineIndex, citation: Citation, tree: Tree) -> bool:
    """Returns whether a place is the text of a link and right as it is: `[LICENSE](LICENSE)` in a
    folder."""
    is_text = text.source[spot.start - 1 : spot.start] in (b"[", b"`")
    return is_text and citation.link and tree.has(citation.raw)


def _anchor_edits(
    wrong: Evidence, content: bytes, within: ByteSpan, document: str, tree: Tree
) -> Iterator[tuple[ByteSpan, bytes]]:
    path, _, old = wrong.target.partition("#")
    for link in _LINK.finditer(content, *within):
        file, anchor = (unquote(part.decode(errors="replace")) for part in link.groups())
        cited = Request(document, Citation(CitationKind.PATH, file, link=True))
        meant = resolve_path(cited, tree) if file else [document]
        if meant == [path] and anchor.lower() == old:
            yield link.span(2), wrong.instead.partition("#")[2].encode()


def _proof_edits(
    wrong: Evidence, content: bytes, within: ByteSpan, claim: Claim
) -> Iterator[tuple[ByteSpan, bytes]]:
    if recipe := wrong.target.partition(" runs ")[2]:
        at = content.find(f"`{recipe}`".encode(), *within) + 1
        if at:
            yield (at, at + len(recipe.encode())), wrong.instead.encode()
        return
    for assertion, _, _ in assertions_in(claim.text):
        if not wrong.target.endswith(assertion.text.removeprefix(assertion.path)):
            continue
        name, rest = (re.escape(t.encode()) for t in (assertion.keys[-1], assertion.rest))
        found = re.compile(name + rb"[^\n]{0,200}?[\s`=\"](" + rest + rb")(?![\w])").search(
            content, *within
        )
        if found is not None:
            yield found.span(1), wrong.instead.encode()


def _value_edits(
    wrong: Evidence, content: bytes, within: ByteSpan
) -> Iterator[tuple[ByteSpan, bytes]]:
    """Yields the edit of a wrong value, if its claim contains the value once and without a unit:
    the code may count milliseconds where the text tells seconds."""
    value = wrong.reason.rpartition(", not ")[2]
    place = _only_place(content, within, value, wrong.instead)
    if place and _WITHOUT_UNIT.match(content, place[1]):
        yield place, wrong.instead.encode()


def _spot_edits(
    spot: CitationPlace, request: Request, instead: str, tree: Tree
) -> Iterator[tuple[ByteSpan, bytes]]:
    citation = request.citation
    match = _LINES.match(instead)
    path, first, last = match.groups() if match and citation.lines else (instead, None, None)
    if citation.lines and not first:
        return  # the correction does not say which lines are meant now
    name = path[: len(citation.raw)] if citation.kind is CitationKind.COMMIT else ""
    name = name or _spell_path(request, path, tree)
    if name and name != citation.raw:
        size = spot.name[1] - spot.name[0]
        written = quote(name) if size != len(citation.raw.encode()) else name
        yield spot.name, written.encode()
    if first and spot.first is not None:
        yield spot.first, first.encode()
    if first and spot.last is not None:
        yield spot.last, (last or first).encode()


def _spell_path(request: Request, path: str, tree: Tree) -> str:
    """Returns the path in the same style as the citation: relative, from the root, or a file name.
    Returns an empty string if the path has characters that Markdown would need escaped, and for
    macros of AsciiDoc and roles of reStructuredText."""
    raw = request.citation.raw
    here = dirname(request.path)
    slash = "/" if path.endswith("/") else ""
    bare = path.rstrip("/")
    if path in resolve_path(request, tree):
        return raw
    if not set(path) <= _PLAIN or RESOURCE.fullmatch(raw):
        return ""
    if raw.startswith(("./", "../")) or request.citation.link:
        found = relpath(bare, here or ".")
        found = found if found.startswith("../") or not raw.startswith("./") else f"./{found}"
    elif raw.startswith("/"):
        found = f"/{bare}"
    else:
        found = _spell_bare(bare, raw, here, tree)
    return found + (slash if raw.endswith("/") else "")


def _spell_bare(path: str, raw: str, here: str, tree: Tree) -> str:
    """Returns the path as a name or as a path from the document's folder, if `raw` is one of these,
    else from the root."""
    name, below = basename(path), f"{here}/"
    if "/" not in raw and tree.ending_with(name) == [path]:
        return name
    return path.removeprefix(below) if not raw.startswith(below) else path


def _fix_lines(content: bytes, problems: Iterable[Problem]) -> bytes:
    """Returns the content with the fixes of wrong references outside claims. A fix does not change
    the number of a line."""
    for problem in problems:
        if span := _place_to_fix(content, problem):
            content = content[: span[0]] + problem.fix[1].encode() + content[span[1] :]
    return content


def _place_to_fix(content: bytes, problem: Problem) -> ByteSpan | None:
    text = LineIndex(content)
    within = text.offset(problem.line), text.offset(problem.line + 1)
    return _only_place(content, within, *problem.fix)


def _only_place(content: bytes, within: ByteSpan, old: str, new: str) -> ByteSpan | None:
    """Returns the place of the text `old` that the text `new` replaces, if `old` is there once.
    Returns None if `old` is empty, or if `new` has characters that a shell or Markdown would need
    escaped."""
    if not old or not set(new) <= _PLAIN | {":"}:
        return None
    word = re.compile(rb"(?<![\w./-])" + re.escape(old.encode()) + rb"(?![\w-]|[./]\w)")
    found = [m.span() for m in word.finditer(content, *within)]
    return found[0] if len(found) == 1 else None


def _apply(content: bytes, edits: Iterable[Edit]) -> bytes:
    parts, at = [], 0
    for (start, end), new in sorted({r for e in edits for r in e.replaced}):
        if start >= at:
            parts += [content[at:start], new]
            at = end
    return b"".join([*parts, content[at:]])


def _failing_claims(
    result: Result, document: Document, content: bytes, edits: Sequence[Edit]
) -> set[int] | None:
    """Returns the numbers of the claims for which the edits fail: a corrected reference is still
    wrong, or another verdict changes. Returns None if the edits change the number of
    claims."""
    before = document.extraction
    corrected_text = _apply(content, edits)
    key = VERSION, document.path, document.doc_class, corrected_text
    after = remember(
        result.engine.context.cache, "corrected", key, Extraction,
        lambda: extract(corrected_text, document.path, document.doc_class),
    )  # fmt: skip
    if len(after.claims) != len(before.claims):
        return None
    corrected = {(e.number, e.wrong.kind, e.wrong.target) for e in edits}
    numbers = {e.number for e in edits}
    for n, (old, new) in enumerate(zip(before.claims, after.claims, strict=True)):
        # An equal claim with equal texts above has equal evidence.
        if old != new or before.context(old) != after.context(new):
            numbers.add(n)
    then = result.engine.evidence_of(document, numbers)
    now = result.engine.evidence_of(replace(document, extraction=after), numbers)
    return {
        n
        for n, old, new in zip(numbers, then, now, strict=True)
        if _wrong_references(new) != [w for w in _wrong_references(old) if (n, *w) not in corrected]
    }


def _wrong_references(found: Iterable[Evidence]) -> list[tuple[CitationKind, str]]:
    return [(e.kind, e.target) for e in found if e.own and e.verdict is Verdict.REFUTED]


def write_fixes(repo: Repo, fixed: Iterable[Fixed]) -> tuple[list[str], list[str]]:
    """Writes each corrected document, unless the file changed after the check had read it. Returns
    the paths of the corrected documents, and of the changed ones, which stay. Raises
    GroundedIngestError if a file cannot be written."""
    done, changed = [], []
    with locked(repo):
        for one in fixed:
            full = f"{repo.root}/{one.path}"
            with os_errors_as(f"{one.path} cannot be written"):
                with open(full, "rb") as file:
                    same = file.read() == one.before
                if not same or os.path.islink(full):
                    changed.append(one.path)
                    continue
                mode = os.stat(full).st_mode & 0o7777
                write_whole(full, one.after, mode=mode, durable=True)
            done.append(one.path)
    return done, changed


_NO_NEWLINE = b"\n\\ No newline at end of file\n"


def diff(fixed: Iterable[Fixed]) -> bytes:
    """Returns a unified diff that `git apply` accepts."""
    found: list[bytes] = []
    for one in fixed:
        name = os.fsencode(one.path)
        # As in git, a carriage return alone does not end a line.
        before, after = (re.findall(rb"[^\n]*\n|[^\n]+", t) for t in (one.before, one.after))
        rows = diff_bytes(unified_diff, before, after, b"a/" + name, b"b/" + name, lineterm=b"\n")
        found += [row if row.endswith(b"\n") else row + _NO_NEWLINE for row in rows]
    return b"".join(found)

"""What `--fix` rewrites: the characters of certain citations, and nothing else. Documents are
written whole or not at all, then the sidecars that are behind. With `--anchors` cited lines become
the definition they lie in, where its claim is decided as well by that."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import diff_bytes, unified_diff
from posixpath import dirname, relpath
from typing import NamedTuple
from urllib.parse import quote

from msgspec.structs import replace

from grounded_ingest.audit.anchors import DefinitionAnchor, anchor_of, cites_lines, is_as_good
from grounded_ingest.audit.citation_spans import CitationSpot
from grounded_ingest.audit.model import EvidenceState
from grounded_ingest.audit.run import Audited, AuditedCitation
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Document
from grounded_ingest.pipeline import Result
from grounded_ingest.records.whole_file import locked, write_whole
from grounded_ingest.report.sidecar_plan import SidecarPlan
from grounded_ingest.report.sidecar_writer import write_sidecars
from grounded_ingest.verify.context import Request, as_cited
from grounded_ingest.verify.path import resolve_path

ByteSpan = tuple[int, int]
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/@+")


class _Meant(NamedTuple):
    """What a rewritten citation has to be read as: the path or id, and lines or a definition."""

    target: str
    lines: tuple[int, int] | None = None
    name: str = ""


class Edit(NamedTuple):
    """The bytes that replace others, for one citation of the claim of that number. `line` is
    where it is written; `plain` what else may be done, where an edit to a definition fails."""

    number: int
    citation: Citation
    meant: _Meant
    replaced: tuple[tuple[ByteSpan, bytes], ...]
    line: int = 0
    plain: Edit | None = None


class Fixed(NamedTuple):
    """A document before and after."""

    path: str
    before: bytes
    after: bytes


class LeftAsLines(NamedTuple):
    """A citation of lines that stays one, and why."""

    path: str
    line: int
    cited: str
    why: str


class PlannedFixes(NamedTuple):
    """Every document that has something certain to rewrite; with `--anchors`, what stays."""

    documents: tuple[Fixed, ...]
    left: tuple[LeftAsLines, ...] = ()


def plan_fixes(audited: Audited, *, anchors: bool = False) -> PlannedFixes:
    """What to rewrite, read again to see that nothing but the citations is another now."""
    by_document: dict[str, list[Edit]] = {}
    left: list[LeftAsLines] = []
    for judged in audited.judged:
        edit = _edit(judged, audited.result)
        if anchors and cites_lines(judged.asked):
            edit = _anchored(judged, audited, edit, left)
        if edit is not None:
            by_document.setdefault(judged.asked.document, []).append(edit)
    documents = [d for d in audited.result.documents if d.path in by_document]
    kept = {d.path: _borne_out(audited, d, by_document[d.path], left) for d in documents}
    found = [_fixed(audited, d, kept[d.path], left) for d in documents]
    return PlannedFixes(tuple(f for f in found if f is not None), tuple(sorted(set(left))))


def _anchored(
    judged: AuditedCitation, audited: Audited, plain: Edit | None, left: list[LeftAsLines]
) -> Edit | None:
    """The edit of cited lines to the definition they lie in, else the one there is."""
    asked, found = judged
    anchor = anchor_of(asked, found, audited.result)
    spots = () if anchor.why else asked.spots
    replaced = [r for s in spots if (r := _of_anchor(judged, anchor, s, audited))]
    if not replaced or len(replaced) < len(spots):
        why = anchor.why or "it is written with other lines, or a column"
        left.append(LeftAsLines(asked.document, asked.line, asked.evidence.target, why))
        return plain
    meant = _Meant(anchor.path, None, anchor.name)
    return Edit(asked.number, asked.citation, meant, tuple(replaced), asked.line, plain)


_MORE_LINES = re.compile("(?:[:,] ?|[-–])[0-9]".encode())


def _of_anchor(
    judged: AuditedCitation, anchor: DefinitionAnchor, spot: CitationSpot, audited: Audited
) -> tuple[ByteSpan, bytes] | None:
    """`path::name` for one place of a citation: what is no code span becomes one."""
    asked, found = judged
    content = audited.contents[asked.document]
    name = asked.citation.raw
    if found.path and found.path not in resolve_path(asked.request, audited.result.scoped.tree):
        name = _named(asked.request, found.path, audited.result.scoped.tree)
    in_code = content[spot.start - 1 : spot.start] == b"`"
    ends = (content[spot.end : spot.end + 1] == b"`") is in_code
    alone = spot.first and content[spot.name[1] : spot.first[0]] in (b":", b"#L")
    if not name or not ends or not alone or _MORE_LINES.match(content, spot.end):
        return None
    written = f"{name}::{anchor.name}"
    return (spot.start, spot.end), (written if in_code else f"`{written}`").encode()


def _borne_out(
    audited: Audited, document: Document, edits: Sequence[Edit], left: list[LeftAsLines]
) -> list[Edit]:
    """The edits, those to definitions only where the claim is decided as well by them."""
    if not any(e.meant.name for e in edits):
        return list(edits)
    after = _applied(audited.contents[document.path], edits)
    anew = replace(document, extraction=extract(after, document.path, document.doc_class))
    old = [d.evidence for d in audited.result.report.decisions if d.place.path == document.path]
    new = audited.result.judge.evidence_of(anew)
    kept: list[Edit] = []
    for edit in edits:
        lasts = len(old) == len(new) and is_as_good(old[edit.number], new[edit.number])
        if not edit.meant.name or lasts:
            kept.append(edit)
            continue
        why = "its claim would be borne out less by the whole definition"
        left.append(LeftAsLines(document.path, edit.line, as_cited(edit.citation), why))
        if edit.plain is not None:
            kept.append(edit.plain)
    return kept


def _edit(judged: AuditedCitation, result: Result) -> Edit | None:
    """The edit for a certain citation; an approved claim is left as the reviewer read it."""
    asked, found = judged
    if not found.certain or asked.decision.rule == "approved" or not asked.spots:
        return None
    citation = asked.citation
    if found.state is EvidenceState.UNREACHABLE:
        return _replacing(judged, _abbreviated(result, found.to, len(citation.raw)), None)
    if (
        found.state is not EvidenceState.MOVED
        or citation.kind is not CitationKind.PATH
        or not found.path
    ):
        return None
    tree = result.scoped.tree
    name = citation.raw if found.path in resolve_path(asked.request, tree) else ""
    return _replacing(judged, name or _named(asked.request, found.path, tree), found.lines)


def _abbreviated(result: Result, oid: str, length: int) -> str:
    """A commit as short as the one it replaces, or longer where that would be ambiguous."""
    objects = result.judge.context.repo.objects
    for size in range(max(length, 7), len(oid)):
        found = objects.get(oid[:size])
        if found is not None and found.oid == oid:
            return oid[:size]
    return oid


def _replacing(judged: AuditedCitation, name: str, lines: tuple[int, int] | None) -> Edit | None:
    asked, found = judged
    if not name:
        return None
    replaced: list[tuple[ByteSpan, bytes]] = []
    for spot in asked.spots:
        replaced += _of_spot(spot, name, lines, asked.citation)
    meant = _Meant(found.path or found.to, lines or asked.citation.lines)
    return Edit(asked.number, asked.citation, meant, tuple(replaced)) if replaced else None


def _of_spot(
    spot: CitationSpot, name: str, lines: tuple[int, int] | None, citation: Citation
) -> Iterator[tuple[ByteSpan, bytes]]:
    if name != citation.raw:
        size = spot.name[1] - spot.name[0]
        written = quote(name) if size != len(citation.raw.encode()) else name
        yield spot.name, written.encode()
    if lines is not None and spot.first is not None:
        yield spot.first, str(lines[0]).encode()
    if lines is not None and spot.last is not None:
        yield spot.last, str(lines[1]).encode()


def _named(request: Request, path: str, tree: Tree) -> str:
    """A path in the form its citation had: relative, from the root, or its last parts."""
    raw = request.citation.raw
    if not set(path) <= _PLAIN:
        return ""
    here = dirname(request.path)
    slash = "/" if path.endswith("/") else ""
    bare = path.rstrip("/")
    if raw.startswith(("./", "../")):
        found = relpath(bare, here or ".")
        found = found if found.startswith("../") or not raw.startswith("./") else f"./{found}"
    elif raw.startswith("/"):
        found = f"/{bare}"
    elif request.citation.link:
        found = relpath(bare, here or ".")
    else:
        parts = bare.split("/")
        found = bare
        short = "/".join(parts[-len(raw.rstrip("/").split("/")) :])
        if not slash and len(parts) > 2 and tree.ending_with(short) == [bare] and not _rooted(raw):
            found = short
    return found + (slash if raw.endswith("/") else "")


def _rooted(raw: str) -> bool:
    """Whether a path reads as one from the root rather than as the end of one."""
    return "/" in raw


def _fixed(
    audited: Audited, document: Document, edits: Sequence[Edit], left: list[LeftAsLines]
) -> Fixed | None:
    before = audited.contents[document.path]
    kept = list(edits)
    after = _applied(before, kept)
    if not _as_meant(audited, document, after, kept):
        kept = []
        for edit in edits:
            if _as_meant(audited, document, _applied(before, [*kept, edit]), [*kept, edit]):
                kept.append(edit)
        after = _applied(before, kept)
        why = "the text would read otherwise"
        dropped = [e for e in edits if e not in kept and e.meant.name]
        left += [LeftAsLines(document.path, e.line, as_cited(e.citation), why) for e in dropped]
    return Fixed(document.path, before, after) if after != before else None


def _applied(content: bytes, edits: Iterable[Edit]) -> bytes:
    parts, at = [], 0
    for (start, end), new in sorted({r for e in edits for r in e.replaced}):
        if start >= at:
            parts += [content[at:start], new]
            at = end
    return b"".join([*parts, content[at:]])


def _as_meant(audited: Audited, document: Document, after: bytes, edits: Sequence[Edit]) -> bool:
    """Whether the text, read again, has the same claims with the citations meant, and no other
    citation is another."""
    claims = document.extraction.claims
    anew = extract(after, document.path, document.doc_class).claims
    if len(claims) != len(anew):
        return False
    tree = audited.result.scoped.tree
    targets = {(e.number, e.citation): e.meant for e in edits}
    return all(
        _same(document.path, number, old, new, targets, tree)
        for number, (old, new) in enumerate(zip(claims, anew, strict=True))
    )


def _same(
    path: str,
    number: int,
    old: Claim,
    new: Claim,
    targets: dict[tuple[int, Citation], _Meant],
    tree: Tree,
) -> bool:
    if len(old.citations) != len(new.citations) or old.section != new.section:
        return False
    for before, after in zip(old.citations, new.citations, strict=True):
        meant = targets.get((number, before))
        if meant is None:
            inherited = any(c.raw == before.raw for _, c in targets)
            if _reads(before) != _reads(after) and not (inherited and not before.own):
                return False
        elif before.kind is CitationKind.COMMIT:
            if not meant.target.startswith(after.raw):
                return False
        elif (
            resolve_path(Request(path, after), tree) != [meant.target]
            or after.lines != meant.lines
            or (meant.name and (after.anchor, after.own) != (meant.name, before.own))
        ):
            return False
    return True


def _reads(citation: Citation) -> tuple[str, tuple[int, int] | None, str]:
    return citation.raw, citation.lines, citation.anchor


_NO_NEWLINE = b"\n\\ No newline at end of file\n"


class WrittenFixes(NamedTuple):
    """Documents that were rewritten, and those that were another meanwhile."""

    documents: tuple[str, ...]
    passed_over: tuple[str, ...]


def write_documents(repo: Repo, fixed: Iterable[Fixed]) -> WrittenFixes:
    """Replace each document that is still as it was read. Raises GroundedIngestError where a file
    cannot be written."""
    done, passed = [], []
    with locked(repo):
        for one in fixed:
            full = f"{repo.root}/{one.path}"
            try:
                with open(full, "rb") as file:
                    same = file.read() == one.before
                if not same or os.path.islink(full):
                    passed.append(one.path)
                    continue
                mode = os.stat(full).st_mode & 0o7777
                write_whole(full, one.after, mode=mode, durable=True)
            except OSError as error:
                raise GroundedIngestError(f"{one.path}: {error.strerror}") from None
            done.append(one.path)
    return WrittenFixes(tuple(done), tuple(passed))


def stale_part(plan: SidecarPlan, *, orphans: bool = True) -> SidecarPlan:
    """The part of a plan that an audit writes: evidence of documents that have some and where it is
    something else by now, and orphans. It makes none for documents that have none."""
    fresh = {p: plan.fresh[p] for differs in plan.behind.values() for p in differs}
    return plan._replace(fresh=fresh, orphans=plan.orphans if orphans else ())


def write_evidence(repo: Repo, plan: SidecarPlan, *, orphans: bool = True) -> tuple[str, ...]:
    return tuple(sorted(write_sidecars(repo, stale_part(plan, orphans=orphans), stage=False)))


def diff(fixed: Iterable[Fixed]) -> bytes:
    """The unified diff of all documents, for `git apply`."""
    return b"".join(row for one in fixed for row in _diff(one))


def _diff(one: Fixed) -> Iterator[bytes]:
    name = os.fsencode(one.path)
    before, after = _rows(one.before), _rows(one.after)
    rows = diff_bytes(unified_diff, before, after, b"a/" + name, b"b/" + name, lineterm=b"\n")
    for row in rows:
        yield row if row.endswith(b"\n") else row + _NO_NEWLINE


def _rows(content: bytes) -> list[bytes]:
    """Lines as git counts them: a carriage return ends none."""
    rows = content.split(b"\n")
    return [r + b"\n" for r in rows[:-1]] + ([rows[-1]] if rows[-1] else [])

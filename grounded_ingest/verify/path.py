"""Path citations: files and lines of the tree. Resolve first, judge the shape second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from posixpath import dirname, join, normpath

from msgspec.structs import replace

from grounded_ingest.config import classify, is_adr
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git import SUBMODULE, SYMLINK
from grounded_ingest.model import CitationKind, DocClass, Evidence, Verdict
from grounded_ingest.tree import Tree
from grounded_ingest.verify.adr import adr_number, judge_adr_file
from grounded_ingest.verify.context import Context, Request, as_cited, evidence, fingerprint
from grounded_ingest.verify.witness import is_commentary, is_subject_matter

LARGEST = 8 * 1024 * 1024
SECONDS = 2.0
"""Bytes of the largest file whose lines are read; time for a look into history."""

Found = Mapping[Request, Evidence | None]


def verify_paths(requests: Sequence[Request], context: Context) -> Found:
    """Evidence per request; None for what turns out to be no citation."""
    found = {r: _verify(r, context) for r in requests}
    return _explain_refuted(found, context)


def _verify(request: Request, context: Context) -> Evidence | None:
    candidates = resolve(request, context.tree)
    if len(candidates) == 1:
        return _existing(request, candidates[0], context)
    if candidates:
        some = ", ".join(candidates[:3])
        return evidence(
            request, Verdict.UNKNOWN, f"ambiguous: {len(candidates)} files end so ({some})"
        )
    return _absent(request, context)


def resolve(request: Request, tree: Tree) -> list[str]:
    """Paths of the tree that a citation can mean; directories end in a slash."""
    raw, link = request.citation.raw, request.citation.link
    here = dirname(request.path)
    rooted = raw.lstrip("/")
    nearest = (
        (join(here, raw), rooted) if link or raw.startswith(".") else (rooted, join(here, raw))
    )
    for candidate in dict.fromkeys(normpath(c) for c in nearest):
        if candidate.startswith(".."):
            continue
        if candidate in tree.files:
            return [candidate]
        if candidate == "." or tree.is_dir(candidate):
            return [candidate + "/"]
    suffix = normpath(rooted)
    if link or raw.startswith((".", "/")) or suffix.startswith(".."):
        return []
    files = tree.ending_with(suffix)
    return files or (
        [d + "/" for d in tree.directories_ending_with(suffix)] if raw.endswith("/") else []
    )


def _existing(request: Request, path: str, context: Context) -> Evidence:
    lines = request.citation.lines
    if path.endswith("/"):
        if lines:
            return evidence(request, Verdict.REFUTED, f"{path} is a directory", target=path)
        return evidence(request, Verdict.CONFIRMED, target=path, grounds=False)
    entry = context.tree.files[path]
    if entry.mode == SUBMODULE:
        return evidence(
            request, Verdict.UNKNOWN, "a submodule: its files are not looked at", target=path
        )
    if is_adr(context.config, path) and adr_number(path) is not None and lines is None:
        return replace(judge_adr_file(request, path, context), kind=CitationKind.ADR)
    if lines is None:
        return evidence(request, Verdict.CONFIRMED, target=path, grounds=False)
    if entry.mode == SYMLINK:
        return evidence(request, Verdict.UNKNOWN, "a symbolic link", target=path)
    return _lines(request, path, lines, context)


def _lines(request: Request, path: str, lines: tuple[int, int], context: Context) -> Evidence:
    target = as_cited(replace(request.citation, raw=path))
    if context.tree.size(path) > LARGEST:
        return evidence(request, Verdict.UNKNOWN, "too large to read", target=target)
    text = _text(context.tree, path)
    if text is None:
        return evidence(
            request, Verdict.UNKNOWN, "its content is not in this clone, or no text", target=target
        )
    if text.startswith("version https://git-lfs"):
        return evidence(request, Verdict.UNKNOWN, "stored in LFS", target=target)
    rows, (first, last) = text.splitlines(), lines
    if not 1 <= first <= last <= len(rows):
        return evidence(request, Verdict.REFUTED, f"{path} has {len(rows)} lines", target=target)
    quote = "\n".join(rows[first - 1 : last])
    if not quote.strip():
        return evidence(request, Verdict.UNKNOWN, "the cited lines are blank", target=target)
    judged = evidence(request, Verdict.CONFIRMED, target=target)
    judged = replace(judged, fingerprint=fingerprint(quote), quote=quote.strip()[:300])
    return _witness(judged, request, path, text, quote, context)


def _witness(
    judged: Evidence, request: Request, path: str, text: str, quote: str, context: Context
) -> Evidence:
    """Take back what may not bear witness."""
    lines = request.citation.lines or (0, 0)
    if is_adr(context.config, path) and adr_number(path) is not None:
        verdict = judge_adr_file(request, path, context)
        if verdict.verdict is not Verdict.CONFIRMED:
            return replace(verdict, kind=CitationKind.ADR, target=judged.target)
    elif classify(context.config, path) in (DocClass.MEMORY, DocClass.DOCS):
        if not context.witness(path, lines):
            return replace(
                judged, verdict=Verdict.UNKNOWN, reason="source not grounded", grounds=False
            )
        return judged
    elif is_subject_matter(path) and not is_commentary(path, text, *lines):
        return judged
    if not _stands_on_base(path, quote, context):
        return replace(judged, verdict=Verdict.UNKNOWN, reason="not on base yet", grounds=False)
    return judged


def _stands_on_base(path: str, quote: str, context: Context) -> bool:
    text = _text(context.base.tree, path) if context.base.known else None
    return text is not None and fingerprint(quote) in _windows(text, len(quote.splitlines()))


def _windows(text: str, size: int) -> set[str]:
    rows = text.splitlines()
    return {fingerprint("\n".join(rows[i : i + size])) for i in range(max(0, len(rows) - size + 1))}


def _text(tree: Tree, path: str) -> str | None:
    content = tree.read(path)
    if content is None or b"\0" in content[:8000]:
        return None
    return content.decode(errors="replace")


def _absent(request: Request, context: Context) -> Evidence | None:
    citation = request.citation
    if citation.cue in ("gone", "planned"):
        return None
    raw, here = citation.raw, dirname(request.path)
    shaped = looks_like_path(raw)
    if citation.link:
        if raw.startswith("/"):
            return evidence(
                request, Verdict.UNKNOWN, "an absolute link: a route of a site, or no file here"
            )
        if normpath(join(here, raw)).startswith(".."):
            return evidence(request, Verdict.UNKNOWN, "outside the repository")
        return evidence(request, Verdict.REFUTED, "no such file")
    if raw.startswith("/") or not (shaped or citation.lines or raw.endswith("/")):
        return None
    parents = {dirname(raw.rstrip("/")), normpath(join(here, dirname(raw.rstrip("/"))))} - {"", "."}
    below = any(
        context.tree.is_dir(p) for p in parents if not p.startswith("..")
    ) and "/" in raw.rstrip("/")
    if citation.lines or (below and shaped):
        return evidence(request, Verdict.REFUTED, "no such file")
    return evidence(request, Verdict.UNKNOWN, "no such file in this repository")


def _explain_refuted(found: dict[Request, Evidence | None], context: Context) -> Found:
    """Say of missing files that they are ignored, in a submodule, deleted or moved."""
    missing = [r for r, e in found.items() if e is not None and e.reason == "no such file"]
    if not missing:
        return found
    paths = {
        r: normpath(join(dirname(r.path), r.citation.raw) if r.citation.link else r.citation.raw)
        for r in missing
    }
    ignored = context.repo.ignored(paths.values())
    for request in missing:
        path = paths[request]
        above = context.tree.submodule_above(path)
        if path in ignored or above:
            reason = f"inside the submodule {above}" if above else "ignored by git"
            found[request] = evidence(request, Verdict.UNKNOWN, reason)
    refuted = [r for r in missing if (e := found[r]) is not None and e.verdict is Verdict.REFUTED]
    deleted = context.repo.last_seen((paths[r] for r in refuted), seconds=SECONDS)
    for request in refuted:
        path = paths[request]
        name = path.rpartition("/")[2]
        elsewhere = context.tree.ending_with(name) if path in deleted else []
        if len(elsewhere) == 1:
            found[request] = evidence(request, Verdict.REFUTED, f"moved to {elsewhere[0]}")
        elif path in deleted:
            found[request] = evidence(request, Verdict.REFUTED, f"deleted in {deleted[path]}")
    return found

"""Citations in a passage. Finds what could be one; whether it is, its verifier decides."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from grounded_ingest.extract import citation_context as cues
from grounded_ingest.extract.adr_lists import adr_references
from grounded_ingest.extract.passage import Passage, PassageMark
from grounded_ingest.language.lexicon import paths
from grounded_ingest.language.mask import MASK
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import Citation, CitationKind


class CitationSpan(NamedTuple):
    """A citation and where it stands in its passage."""

    start: int
    end: int
    citation: Citation


URL = compiled(r"https?://[^\s<>\"'`\\^{|}\0]+")
_TRACKED = compiled(
    r"https?://[^/\s]+/[\w.-]+(?:/[\w.-]+)+?/(?:-/)?"
    r"(?:issues|pull|merge_requests)/[0-9]+/?(?:[?#].*)?$"
)
_HEX = compiled(
    r"(?:(?<=\.\.)|(?<=commit:)|(?<![\w#@./:=\-–$%+]))[0-9a-fA-F]{7,40}(?![\w\-]|[.@:]\w)"
)
_SEVEN = compiled(r"[0-9a-fA-F]{7}")
_ISSUE = compiled(
    r"(?:(?<![\w&#/.!-])|(?<=\bpre-)|(?<=\bpost-))(?P<repo>[\w.-]+(?:/[\w.-]+)+)?(?:#|(?P<gl>!)|(?P<gh>GH-))(?P<n>[1-9]\d{0,6})"
    r"(?:[-–]#?(?P<to>[1-9]\d{0,6}))?(?![\w%])"
)
_AND = compiled(r"\s*(?:[,/&–+]|,?\s(?:and|or|to|vs\.?|through)\s)\s*")
_LINES = (
    r"(?::(?P<a>\d{1,7})(?:[-–](?P<b>\d{1,7}))?(?::\d+)?|"
    r"#L(?P<c>\d{1,7})(?:C\d+)?(?:-L?(?P<d>\d{1,7})(?:C\d+)?)?)"
)
_PATH = compiled(
    r"(?P<path>[^\s:#?*<>|\"'`$={}(),;\[\]\\]+)(?:"
    + _LINES
    + r"|(?:::?|#)[\w.:<>~ -]+(?:\(\))?|\?plain=1)?$"
)
_PLAIN_PATH = compiled(
    r"(?<![\w/.@:-])(?P<path>(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z]\w{0,9})" + _LINES + r"(?![\w-])"
)
_SEVERAL = compiled(
    r"(?P<path>[^\s:]+):(?P<lines>\d{1,7}(?:[-–]\d{1,7})?(?:,\s?\d{1,7}(?:[-–]\d{1,7})?)+)"
)
_ARTEFACT = compiled(r"【\d{1,4}†[^【】]{0,80}】")
_NEVER = compiled(
    r"^(?:[~$%]|[A-Za-z]:[\\/]|\.{3}|-|@[\w-]+/|[\d.]+$|"
    r"(?:application|image|audio|video|font|multipart|message)/(?:vnd\.[\w.+-]+|[a-z0-9+-]+)$|"
    r"text/(?:plain|html|css|csv|xml|markdown|javascript|event-stream)$|"
    r"/(?:etc|usr|var|tmp|dev|proc|opt|home|root|bin|Users|mnt|sys|run)(?:/|$)|"
    r"(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app)(?:/|:\d+(?:/|$)|(?<!\.org)$))|"
    r"\b(?:path/to|and/or|[nN]/[aA]|I/O)\b|YYYY|NNN|XXX"
)


@cache
def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


@cache
def extensions() -> frozenset[str]:
    groups = (paths.CODE, paths.CONFIGURATION, paths.PROSE, paths.RECORDS, paths.MEDIA)
    return frozenset(" ".join(groups).split())


def looks_like_path(path: str) -> bool:
    """Whether a text has the shape of a file name, existing or not."""
    name = path.rstrip("/").rpartition("/")[2]
    if name in _words(paths.WELL_KNOWN):
        return True
    stem, _, extension = name.rpartition(".")
    if not stem or extension.lower() not in extensions():
        return False
    return "/" in path or not _is_word(stem.lower(), extension.lower())


def _is_word(stem: str, extension: str) -> bool:
    """Whether `stem.extension` is a method or a product rather than a file."""
    if f"{stem}.{extension}" in _words(paths.PRODUCTS):
        return True
    owner = stem.rpartition(".")[2]
    return owner in _words(paths.OBJECTS) and extension in _words(paths.MEMBERS)


LONGEST_PATH = 1024
"""Characters of the longest path that is looked up."""


def path_citation(text: str, *, link: bool, label: str = "") -> Citation | None:
    """A path, with its lines if it names some; None for what cannot be one."""
    found = _PATH.match(text) if len(text) <= LONGEST_PATH else None
    if not found or _NEVER.match(text) or "//" in text:
        return None
    path = found["path"]
    if not link and not looks_like_path(path) and ("/" not in path or path.startswith("/")):
        return None
    if not re.search(r"[^\W\d_]", path) or path in (".", "..", "/", "./"):
        return None
    return Citation(CitationKind.PATH, path, _span(found), link=link, label=label)


def _span(found: re.Match[str]) -> tuple[int, int] | None:
    first = found["a"] or found["c"]
    if not first:
        return None
    last = int(found["b"] or found["d"] or first)
    return int(first), last


def url_citation(url: str, *, link: bool = False, label: str = "") -> Citation:
    """A URL; of the kind of issues where it has the shape of a tracker's page. Whose tracker it
    is, its host says."""
    kind = CitationKind.ISSUE if _TRACKED.match(url) else CitationKind.URL
    return Citation(kind, url, link=link, label=label)


def find_citations(passage: Passage) -> list[CitationSpan]:
    """All citations of a passage in order; nested ones (code inside a link) once."""
    text, plain = passage.text, passage.masked
    found: list[CitationSpan] = []
    if passage.marks:
        found = list(_of_marks(passage.marks))
        plain = blanked(plain, [(f.start, f.end) for f in found])
    if "://" in plain:
        urls = list(_urls(plain))
        found += urls
        plain = blanked(plain, [(u.start, u.end) for u in urls])
    found += _of_text(plain)
    found.sort(key=lambda f: (f.start, f.end))
    return [f._replace(citation=_with_cue(text, f)) for f in found if not _is_no_file(text, f)]


def _is_no_file(text: str, found: CitationSpan) -> bool:
    """Whether a code span that could be a directory is called something else."""
    cited = found.citation
    return (
        cited.kind is CitationKind.PATH
        and not (cited.link or cited.lines or looks_like_path(cited.raw))
        and cues.names_no_file(text, found.start, found.end)
    )


def blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with each of the spans masked, at the same length."""
    parts, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            parts += [text[at:start], MASK * (end - max(start, at))]
            at = end
    return "".join([*parts, text[at:]])


def _of_marks(marks: list[PassageMark]) -> Iterator[CitationSpan]:
    links = sorted((m for m in marks if m.kind == "link"), key=lambda m: m.start)
    starts = [m.start for m in links]
    for mark in links:
        if citation := _of_link(mark):
            yield CitationSpan(mark.start, mark.end, citation)
    for mark in marks:
        if mark.kind != "code":
            continue
        around = bisect_right(starts, mark.start) - 1
        if around < 0 or links[around].end < mark.end:
            yield from (CitationSpan(mark.start, mark.end, c) for c in _of_code(mark.target))


def _urls(plain: str) -> Iterator[CitationSpan]:
    for m in URL.finditer(plain):
        url = _trim(m[0])
        yield CitationSpan(m.start(), m.start() + len(url), url_citation(url))


def _trim(url: str) -> str:
    """A bare URL without the punctuation of the sentence around it."""
    surplus = url.count(")") + url.count("]") - url.count("(") - url.count("[")
    end = len(url)
    while end and (url[end - 1] in ".,;:!?*_~…'\"’”" or (url[end - 1] in ")]" and surplus > 0)):
        surplus -= url[end - 1] in ")]"
        end -= 1
    return url[:end]


def _of_link(mark: PassageMark) -> Citation | None:
    target = mark.target.strip()
    if target.startswith(("http://", "https://")):
        return url_citation(target, link=True, label=mark.label)
    if not target or target.startswith("#") or re.match(r"[a-zA-Z][\w+.-]*:(?!\d)", target):
        return None
    if "%" in target:
        from urllib.parse import unquote

        target = unquote(target)
    target, _, anchor = re.sub(r"\?[^#]*", "", target).partition("#")
    if re.match(r"L\d", anchor):
        target, anchor = f"{target}#{anchor}", ""
    if found := re.match(r"(?P<path>.+?)" + _LINES + "$", target):
        return Citation(CitationKind.PATH, found["path"], _span(found), link=True, label=mark.label)
    if not target:
        return None
    return Citation(CitationKind.PATH, target, link=True, label=mark.label, anchor=anchor)


def _of_code(content: str) -> Iterator[Citation]:
    references = list(adr_references(content)) if "adr" in content.lower() else []
    if references and references[0][0] == 0 and references[-1][1] == len(content):
        yield from (Citation(CitationKind.ADR, raw) for _, _, raw in references)
        return
    if _HEX.fullmatch(content):
        yield Citation(CitationKind.COMMIT, content.lower())
    elif several := _SEVERAL.fullmatch(content):
        for lines in several["lines"].split(","):
            if citation := path_citation(f"{several['path']}:{lines.strip()}", link=False):
                yield citation
    elif citation := path_citation(content, link=False):
        yield citation


def _of_text(text: str) -> Iterator[CitationSpan]:
    if ":" in text or "#L" in text:
        for m in _PLAIN_PATH.finditer(text):
            if looks_like_path(m["path"]):
                yield CitationSpan(
                    m.start(), m.end(), Citation(CitationKind.PATH, m["path"], _span(m))
                )
    if "adr" in text.lower():
        for start, end, raw in adr_references(text):
            yield CitationSpan(start, end, Citation(CitationKind.ADR, raw))
    for m in _HEX.finditer(text) if _SEVEN.search(text) else ():
        yield CitationSpan(m.start(), m.end(), Citation(CitationKind.COMMIT, m[0].lower()))
    if "#" in text or "!" in text or "GH-" in text:
        yield from _issues(text)
    if "【" in text:
        for m in _ARTEFACT.finditer(text):
            yield CitationSpan(m.start(), m.end(), Citation(CitationKind.URL, m[0]))


def _issues(plain: str) -> Iterator[CitationSpan]:
    reached, counts = -1, False
    for m in _ISSUE.finditer(plain):
        repo = m["repo"] or ""
        if reached < 0 or not _AND.fullmatch(plain, reached, m.start()):
            counts = cues.is_ordinal(plain, m.start())  # "Users #1, #2 and #3" are all of a kind
        reached = m.end()
        if counts or looks_like_path(repo):
            continue
        sign = "!" if m["gl"] else "#"
        for number in (m["n"], m["to"]):
            if number:
                yield CitationSpan(
                    m.start(), m.end(), Citation(CitationKind.ISSUE, f"{repo}{sign}{number}")
                )


def _with_cue(text: str, found: CitationSpan) -> Citation:
    cue: Literal["", "meant", "gone", "planned", "foreign"] = cues.cue(
        text, found.start, found.end, found.citation.kind
    )
    c = found.citation
    if not cue or c.cue:
        return c
    return Citation(c.kind, c.raw, c.lines, own=c.own, link=c.link, cue=cue, label=c.label)

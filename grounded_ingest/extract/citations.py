"""Citations in a passage. Finds what could be one; whether it is, its verifier decides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from grounded_ingest.extract import cues
from grounded_ingest.extract.passage import MASK, Mark, Passage
from grounded_ingest.lexicon import paths
from grounded_ingest.model import Citation, CitationKind


class Found(NamedTuple):
    """A citation and where it stands in its passage."""

    start: int
    end: int
    citation: Citation


_URL = re.compile(r"https?://[^\s<>\"'`\\^{|}\0]+")
_TRACKED = re.compile(
    r"https?://[^/\s]+/(?P<repo>[\w.-]+(?:/[\w.-]+)+?)/(?:-/)?"
    r"(?P<what>issues|pull|merge_requests|commit)/(?P<id>[0-9a-f]+)/?(?:[?#].*)?$"
)
_HEX = re.compile(
    r"(?:(?<=\.\.)|(?<=commit:)|(?<![\w#@./:=\-–$%+]))[0-9a-fA-F]{7,40}(?![\w\-]|[.@:]\w)"
)
_ADR = re.compile(
    r"(?<![\w/.-])ADRs?[-\s_#]{0,2}(\d{1,4})(?![\d\w]|[\w.-]*\.md\b|-[a-zA-Z])", re.IGNORECASE
)
_ADR_MORE = re.compile(
    r"\s*(?P<join>[-–—/,&]|\.\.\.?|,?\s*and|to|through|until|or)\s*(?:ADRs?[-\s_#]{0,2})?(?P<n>\d{1,4})(?![\w.%]*\w)",
    re.IGNORECASE,
)
_ISSUE = re.compile(
    r"(?<![\w&#/.!-])(?P<repo>[\w.-]+(?:/[\w.-]+)+)?(?:#|(?P<gl>!)|(?P<gh>GH-))(?P<n>[1-9]\d{0,6})"
    r"(?:-(?P<to>[1-9]\d{0,6}))?(?![\w%])"
)
_LINES = (
    r"(?::(?P<a>\d+)(?:[-–](?P<b>\d+))?(?::\d+)?|#L(?P<c>\d+)(?:C\d+)?(?:-L?(?P<d>\d+)(?:C\d+)?)?)"
)
_PATH = re.compile(
    r"(?P<path>[^\s:#?*<>|\"'`$={}(),;\[\]\\]+)(?:"
    + _LINES
    + r"|(?:::?|#)[\w.:<>~ -]+(?:\(\))?|\?plain=1)?$"
)
_PLAIN_PATH = re.compile(
    r"(?<![\w/.@:-])(?P<path>(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z]\w{0,9})" + _LINES + r"(?![\w-])"
)
_ARTEFACT = re.compile(r"【\d+†[^】]*】")
_NEVER = re.compile(
    r"^(?:[~$%]|[A-Za-z]:[\\/]|\.{3}|-|@[\w-]+/|[\d.]+$|(?:[a-z]+/)?[a-z]+/[\w.+]*(?:json|xml|html|plain|octet-stream|pdf|png)$)"
)


@cache
def extensions() -> frozenset[str]:
    groups = (paths.CODE, paths.CONFIGURATION, paths.PROSE, paths.RECORDS, paths.MEDIA)
    return frozenset(" ".join(groups).split())


def looks_like_path(path: str) -> bool:
    """Whether a text has the shape of a file name, existing or not."""
    name = path.rstrip("/").rpartition("/")[2]
    return name in paths.WELL_KNOWN.split() or (
        name.rpartition(".")[2].lower() in extensions() and "." in name
    )


def path_citation(text: str, *, link: bool, label: str = "") -> Citation | None:
    """A path, with its lines if it names some; None for what cannot be one."""
    found = _PATH.match(text)
    if not found or _NEVER.match(text) or "//" in text:
        return None
    path = found["path"]
    if not link and "/" not in path and not looks_like_path(path):
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
    """A URL; of a tracker's page the issue or commit it shows (`label` is then the repository)."""
    if page := _TRACKED.match(url):
        repo, number = page["repo"], page["id"]
        if page["what"] == "commit" and 7 <= len(number) <= 40:
            return Citation(CitationKind.COMMIT, number, link=link, cue="meant", label=repo)
        if page["what"] != "commit" and number.isdigit():
            sign = "!" if page["what"] == "merge_requests" else "#"
            return Citation(CitationKind.ISSUE, f"{repo}{sign}{number}", link=link, label=label)
    return Citation(CitationKind.URL, url, link=link, label=label)


def find_citations(passage: Passage) -> list[Found]:
    """All citations of a passage in order; nested ones (code inside a link) once."""
    text, masked = passage.text, passage.masked
    found: list[Found] = []
    links = [m for m in passage.marks if m.kind == "link"]
    for mark in links:
        if citation := _of_link(mark):
            found.append(Found(mark.start, mark.end, citation))
    for mark in passage.marks:
        if mark.kind == "code" and not any(
            k.start <= mark.start and mark.end <= k.end for k in links
        ):
            found += [Found(mark.start, mark.end, c) for c in _of_code(mark.target)]
    taken = [(f.start, f.end) for f in found]
    plain = _blank(masked, taken)
    urls = [
        Found(m.start(), m.start() + len(u), url_citation(u))
        for m in _URL.finditer(plain)
        for u in (_trim(m[0]),)
    ]
    found += urls
    plain = _blank(plain, [(u.start, u.end) for u in urls])
    found += _of_text(plain)
    found.sort(key=lambda f: (f.start, f.end))
    return [f._replace(citation=_with_cue(text, f)) for f in found]


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + MASK * (end - start) + text[end:]
    return text


def _trim(url: str) -> str:
    url = url.rstrip(".,;:!?*_~…'\"’”")
    while url.endswith((")", "]")) and url.count("(") + url.count("[") < url.count(")") + url.count(
        "]"
    ):
        url = url[:-1].rstrip(".,;:!?")
    return url


def _of_link(mark: Mark) -> Citation | None:
    target = mark.target.strip()
    if target.startswith(("http://", "https://")):
        return url_citation(target, link=True, label=mark.label)
    if not target or target.startswith("#") or re.match(r"[a-zA-Z][\w+.-]*:(?!\d)", target):
        return None
    if "%" in target:
        from urllib.parse import unquote

        target = unquote(target)
    target = re.sub(r"#(?!L\d).*$|\?.*$", "", target)
    if found := re.match(r"(?P<path>.+?)" + _LINES + "$", target):
        return Citation(CitationKind.PATH, found["path"], _span(found), link=True, label=mark.label)
    return Citation(CitationKind.PATH, target, link=True, label=mark.label) if target else None


def _of_code(content: str) -> Iterator[Citation]:
    if found := _ADR.fullmatch(content):
        yield Citation(CitationKind.ADR, found[1])
    elif _HEX.fullmatch(content):
        yield Citation(CitationKind.COMMIT, content.lower())
    elif citation := path_citation(content, link=False):
        yield citation


def _of_text(plain: str) -> Iterator[Found]:
    for m in _PLAIN_PATH.finditer(plain):
        if looks_like_path(m["path"]):
            yield Found(m.start(), m.end(), Citation(CitationKind.PATH, m["path"], _span(m)))
    yield from _adrs(plain)
    for m in _HEX.finditer(plain):
        yield Found(m.start(), m.end(), Citation(CitationKind.COMMIT, m[0].lower()))
    for m in _ISSUE.finditer(plain):
        if not cues.is_ordinal(plain, m.start()):
            sign = "!" if m["gl"] else "#"
            raw = f"{m['repo'] or ''}{sign}{m['n']}"
            yield Found(m.start(), m.end(), Citation(CitationKind.ISSUE, raw))
    for m in _ARTEFACT.finditer(plain):
        yield Found(m.start(), m.end(), Citation(CitationKind.URL, m[0]))


def _adrs(plain: str) -> Iterator[Found]:
    last = 0
    for m in _ADR.finditer(plain):
        if m.start() < last:
            continue
        yield Found(m.start(), m.end(), Citation(CitationKind.ADR, m[1]))
        previous, at = m[1], m.end()
        while more := _ADR_MORE.match(plain, at):
            join = more["join"].strip().lower()
            spelled = "adr" in more[0].lower()
            ranged = join in ("-", "–", "—", "..", "...", "to", "through", "until")
            if not spelled and (
                join in ("and", ", and", "or", "&") or int(more["n"]) <= int(previous)
            ):
                break
            raw = f"{previous}-{more['n']}" if ranged else more["n"]
            yield Found(m.start(), more.end(), Citation(CitationKind.ADR, raw))
            previous, at = more["n"], more.end()
        last = at


def _with_cue(text: str, found: Found) -> Citation:
    cue: Literal["", "meant", "gone", "planned", "foreign"] = cues.cue(
        text, found.start, found.end, found.citation.kind
    )
    c = found.citation
    if not cue or c.cue:
        return c
    return Citation(c.kind, c.raw, c.lines, own=c.own, link=c.link, cue=cue, label=c.label)

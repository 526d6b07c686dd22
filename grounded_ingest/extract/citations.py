"""Finds texts in a passage that could be references: links, paths, URLs, commits, ADRs, issues. The
verifier for its kind decides later whether a text is a reference."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from urllib.parse import unquote

from msgspec.structs import replace

from grounded_ingest.extract.passage import CitationSpan, Passage, PassageMark, blanked
from grounded_ingest.extract.reference_cues import cue_of
from grounded_ingest.model.claims import Citation, CitationKind
from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.lexicon import paths
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import finite_verbs, only_cites
from grounded_ingest.text.words import function_words

URL = compiled(r"https?://[^\s<>\"'`\\^{|}\0]+")
RESOURCE = compiled(
    r"(?P<macro>xref|image|include|doc|download):"
    r"(?P<target>(?:(?<!xref:)|(?=[^#]*(?:\.adoc|\$)))[^#]+)"
)
"""Matches the target of a link that was made from a macro of AsciiDoc, or from a role or directive
of reStructuredText. In Markdown, `xref:Name` is a link of DocFX."""
# Matches the page of an issue or pull request: `https://github.com/owner/name/issues/12`,
# `https://gitlab.com/group/name/-/merge_requests/3`.
_TRACKER_PAGE = compiled(
    r"https?://[^/\s]+/[\w.-]+(?:/[\w.-]+)+?/(?:-/)?"
    r"(?:issues|pull|merge_requests)/[0-9]+/?(?:[?#].*)?$"
)
# Matches a commit id, also in a range `a..b`. Does not match a part of a path, a digest
# (`@1234567`), a percentage, or a file name such as `1234567.rs`.
_COMMIT = compiled(
    r"(?:(?<=\.\.)|(?<=commit:)|(?<![\w#@./:=\-–$%+]))[0-9a-fA-F]{7,40}(?![\w\-]|[.@:]\w)"
)
_SEVEN_DIGITS = compiled(r"[0-9a-fA-F]{7}")
# Matches an issue: `#12`, `owner/name#12`, `!3` for GitLab, `GH-12`, `#12-#15`. Does not match an
# anchor (`a.md#12`) or a colour (`#1a2b3c`).
_ISSUE = compiled(
    r"(?:(?<![\w&#/.!-])|(?<=\bpre-)|(?<=\bpost-))(?P<repo>[\w.-]+(?:/[\w.-]+)+)?(?:#|(?P<gl>!)|(?P<gh>GH-))(?P<n>[1-9]\d{0,6})"
    r"(?:[-–]#?(?P<to>[1-9]\d{0,6}))?(?![\w%])"
)
# Matches the text between listed issues: "#1, #2 and #3".
_AND = compiled(r"\s*(?:[,/&–+]|,?\s(?:and|or|to|vs\.?|through)\s)\s*")
# Matches line numbers: `:12`, `:12-14`, `:12:5`, `:12:5-14:1`, `#L12`, `#L12-L14`. The group `bad`
# matches malformed line numbers.
_LINES = (
    r"(?::(?P<a>\d+)(?::\d+[-–](?P<b>\d+):\d+|[-–](?P<c>\d+)(?::\d+)?|:\d+(?:[-–]\d+)?)?|"
    r"#L(?P<d>\d+)(?:C\d+)?(?:-L?(?P<e>\d+)(?:C\d+)?)?|"
    r"(?P<bad>:(?=[-–:]*\d)[-–:\d]+|#L(?=[-–L]*\d)[-–L\d]+))"
)
# Matches a code span with a path. Line numbers, a name (`a.py::f`, `a.py#f`) or `?plain=1` may
# follow the path.
_PATH = compiled(
    r"(?P<path>[^\s:#?*<>|\"'`$={}(),;\[\]\\]+)(?:"
    + _LINES
    + r":?|(?:::?|#)(?P<name>[\w.:<>~ -]+(?:\(\))?)|\?plain=1)?$"
)
# Matches a path in running text. Such a path counts only with line numbers: `see src/a.py:12`.
_PLAIN_PATH = compiled(
    r"(?<![\w/.@:-])(?P<path>(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z]\w{0,9})" + _LINES + r"(?![\w-])"
)
# Matches a path with several line ranges: `a.py:3,7-9`.
_SEVERAL = compiled(r"(?P<path>[^\s:]+):(?P<lines>\d+(?:[-–]\d+)?(?:,\s?\d+(?:[-–]\d+)?)+)")
# Matches `【12†source】`, which is the rest of a citation that a chat model made in its answer.
_ARTEFACT = compiled(r"【\d{1,4}†[^【】]{0,80}】")
# Matches texts that are never paths in a repository: `~/x`, `C:\x`, `@scope/name`, `1.2`, media
# types, system paths, host names.
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
    """Returns the file extensions that make a name without a directory count as a path."""
    groups = (paths.CODE, paths.CONFIGURATION, paths.PROSE, paths.RECORDS, paths.MEDIA)
    return frozenset(" ".join(groups).split())


def looks_like_path(path: str) -> bool:
    """Returns whether a text has the shape of a file name. The file need not exist."""
    name = path.rstrip("/").rpartition("/")[2]
    if name in _words(paths.WELL_KNOWN):
        return True
    stem, _, extension = name.rpartition(".")
    if not stem or extension.lower() not in extensions():
        return False
    return "/" in path or not _is_word(stem.lower(), extension.lower())


def _is_word(stem: str, extension: str) -> bool:
    """Returns whether `stem.extension` is a method or a product (`Next.js`) and not a file."""
    if f"{stem}.{extension}" in _words(paths.PRODUCTS):
        return True
    owner = stem.rpartition(".")[2]
    return owner in _words(paths.OBJECTS) and extension in _words(paths.MEMBERS)


LONGEST_PATH = 1024
"""Maximum length of a path that is looked up, in characters."""


def path_citation(text: str) -> Citation | None:
    """Returns the citation of a path, with its line numbers or name if the text has them.

    Returns None if the text cannot be a path."""
    found = _PATH.match(text) if len(text) <= LONGEST_PATH else None
    if not found or _NEVER.match(text) or "//" in text or _MAIL.match(text):
        return None
    path = found["path"]
    # An image of Docker has the form `shop/orders:edge`.
    image = found["name"] and re.match(r":[^:]", text[found.end("path") :])
    if not looks_like_path(path) and ("/" not in path or path.startswith("/") or image):
        return None
    if not re.search(r"[^\W\d_]", path) or path in (".", "..", "/", "./"):
        return None
    name = found["name"] or ""
    return Citation(CitationKind.PATH, path, _span(found), anchor=name if _NAME.match(name) else "")


_NAME = compiled(r"[^\W\d][\w$]*(?:(?:\.|::)~?[^\W\d][\w$]*)*(?:\(\))?$")
"""Matches the name in `path::name`."""
LAST_LINE = 10**9
"""A line number past the end of every file. Higher line numbers are replaced by `LAST_LINE`."""


def _span(found: re.Match[str]) -> tuple[int, int] | None:
    """Returns the cited lines (first, last), or None if no lines are cited.

    Returns (0, 0) if the line numbers are malformed, because no file has a line 0."""
    if found["bad"]:
        return 0, 0
    first = found["a"] or found["d"]
    if not first:
        return None
    last = found["b"] or found["c"] or found["e"] or first
    return line_number(first), line_number(last)


def line_number(digits: str) -> int:
    """Parses a line number. Returns `LAST_LINE`, which is past the end of every file, for ten or
    more digits."""
    return int(digits) if len(digits) < 10 else LAST_LINE


def url_citation(url: str, *, link: bool = False, label: str = "") -> Citation:
    """Returns the citation of a URL. The page of an issue or pull request has the kind ISSUE."""
    kind = CitationKind.ISSUE if _TRACKER_PAGE.match(url) else CitationKind.URL
    return Citation(kind, url, link=link, label=label)


def find_citations(passage: Passage) -> list[CitationSpan]:
    """Returns the citations in a passage, in order. A link with code inside is one citation."""
    text, plain = passage.text, passage.masked
    found: list[CitationSpan] = []
    if passage.marks:
        found = list(_mark_citations(passage.marks))
        plain = blanked(plain, [(f.start, f.end) for f in found])
    if "://" in plain:
        urls = list(_urls(plain))
        found += urls
        plain = blanked(plain, [(u.start, u.end) for u in urls])
    found += _text_citations(plain)
    found += _label_citations(passage)
    found.sort(key=lambda f: (f.start, f.end))
    return [_with_cue(text, f) for f in found if not _is_no_file(text, f)]


_LABEL = compiled(r"\s*([\w.@-]+(?:/[\w.@-]+)*\.\w+)\s*:?\s*")


def _label_citations(passage: Passage) -> Iterator[CitationSpan]:
    """Yields the file that is the emphasised label of a passage: `**shop.sh**: sells`."""
    label = _LABEL.fullmatch(passage.masked, 0, passage.run_in)
    if label and looks_like_path(label[1]) and (citation := path_citation(label[1])):
        yield CitationSpan(*label.span(1), citation)


def _with_cue(text: str, found: CitationSpan) -> CitationSpan:
    cue = cue_of(text, found.start, found.end, found.citation.kind)
    return found._replace(citation=replace(found.citation, cue=cue)) if cue else found


def _is_no_file(text: str, found: CitationSpan) -> bool:
    """Returns whether the words around a citation call it a branch, a model, a package or a route.
    Never true for a link, for cited lines or for a text with the form of a file name."""
    cited = found.citation
    sure = cited.link or cited.lines or looks_like_path(cited.raw)
    if cited.kind is not CitationKind.PATH or sure:
        return False
    before, after = text[max(0, found.start - 24) : found.start], text[found.end : found.end + 24]
    return bool(_NO_FILE_BEFORE.search(before) or _NO_FILE_AFTER.match(after))


def with_pointers(
    spans: list[tuple[int, int]], text: str, cited: list[CitationSpan]
) -> list[tuple[int, int]]:
    """Returns the spans of sentences, each extended by the references after the sentence.

    For example, `The port is 80. (ADR-3)` becomes a single span."""
    bare = blanked(text, [(f.start, f.end) for f in cited])
    starts = [f.start for f in cited]
    found = spans[:1]
    for start, end in spans[1:]:
        cites = bisect_left(starts, end) > bisect_left(starts, start)
        if cites and only_cites(bare[start:end]):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _mark_citations(marks: list[PassageMark]) -> Iterator[CitationSpan]:
    links = sorted((m for m in marks if m.kind == "link"), key=lambda m: m.start)
    starts = [m.start for m in links]
    for mark in links:
        if citation := _link_citation(mark):
            yield CitationSpan(mark.start, mark.end, citation)
    for mark in marks:
        if mark.kind != "code":
            continue
        around = bisect_right(starts, mark.start) - 1
        if around < 0 or links[around].end < mark.end:
            cited = _code_citations(_without_literal(mark.target))
            yield from (CitationSpan(mark.start, mark.end, c) for c in cited)


_ASSERTS = compiled(r"(.+(?:::|#/)\S+?)\s*(?:=(?!=)|\s(?:default|has|lacks)\s).*")


def _without_literal(code: str) -> str:
    """Returns a code span without the literal of an assertion. In `tsconfig.json#/outDir =
    "./lib"`, the text "./lib" is a value and not a path."""
    found = _ASSERTS.fullmatch(code)
    return found[1] if found else code


def _urls(plain: str) -> Iterator[CitationSpan]:
    for m in URL.finditer(plain):
        url = _trim(m[0])
        yield CitationSpan(m.start(), m.start() + len(url), url_citation(url))


def _trim(url: str) -> str:
    surplus = url.count(")") + url.count("]") - url.count("(") - url.count("[")
    end = len(url)
    while end and (url[end - 1] in ".,;:!?*_~…'\"’”" or (url[end - 1] in ")]" and surplus > 0)):
        surplus -= url[end - 1] in ")]"
        end -= 1
    return url[:end]


def _link_citation(mark: PassageMark) -> Citation | None:
    target = mark.target.strip()
    if target.startswith(("http://", "https://")):
        return url_citation(target, link=True, label=mark.label)
    if not target or target.startswith("#") or _MAIL.match(target):
        return None
    # `gh-issue:639` is an address of MyST, and `Makefile:7` a line.
    scheme = re.match(r"[a-zA-Z][\w+.-]*:(?!\d)|[a-z][a-z-]*:\d+$", target)
    if scheme and not RESOURCE.match(target):
        return None
    if "%" in target:
        target = unquote(target)
    target, _, anchor = re.sub(r"\?[^#]*", "", target).partition("#")
    if re.match(r"L\d", anchor):
        target, anchor = f"{target}#{anchor}", ""
    if found := re.match(r"(?P<path>.+?)" + _LINES + "$", target):
        return Citation(CitationKind.PATH, found["path"], _span(found), link=True, label=mark.label)
    if not target:
        return None
    return Citation(CitationKind.PATH, target, link=True, label=mark.label, anchor=anchor)


# Matches a mail address `name@host.org`, but not `image@2x.png`.
_MAIL = compiled(r"[\w.+-]+@(?!\d+x\.)[\w-]+(?:\.[\w-]+)+$")
# Matches a Windows path with backslashes: `src\app.py`.
_BACKSLASHES = compiled(r"[\w.@-]+(?:\\[\w.@-]+)+\\?(?=$|[:#])")


def _code_citations(content: str) -> Iterator[Citation]:
    if (windows := _BACKSLASHES.match(content)) and looks_like_path(
        plain := windows[0].replace("\\", "/")
    ):
        content = plain + content[windows.end() :]
    references = list(adr_references(content)) if "adr" in content.lower() else []
    if references and references[0][0] == 0 and references[-1][1] == len(content):
        yield from (Citation(CitationKind.ADR, raw) for _, _, raw in references)
        return
    if _COMMIT.fullmatch(content):
        yield Citation(CitationKind.COMMIT, content.lower())
    elif several := _SEVERAL.fullmatch(content):
        for lines in several["lines"].split(","):
            if citation := path_citation(f"{several['path']}:{lines.strip()}"):
                yield citation
    elif citation := path_citation(content):
        yield citation


def line_citations(text: str) -> Iterator[CitationSpan]:
    """Yields the paths with line numbers in a text, such as `src/a.py:12`."""
    for m in _PLAIN_PATH.finditer(text) if ":" in text or "#L" in text else ():
        if looks_like_path(m["path"]):
            yield CitationSpan(m.start(), m.end(), Citation(CitationKind.PATH, m["path"], _span(m)))


# Matches a path with a folder in running text: `src/app.py`.
_BARE_FILE = compiled(
    r"(?<![\w/.@:$~*<>{}\\%`'\"-])(?P<path>[\w.-]+(?:/[\w.@-]+)*/[\w-][\w.-]*\.[A-Za-z]\w{0,9})"
    r"(?![\w/*<>{}@:#`'\"-]|\.\w)"
)
# Matches the name of a file of code in running text, if it has several words: `row_store.go`. The
# file of "Ann's row_store.go" is in another project.
_BARE_NAME = compiled(
    r"(?<![\w/.@:$~*<>{}\\%`'\"\[-])(?<!['’]s )(?P<path>[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+"
    r"\.(?:cc|cpp|cs|go|hpp|java|jsx?|kt|php|py|rb|rs|sh|swift|tsx?))(?![\w/*<>{}@:#`'\"(\]-]|\.\w)",
    needs=(".c", ".go", ".hpp", ".j", ".kt", ".p", ".r", ".s", ".ts"),
)
# Matches a folder after the word "directory" or "folder", or after a preposition.
_BARE_FOLDER = compiled(
    r"\b(?:directory|folder|in|from|under|inside|below)[ \0]"
    r"(?P<path>[a-z_][\w.-]*(?:/[\w@-]+)+)/?(?![\w/*<{`]|\.\w|-\w)"
)


def _bare_paths(text: str) -> Iterator[CitationSpan]:
    files = (m for m in _BARE_FILE.finditer(text) if looks_like_path(m["path"]))
    for found in (*files, *_BARE_FOLDER.finditer(text)):
        if citation := path_citation(found["path"]):
            yield CitationSpan(*found.span("path"), citation)


def _text_citations(text: str) -> Iterator[CitationSpan]:
    yield from line_citations(text)
    if "/" in text:
        yield from _bare_paths(text)
    if "." in text:
        for m in _BARE_NAME.finditer(text):
            yield CitationSpan(*m.span("path"), Citation(CitationKind.PATH, m["path"]))
    if "adr" in text.lower():
        for start, end, raw in adr_references(text):
            yield CitationSpan(start, end, Citation(CitationKind.ADR, raw))
    for m in _COMMIT.finditer(text) if _SEVEN_DIGITS.search(text) else ():
        yield CitationSpan(*m.span(), Citation(CitationKind.COMMIT, m[0].lower()))
    if "#" in text or "!" in text or "GH-" in text:
        yield from _issues(text)
    if "【" in text:
        for m in _ARTEFACT.finditer(text):
            yield CitationSpan(*m.span(), Citation(CitationKind.URL, m[0]))


def _issues(plain: str) -> Iterator[CitationSpan]:
    reached, counts = -1, False
    for m in _ISSUE.finditer(plain):
        repo = m["repo"] or ""
        if reached < 0 or not _AND.fullmatch(plain, reached, m.start()):
            counts = _is_ordinal(plain, m.start())  # "Users #1, #2 and #3": `#1` decides for all
        reached = m.end()
        if counts or looks_like_path(repo):
            continue
        sign = "!" if m["gl"] else "#"
        for number in filter(None, (m["n"], m["to"])):
            yield CitationSpan(*m.span(), Citation(CitationKind.ISSUE, f"{repo}{sign}{number}"))


# Matches the noun right before a number: "Finding #3", "User #1".
_NUMBERED = compiled(r"([^\W\d_][\w'’-]*)\.?[ \0]?$")
# Matches a verb before a number, so that the number is an issue: "fixed #3", "tracking #3".
_DERIVED = compiled(r"\w{3}(?:ed|ing|ly)$")
# Matches the word before a rank: "the #1 cause", "is #1".
_TOPMOST = compiled(r"\b(?:the|our|is|are|your|my)[ \0]?$", re.IGNORECASE)
_COLOUR = compiled(r"\b(?:colou?rs?|background|foreground|palette|hex)\b", re.IGNORECASE)
# Matches words beside names that are not directories: "the branch `release/3`", "`openai/gpt`
# model".
_NO_FILE_BEFORE = compiled(
    r"\b(?:branch|branches|tag|remote|repo|repository|image|model|package|import|namespace|"
    r"endpoint|route|label|topic|scope|crate|org)s?\W{0,4}$",
    re.IGNORECASE,
)
_NO_FILE_AFTER = compiled(
    r"\W{0,2}\s?(?:branch|branches|tag|remote|repo|repository|image|model|package|namespace|"
    r"endpoint|route|label|topic|crate|org|API)s?\b"
)


def _is_ordinal(text: str, start: int) -> bool:
    """Returns whether `#N` at `start` is a colour, a rank or an item of a list, and not an issue.
    The number of an item follows a noun that does not mean issues: "Finding #3", "User #1"."""
    head = text[max(0, start - 40) : start]
    if _COLOUR.search(head):
        return True
    if _TOPMOST.search(head) and re.match(r"#\d(?!\d)", text[start : start + 3]):
        return True
    found = _NUMBERED.search(head)
    return found is not None and _counts(found[1].lower().replace("’", "'"))


@lru_cache(maxsize=4096)
def _counts(word: str) -> bool:
    """Returns whether a word is a noun for things that the document numbers itself."""
    singular = word.removesuffix("s")
    last = singular.rpartition("-")[2]
    if {word, singular, last} & _words(citing.COUNTED):
        return True
    if {word, singular, last} & _words(citing.TRACKED) or _DERIVED.search(word):
        return False
    return word not in finite_verbs() and word not in function_words()


# Matches a reference to an ADR: `ADR-12`, `ADR 0012`, `ADRs 3`. Does not match a file name
# (`adr-12.md`, `ADR-12-title`).
_ADR = compiled(
    r"(?:(?<![\w/.-])|(?<=\bpre-)|(?<=\bpost-))ADRs?[-‐‑\s_#]{0,2}(\d{1,4})(?!\w|[\w.-]*\.md\b|-[a-zA-Z])",
    re.IGNORECASE,
)


def adr_references(plain: str) -> Iterator[tuple[int, int, str]]:
    """Yields (start, end, number) for each reference to a decision record (ADR) in a text."""
    yield from ((m.start(), m.end(), m[1]) for m in _ADR.finditer(plain))

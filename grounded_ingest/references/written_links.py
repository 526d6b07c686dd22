"""Finds links that Markdown itself does not have: wiki links, paths in front matter, roles and
directives of MyST, `ref` of Hugo, and imports in MDX. Most are wrong only if a commit removed the
file, because each program has its own rules for finding one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from posixpath import basename, dirname, join, normpath, relpath
from typing import NamedTuple
from urllib.parse import quote, unquote

from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.extract.code_blocks import code_blocks
from grounded_ingest.extract.heading_anchors import forge_slug
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.model.claims import Citation, CitationKind, DocClass, Document
from grounded_ingest.references import heading_anchor
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import PLAN_PATHS, is_runtime_folder
from grounded_ingest.references.kept_parses import page_text
from grounded_ingest.references.path_resolution import directories_from, is_outside, sphinx_home
from grounded_ingest.references.receipts import removals_of
from grounded_ingest.references.reference import Reference, line_claim
from grounded_ingest.references.site_pages import (
    SITE_ROOT,
    former_files,
    may_be_elsewhere,
    mintlify_site,
    sites_of,
)
from grounded_ingest.text.code_spans import blank_code
from grounded_ingest.text.dated_paths import is_about_one_day
from grounded_ingest.text.patterns import compiled


class WrittenLink(NamedTuple):
    """A link in a row of a page. `citation` is what is looked up. If the link has `places`, only a
    file at one of them that was removed is looked up, and if it has `ends`, one with this end."""

    document: Document
    line: int
    row: str
    citation: Citation
    places: tuple[str, ...] = ()
    ends: str = ""


def written_links(documents: Sequence[Document], context: Context) -> list[WrittenLink]:
    """Returns the links in documents that may be wrong."""
    found = [link for document in documents for link in _links_in(document, context)]
    places = [p for link in found for p in link.places]
    gone = {d for p in context.gone for d in directories_from(p)} | {*removals_of(places, context)}
    ends = context.removals.removed_ends(context.start, {link.ends for link in found if link.ends})
    known = (_with_former(link, gone, ends) for link in found)
    return [link for link in known if link]


def _with_former(link: WrittenLink, gone: set[str], ends: dict[str, str]) -> WrittenLink | None:
    """Returns a link with the path of the removed file that it meant, or None if it may be right.
    A wiki link to a note that no commit had may be one to be written."""
    path, citation = link.document.path, link.citation
    if not (link.places or link.ends):
        return link
    former = next((p for p in link.places if p in gone), ends.get(link.ends, ""))
    if link.ends and not (former and former.startswith(_top(path))):
        return None
    if not former or not citation.link:
        return link if former else None
    cited = Citation(CitationKind.PATH, relpath(former, dirname(path) or "."), link=True)
    return link._replace(citation=cited)


def _links_in(document: Document, context: Context) -> Iterator[WrittenLink]:
    path, text = document.path, page_text(document.path, context.tree) or ""
    if path.lower().endswith(".rst"):
        return
    yield from _in_front_matter(document, text, context)
    yield from _in_contents(document, text, context.tree)
    finders = [find for sign, find in _FINDERS if sign in text]
    for number, row in _rows(text) if finders else ():
        for find in finders:
            for citation, places, ends in find(path, row, context):
                yield WrittenLink(document, number, row, citation, places, ends)


@lru_cache(maxsize=16)
def _rows(text: str) -> tuple[tuple[int, str], ...]:
    """Returns the rows outside of code blocks and comments, each with its number in the text."""
    covered = {b.line + n for b in code_blocks(text) for n in range(b.text.count("\n") + 1)}
    shown = _COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text)
    return tuple((n, row) for n, row in enumerate(shown.split("\n"), 1) if n not in covered)


_COMMENT = compiled(r"(?s)<!--.*?-->")
_Found = Iterator[tuple[Citation, tuple[str, ...], str]]


def _cited(raw: str) -> Citation:
    return Citation(CitationKind.PATH, raw, link=True)


# Front matter.

_FIELD = compiled(r"[ \t]*(?:-[ \t]+)?(?:(?P<key>[\w-]+):(?:[ \t]+|$))?(?P<value>.*)")
_PATH = compiled(r"(?:\./)?(?P<path>[\w.@-]+(?:/[\w.@-]+)*/(?:[\w-][\w.-]*\.[A-Za-z]\w{0,9}))")
_GLOB = compiled(r"(?P<folder>[\w.@-]+(?:/[\w.@-]+)*/)[\w.-]*[*?{\[].*")
_NO_FIELD = compiled(
    r"(?i)redirect|alias|former|old|previous|mov|remov|delet|renam|replac|supersed|from|origin"
    r"|creat|modif|chang|add|touch|affect|permalink|slug|url|route|layout"
)
"""Matches the key of a field with removed files, the work of one day, or addresses."""


def _in_front_matter(document: Document, text: str, context: Context) -> Iterator[WrittenLink]:
    path, tree = document.path, context.tree
    for number, row, raw in _paths_in_fields(text):
        if tree.ending_with(raw) or tree.directories_ending_with(raw.rstrip("/")):
            continue
        past = document.doc_class is DocClass.DECISIONS or is_about_one_day(path)
        if not (past or PLAN_PATHS.search(path) or is_runtime_folder(raw)):
            places = dict.fromkeys(normpath(join(d, raw)) for d in ("", dirname(path)))
            yield WrittenLink(
                document, number, row, Citation(CitationKind.PATH, raw), tuple(places)
            )


def _paths_in_fields(text: str) -> Iterator[tuple[int, str, str]]:
    """Yields the files in front matter and the folders of its patterns, such as `src/a/` for
    `src/a/**`, each with the number and the text of its row."""
    rows = text[4:].partition("\n---")[0].split("\n") if text.startswith("---\n") else ()
    key = ""
    for number, row in enumerate(rows, 2):
        field = _FIELD.match(row)
        key = (field and field["key"]) or key
        values = field["value"].split(",") if field and not _NO_FIELD.search(key) else ()
        for value in (v.strip(" \t\r'\"[]") for v in values):
            if (named := _PATH.fullmatch(value)) and looks_like_path(value):
                yield number, row, named["path"]
            elif pattern := _GLOB.fullmatch(value):
                yield number, row, pattern["folder"]


# Wiki links.

_WIKI = compiled(
    r"(?<![!\\\[])\[\[(?P<page>\w[^\[\]|#^\n]*)(?:#(?P<heading>[^\[\]\n|]*))?(?:\|[^\[\]\n]*)?\]\](?!\()"
)
_NAMED = compiled(r"(?m)^(?:(?:name|title|id|slug|alias(?:es)?):|#|[ \t]*-)[ \t]+(?P<name>\S.*)$")
"""Matches a name of a page besides its file name: in front matter, or in its title."""
_FEWEST, _SHARE = 3, 0.75


def _wiki_links(path: str, row: str, context: Context) -> _Found:
    top = _top(path)
    for found in _WIKI.finditer(blank_code(row)):
        page = found["page"].rstrip("\\ ")
        if _uses_wiki(top, context.tree) and not _is_named(page, top, context.tree):
            file = page if looks_like_path(page) else f"{page}.md"
            yield _cited(file), (), file


def _top(path: str) -> str:
    first, slash, _ = path.partition("/")
    return first + slash if slash else ""


@lru_cache(maxsize=16)
def _uses_wiki(top: str, tree: Tree) -> bool:
    """Returns whether the pages below a top folder have three different wiki links that lead to a
    file, and at most a quarter of their wiki links lead to none."""
    texts = (text for _, text in _texts(top, tree) if "[[" in text)
    rows = (blank_code(row) for text in texts for _, row in _rows(text))
    links = [m["page"].rstrip("\\ ") for row in rows for m in _WIKI.finditer(row)]
    right = [page for page in links if _is_named(page, top, tree)]
    return len({*right}) >= _FEWEST and len(right) >= _SHARE * len(links)


def _texts(top: str, tree: Tree) -> Iterator[tuple[str, str]]:
    pages = tree.below(top) if top else (p for p in tree.files if "/" not in p)
    for path in (p for p in pages if p.endswith(".md") and tree.size(p) <= LARGEST):
        yield path, text_of(tree, path) or ""


def _is_named(page: str, top: str, tree: Tree) -> bool:
    return _plain(page) in _file_names(tree) or _plain(page) in _page_names(top, tree)


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", basename(name.strip(" '\"[]\r/")).lower().removesuffix(".md"))


@lru_cache(maxsize=4)
def _file_names(tree: Tree) -> frozenset[str]:
    return frozenset(map(_plain, (*tree.files, *map(dirname, tree.files))))


@lru_cache(maxsize=16)
def _page_names(top: str, tree: Tree) -> frozenset[str]:
    heads = (text[:2000] for _, text in _texts(top, tree))
    named = (name for head in heads for m in _NAMED.finditer(head) for name in m["name"].split(","))
    return frozenset(map(_plain, named))


# Roles and directives of MyST.

_ROLE = compiled(r"(?<!`)\{(?P<role>doc|download)\}`(?:[^`<>]*<)?(?P<target>[\w./ -]+)>?`(?!`)")
_DIRECTIVE = compiled(
    r"[ \t]*(?:`{3,}|~{3,}|:{3,})[ \t]*\{(?P<role>include|literalinclude)\}[ \t]+"
    r"(?P<target>[\w./-]+)[ \t\r]*"
)


def _myst_links(path: str, row: str, context: Context) -> _Found:
    home, directive = sphinx_home(path, context.tree), _DIRECTIVE.fullmatch(row)
    for found in (directive,) if directive else _ROLE.finditer(row):
        target = found["target"]
        if home is not None:
            if target.startswith("/"):
                target = relpath(join(home, target.strip("/")), dirname(path) or ".")
            yield _cited(f"doc:{target}" if found["role"] == "doc" else target), (), ""


_CONTENTS = "```{toctree}"
_ENTRY = compiled(r"(?:[^<]*<)?(?P<page>[\w.-]+(?:/[\w.-]+)*)>?[ \t]*$")


def _in_contents(document: Document, text: str, tree: Tree) -> Iterator[WrittenLink]:
    """Yields the pages in tables of contents (`toctree`): `set-up`, `Set-up <set-up>`. Leaves out
    names of notebooks, from which a build may make pages elsewhere."""
    fences = text.split("\n")
    for block in code_blocks(text) if _CONTENTS in text else ():
        if fences[block.line - 2].strip() != _CONTENTS:
            continue
        rows = block.text.split("\n")
        first = rows[1:].index("---") + 2 if "---" in rows[1:] else 0  # behind the options
        for number, row in enumerate(rows[first:], block.line + first):
            page = found["page"] if (found := _ENTRY.match(row)) else ""
            if page not in ("", "self") and not tree.ending_with(f"{basename(page)}.ipynb"):
                yield WrittenLink(document, number, row, _cited(f"doc:{page}"))


# References of Hugo.

_HUGO = compiled(
    r"\{\{[<%]\s*(?:rel)?ref\s+\"(?P<page>[\w./ -]*)(?:#(?P<anchor>[^\"\s]+))?\"\s*[%>]\}\}"
)


def _hugo_links(path: str, row: str, context: Context) -> _Found:
    for found in _HUGO.finditer(blank_code(row)):
        page = found["page"].strip().removesuffix(".md").removesuffix("/_index").rstrip("/")
        section = context.tree.directories_ending_with(page.strip("/"))
        if not page or section or may_be_elsewhere(page, context.tree):
            continue
        pages = dict.fromkeys((page, "/" + page.lstrip("/")))
        yield _cited(page), tuple(_hugo_files(path, pages, context.tree)), ""


def _hugo_files(path: str, pages: Iterable[str], tree: Tree) -> Iterator[str]:
    for page in pages:
        for file in former_files(path, page, tree):
            yield file
            if file.endswith("/index.md"):
                yield file.removesuffix("index.md") + "_index.md"


# Imports in MDX.

_IMPORT = compiled(
    r"(?:import|export|\})[^'\"]*[\"'](?P<file>(?:@site|\.{1,2})/[\w./@-]+)[\"'];?[ \t\r]*"
)
_MODULES = ("tsx", "jsx", "ts", "js", "mdx", "md")
_ENDINGS = ("", *(f".{e}" for e in _MODULES), *(f"/index.{e}" for e in _MODULES))


def _mdx_imports(path: str, row: str, context: Context) -> _Found:
    found, tree = _IMPORT.fullmatch(row), context.tree
    if not found or not path.endswith(".mdx"):
        return
    file = found["file"]
    if file.startswith(SITE_ROOT):
        homes = [s.home for s in sites_of(path, tree)]
        stems = [normpath(home + file.removeprefix(SITE_ROOT)) for home in homes]
    else:  # a file with its ending is a plain link
        stems = [] if looks_like_path(file) else [normpath(join(dirname(path), file))]
    places = tuple(s + ending for s in stems if not is_outside(s) for ending in _ENDINGS)
    if places and not any(map(tree.has, places)):
        yield _cited(file), places, ""


_SNIPPET = compiled(
    r"<Snippet\s[^<>]*?\bfile=[\"'](?P<snippet>[\w./-]+\.mdx?)[\"']"
    r"|(?:import|export)\s[^'\"]{0,300}\bfrom\s+[\"']/(?P<file>[\w./-]+\.mdx?)[\"']",
    needs=(".md",),
)
"""Matches how a page of Mintlify includes a file: by its name in the folder `snippets`, or by its
path from the folder of the configuration."""


def _snippets(path: str, row: str, context: Context) -> _Found:
    site = mintlify_site(path, context.tree)
    if site is None:
        return
    for found in _SNIPPET.finditer(blank_code(row)):
        file = found["file"] or f"snippets/{found['snippet']}"
        yield _cited(relpath(join("/", site.home, file), join("/", dirname(path)))), (), ""


_FINDERS = (
    ("[[", _wiki_links),
    ("{", _myst_links),
    ('ref "', _hugo_links),
    ("import", _mdx_imports),
    ("nippet", _snippets),  # `<Snippet …>`, and the folder `snippets` in an import
)


def anchors_in(document: Document, context: Context) -> Iterator[tuple[int, str, Reference]]:
    """Yields the headings in wiki links, and those in links of Hugo outside of claims. Each has its
    line and what is written."""
    path, text = document.path, page_text(document.path, context.tree) or ""
    said = {n for c in document.extraction.claims for n in range(c.line, c.end_line + 1)}
    for number, row in _rows(text) if "[[" in text or 'ref "' in text else ():
        links = [] if number in said else [m[0] for m in _HUGO.finditer(blank_code(row))]
        links += _wiki_headings(path, row, context.tree)
        for link in links:
            claim = line_claim(link, link, "", number)
            for found in heading_anchor.mentions(path, claim):
                yield number, f"{unquote(found.of)}#{found.name}", found


def _wiki_headings(path: str, row: str, tree: Tree) -> Iterator[str]:
    """Yields a plain link for each wiki link to a heading of exactly one page."""
    for found in _WIKI.finditer(blank_code(row)) if _uses_wiki(_top(path), tree) else ():
        heading = (found["heading"] or "").rpartition("#")[2].strip("\\ ")
        page = _plain(found["page"].rstrip("\\ "))
        files = [p for p, _ in _texts(_top(path), tree) if _plain(p) == page] if heading else []
        if len(files) == 1 and heading[0] != "^":
            yield f"[x]({quote(relpath(files[0], dirname(path) or '.'))}#{forge_slug(heading)})"

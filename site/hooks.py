"""Builds the site from docs/ as it is, in the order of docs/README.md.

Files outside docs/ that pages link to are added. MkDocs knows every file by its path from the root
of the project, so links that work on a forge work here, and a dead link fails the build.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

PROJECT = Path(__file__).parents[1]
INDEX = "docs/README.md"
PLACES = {
    "README.md": "index.html",
    INDEX: "pages/index.html",
    "CONTRIBUTING.md": "contributing/index.html",
    "CHANGELOG.md": "changelog/index.html",
}
"""Output files of pages whose path alone would put them elsewhere, or nowhere."""

CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
IN_CELL = re.compile(r"`[^`]+`")
LINK = re.compile(r"\[([^\[\]]*)\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")


def navigation(page: str = INDEX) -> list[object]:
    """Returns the navigation: the pages of an index below its headings, with those of folders."""
    parts = re.split(r"^## (.+)\n", (PROJECT / page).read_text("utf-8"), flags=re.MULTILINE)
    groups = {
        title: [_entry(page, path, words) for path, words in _listed(page, text)]
        for title, text in zip(["", *parts[1::2]], parts[::2], strict=True)
    }
    groups = {title: pages for title, pages in groups.items() if pages}
    first: list[object] = [] if page == INDEX else [page]
    if len(groups) == 1:
        return [*first, *next(iter(groups.values()))]
    return [*first, *({title: pages} for title, pages in groups.items() if title)]


def _listed(index: str, text: str) -> Iterator[tuple[str, str]]:
    """Yields the pages that a part of an index links to, with the words of the link.

    The index of a folder lists pages of that folder alone.
    """
    for path, words in links(index, text).items():
        beside = posixpath.dirname(path) == posixpath.dirname(index) and path != index
        if path.endswith(".md") and (beside or index == INDEX):
            yield path, words


def _entry(index: str, page: str, words: str) -> object:
    if index != INDEX:
        return page  # under its own title
    folder = page.endswith("/README.md") and page != INDEX
    return {words[0].upper() + words[1:]: navigation(page) if folder else page}


def links(page: str, text: str) -> dict[str, str]:
    """Returns the project's files that a text links to, with the words of the first link."""
    found: dict[str, str] = {}
    for words, target in LINK.findall(text):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        found.setdefault(path, words)
    return found


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = navigation()
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    ours = [f for f in files if f.src_dir == config.docs_dir]
    named = [_file(f"docs/{f.src_uri}", f.dest_uri, config, f.inclusion) for f in ours]
    for index in (f for f in named if f.src_uri == INDEX):
        index.inclusion = InclusionLevel.NOT_IN_NAV  # it is the navigation, and linked from README
    theirs = [f for f in files if f.src_dir != config.docs_dir]
    return Files([*theirs, *named, *(_outside(path, config) for path in _outsiders(named))])


def _file(path: str, place: str, config: MkDocsConfig, inclusion: InclusionLevel) -> File:
    return File(
        path, str(PROJECT), config.site_dir, config.use_directory_urls,
        dest_uri=PLACES.get(path, place), inclusion=inclusion,
    )  # fmt: skip


def _outsiders(files: list[File]) -> Iterator[str]:
    """Yields files outside docs/ that pages link to, and what those link to in turn."""
    known = {f.src_uri for f in files}
    waiting = [path for path in known if path.endswith(".md")]
    while waiting:
        page = waiting.pop()
        text = CODE.sub("", (PROJECT / page).read_text("utf-8"))
        for path in sorted(links(page, text).keys() - known):
            if (PROJECT / path).exists():
                known.add(path)
                yield path
                waiting += [path] * path.endswith(".md")


def _outside(path: str, config: MkDocsConfig) -> File:
    """Returns a linked file as a page, or as text; a directory as the list of its files."""
    listed = InclusionLevel.INCLUDED if path in PLACES else InclusionLevel.NOT_IN_NAV
    if path.endswith(".md"):
        stem = path.removesuffix(".md").removesuffix("/README")
        return _file(path, f"source/{stem}/index.html", config, listed)
    if (PROJECT / path).is_file():
        return _file(path, f"source/{path}.txt", config, listed)
    names = sorted(str(p.relative_to(PROJECT)) for p in (PROJECT / path).rglob("*") if p.is_file())
    listing = File.generated(config, path, content="".join(f"{name}\n" for name in names))
    listing.dest_uri = f"source/{path}.txt"
    return listing


def on_page_markdown(markdown: str, **_: object) -> str:
    """Unescapes `\\|` in code in cells of tables, as forges do."""
    return re.sub(r"^\|.*", lambda row: IN_CELL.sub(_bars, row[0]), markdown, flags=re.MULTILINE)


def _bars(code: re.Match[str]) -> str:
    return code[0].replace("\\|", "|")

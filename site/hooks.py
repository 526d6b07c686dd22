"""The site as MkDocs builds it: docs/ as it is, what its pages link to outside, and the order of
docs/README.md. Every file has its path from the root of the project as its name, so that a link
which works on a forge works here, and one that leads nowhere fails the build."""

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
"""Where pages stand that would stand elsewhere, or nowhere, by their path."""

CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
IN_CELL = re.compile(r"`[^`]+`")
LINK = re.compile(r"\[([^\[\]]*)\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")


def _links(page: str, text: str) -> dict[str, str]:
    """What a text of a page links to in the project, by path, with the words of the first link."""
    found: dict[str, str] = {}
    for words, target in LINK.findall(text):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        found.setdefault(path, words)
    return found


def navigation(page: str = INDEX) -> list[object]:
    """Pages by the headings of an index; where an index of a folder is listed, its pages too."""
    sections = re.split(r"^## (.+)\n", (PROJECT / page).read_text("utf-8"), flags=re.MULTILINE)
    entries: list[object] = [] if page == INDEX else [page]
    groups = [
        (title, [_entry(page, *link) for link in _links(page, text).items() if _lists(page, link[0])])
        for title, text in zip(["", *sections[1::2]], sections[::2], strict=True)
    ]
    groups = [(title, pages) for title, pages in groups if pages]
    if len(groups) == 1:
        return [*entries, *groups[0][1]]
    return [*entries, *({title: pages} for title, pages in groups if title)]


def _entry(index: str, page: str, words: str) -> object:
    if index != INDEX:
        return page  # under its own title
    folder = page.endswith("/README.md") and page != INDEX
    return {words[0].upper() + words[1:]: navigation(page) if folder else page}


def _lists(index: str, page: str) -> bool:
    same = posixpath.dirname(index) == posixpath.dirname(page)
    return page.endswith(".md") and (index == INDEX or (same and page != index))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = navigation()
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    docs = Path(config.docs_dir).name
    named = [_named(f, f"{docs}/{f.src_uri}", config) if _is_ours(f, config) else f for f in files]
    return Files([*named, *(_outside(path, config) for path in _outsiders(named))])


def _is_ours(file: File, config: MkDocsConfig) -> bool:
    return file.src_dir == config.docs_dir


def _named(file: File, path: str, config: MkDocsConfig) -> File:
    place = PLACES.get(path, file.dest_uri)
    return _file(path, place, config, file.inclusion)


def _file(path: str, place: str, config: MkDocsConfig, inclusion: InclusionLevel) -> File:
    return File(
        path, str(PROJECT), config.site_dir, config.use_directory_urls,
        dest_uri=place, inclusion=inclusion,
    )  # fmt: skip


def _outsiders(files: list[File]) -> Iterator[str]:
    """What pages link to that is no file of docs/, and what those link to in turn."""
    known = {f.src_uri for f in files}
    waiting = [f.src_uri for f in files if f.src_uri.startswith("docs/") and f.src_uri.endswith(".md")]
    while waiting:
        page = waiting.pop()
        text = CODE.sub("", (PROJECT / page).read_text("utf-8"))
        for path in _links(page, text):
            if path not in known and (PROJECT / path).exists():
                known.add(path)
                yield path
                waiting += [path] * path.endswith(".md")


def _outside(path: str, config: MkDocsConfig) -> File:
    """A page of its own, or the file as text; of a directory the names of its files."""
    listed = InclusionLevel.INCLUDED if path in PLACES else InclusionLevel.NOT_IN_NAV
    if path.endswith(".md"):
        stem = f"source/{path.removesuffix('.md').removesuffix('/README')}/index.html"
        return _file(path, PLACES.get(path, stem), config, listed)
    if (PROJECT / path).is_file():
        return _file(path, f"source/{path}.txt", config, listed)
    names = sorted(str(p.relative_to(PROJECT)) for p in (PROJECT / path).rglob("*") if p.is_file())
    listing = File.generated(config, path, content="".join(f"{name}\n" for name in names))
    listing.dest_uri = f"source/{path}.txt"
    return listing


def on_page_markdown(markdown: str, **_: object) -> str:
    """Code in a cell of a table, whose `\\|` is a bar on a forge."""
    return re.sub(r"^\|.*", lambda row: IN_CELL.sub(_bars, row[0]), markdown, flags=re.MULTILINE)


def _bars(code: re.Match[str]) -> str:
    return code[0].replace("\\|", "|")

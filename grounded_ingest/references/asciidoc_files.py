"""Finds the files that macros of AsciiDoc name. In a component of Antora, a macro names a module
and a family of files, as in `xref:module:page.adoc` and `include::example$a.java[]`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from posixpath import dirname, join, normpath
from types import MappingProxyType

from msgspec import Struct

from grounded_ingest.extract.asciidoc import as_markdown, included_files, is_asciidoc
from grounded_ingest.extract.citations import RESOURCE
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.text.patterns import compiled

_FAMILIES: Mapping[str, str] = MappingProxyType({
    "page": "pages", "partial": "partials", "image": "images", "example": "examples",
    "attachment": "attachments", "xref": "pages", "include": "pages",
})  # fmt: skip
"""Maps the families of Antora, and the macros with a default family, to folders of a module."""
_MODULE = compiled(
    r"(?P<home>(?:.*/)?modules/)(?P<module>[^/]+)/(?:(?P<folder>pages|partials|examples)/|[^/]*nav[^/]*$)"
)
"""Matches a file in a module of Antora."""
_TARGET = compiled(r"(?:(?P<module>[\w.-]+):)?(?:(?P<family>\w+)\$)?(?P<file>[^:@$]+)")
_ALIASES = compiled(r"(?m)^:page-aliases:(?P<pages>(?:[^\n]*\\\n)*[^\n]*)")
_TITLE = compiled(r"(?m)^= \S")


def named_file(document: str, raw: str) -> str:
    """Returns the path that a target such as `xref:page.adoc` means. Returns an empty string for a
    file of another component, and for an address that only the published site resolves."""
    home, macro = _MODULE.match(document), RESOURCE.fullmatch(raw)
    if macro is None:
        return "" if home else normpath(join(dirname(document), raw))
    found = _TARGET.fullmatch(macro["target"])
    if found is None or not is_asciidoc(document):
        return ""
    family = found["family"] or macro["macro"]
    named = bool(found["module"] or found["family"])
    if home and (named or (family != "include" and not raw.startswith(("xref:.", "image:.")))):
        module = f"{home['home']}{found['module'] or home['module']}"
        return normpath(f"{module}/{_FAMILIES.get(family, family)}/{found['file']}")
    beside = normpath(join(dirname(document), found["file"]))
    return "" if named or found["file"].startswith("/") else beside


def find_file(document: str, raw: str, tree: Tree) -> list[str]:
    """Returns the files that a target such as `image:a.png` can mean: the named file, the page with
    this former name (`:page-aliases:`), or images in a folder that only the build knows."""
    path = named_file(document, raw)
    if not path:
        return []
    for place in (path, path.replace("/images/", "/assets/images/", 1)):  # an older layout
        if tree.has(place):
            return [place]
    if page := _pages(tree).aliases.get(path, ""):
        return [page]
    is_image = raw.startswith("image:") and not _MODULE.match(document)
    return tree.ending_with(normpath(raw.removeprefix("image:"))) if is_image else []


def is_of_component(document: str) -> bool:
    """Returns whether an AsciiDoc file is in a component of Antora. Several repositories can
    contribute files to one component, so a file that is not in this tree may still exist."""
    return _MODULE.match(document) is not None


def is_included(document: str, tree: Tree) -> bool:
    """Returns whether an AsciiDoc file is a part of other pages, where its links begin: another
    file includes it, or it has no title. A page of Antora is a page of its own in any case, unless
    its name or folder begins with an underscore."""
    home = _MODULE.match(document)
    if home and home["folder"] == "pages" and "/_" not in document:
        return False
    named = document.rpartition("/")[2] in _pages(tree).included
    return bool(home) or named or not _TITLE.search(text_of(tree, document) or "")


class _Pages(Struct, frozen=True):
    """What the AsciiDoc files of a tree say about each other. `aliases` maps the former paths of
    pages to the pages, and `included` has the names of all included files."""

    aliases: Mapping[str, str]
    included: frozenset[str]


@lru_cache(maxsize=4)
def _pages(tree: Tree) -> _Pages:
    aliases: dict[str, str] = {}
    included: set[str] = set()
    for path in filter(is_asciidoc, tree.files):
        text = (text_of(tree, path) if tree.size(path) <= LARGEST else None) or ""
        if "include::" in text:
            targets = included_files(as_markdown(text))
            included.update(target.rpartition("/")[2] for target in targets)
        aliases.update((alias, path) for alias in _aliases(path, text))
    return _Pages(aliases, frozenset(included))


def _aliases(path: str, text: str) -> Iterator[str]:
    found = _ALIASES.search(text)
    for name in found["pages"].replace("\\\n", " ").split(",") if found else ():
        page = name.strip()
        yield named_file(path, f"xref:{page}" if "." in page else f"xref:{page}.adoc")

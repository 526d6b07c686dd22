"""Finds pages that were not written for their place in this tree.

For example, another web site shows the page, or it is a skill copied from a collection. A missing
file that such a page names is no error. The page itself shows this: none of its references holds.
"""

from __future__ import annotations

from functools import lru_cache
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from grounded_ingest.git.trees import Tree
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import SKILL
from grounded_ingest.references.kept_parses import is_page, page_text
from grounded_ingest.text.patterns import compiled

MANY = 4
"""If a page has this many different dead links and no other link, its folder was written for
another place. In thirty unread repositories and dotnet/aspire, this was so for all 6 pages with 4
or more dead links and no other, and for 1 of 3 pages with 3."""

_TARGET = compiled(r"\]\(\s{0,9}<?(?![a-zA-Z][\w+.-]{0,20}:|[/#])([^\s()<>#?]{1,300})")
_PATH = compiled(r"(?<![\w/.@-])\.{0,2}/?(\.?[\w-][\w.-]{0,99}(?:/[\w.-]{1,100}){1,20})")
GUIDE = compiled(r"(?i)(?:^|/)(?:readme|contributing|agents|claude|gemini)[^/]*$")
"""Matches guides about the repository itself."""
_HIDDEN = compiled(r"(?:^|/)\.(?!github/)[\w-]")


def is_for_other_place(document: str, context: Context) -> bool:
    """Returns whether no relative link on a page leads to a file, and a page in the same folder has
    at least MANY such links and no other. False for guides such as README.md, which the forge
    shows at their place."""
    return not GUIDE.search(document) and context.is_page_noticed(document, _is_lost)


def _is_lost(document: str, tree: Tree) -> bool:
    return bool(_lost(document, tree)) and _is_of_other_place(dirname(document), tree)


@lru_cache(maxsize=64)
def _is_of_other_place(folder: str, tree: Tree) -> bool:
    pages = (p for p in tree.files if dirname(p) == folder and is_page(p))
    return any(_lost(page, tree) >= MANY for page in pages)


@lru_cache(maxsize=256)
def _lost(document: str, tree: Tree) -> int:
    """Returns the number of different relative links on a page, or 0 if one leads to a file, from
    the page or from the root."""
    found = {unquote(m[1]) for m in _TARGET.finditer(page_text(document, tree) or "")}
    folder = dirname(document)
    places = (p for link in found for p in (normpath(join(folder, link)), link.lstrip("./")))
    return 0 if any(tree.has(p) or tree.is_dir(p) for p in places) else len(found)


def is_of_any_project(document: str, context: Context) -> bool:
    """Returns whether a page in a hidden directory or of a skill has paths, but none of a file of
    the tree or of a directory at a depth of three or more. Such a page is for any project."""
    of_agents = _HIDDEN.search(document) or SKILL.search(document)
    named = GUIDE.search(document)
    return bool(of_agents) and not named and context.is_page_noticed(document, _names_nothing)


@lru_cache(maxsize=256)
def _names_nothing(document: str, tree: Tree) -> bool:
    found = {m[1].rstrip("./") for m in _PATH.finditer(page_text(document, tree) or "")}
    own = (p for p in found if tree.has(p) or (p.count("/") > 1 and tree.is_dir(p)))
    return bool(found) and next(own, None) is None

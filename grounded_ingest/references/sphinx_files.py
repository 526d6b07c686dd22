"""Finds the files that roles and directives of reStructuredText name, as Sphinx does."""

from __future__ import annotations

from posixpath import dirname, join, normpath

from grounded_ingest.git.trees import Tree

_PAGES = (".rst", ".md", ".ipynb", ".txt", "")
"""Endings of the files that `:doc:` can mean. The role names a page without its ending."""


def named_sphinx_file(document: str, raw: str) -> str:
    """Returns the path that a target such as `doc:set-up` means. Returns an empty string for a
    target below the folder of the site, such as `/set-up`, and for a pattern of names."""
    role, _, target = raw.partition(":")
    if target.startswith("/") or "*" in target:
        return ""
    path = normpath(join(dirname(document), target))
    return path if role != "doc" or path.endswith(_PAGES[:2]) else f"{path}.rst"


def find_sphinx_file(document: str, raw: str, tree: Tree) -> list[str]:
    """Returns the file that a target means, as a list with at most one path. The folder of the site
    contains its `conf.py`."""
    role, _, target = raw.partition(":")
    home = dirname(document)
    while target.startswith("/") and home and not tree.has(join(home, "conf.py")):
        home = dirname(home)
    path = normpath(join(home, target.lstrip("/")))
    places = [path.removesuffix(".rst") + end for end in _PAGES] if role == "doc" else [path]
    return [place for place in places if tree.has(place)][:1]

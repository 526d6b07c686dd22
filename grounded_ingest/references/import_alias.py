"""Resolves imports that begin with an alias of TypeScript, such as `@/lib/rows`.

The key `paths` of a `tsconfig.json` or `jsconfig.json` says which folder an alias means
(https://www.typescriptlang.org/tsconfig/#paths).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import NamedTuple

from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.references.site_pages import is_site_page
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.patterns import compiled


class _Alias(NamedTuple):
    """An alias such as `@/`, the folder that it means, and the file that declares it."""

    prefix: str
    folder: str
    config: str


def aliased_paths(module: str, document: str, tree: Tree) -> list[tuple[str, str]]:
    """Returns the paths that an import with an alias may mean, without a file extension, each with
    the file that declares the alias. Only files in the folders above the document count. Returns an
    empty list for pages of a web site: they show the code of readers.
    """
    home = join("/", document)
    found = [
        a
        for a in _aliases(tree)
        if module.startswith(a.prefix) and home.startswith(join("/", dirname(a.config), ""))
    ]
    if not found or is_site_page(document, tree):
        return []
    return [(normpath(join(a.folder, module[len(a.prefix) :])), a.config) for a in found]


@lru_cache(maxsize=4)
def _aliases(tree: Tree) -> tuple[_Alias, ...]:
    return tuple(a for p in tree.files if _CONFIG.search(p) for a in _declared(p, tree))


def _declared(config: str, tree: Tree) -> Iterator[_Alias]:
    if is_test_or_sample(config) or tree.size(config) > LARGEST:
        return
    text = text_of(tree, config) or ""
    base = _BASE.search(text)
    above = join(dirname(config), base[1] if base else "")
    for prefix, folders in _PATHS.findall(text):
        for folder in _FOLDER.findall(folders):
            yield _Alias(prefix, normpath(join(above, folder)), config)


# These files may have comments and trailing commas, which readers of JSON refuse.
_CONFIG = compiled(r"(?:^|/)[jt]sconfig(?:\.[\w-]+)*\.json$")
_BASE = compiled(r"\"baseUrl\"\s*:\s*\"([^\"\n]+)\"")
_PATHS = compiled(r"\"([\w@~#$-]+/)\*\"\s*:\s*\[([^\[\]]{1,1000})\]")
_FOLDER = compiled(r"\"([^\"*\n]*)\*\"")

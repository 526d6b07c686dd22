"""Resolves a path or link to files and directories in the tree.

A path is resolved in the ways that readers and their tools use. It may be relative to the document
or to the root, or be the end of a longer path. A link is also resolved as the document's site
generator does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from posixpath import dirname, join, normpath
from unicodedata import normalize

from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git.trees import Tree
from grounded_ingest.references.context import Request

RELATIVE = ("./", "../")
ALIAS = "@/"
"""The prefix of an alias. Bundlers resolve `@/` to the source folder, and the site generator Zola
to the contents of the site."""
_SITE_ROOT = "@site/"

_PAGE_ENDINGS = (
    ".md", ".mdx", ".rst", ".ipynb", "/index.md", "/index.mdx", "/README.md", "/_index.md",
)  # fmt: skip
"""Endings that a site generator appends to the target of a link to a page."""

_INDEX_PAGES = ("index", "readme", "_index")
"""Names of pages that a site serves at the address of their directory."""

_SITE_CONFIGURATIONS = (
    "astro.config.mjs", "astro.config.ts", "astro.config.js", "docusaurus.config.js",
    "docusaurus.config.ts", "mkdocs.yml", "mkdocs.yaml", "_config.yml", "hugo.toml", "hugo.yaml",
    "next.config.js", "next.config.mjs", "next.config.ts", "nuxt.config.ts", "gatsby-config.js",
    "gatsby-config.ts", ".vitepress/config.js", ".vitepress/config.ts", ".vitepress/config.mts",
    ".eleventy.js", "eleventy.config.js", "vocs.config.ts",
)  # fmt: skip


def resolve_path(request: Request, tree: Tree) -> list[str]:
    """Returns the paths in the tree that a citation can mean. Directories end in a slash."""
    raw = request.citation.raw
    found = _resolve(request, raw, tree) or _resolve_alias(raw, tree) or _with_space(raw, tree)
    if found or raw.isascii():
        return found
    # File systems and editors encode accented letters in two ways (NFC and NFD).
    forms = (normalize(form, raw) for form in ("NFC", "NFD"))
    return next((paths for form in forms if (paths := _resolve(request, form, tree))), [])


def intended_path(request: Request) -> str:
    """Returns the path, relative to the root, that a citation of a missing file means."""
    raw = request.citation.raw
    if request.citation.link or raw.startswith(RELATIVE):
        return normpath(join(dirname(request.path), raw))
    return normpath(raw)


def directories_from(directory: str) -> Iterator[str]:
    """Yields a directory and all its parent directories. The root, an empty string, comes last."""
    while directory:
        yield directory
        directory = dirname(directory)
    yield ""


def is_outside(path: str) -> bool:
    """Returns whether a normalised path leads out of the repository."""
    return path == ".." or path.startswith("../")


def entry_at(path: str, tree: Tree) -> str:
    """Returns the file at a normalised path, or the directory with a slash at its end. Returns an
    empty string if the tree has neither."""
    if is_outside(path):
        return ""
    if tree.has(path):
        return path
    return path + "/" if path == "." or tree.is_dir(path) else ""


def site_roots(document: str, tree: Tree) -> list[str]:
    """Returns the root directories of the web sites that contain a document, nearest first. Each
    directory ends in a slash, and the repository's root is an empty string. Addresses of pages in a
    site may differ from file paths."""
    homes = {p.removesuffix(name) for name in _SITE_CONFIGURATIONS for p in tree.ending_with(name)}
    return sorted((h for h in homes if document.startswith(h)), key=len, reverse=True)


def _resolve(request: Request, raw: str, tree: Tree) -> list[str]:
    link = request.citation.link
    here, rooted = dirname(request.path), raw.lstrip("/")
    relative = link or raw.startswith(RELATIVE)
    nearest = (join(here, raw), rooted) if relative else (rooted, join(here, raw))
    for candidate in dict.fromkeys(normpath(c) for c in nearest):
        if found := entry_at(candidate, tree):
            return [found]
    if link:
        return _resolve_site_link(request.path, raw, tree)
    suffix = normpath(rooted)
    if raw.startswith((*RELATIVE, "/")) or is_outside(suffix):
        return []
    if (files := tree.ending_with(suffix)) or not raw.endswith("/"):
        return files
    return [d + "/" for d in tree.directories_ending_with(suffix)]


def _resolve_alias(raw: str, tree: Tree) -> list[str]:
    return tree.ending_with(normpath(raw[len(ALIAS) :])) if raw.startswith(ALIAS) else []


def _with_space(raw: str, tree: Tree) -> list[str]:
    """Returns the path whose first folder has a space in its name, if a citation contains only the
    part after the space. Example: `Server/a.py` for `The Server/a.py`."""
    first, slash, rest = raw.partition("/")
    homes = [d for d in _spaced_folders(tree) if d.endswith(f" {first}")] if slash else []
    return [found for d in homes if (found := entry_at(normpath(f"{d}/{rest}"), tree))]


@lru_cache(maxsize=4)
def _spaced_folders(tree: Tree) -> tuple[str, ...]:
    """Returns the top-level folders that have a space in their name."""
    firsts = {p.partition("/")[0] for p in tree.files if " " in p.partition("/")[0]}
    return tuple(sorted(firsts))


def _resolve_site_link(document: str, raw: str, tree: Tree) -> list[str]:
    """Returns the file of the page that a link names, by the rules of a site generator."""
    if raw.startswith(_SITE_ROOT):
        rest = raw[len(_SITE_ROOT) :]
        homes = site_roots(document, tree) or [""]
        return [p for home in homes if (p := entry_at(normpath(home + rest), tree))][:1]
    page = raw.removesuffix(".html")
    return [] if looks_like_path(page) else _page_files(_page_addresses(document, page), tree)


def _page_addresses(document: str, raw: str) -> list[str]:
    """Returns the addresses that a link to a page may mean. GitHub resolves a link from the
    document's directory. A browser resolves it from the page's own address, `a/b/` for `a/b.md`."""
    here, _, name = document.rpartition("/")
    stem = name.partition(".")[0]
    own = here if stem.lower() in _INDEX_PAGES else join(here, stem)
    return list(dict.fromkeys(normpath(join(base, raw)) for base in (here, own)))


def _page_files(addresses: Sequence[str], tree: Tree) -> list[str]:
    """Returns the file of a page whose link leaves out the file ending."""
    pages = (f"{address}{end}" for address in addresses for end in _PAGE_ENDINGS)
    return [p for p in pages if not (is_outside(p) or p.startswith("/")) and tree.has(p)][:1]

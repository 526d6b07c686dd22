"""Resolves a path or link to files and directories in the tree.

A path may be relative to the document or to the root, or be the end of a longer path. A link is
also resolved by the rules of the document's site generator.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from posixpath import dirname, join, normpath
from unicodedata import normalize

from grounded_ingest.extract.citations import RESOURCE, looks_like_path
from grounded_ingest.git.trees import Tree
from grounded_ingest.references import asciidoc_files
from grounded_ingest.references.context import Request
from grounded_ingest.references.site_pages import SITE_ROOT, find_page, find_source
from grounded_ingest.text.patterns import compiled

RELATIVE = ("./", "../")
ALIAS = "@/"
"""The prefix of an alias. Bundlers resolve `@/` to the source folder, and the site generator Zola
to the contents of the site."""


def resolve_path(request: Request, tree: Tree) -> list[str]:
    """Returns the paths in the tree that a citation can mean. Directories end in a slash."""
    raw = request.citation.raw
    if RESOURCE.fullmatch(raw):
        find = _find_sphinx_file if _is_of_sphinx(request) else asciidoc_files.find_file
        return find(request.path, raw, tree)
    found = _resolve(request, raw, tree) or _resolve_alias(raw, tree)
    if found or raw.isascii():
        return found
    # File systems and editors encode accented letters in two ways (NFC and NFD).
    forms = (normalize(form, raw) for form in ("NFC", "NFD"))
    return next((paths for form in forms if (paths := _resolve(request, form, tree))), [])


def intended_path(request: Request) -> str:
    """Returns the path, relative to the root, that a citation of a missing file means."""
    raw = request.citation.raw
    if RESOURCE.fullmatch(raw):
        name = named_sphinx_file if _is_of_sphinx(request) else asciidoc_files.named_file
        return name(request.path, raw)
    if request.citation.link and raw.startswith("/"):
        return normpath(raw.strip("/"))
    if request.citation.link or raw.startswith(RELATIVE):
        return normpath(join(dirname(request.path), raw))
    return normpath(raw)


def _is_of_sphinx(request: Request) -> bool:
    return request.path.lower().endswith(".rst") or request.citation.raw.startswith("doc:")


def is_whole_path(raw: str, path: str, document: str, tree: Tree) -> bool:
    """Returns whether a citation gives the whole path of one existing file: from the root, from its
    document or from a directory between them. Returns false for only the end of a path.
    """
    places = {normpath(join(d, raw)) for d in directories_from(dirname(document))}
    return {p for p in places if entry_at(p, tree)} == {path.rstrip("/")}


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


def _resolve(request: Request, raw: str, tree: Tree) -> list[str]:
    link = request.citation.link
    here, rooted = dirname(request.path), raw.lstrip("/")
    beside = join(here, raw)
    if link:
        # A browser never resolves `[x](LICENSE)` from the root.
        everywhere = raw.startswith("/") or request.path == _POLICY
        nearest = [beside, rooted] if everywhere else [beside]
    else:
        # `src/x` is meant from the root, or from a directory above the document, where a reader is.
        # `../x` is meant from the document, or from the directory where a site includes the file.
        above = [join(d, raw) for d in directories_from(here)]
        nearest = [*above, rooted] if raw.startswith(RELATIVE) else [rooted, *above]
    for candidate in dict.fromkeys(normpath(c) for c in nearest):
        if found := entry_at(candidate, tree):
            return [found]
    if link:
        return _resolve_site_link(request.path, raw, tree)
    suffix = normpath(rooted)
    if raw.startswith((*RELATIVE, "/")) or is_outside(suffix):
        return []
    deeper = tree.ending_with(suffix) or _folders_ending_with(suffix, raw, tree)
    if deeper or f"`{raw}" in request.sentence:
        return deeper
    # Without backticks, Markdown reads the signs in `shop/__init__.py` as emphasis.
    return tree.ending_with(_DUNDER.sub(r"/__\1__.py", suffix))


_POLICY = ".github/SECURITY.md"
"""GitHub also shows this file at the address `security/policy`, where links begin at the root."""
_DUNDER = compiled(r"/(init|main)\.py$")


def _folders_ending_with(suffix: str, raw: str, tree: Tree) -> list[str]:
    """Returns the folders whose path ends in `suffix`. Without a slash at its end, `src/main` may
    be any text, so several modules have to have the folder."""
    found = [d + "/" for d in tree.directories_ending_with(suffix)]
    return found if raw.endswith("/") or ("/" in suffix and len(found) > 1) else []


def _resolve_alias(raw: str, tree: Tree) -> list[str]:
    """Returns the files of `@/app.ts`, or the file that editors read for `@docs/rules.md`."""
    if raw.startswith(ALIAS):
        return tree.ending_with(normpath(raw[len(ALIAS) :]))
    named = normpath(raw[1:]) if raw.startswith("@") else ""
    return [named] if tree.has(named) else []


def _resolve_site_link(document: str, raw: str, tree: Tree) -> list[str]:
    """Returns the file of the page that a link names, by the rules of a site generator."""
    # A page `root.tsx.md` about the file `root.tsx` has the address `root.tsx`.
    named = (f"{normpath(join(dirname(document), raw))}{end}" for end in (".md", ".mdx"))
    if about := next(filter(tree.has, named), ""):
        return [about]
    # ExDoc puts all pages into one folder, and all pictures into another.
    name = raw if "/" in raw.removeprefix("assets/") else raw.removeprefix("assets/")
    own = "/" not in name or name.startswith("assets/")
    if own and tree.ending_with("mix.exs") and len(tree.ending_with(name)) == 1:
        return tree.ending_with(name)
    page = raw.removesuffix(".html")
    is_file = looks_like_path(page) and not raw.startswith(("/", SITE_ROOT))
    there = (find_source if is_file else find_page)(document, page, tree)
    return [there] if there else []


_SPHINX_PAGES = (".rst", ".md", ".ipynb", ".txt", "")
"""Endings of the files that `:doc:` can mean. The role names a page without its ending."""


def is_include_outside_site(request: Request, tree: Tree) -> bool:
    """Returns whether a link is an `include` directive in reStructuredText outside of a site, as in
    CONTRIBUTING.rst. Only a page of a site that includes the document reads the directive, and its
    path is relative to that page."""
    outside = _is_of_sphinx(request) and sphinx_home(request.path, tree) is None
    return outside and request.citation.raw.startswith("include:")


_BUILT_PAGES = ("genindex", "modindex", "py-modindex", "search")


def named_sphinx_file(document: str, raw: str) -> str:
    """Returns the path that a target such as `doc:set-up` means. Returns an empty string for a
    target below the folder of the site, such as `/set-up`, and for a pattern of names."""
    role, _, target = raw.partition(":")
    if target.startswith("/") or "*" in target:
        return ""
    path = normpath(join(dirname(document), target))
    return path if role != "doc" or path.endswith(_SPHINX_PAGES[:2]) else f"{path}.rst"


def sphinx_page(document: str, raw: str, tree: Tree) -> str:
    """Returns the path, without its ending, of the page that a target such as `doc:use/set-up` or
    `doc:/set-up` means, if it can only be a page of the document's own site: the site has the
    folder of the page. Returns an empty string for a target that may be a page of another project,
    and for a document outside the site, because a page of the site includes it."""
    role, _, target = raw.partition(":")
    home = sphinx_home(document, tree)
    if role != "doc" or home is None or target in _BUILT_PAGES:
        return ""
    page = normpath(join(home if target.startswith("/") else dirname(document), target.lstrip("/")))
    folder = dirname(page)
    below = not home or f"{folder}/".startswith(f"{home}/")
    return page if below and (tree.is_dir(folder) if folder else not home) else ""


def _find_sphinx_file(document: str, raw: str, tree: Tree) -> list[str]:
    """Returns the file that a target means, as a list with at most one path. `/x` begins at the
    folder of the site, which contains its `conf.py`, or at a folder below it on the way to the
    document, because one `conf.py` may build several sites."""
    role, _, target = raw.partition(":")
    home, folders = sphinx_home(document, tree) or "", [dirname(document)]
    if target.startswith("/"):
        above = directories_from(dirname(document))
        folders = [d for d in above if f"{d}/".startswith(f"{home}/" if home else "")]
    paths = [normpath(join(folder, target.lstrip("/"))) for folder in folders]
    places = chain.from_iterable(sphinx_files(p) if role == "doc" else [p] for p in paths)
    return [place for place in places if tree.has(place)][:1]


def sphinx_files(page: str) -> list[str]:
    """Returns the paths of the files that may be the source of a page of a Sphinx site."""
    return [page.removesuffix(".rst") + end for end in _SPHINX_PAGES]


def sphinx_home(document: str, tree: Tree) -> str | None:
    """Returns the folder of the Sphinx or MyST site of a document, or None."""
    above = directories_from(dirname(document))
    names = ("conf.py", "myst.yml")
    return next((d for d in above if any(tree.has(join(d, name)) for name in names)), None)

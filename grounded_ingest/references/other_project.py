"""Finds the parts of a document whose commands and paths belong to another project.

A tutorial tells its reader to create or clone a project and to enter its directory: `mkdir shop &&
cd shop`. After these commands, the rest of the page means the files and commands of `shop`, not of
this repository. In a repository that contains only a web site, the pages mean the files of a
product. If none of a page's relative links leads to a file, the page was written for another place,
as a skill that was copied from a collection.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from grounded_ingest.code.command_lines import ENTERS
from grounded_ingest.extract.code_blocks import shell_blocks
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import CitationKind, Place
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import ABSENT, SHIPPED_SKILL, SKILL, is_runtime_folder
from grounded_ingest.references.kept_parses import document_text, is_page, page_text
from grounded_ingest.references.own_names import own_names, plain_name
from grounded_ingest.references.site_pages import is_of_site_alone
from grounded_ingest.text.patterns import compiled

REASON = "the page may be about another project"
KINDS = frozenset((
    CitationKind.COMMAND, CitationKind.FLAG, CitationKind.PATH, CitationKind.VERSION,
))  # fmt: skip
"""The kinds of references that mean another project if the text is about it. A link does not."""

_SIGNS = ("cd ", "pushd ", "git clone ", "[project]\n", "[package]\n", " repo")
_CLONE = r"\bgit clone\s[^\n`]*?[/:]([\w.-]+?)(?:\.git)?/?(?=[\s`\"']|$)"
_CLONED = compiled(_CLONE)
_CLONED_IN_TEXT = compiled(rf"`{_CLONE}", needs=("`git clone",))
"""Matches a step in text: "Clone it: `git clone …/other`". Its section is about the clone."""
_SHOWN = compiled(
    r"(?m)^[ \t]*\[(?:project|package)\]\n\s*name *= *\"([\w.-]+)\"",
    needs=("[project]", "[package]"),
)
"""Matches the beginning of a pyproject.toml or Cargo.toml that a page shows."""
_ABROAD = compiled(
    r"\bin the root(?: directory| folder)? of (?:the )?[`*\[]*[\w.-]+/([\w.-]+\w)[`*\]]*"
    r"(?:\([^()\s]*\))? repo(?:sitory)?\b",
    needs=(" repo",),
)
"""Matches a step in another repository: "in the root of the `kubernetes/kubernetes` repository".
The rest of its section tells of this repository, too."""
_PLACEHOLDER = compiled(
    r"(?i)(?:(?:your|my|the|this|path-?to)[-_]?)?(?:repo(?:sitory)?|fork|clone)"
)
_HEADING = compiled(r"(#{1,6})\s")
_STEP = compiled(r"#+ *\d+[.)]")
"""Matches the heading of a numbered step: `## 3. Build`."""
_FENCE = compiled(r"[ \t>]*(?:`{3,}|~{3,})")
GUIDE = compiled(r"(?i)(?:^|/)(?:readme|contributing|agents|claude|gemini)[^/]*$")
"""Matches guides about the repository itself."""
_CLONING_GUIDE = compiled(
    r"(?i)(?:^|/)(?:readme|contributing|develop(?:ment|ing)?|agents|claude)[^/]*$"
)
"""Matches guides that are about a cloned project only until the end of the cloning section."""


def is_in_other_project(place: Place, kind: CitationKind, reason: str, context: Context) -> bool:
    """Returns whether a reference is on a page of a repository that contains only a web site, or
    comes after a code block that clones another repository or enters a directory that the tree does
    not have. Also returns true for an invented file on a page for
    agents in any project, and in the old text of a skill for other projects unless a commit removed
    the file. `reason` says what is wrong with the reference."""
    if kind not in KINDS:
        return False
    if reason == ABSENT and is_of_any_project(place.path, context):
        return True
    invented = kind is not CitationKind.PATH or reason.startswith(ABSENT)
    if context.whole and invented and SHIPPED_SKILL.match(place.path):
        return True
    if is_of_site_alone(place.path, context.tree) and not GUIDE.search(place.path):
        return True
    names = frozenset(own_names(context))
    line = place.claim.line
    return any(first < line < end for first, end in _parts(place.path, names, context.tree))


@lru_cache(maxsize=64)
def _parts(path: str, own: frozenset[str], tree: Tree) -> tuple[tuple[int, int], ...]:
    text = document_text(path, tree) or ""
    if not any(map(text.__contains__, _SIGNS)):
        return ()
    entered = [
        block.line + block.text.count("\n", 0, found.start())
        for block in shell_blocks(text)
        for sign in (_CLONED, ENTERS)
        for found in sign.finditer(block.text)
        if _is_of_other(found[1], own, tree, cloned=sign is _CLONED)
    ]
    entered += [
        text.count("\n", 0, m.end()) + 1
        for m in _SHOWN.finditer(text)
        if _is_of_other(m[1], own, tree, cloned=False)
    ]
    abroad = [
        text.count("\n", 0, m.end()) + 1
        for sign in (_ABROAD, _CLONED_IN_TEXT)
        for m in sign.finditer(text)
        if _is_of_other(m[1], own, tree, cloned=True)
    ]
    rows = text.split("\n")
    if entered and not _CLONING_GUIDE.search(path):
        return ((min(entered), len(rows) + 1),)
    return tuple((line, _end_of_section(line, rows)) for line in (*entered, *abroad))


def _is_of_other(directory: str, own: frozenset[str], tree: Tree, *, cloned: bool) -> bool:
    """Returns whether a directory belongs to another project. A clone is compared only with the
    directories at the root, but `cd` may enter a directory anywhere in the tree."""

    name = directory.rstrip("/").rpartition("/")[2]
    known = plain_name(name) in own or is_runtime_folder(name) or name.startswith(("$", "~", "."))
    known = known or _PLACEHOLDER.fullmatch(name) is not None
    return not (known or (tree.is_dir(name) if cloned else tree.directories_ending_with(name)))


def _end_of_section(line: int, rows: list[str]) -> int:
    """Returns the line of the heading that ends the section around a line. Text between the title
    and the first section ends at the first section. A numbered step goes on in the next steps."""
    headings = list(_headings(rows))
    above, level = next((h for h in reversed(headings) if h[0] < line), (0, 6))
    ends = [number for number, depth in headings if number > line and depth <= max(2, level)]
    if above and _STEP.match(rows[above - 1]):
        ends = [number for number in ends if not _STEP.match(rows[number - 1])]
    return ends[0] if ends else len(rows) + 1


def _headings(rows: list[str]) -> Iterator[tuple[int, int]]:
    in_code = False
    for number, row in enumerate(rows, 1):
        in_code ^= _FENCE.match(row) is not None
        if not in_code and (found := _HEADING.match(row)):
            yield number, len(found[1])


MANY = 4
"""If a page has this many different dead links and no other link, its folder was written for
another place. In thirty unread repositories and dotnet/aspire, this was so for all 6 pages with 4
or more dead links and no other, and for 1 of 3 pages with 3."""

_TARGET = compiled(r"\]\(\s{0,9}<?(?![a-zA-Z][\w+.-]{0,20}:|[/#])([^\s()<>#?]{1,300})")
_PATH = compiled(r"(?<![\w/.@-])\.{0,2}/?(\.?[\w-][\w.-]{0,99}(?:/[\w.-]{1,100}){1,20})")
_HIDDEN = compiled(r"(?:^|/)\.(?!github/)[\w-]")


def is_for_other_place(document: str, context: Context) -> bool:
    """Returns whether no relative link on a page leads to a file, and one page of its folder (this
    or another) has at least MANY dead links and no working one. False for guides such as README.md,
    which the forge shows at their place."""
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

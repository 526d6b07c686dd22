"""Finds imports of the repository's own packages in code blocks whose name no code file contains.

An import in JavaScript or TypeScript belongs to the repository if a package.json declares the
package. The name in `import { x } from './src/rows.js'` has to be in this file. Imports in Python
are checked in `code_import.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import NamedTuple

from grounded_ingest.code.manifest_facts import own_name
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.code_blocks import CodeBlock, code_blocks
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import CitationKind, Document, Verdict
from grounded_ingest.references.code_import import is_invented, is_of_edition
from grounded_ingest.references.context import Context
from grounded_ingest.references.defined_symbol import DEFINES, PASSES_ON
from grounded_ingest.references.kept_parses import page_text
from grounded_ingest.references.reference import BlockAnswer, Reference, TreeAnswer, block_line
from grounded_ingest.text.dated_paths import is_current_path, is_test_or_sample
from grounded_ingest.text.patterns import compiled


class ImportedName(NamedTuple):
    """A name that a code block imports from a package or a file (`module`) of the repository. The
    row is counted from 0."""

    document: Document
    block: CodeBlock
    row: int
    package: str
    name: str
    module: str = ""


def wrong_names(documents: Sequence[Document], context: Context) -> Iterator[BlockAnswer]:
    """Yields the imported names that no code file contains. Yields nothing if git fails."""
    found = [i for d in documents for i in _imports_in(d, context)]
    words = {i.name for i in found}
    try:
        there = files_with(context.repo, context.tree, words, NO_PROSE, cache=context.cache)
    except GroundedIngestError:
        return
    for one in found:
        target, why = one.name, ""
        if one.module and one.module not in there.get(one.name, ()):
            text = text_of(context.tree, one.module) or ""
            why = "" if PASSES_ON.search(text) else f"{one.module} has no {one.name}"
            target = f"{one.module}::{one.name}"
        elif not one.module and one.name not in there:
            if _is_made_by_build(one.package, context.tree):
                continue
            why = f"no code file contains {one.name}, and {one.package} is a package of this tree"
        if why:
            reference = Reference(CitationKind.SYMBOL, one.document.path, one.name, 0, 0)
            line = block_line(one.document, one.block, one.row, reference, f"`{one.name}`")
            yield line, TreeAnswer(Verdict.REFUTED, target, why)


def _blocks_with_imports(document: Document, tree: Tree) -> Sequence[CodeBlock]:
    """Returns the code blocks of a document that is about the code of this tree, if it has
    imports."""
    path = document.path
    text = page_text(path, tree) or ""
    other = is_of_edition(path) or is_test_or_sample(path) or not is_current_path(path)
    return () if other or not _ANY.search(text) else code_blocks(text)


def _imports_in(document: Document, context: Context) -> Iterator[ImportedName]:
    blocks = _blocks_with_imports(document, context.tree)
    written = {name for block in blocks for name in DEFINES.findall(block.text)}
    for block in blocks:
        for one in _imports_of(block, document, context.tree):
            if not (one.module and one.name in written):
                yield one


def _imports_of(block: CodeBlock, document: Document, tree: Tree) -> Iterator[ImportedName]:
    """Yields the names that a block imports from a package or a file of the tree."""
    known = block.language.lower() in _LANGUAGES
    for found in _STATEMENT.finditer(block.text) if known else ():
        package = found["package"]
        module = _module_of(package, document.path, tree)
        own = module or _is_npm_package(package, tree)
        if not own or _is_denied(block, found.start()):
            continue
        for name in _IMPORTED.finditer(block.text, *found.span("names")):
            if not is_invented(name[1]):
                row = block.text.count("\n", 0, name.start(1))
                yield ImportedName(document, block, row, package, name[1], module)


def _is_denied(block: CodeBlock, at: int) -> bool:
    """Returns whether the text above a block, or the last comment above the import at the offset
    `at`, says that the import is wrong or old."""
    comments = _COMMENT.findall(block.text, 0, at)
    return any(_DENIED.search(text) for text in (block.lead, *comments[-1:]))


def _is_npm_package(package: str, tree: Tree) -> bool:
    parts = package.split("/")
    return "/".join(parts[: 1 + package.startswith("@")]) in _npm_packages(tree)


def _module_of(package: str, document: str, tree: Tree) -> str:
    """Returns the file that an import such as `./src/rows.js` means, from the document's folder or
    from the root. Returns an empty string if there is none. `./rows` in a folder of documents is
    not a file in the root."""
    path = _SUFFIX.sub("", package)
    homes = [normpath(join(dirname(document), path)), normpath(path)]
    homes = [h for h in homes[: 1 + (path.count("/") > 1)] if package.startswith(".")]
    files = (f"{home}{ending}" for home in homes for ending in _ENDINGS)
    found = next(filter(tree.has, files), "")
    made_up = is_test_or_sample(found) or is_invented(found.replace("-", "_"))
    return "" if made_up else found


@lru_cache(maxsize=64)
def _is_made_by_build(package: str, tree: Tree) -> bool:
    """Returns whether a package exports everything from a file that the tree does not have, as the
    build of an icon set writes `./icons`."""
    name = "/".join(package.split("/")[: 1 + package.startswith("@")])
    manifests = [p for p in tree.ending_with("package.json") if not is_test_or_sample(p)]
    folders = [dirname(p) for p in manifests if own_name(p, text_of(tree, p) or "") == name]
    files = [
        file
        for folder in folders
        for file in tree.below(f"{folder}/" if folder else "")
        if file.endswith(_CODE) and file.count("/") <= folder.count("/") + 2
    ]
    return any(
        not any(tree.has(f"{normpath(join(dirname(file), path))}{end}") for end in ("", *_ENDINGS))
        for file in files[:_MOST]
        for path in _PASSED_ON.findall(text_of(tree, file) or "")
    )


_MOST = 100
"""Maximum number of files of a package that are read."""
_CODE = (".ts", ".tsx", ".mts", ".js", ".mjs")
_PASSED_ON = compiled(r"(?m)^export \* from ['\"](\.[^'\"]*?)(?:\.[cm]?[jt]sx?)?['\"]")


@lru_cache(maxsize=4)
def _npm_packages(tree: Tree) -> frozenset[str]:
    paths = [p for p in tree.ending_with("package.json") if not is_test_or_sample(p)]
    return frozenset(own_name(p, text_of(tree, p) or "") for p in paths) - {""}


_SUFFIX = compiled(r"\.[cm]?[jt]sx?$")
_ENDINGS = tuple(
    f"{name}.{end}" for name in ("", "/index") for end in ("ts", "tsx", "mts", "js", "jsx", "mjs")
)
_COMMENT = compiled(r"(?://|/\*)[^\n]*")
_DENIED = compiled(
    r"(?i)[❌✗✘]|\b(?:wrong|bad|incorrect|invalid|don['’]t|do not|never|avoid|before|old|former"
    r"|formerly|deprecated|removed|replaced?)\b"
)
_ANY = compiled(r"(?m)^[ \t>]*(?:import|export)\b")
_STATEMENT = compiled(
    r"(?m)^[ \t]*(?:import|export)[ \t]+(?:type[ \t]+)?(?:\w+,[ \t]*)?"
    r"(?P<names>\{[^{}]{1,2000})\}\s*from[ \t]*['\"](?P<package>[\w@.][\w@./-]*)['\"]"
)
"""Matches an import with the groups `package` and `names`."""
_IMPORTED = compiled(r"[,{]\s*+(?://[^\n]*+\s*+)?+(?:type[ \t]+)?(?!type\b)([A-Za-z_$][\w$]*)")
"""Matches each imported name in `names`."""
_LANGUAGES = frozenset(("js", "jsx", "javascript", "ts", "tsx", "typescript", "mjs", "vue"))

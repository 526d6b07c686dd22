"""Finds wrong imports of the repository's own Python modules in code blocks.

An import is wrong if the tree has its package and the package lacks the module, or if the file of
the module does not contain the imported name. Other imports are not judged.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from posixpath import dirname, join, normpath

from grounded_ingest.extract.code_blocks import code_blocks
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.model.claims import CitationKind, Document, Verdict
from grounded_ingest.references.kept_parses import page_text
from grounded_ingest.references.programs import SOURCES
from grounded_ingest.references.reference import BlockAnswer, Reference, TreeAnswer, block_line
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.patterns import compiled

_LANGUAGES = ("python", "py", "python3")
_IMPORT = compiled(r"(?m)^[ \t]*((?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+[^\n;#]+)")
_COMPUTED = compiled(r"\bimport \*|\b__getattr__\b|\bglobals\(\)|\bsetattr\(")
"""Matches code that may define further names when it runs."""
_BLANK = compiled(
    r"\b(?:my|your|some|new|example)(?:_|(?=[A-Z]))|_(?:my|your)_|_name\b|"
    r"\b(?:My|Your|Some|New|Example)(?=[A-Z])"
)
"""Matches made-up names of modules and classes."""
_EDITION = compiled(r"(?:^|/)(?:v\d+(?:\.\d+)*|\d+\.\d[^/]*)/")
"""Matches the folder of documents about one version, which may not be the version of the tree."""
_NATIVE = (".rs", ".c", ".cc", ".cpp", ".pyx", ".zig", ".go")
"""File extensions of sources that a build compiles to modules."""
_PROJECTS = ("pyproject.toml", "setup.py", "setup.cfg")


def wrong_imports(documents: Sequence[Document], tree: Tree) -> Iterator[BlockAnswer]:
    """Yields the wrong imports in the code blocks of documents."""
    for document in documents:
        path = document.path
        text = page_text(path, tree) or ""
        skipped = "import " not in text or is_of_edition(path) or is_test_or_sample(path)
        for block in () if skipped else code_blocks(text):
            if block.language not in _LANGUAGES:
                continue
            for found in _IMPORT.finditer(block.text):
                row = block.text.count("\n", 0, found.start(1))
                shown = block.text.split("\n")[row].strip()
                for imported, answer in _wrong_in(found[1].strip(), tree):
                    reference = Reference(CitationKind.SYMBOL, path, imported, 0, 0)
                    yield block_line(document, block, row, reference, f"`{shown}`"), answer


def _wrong_in(statement: str, tree: Tree) -> Iterator[tuple[str, TreeAnswer]]:
    """Yields the names in an import that are wrong."""
    for module, name in _imported(statement):
        message, target = _why_wrong(module.replace(".", "/"), name, tree)
        if message:
            yield f"{module}.{name}".rstrip("."), TreeAnswer(Verdict.REFUTED, target, message)


def is_of_edition(path: str) -> bool:
    """Returns whether the path of a document says that the document is about one version."""
    return _EDITION.search(path) is not None


def is_invented(name: str) -> bool:
    """Returns whether a name in an import is made up for an example, such as `MyPlugin`."""
    return _BLANK.search(name) is not None


def _imported(statement: str) -> Iterator[tuple[str, str]]:
    """Yields (module, name) for everything that an import on one line imports. The name of `import
    a.b` and of `from a.b import *` is empty."""
    try:
        (node,) = ast.parse(statement).body
    except (SyntaxError, ValueError):
        return
    if isinstance(node, ast.Import):
        yield from ((alias.name, "") for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from ((node.module, alias.name.strip("*")) for alias in node.names)


def _why_wrong(module: str, name: str, tree: Tree) -> tuple[str, str]:
    """Returns why an import is wrong, and the file that shows it. `module` has slashes instead of
    dots. Returns empty strings if the import is right or unknown."""
    home = import_root(module, tree)
    if home is None or is_invented(f"{module.rpartition('/')[2]} {name}"):
        return "", ""
    path = home + module
    file = next((f for f in (f"{path}.py", f"{path}/__init__.py") if tree.has(f)), "")
    if not file and not tree.is_dir(path):
        above, _, last = path.rpartition("/")
        return _why_unnamed(f"{above}/__init__.py", above, last, f"{above} has no module", tree)
    package = path if file.endswith("/__init__.py") else ""
    return _why_unnamed(file, package, name, f"{file} has no", tree) if name else ("", "")


def import_root(module: str, tree: Tree) -> str | None:
    """Returns the import root that contains the longest part of a module's path. Returns None if
    several roots contain this part (a namespace package), or if no root has the first folder."""
    parts = module.split("/")
    for size in range(len(parts), 0, -1):
        above = "/".join(parts[:size])
        homes = [h for h in _import_roots(tree) if _has_module(h + above, tree)]
        if homes:
            return homes[0] if len(homes) == 1 else None
    return None


def _has_module(path: str, tree: Tree) -> bool:
    return tree.is_dir(path) or tree.has(f"{path}.py")


def _why_unnamed(file: str, package: str, name: str, message: str, tree: Tree) -> tuple[str, str]:
    """Returns the message and the file if neither the file nor its package has `name`. `package` is
    the package's folder, or empty if the file is not its `__init__.py`. Returns empty strings if
    the name exists, or if the code may define it when it runs."""
    if not tree.has(file) or tree.size(file) > LARGEST:
        return "", ""
    text = text_of(tree, file) or ""
    inside = tree.below(package) if package else ()
    if any(p.startswith((f"{package}/{name}.", f"{package}/{name}/")) for p in inside):
        return "", ""
    sources = {dirname(p) for p in inside if p.endswith(_NATIVE)}
    if any(d == package or not tree.has(f"{d}/__init__.py") for d in sources):
        return "", ""
    if _COMPUTED.search(text) or re.search(rf"\b{re.escape(name)}\b", text):
        return "", ""
    return f"{message} {name}", file


@lru_cache(maxsize=2)
def _import_roots(tree: Tree) -> tuple[str, ...]:
    """Returns the directories from which the packages of the tree's Python projects are imported.
    Each ends in a slash; the root of the repository is an empty string."""
    projects = {dirname(p) for name in _PROJECTS for p in tree.ending_with(name)}
    places = {
        normpath(join(p, source))
        for p in projects
        if not is_test_or_sample(p)
        for source in SOURCES
    }
    return tuple(sorted("" if p == "." else f"{p}/" for p in places))

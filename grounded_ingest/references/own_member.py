"""Finds the package, module or crate of this tree that a qualified name means, and that lacks the
member: `shop.run_sale`, `fields.MoneyField`, `store.CloseRows`, `shop::orders::from_rows`.

The member (the last part) must have two words. For Python, JavaScript and Rust, no file except
prose may contain it; for Go, no file of the package. A module that re-exports names of others is
left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from posixpath import dirname

from grounded_ingest.code.manifest_facts import own_name
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.references.context import Context
from grounded_ingest.references.own_names import own_names, plain_name
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.lexicon import reference_words as lexicon
from grounded_ingest.text.patterns import compiled

TWO_WORDS = compiled(r"_{0,2}(?:[A-Za-z\d]+(?:_[A-Za-z]|(?<=[a-z\d])[A-Z])|[A-Z]{3,}[a-z]{2})")
_QUALIFIED = compiled(
    r"(?P<owners>[a-z]\w*(?:(?:\.|::)[a-z]\w*)*)(?:\.|::)(?P<member>[^\W\d][\w$]*)"
)
_GLOB = compiled(r"\bpub use (?!(?:crate|self|super)\b)[\w:]+::(?:\*|\{[^}]*\*)")
"""Matches code in Rust that re-exports all names of another crate."""
_OPEN_MODULE = compiled(r"(?m)^(?:from (?!\.\w)\S+ import \*|def __getattr__\b)|\bglobals\(\)")
"""Matches code in Python that gives a module names which its file does not contain."""
_OWN_STAR = compiled(r"(?m)^from \.([\w.]+) import \*")
"""Matches an import of all names of a module in the same folder."""
_OPEN_INDEX = compiled(
    r"\bexport \* from [\"'](?!\.)|\bmodule\.exports = require\([\"'](?!\.)"
    r"|\bmodule\.exports\["
)
"""Matches code in JavaScript that re-exports the names of another package."""
ROOT = "the package at the root"
"""Stands for the Go package in the root folder."""


def place_without(name: str, page: str, context: Context) -> str:
    """Returns the package, module or crate of the tree that has no member `name`, if only prose
    contains the last word of the name. Returns an empty string if the name may mean something else.
    `page` is the text of the document."""
    found = _QUALIFIED.fullmatch(name) if "." in name or "::" in name else None
    if found is None or not TWO_WORDS.match(found["member"]):
        return ""
    owners, member = re.split(r"\.|::", found["owners"]), str(found["member"])
    places = {*_go_packages(owners[-1], context.tree)} if _is_exported(name, member) else set[str]()
    called = f"{name}(" in page
    if "::" in name:
        places.update(_crates(owners, context.tree))
    else:
        places.update(_python_or_javascript(owners, member, called=called, context=context))
    spelt = [p for p in places if p.endswith(f"{'/'.join(owners)}.py")]
    return min(spelt or places, default="")


def _is_exported(name: str, member: str) -> bool:
    """Returns whether a name may be of a package in Go, which exports only names in capitals."""
    return "." in name and member[0].isupper()


def _python_or_javascript(
    owners: Sequence[str], member: str, *, called: bool, context: Context
) -> Iterator[str]:
    """Yields the Python and npm packages and the Python modules that the owners may mean. Without a
    call, `shop.entryPoint` may be a setting, and `config.open_at` a key in a file."""
    is_class = member[0].isupper() and not member.isupper()
    if "_" in member or member[0].isupper():
        yield from _python_packages(owners, context)
        yield from _python_modules(owners, context) if called or is_class else ()
    yield from _javascript_packages(owners, context.tree) if called else ()


def _python_packages(owners: Sequence[str], context: Context) -> Iterator[str]:
    """Yields the folders of this project's Python package, if it is the only owner."""
    if len(owners) == 1 and plain_name(owners[0]) in own_names(context):
        for path in context.tree.ending_with(f"{owners[0]}/__init__.py"):
            if not _is_open(path, context.tree):
                yield dirname(path)


def _python_modules(owners: Sequence[str], context: Context) -> Iterator[str]:
    """Yields the files `OWNER.py` beside an `__init__.py`, without tests, samples and the names of
    the standard library. The first of several owners has to be this project."""
    tree, module = context.tree, owners[-1]
    own = len(owners) == 1 or plain_name(owners[0]) in own_names(context)
    for path in tree.ending_with(f"{module}.py") if own else ():
        in_package = tree.has(f"{dirname(path)}/__init__.py") and not is_test_or_sample(path)
        if in_package and module not in sys.stdlib_module_names and not _is_open(path, tree):
            yield path


def _is_open(path: str, tree: Tree, depth: int = 4) -> bool:
    """Returns whether a module may have names that no file of the tree contains. `depth` is the
    number of star imports that are followed from file to file."""
    text = text_of(tree, path) or ""
    if _OPEN_MODULE.search(text):
        return True
    for module in _OWN_STAR.findall(text):
        place = f"{dirname(path)}/{module.replace('.', '/')}".removeprefix("/")
        inside = next(filter(tree.has, (f"{place}.py", f"{place}/__init__.py")), "")
        if not inside or not depth or _is_open(inside, tree, depth - 1):
            return True
    return False


def _go_packages(package: str, tree: Tree) -> Iterator[str]:
    """Yields the folders of a Go package, unless a module or a package of Go has its name."""
    manifest = text_of(tree, "go.mod") or ""
    own = own_name("go.mod", manifest)
    others = re.sub(r"(?m)^module\s.*", "", manifest)
    if re.search(rf"/{package}(?:/v\d+)?\s", others) or package in lexicon.GO_PACKAGES.split():
        return
    top = (p for p in tree.files if p.endswith(".go") and "/" not in p)
    if re.search(rf"/{package}(?:/v\d+)?$", own) and any(
        re.search(rf"(?m)^package {package}\b", text_of(tree, p) or "") for p in top
    ):
        yield ROOT
    folders = tree.directories_ending_with(package)
    yield from (f.rstrip("/") for f in folders if _is_go_package(f, tree))


def _is_go_package(folder: str, tree: Tree) -> bool:
    below = tree.below(folder)
    return any(p.endswith(".go") and dirname(p) == folder.rstrip("/") for p in below)


def _javascript_packages(owners: Sequence[str], tree: Tree) -> Iterator[str]:
    """Yields the name of this project's package on npm, if it is the only owner and does not
    re-export another package."""
    name = own_name("package.json", text_of(tree, "package.json") or "").rpartition("/")[2]
    entries = (p for end in ("js", "mjs", "ts") for p in tree.ending_with(f"index.{end}"))
    own = [p for p in entries if p.count("/") < _DEPTH]
    if len(owners) != 1 or not name or plain_name(name) != plain_name(owners[0]):
        return
    if not any(_OPEN_INDEX.search(text_of(tree, p) or "") for p in own):
        yield name


def _crates(owners: Sequence[str], tree: Tree) -> Iterator[str]:
    """Yields the module of a crate of the tree, or the crate, unless it re-exports another
    crate."""
    folder = _crate_folders(tree).get(owners[0])
    if folder is None:
        return
    source = f"{folder}/src".removeprefix("/")
    if len(owners) == 1:
        library = text_of(tree, f"{source}/lib.rs")
        if library and not _GLOB.search(library):
            yield f"{source}/lib.rs"
        return
    below = "/".join(owners[1:])
    for path in (f"{source}/{below}.rs", f"{source}/{below}/mod.rs"):
        if tree.has(path) and not _GLOB.search(text_of(tree, path) or ""):
            yield path


@lru_cache(maxsize=4)
def _crate_folders(tree: Tree) -> Mapping[str, str]:
    """Returns the folder of each crate in the tree by the name that code in Rust gives it."""
    manifests = [*tree.ending_with("Cargo.toml")][:_MOST_CRATES]
    named = ((own_name(path, text_of(tree, path) or ""), dirname(path)) for path in manifests)
    return {name.replace("-", "_"): folder for name, folder in named if name}


_MOST_CRATES, _DEPTH = 200, 3
"""Maximum number of manifests of crates, and depth of the files `index.js`, that are read."""

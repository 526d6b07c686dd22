"""The programs of a tree that are written in Python, and what they declare."""

from __future__ import annotations

from functools import cached_property, lru_cache
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, NamedTuple

from grounded_ingest.code.manifest_entries import console_scripts
from grounded_ingest.git.quoted_lines import text_of
from grounded_ingest.git.trees import Tree
from grounded_ingest.references.manifests import MOST, Manifests, manifests_of

if TYPE_CHECKING:
    from grounded_ingest.code.python_programs import CommandTree, DeclaredOptions

_MODULES, _LARGEST = 400, 512 * 1024
"""Modules of a package, and bytes of one, that are read."""


class Program(NamedTuple):
    """A command a package installs, or a script; `path` is where it is named or stands."""

    path: str
    modules: tuple[str, ...]


class OwnPrograms:
    """Those of one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.manifests: Manifests = manifests_of(tree)
        self._declared: dict[tuple[str, ...], DeclaredOptions] = {}
        self._commands: dict[tuple[str, ...], CommandTree] = {}

    @cached_property
    def installed(self) -> dict[str, tuple[str, str]]:
        """Commands that the tree's packages install: (manifest, what they call)."""
        found: dict[str, tuple[str, str]] = {}
        for path in self.manifests.everywhere(("pyproject.toml",))[:MOST]:
            for name, target in console_scripts(self.manifests.text(path) or "").items():
                found.setdefault(name, (path, target))
        return found

    def command(self, name: str) -> Program | None:
        """A command that a package of the tree installs."""
        if name not in self.installed:
            return None
        path, target = self.installed[name]
        return Program(path, self._package(dirname(path), target.partition(":")[0]))

    def script(self, path: str, document: str, directory: str = "") -> Program | None:
        """A Python file, named from the root, a document or a directory."""
        places = (join(directory, path), join(dirname(document), directory, path))
        there = [p for p in map(normpath, places) if p.endswith(".py") and self.tree.has(p)]
        if not there:
            return None
        if self._beside_package(there[0]):
            return Program(there[0], self._below(dirname(there[0])))
        return Program(there[0], (there[0],))

    def module(self, name: str, document: str) -> Program | None:
        """`python -m name`: a module or package of the tree."""
        for root in dict.fromkeys((dirname(document), "")):
            if found := self._package(root, name):
                return Program(found[0], found)
        return None

    def _beside_package(self, path: str) -> bool:
        return self.tree.has(join(dirname(path), "__init__.py"))

    def _package(self, root: str, module: str) -> tuple[str, ...]:
        """The modules of the top package that a dotted name stands in."""
        top, *rest = module.split(".")
        for source in ("", "src", "lib", "python"):
            base = normpath(join(root, source, top)).removeprefix("./")
            if self.tree.has(f"{base}.py") and not rest:
                return (f"{base}.py",)
            if self.tree.is_dir(base) and not base.startswith(".."):
                return self._below(base)
        return ()

    def _below(self, directory: str) -> tuple[str, ...]:
        found = [p for p in self.tree.below(directory) if p.endswith(".py")]
        return tuple(found) if len(found) <= _MODULES else ()

    def commands(self, program: Program) -> CommandTree:
        """Returns the commands below commands of a program's package."""
        from grounded_ingest.code.python_programs import command_tree

        if program.modules not in self._commands:
            texts = (text_of(self.tree, p) for p in program.modules)
            self._commands[program.modules] = command_tree([t for t in texts if t])
        return self._commands[program.modules]

    def declares(self, program: Program) -> DeclaredOptions:
        """What a program's package declares; nothing for one that is too large."""
        from grounded_ingest.code.python_programs import NOTHING_DECLARED, declared_options

        modules = program.modules
        if not modules or len(modules) > _MODULES:
            return NOTHING_DECLARED
        if modules not in self._declared:
            texts = (text_of(self.tree, p) for p in modules if self.tree.size(p) <= _LARGEST)
            self._declared[modules] = declared_options([t for t in texts if t is not None])
        return self._declared[modules]


@lru_cache(maxsize=4)
def own_programs(tree: Tree) -> OwnPrograms:
    return OwnPrograms(tree)

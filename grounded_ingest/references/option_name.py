"""Checks the names that options of package tools select: `cargo test -p x`, `uv sync --extra x`,
`pip install -e .[x]`, `pnpm --filter x`. Such a name means a package, or a part of a package such
as an extra. The names are `command` references.

A name such as `x` is right if a manifest declares the name. The name is wrong if no manifest in the
tree declares the name and all manifests to which the command applies could be read completely.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple

from grounded_ingest.code.command_lines import commands
from grounded_ingest.code.manifest_facts import cargo_dependencies, normal_name
from grounded_ingest.code.option_names import choices
from grounded_ingest.code.workspace_parts import (
    TARGETS,
    PackageParts,
    cargo_parts,
    found_target,
    python_parts,
)
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.manifests import MOST, Manifests, manifests_of
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer, find_in_commands
from grounded_ingest.text.lexicon import manifest_words as words_of
from grounded_ingest.text.names import near_name
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.COMMAND

_SEPARATOR = "\0"
_GENERAL = compiled(words_of.SAMPLE_PACKAGES)
_ABOUT_TOOL = compiled(words_of.PACKAGE_TOOLS)


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns references to names that follow options of the commands in a claim. The names mean
    packages or parts of packages. An example: `cargo test -p tool-cli --features fast`."""
    return find_in_commands(path, claim, option_names_in)


def option_names_in(path: str, line: str, start: int) -> list[Reference]:
    """Returns a reference for each name that an option in a command line selects: a package, or
    what a package declares, such as a feature. In each reference, `of` has the tool, the directory
    and the kind of name, joined as `_Asked` reads them."""
    found = []
    for command in commands(line):
        first = command.words[0].start
        for choice in choices(command):
            directory = (
                "~" if command.directory == "~" else join(command.directory, choice.directory)
            )
            of = _SEPARATOR.join((directory, choice.tool, choice.what, choice.name, choice.package))
            end = choice.last.end
            found.append(Reference(KIND, path, line[first:end], start + first, start + end, of))
    return found


def is_option_name(reference: Reference) -> bool:
    """Returns whether a reference means a name after an option, such as `x` in `cargo test -p x`,
    and not the command itself."""
    return _SEPARATOR in reference.of


class _Asked(NamedTuple):
    """The parts of a reference's field `of`. `what` is the kind of the name, such as `feature` or
    `package`."""

    directory: str
    tool: str
    what: str
    name: str
    package: str


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Looks up the names after options, such as `x` in `cargo test -p x`, in the manifests of the
    tree. Returns a result for each name that is certainly right or wrong."""
    workspace = _workspace_of(context.tree)
    found: Answers = {}
    for reference in filter(is_option_name, asked):
        one = _Asked(*reference.of.split(_SEPARATOR))
        answer = workspace.answer(one, dirname(reference.path))
        if answer and (answer.verdict is Verdict.CONFIRMED or workspace.means(one, reference.path)):
            found[reference] = answer
    return found


class _Workspace:
    """The packages in one tree, and what their manifests declare."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.manifests: Manifests = manifests_of(tree)

    def _parts(self, name: str, parse: Callable[[str], PackageParts]) -> dict[str, PackageParts]:
        paths = self.manifests.everywhere((name,))[:MOST]
        return {p: parse(self.manifests.text(p) or "") for p in paths}

    @cached_property
    def cargo(self) -> dict[str, PackageParts]:
        """Maps each Cargo.toml to its content."""
        return self._parts("Cargo.toml", cargo_parts)

    @cached_property
    def python(self) -> dict[str, PackageParts]:
        """Maps each pyproject.toml to its content."""
        return self._parts("pyproject.toml", python_parts)

    @cached_property
    def crates(self) -> frozenset[str]:
        """Rust packages on which the tree depends. `cargo -p` accepts their names too."""
        listed = {n for p in self.cargo for n in cargo_dependencies(self.manifests.text(p) or "")}
        texts = (text_of(self.tree, path) for path in self.tree.ending_with("Cargo.lock"))
        locked = {found[1] for text in texts if text for found in _LOCKED.finditer(text)}
        return frozenset(normal_name(name, "rust") for name in listed | locked)

    def means(self, asked: _Asked, document: str) -> bool:
        """Returns whether an undeclared name was meant to be in this tree. Documents about a tool,
        and documents in the tool's own repository, describe other people's projects. A tutorial
        shows how its reader adds a feature to a manifest."""
        general = asked.what not in ("extra", "group", "feature")
        if (general and _GENERAL.fullmatch(asked.name)) or _ABOUT_TOOL.search(document):
            return False
        added = re.compile(rf"(?m)^[+ \t]*{re.escape(asked.name)} *= *\[")
        if asked.what == "feature" and added.search(text_of(self.tree, document) or ""):
            return False
        tool = asked.tool
        crates = {part.name for part in self.cargo.values()}
        own = tool in self.manifests.node_packages or tool in crates
        return not own and not self.manifests.is_source_of(tool)

    def answer(self, asked: _Asked, here: str) -> TreeAnswer | None:
        """Returns whether a manifest declares the name that follows an option in a command, such as
        `cargo run --bin NAME`. `here` is the directory of the document. Returns None if the
        manifests cannot decide."""
        if asked.directory == "~":
            return None
        if asked.what == "package":
            return self._answer_package(asked)
        return self._answer_part(asked, here)

    def _answer_package(self, asked: _Asked) -> TreeAnswer | None:
        if asked.tool not in ("cargo", "uv"):
            return self._answer_node_package(asked)
        parts = self.cargo if asked.tool == "cargo" else self.python
        others = self.crates if asked.tool == "cargo" else ()
        paths = {part.name: path for path, part in parts.items() if part.name}
        name = normal_name(asked.name, "python") if asked.tool == "uv" else asked.name
        if name in paths:
            return TreeAnswer(Verdict.CONFIRMED, f"{paths[name]}#{asked.name}")
        if not paths or len(parts) >= MOST or normal_name(name, "rust") in others:
            return None
        return None if self._may_declare(asked.name, parts) else _missing_package(asked.name, paths)

    def _may_declare(self, name: str, parts: Mapping[str, PackageParts]) -> bool:
        open_ = (path for path, part in parts.items() if not part.whole)
        return any(name in (self.manifests.text(path) or name) for path in open_)

    def _answer_node_package(self, asked: _Asked) -> TreeAnswer | None:
        known = {n: paths[0] for n, paths in self.manifests.node_packages.items() if n}
        name = asked.name
        if name in known:
            return TreeAnswer(Verdict.CONFIRMED, f"{known[name]}#{name}")
        scope, slash, _ = name.partition("/")
        ours = {n.partition("/")[0] for n in known}
        if len(known) < 2 or (slash and scope not in ours) or name.startswith("."):
            return None  # a directory, or the scope of other people's packages
        ends = [n for n in known if n.rpartition("/")[2] == name]
        places = [p for p in known.values() if basename(dirname(p)) == name]
        return None if ends or places else _missing_package(name, known)

    def _answer_part(self, asked: _Asked, here: str) -> TreeAnswer | None:
        name, package = asked.name, asked.package
        if asked.tool == "cargo":
            parts = self.cargo
            if asked.what == "feature" and "/" in name:
                package, _, name = name.rpartition("/")
                package = package.removesuffix("?")
        else:
            parts = self.python
            name, package = normal_name(name, "python"), normal_name(package, "python")
        asked = asked._replace(name=name, package=package)
        paths = self._meant(asked, here, parts)
        if holding := [p for p in paths if self._declares(asked, p, parts[p])]:
            return TreeAnswer(Verdict.CONFIRMED, f"{holding[0]}#{asked.name}")
        if not paths or not all(parts[p].whole for p in paths):
            return None
        if not package:
            if any(self._declares(asked, p, parts[p]) for p in parts):
                return None
            if self._may_declare(asked.name, parts):
                return None
        return self._missing_part(asked, paths, parts)

    def _meant(self, asked: _Asked, here: str, parts: Mapping[str, PackageParts]) -> list[str]:
        """Returns the manifests that a command means, most likely first. Returns an empty list if
        the meant manifest is unclear."""
        if asked.package:
            return [path for path, part in parts.items() if part.name == asked.package]
        place = self._place(asked.directory, here)
        file = "Cargo.toml" if asked.tool == "cargo" else "pyproject.toml"
        near = () if place is None else self.manifests.nearest((file,), place)
        first = next((p for p in near if p in parts), "")
        if not first or parts[first].name:
            return [first] if first else []
        # A root without a package means all packages of its workspace.
        return [first, *(p for p in parts if p != first and p.startswith(dirname(first)))]

    def _place(self, directory: str, here: str) -> str | None:
        if not directory:
            return here
        places = (normpath(join(here, directory)), normpath(directory))
        place = next((p for p in places if p == "." or self.tree.is_dir(p)), None)
        return "" if place == "." else place

    def _declares(self, asked: _Asked, path: str, part: PackageParts) -> bool:
        if asked.name in part.names.get(asked.what, ()):
            return True
        if asked.tool == "pdm" and asked.name in part.names["extra"]:
            return True
        return asked.what in TARGETS and asked.name in self._found(asked.what, path, part)

    def _found(self, what: str, path: str, part: PackageParts) -> set[str]:
        """Returns the targets that cargo finds by file name, such as `x` for `examples/x.rs`."""
        here = dirname(path)
        folder = join(here, TARGETS[what])
        targets = map(found_target, self.tree.below(folder))
        found = {name for home, name in targets if home == folder}
        if what == "bin" and self.tree.has(join(here, "src/main.rs")):
            found.add(part.name)
        return found

    def _missing_part(
        self, asked: _Asked, paths: Sequence[str], parts: Mapping[str, PackageParts]
    ) -> TreeAnswer:
        names = {n for p in paths for n in parts[p].names.get(asked.what, ())}
        if asked.what in TARGETS:
            names |= {n for p in paths for n in self._found(asked.what, p, parts[p])}
        near = near_name(asked.name, names)
        hint = f"; perhaps {near}" if near else ""
        message = f"{paths[0]} has no {asked.what} {asked.name}{hint}"
        return TreeAnswer(Verdict.REFUTED, f"{paths[0]}#{asked.what} {asked.name}", message)


_LOCKED = compiled(r'(?m)^name = "([^"]+)"')


def _missing_package(name: str, known: Mapping[str, str]) -> TreeAnswer:
    near = near_name(name, known)
    hint = f"; perhaps {near}" if near else ""
    message = f"no package of this tree is called {name}{hint}"
    return TreeAnswer(Verdict.REFUTED, f"#{name}", message)


_workspace_of = lru_cache(maxsize=4)(_Workspace)

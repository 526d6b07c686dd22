"""Reads the manifests in a tree, and finds the manifest that a document means. Each manifest is
read once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import islice
from posixpath import join

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.code.manifest_entries import (
    LARGEST,
    NOTHING,
    NodePackage,
    Offer,
    composer_scripts,
    deno_tasks,
    hatch_scripts,
    just_recipes,
    make_targets,
    node_package,
    nox_sessions,
    pdm_scripts,
    poe_tasks,
    taskfile_tasks,
    tox_environments,
)
from grounded_ingest.code.manifest_facts import Pin, own_name, pins
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.references.path_resolution import directories_from

MOST = 400
"""Maximum number of manifests of one kind that are read."""


class Runner(Struct, frozen=True):
    """A command runner. `files` are the possible names of the runner's manifest, most likely first.
    `parse` reads the manifest."""

    files: tuple[str, ...]
    parse: Callable[[str, str], Offer]


RUNNERS = {
    "npm": Runner(("package.json",), lambda text, _: node_package(text).scripts),
    "make": Runner(("Makefile", "makefile", "GNUmakefile"), lambda text, _: make_targets(text)),
    "just": Runner(
        ("justfile", "Justfile", ".justfile", "JUSTFILE"), lambda text, _: just_recipes(text)
    ),
    "task": Runner(
        (
            "Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml",
            "Taskfile.dist.yml", "Taskfile.dist.yaml", "taskfile.dist.yml", "taskfile.dist.yaml",
        ),
        lambda text, _: taskfile_tasks(text),
    ),
    "poe": Runner(("pyproject.toml", "poe_tasks.toml"), lambda text, _: poe_tasks(text)),
    "pdm": Runner(("pyproject.toml",), lambda text, _: pdm_scripts(text)),
    "hatch": Runner(("hatch.toml", "pyproject.toml"), lambda text, _: hatch_scripts(text)),
    "tox": Runner(("tox.ini", "tox.toml", "setup.cfg", "pyproject.toml"), tox_environments),
    "nox": Runner(("noxfile.py",), lambda text, _: nox_sessions(text)),
    "deno": Runner(("deno.json", "deno.jsonc"), lambda text, _: deno_tasks(text)),
    "composer": Runner(("composer.json",), lambda text, _: composer_scripts(text)),
}  # fmt: skip


class Manifests:
    """Finds and parses the manifests in one tree, such as package.json and Makefile. Each file is
    parsed only once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._offers: dict[tuple[str, str], Offer] = {}
        self._packages: dict[str, NodePackage] = {}
        self._pins: dict[str, list[Pin]] = {}

    def text(self, path: str) -> str | None:
        """Returns the text of a manifest. Returns None if the file is missing or too large."""
        if not self.tree.has(path) or self.tree.size(path) > LARGEST:
            return None
        return text_of(self.tree, path)

    def is_source_of(self, runner: str) -> bool:
        """Returns whether this repository is the source code of the runner. The documents of a
        runner's repository describe the tasks of other people's projects."""
        if self.tree.is_dir(f"cmd/{runner}"):
            return True
        files = ("package.json", "pyproject.toml", "Cargo.toml")
        return any(own_name(path, self.text(path) or "") == runner for path in files)

    def nearest(self, files: tuple[str, ...], directory: str) -> Iterator[str]:
        """Yields the manifests with one of the names, from a directory upwards to the root. The
        manifest of a hidden directory such as `.claude` belongs to a tool."""
        for above in directories_from(directory):
            if above.rpartition("/")[2].startswith("."):
                continue
            there = (path for name in files if self.tree.has(path := join(above, name)))
            yield from islice(there, 1)

    def everywhere(self, files: tuple[str, ...]) -> list[str]:
        """Returns all manifests with one of the names, without those of installed packages."""
        found = (path for name in files for path in self.tree.ending_with(name))
        return [path for path in found if "node_modules" not in path.split("/")]

    def offer(self, runner: str, path: str) -> Offer:
        """Returns the commands that a manifest defines. Files that it includes are not read, so
        that they may define further commands."""
        if (runner, path) not in self._offers:
            text = self.text(path)
            found = NOTHING if text is None else RUNNERS[runner].parse(text, path)
            if not all(i.optional and not _may_define(i.path) for i in found.includes):
                found = replace(found, whole=False)
            self._offers[runner, path] = found
        return self._offers[runner, path]

    def package(self, path: str) -> NodePackage:
        """Returns the parsed content of a package.json file."""
        if path not in self._packages:
            self._packages[path] = node_package(self.text(path) or "")
        return self._packages[path]

    def pins(self, path: str) -> list[Pin]:
        """Returns the runtime versions that a file requires, such as Python 3.12 in
        `.python-version`."""
        if path not in self._pins:
            self._pins[path] = pins(path, self.text(path) or "")
        return self._pins[path]

    @cached_property
    def node_packages(self) -> dict[str, list[str]]:
        """Maps each package name to the package.json files in the tree with this name."""
        found: dict[str, list[str]] = {}
        for path in self.everywhere(("package.json",))[:MOST]:
            found.setdefault(self.package(path).name, []).append(path)
        return found


def _may_define(path: str) -> bool:
    """Returns whether an included file may define targets, judged by its name. Files for
    variables or dependencies (`.env`, `*.d`) define none."""
    name = path.rpartition("/")[2]
    return not (name.startswith(".env") or name.endswith((".env", ".d", ".dep")))


manifests_of = lru_cache(maxsize=4)(Manifests)

"""Reads the manifests in a tree, and finds the manifest that a document means. Each manifest is
read once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from itertools import islice
from posixpath import dirname, join, normpath

from msgspec import Struct

from grounded_ingest.code.build_tasks import (
    compose_services,
    fastlane_lanes,
    maven_modules,
    rake_tasks,
)
from grounded_ingest.code.manifest_entries import (
    LARGEST,
    NOTHING,
    Entry,
    Include,
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
from grounded_ingest.code.package_versions import COMPOSE
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.text.patterns import compiled

_DEPTH, MOST = 8, 400
"""Maximum depth of includes that are followed, and maximum number of manifests of one kind that are
read."""


class Runner(Struct, frozen=True):
    """A command runner. `files` are the possible names of the runner's manifest, most likely first.
    `parse` reads the manifest."""

    files: tuple[str, ...]
    parse: Callable[[str, str], Offer]


RUNNERS = {
    "npm": Runner(("package.json",), lambda text, _: node_package(text).scripts),
    "make": Runner(("GNUmakefile", "makefile", "Makefile"), lambda text, _: make_targets(text)),
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
    "rake": Runner(("Rakefile", "rakefile", "Rakefile.rb"), lambda text, _: rake_tasks(text)),
    "fastlane": Runner(("fastlane/Fastfile",), lambda text, _: fastlane_lanes(text)),
    "mvn": Runner(("pom.xml",), lambda text, _: maven_modules(text)),
    "compose": Runner(COMPOSE, lambda text, _: compose_services(text)),
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

    @cached_property
    def gemspecs(self) -> dict[str, str]:
        """Maps the directory of each Ruby package to its manifest, such as `shop.gemspec`."""
        return {dirname(p): p for p in self.tree.files if p.endswith(".gemspec")}

    def offer(self, runner: str, path: str) -> Offer:
        """Returns the commands that a manifest and its included files define."""
        if (runner, path) not in self._offers:
            self._offers[runner, path] = self._read(runner, path, _DEPTH, set())
        return self._offers[runner, path]

    def _read(self, runner: str, path: str, depth: int, seen: set[str]) -> Offer:
        text = self.text(path) if depth else None
        if text is None:
            return NOTHING
        found = RUNNERS[runner].parse(text, path)
        if not found.includes:
            return found
        seen.add(path)
        entries, whole = dict(found.entries), found.whole
        patterns, renames, free = [*found.patterns], [*found.renames], [*found.free]
        for include in found.includes[:MOST]:
            paths = self._included_files(runner, path, include.path)
            whole = whole and (bool(paths) or _defines_nothing(include, runner))
            free += [f"{include.prefix}%"] if include.prefix and not paths else []
            for other in paths:
                if other in seen:
                    continue
                more = self._read(runner, other, depth - 1, seen)
                whole = whole and more.whole
                entries.update(_prefixed(include.prefix, more.entries, runner))
                patterns += [include.prefix + p for p in more.patterns]
                renames += more.renames
        return Offer(entries, whole, patterns, free=free, renames=renames)

    def _included_files(self, runner: str, path: str, include: str) -> list[str]:
        """Returns the files that an include statement names. A directory means its manifest."""
        files, here = RUNNERS[runner].files, dirname(path)
        if any(c in include for c in "*?["):
            wanted = normpath(join(here, include))
            near = self.tree.below(dirname(wanted)) if dirname(wanted) else list(self.tree.files)
            return [p for p in near if fnmatchcase(p, wanted) and dirname(p) == dirname(wanted)]
        stem = include.removesuffix(".just")
        guesses = [include, f"{stem}/mod.just"] if runner == "just" else [include]
        guesses += [f"{stem}/{name}" for name in files]
        found = (normpath(join(here, g)) for g in guesses)
        return [p for p in found if not p.startswith("../") and self.tree.has(p)][:1]

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


def _prefixed(prefix: str, entries: Mapping[str, Entry], runner: str) -> dict[str, Entry]:
    """Returns the entries of an included manifest as the including one calls them."""
    found = {prefix + name: Entry(0, entry.body) for name, entry in entries.items()}
    if runner == "task" and "default" in entries:  # `task docs` is `docs:default`
        found.setdefault(prefix.rstrip(":"), Entry(0))
    return found


_OF_DEVELOPER = compiled(r"(?:custom|local|override|private|user)s?\.(?:mk|mak|make)")
"""Matches an optional makefile that a developer may keep beside the shared one."""


def _defines_nothing(include: Include, runner: str) -> bool:
    """Returns whether a missing optional file defines no targets that documents mean. A makefile
    that a build may make is for variables or dependencies (`.env`, `*.d`), or a developer's own. A
    file above the including one may be outside of the repository."""
    name = include.path.rpartition("/")[2]
    plain = name.startswith(".env") or name.endswith((".env", ".d", ".dep"))
    own = plain or _OF_DEVELOPER.fullmatch(include.path) is not None
    inside = runner != "make" and not include.path.startswith(("..", "/", "~"))
    return include.optional and (own or inside)


manifests_of = lru_cache(maxsize=4)(Manifests)

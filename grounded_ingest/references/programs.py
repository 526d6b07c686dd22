"""Finds the programs in a tree and the options that they declare.

Python programs are parsed. The options of other programs are searched in all code files, by
`written_options.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import pairwise
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING

from msgspec import Struct

from grounded_ingest.code.manifest_entries import console_scripts
from grounded_ingest.code.manifest_facts import mapping_at, toml_value
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.references.manifests import MOST, Manifests, manifests_of
from grounded_ingest.references.path_resolution import directories_from, is_outside
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.lexicon import manifest_words
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.code.declared_options import DeclaredOptions
    from grounded_ingest.code.python_programs import CommandTree

SCRIPTS = (".py", ".sh", ".bash")
SOURCES = ("", "src", "lib", "python")
"""Directories of a project in which its packages lie."""
_PARSES = compiled(
    r"\bparse_(?:known_)?args\b"
    rf"|\b(?:import|from) (?:click|typer|{'|'.join(manifest_words.PARSERS.split())})\b"
)
"""Matches a Python file that uses a parser of command lines."""
_OWN_SCRIPT = compiled(r"[a-z\d]+(?:[_-][a-z\d]+)+\.(?:ba)?sh")
"""Matches the name of a shell script that hardly another project has: `run_all_tests.sh`."""
_MODULES, _LARGEST = 400, 512 * 1024
"""Maximum number of modules in a package, and maximum size of a module in bytes, that are read."""


class Program(Struct, frozen=True):
    """A script, a module, or a command that a package installs. `path` is the file or the package's
    manifest. `modules` lists the program's code files. `entry` is the file that runs first.
    `called` is the name that an installed command calls in `entry`."""

    path: str
    modules: tuple[str, ...]
    entry: str = ""
    called: str = ""


class OwnPrograms:
    """Finds the Python programs that one tree itself defines."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.manifests: Manifests = manifests_of(tree)
        self._declared: dict[tuple[str, ...], DeclaredOptions] = {}
        self._commands: dict[Program, CommandTree] = {}

    @cached_property
    def installed(self) -> dict[str, tuple[str, str]]:
        """Maps each command that packages in the tree install to (manifest, entry point)."""
        found: dict[str, tuple[str, str]] = {}
        for path in self.manifests.everywhere(("pyproject.toml",))[:MOST]:
            for name, target in console_scripts(self.manifests.text(path) or "").items():
                found.setdefault(name, (path, target))
        return found

    def command(self, name: str) -> Program | None:
        """Returns the program of an installed command. Returns None if no package in the tree
        installs the command."""
        if name not in self.installed:
            return None
        path, target = self.installed[name]
        module, _, called = target.partition(":")
        modules = self._package(dirname(path), module)
        for source in SOURCES if modules else ():
            root = _directory(dirname(path), source)
            if entry := self._file(join(root, *module.split("."))):
                return Program(path, modules, entry, called)
        return Program(path, modules)

    def script(self, path: str, document: str, directory: str = "") -> Program | None:
        """Returns the program of a Python file or shell script, or None. The path is relative to
        the root, the document or the given directory, or the name of the only such script."""
        places = (join(directory, path), join(dirname(document), directory, path))
        there = [p for p in map(normpath, places) if p.endswith(SCRIPTS) and self.tree.has(p)]
        if not there and _OWN_SCRIPT.fullmatch(path):
            named = self.tree.ending_with(path)
            there = named if len(named) == 1 else []
        if not there:
            return None
        here = dirname(there[0])
        if not there[0].endswith(".py"):
            return Program(there[0], (there[0],))
        in_package = self.tree.has(join(here, "__init__.py"))
        modules = self._below(here) if in_package else (there[0],)
        return Program(there[0], modules, there[0])

    def module(self, name: str, document: str, directory: str = "") -> Program | None:
        """Returns the program that `python -m name` runs, or None. The only such package below
        `src/`, `lib/` or `python/` can be meant in every directory, because users install it."""
        parts = name.split(".")
        installed = self._installed(parts, "__main__.py")
        for root in (*self._roots(document, directory), *installed):
            if entry := self._file(join(root, *name.split("."))):
                top = join(root, name.partition(".")[0])
                modules = self._below(top) if self.tree.is_dir(top) else (entry,)
                return Program(entry, modules, entry)
        return None

    def _installed(self, parts: list[str], file: str) -> list[str]:
        """Returns the directory of the only package of this name and file, if it is `src/`, `lib/`
        or `python/`."""
        found = self.tree.ending_with(f"{'/'.join(parts)}/{file}")
        above = [normpath(join(dirname(found[0]), *[".."] * len(parts)))] if len(found) == 1 else []
        return [root for root in above if basename(root) in SOURCES[1:]]

    def missing_module(
        self, name: str, document: str, directory: str
    ) -> tuple[list[str], str] | None:
        """Returns the possible paths of the module in `python -m name`, most likely first, and the
        directory that should contain it. If the directory is empty, a reference to the module is
        wrong only if a commit removed it. Returns None if another directory of the tree or the
        standard library has the module."""
        parts = name.split(".")
        if parts[0] in sys.stdlib_module_names or self._file_anywhere("/".join(parts)):
            return None
        roots = [*self._roots(document, directory), *self._installed(parts[:1], "__init__.py")]
        stems = [join(root, *parts) for root in roots]
        files = [f"{stem}{end}" for stem in stems for end in (".py", "/__main__.py")]
        return files, self._package_of(parts, roots)

    def _package_of(self, parts: list[str], roots: list[str]) -> str:
        """Returns the directory of the package that should contain a module, or an empty text."""
        tops = (join(root, parts[0]) for root in roots if len(parts) > 1)
        top = next((t for t in tops if self.tree.has(join(t, "__init__.py"))), "")
        package = join(top, *parts[1:-1])
        compiled = (p for p in self.tree.below(package) if p.startswith(f"{package}/{parts[-1]}."))
        # A folder deep in the tree may have the name of another project's package.
        another = dirname(top) not in ("", *SOURCES) and not self.tree.is_dir(package)
        return "" if not top or another or any(compiled) else package

    def _roots(self, document: str, directory: str) -> Iterator[str]:
        found: dict[str, None] = {}
        here = dirname(document)
        for above in (join(here, directory), directory, *directories_from(here)):
            for source in SOURCES:
                root = _directory(above, source)
                if not is_outside(root):
                    found[root] = None
        yield from found

    def _file(self, stem: str) -> str:
        return next((f for f in (f"{stem}.py", f"{stem}/__main__.py") if self.tree.has(f)), "")

    def _file_anywhere(self, stem: str) -> bool:
        return any(map(self.tree.ending_with, (f"{stem}.py", f"{stem}/__main__.py")))

    def _package(self, root: str, module: str) -> tuple[str, ...]:
        top, *rest = module.split(".")
        for source in SOURCES:
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
        """Returns the tree of a program's commands and subcommands."""
        # Imported late: few documents name options of the repository's programs.
        from grounded_ingest.code.python_programs import NO_COMMANDS, command_tree

        if program not in self._commands:
            no_parser = self._has_no_parser(program)
            texts = [t for p in program.modules if (t := self._text(p))]
            self._commands[program] = NO_COMMANDS if no_parser else command_tree(texts)
        return self._commands[program]

    def _has_no_parser(self, program: Program) -> bool:
        """Returns whether the program's first file reads `sys.argv` without a parser, as that of
        `browser-use` does. False if the file imports the function that it calls (`basic-memory`),
        because the parser is then in another file."""
        text = self._text(program.entry) or ""
        own = not program.called or f"def {program.called}(" in text
        return own and "sys.argv[1:]" in text and not _PARSES.search(text)

    def uses_parser(self, program: Program) -> bool:
        """Returns whether a file of the program's package uses a parser of command lines. If none
        does, another package declares the options, as `fastapi_cli` does those of `fastapi`."""
        return any(_PARSES.search(self._text(path) or "") for path in program.modules)

    def reads_itself(self, program: Program, word: str) -> bool:
        """Returns whether a file of the program reads `sys.argv` and contains `word` as a string.
        The program may then accept `word` although its argument parser does not define it."""
        texts = (self._text(path) or "" for path in (program.entry, *program.modules))
        signs = "\"'"
        return any("argv" in t and any(f"{s}{word}{s}" in t for s in signs) for t in texts)

    def _text(self, path: str) -> str | None:
        return text_of(self.tree, path) if self.tree.has(path) else None

    def declares(self, program: Program) -> DeclaredOptions:
        """Returns the options that a program's package declares. Returns no options if the package
        is too large."""
        from grounded_ingest.code.declared_options import NOTHING_DECLARED
        from grounded_ingest.code.python_programs import declared_options
        from grounded_ingest.code.shell_options import script_options

        modules = program.modules
        if program.path.endswith(SCRIPTS[1:]):
            return script_options(self._text(program.path) or "")
        if not modules or len(modules) > _MODULES or self._has_no_parser(program):
            return NOTHING_DECLARED
        if modules not in self._declared:
            texts = (text_of(self.tree, p) for p in modules if self.tree.size(p) <= _LARGEST)
            self._declared[modules] = declared_options([t for t in texts if t is not None])
        return self._declared[modules]


def _directory(*parts: str) -> str:
    path = normpath(join(*parts))
    return "" if path == "." else path


own_programs = lru_cache(maxsize=4)(OwnPrograms)


class CompiledProgram(Struct, frozen=True):
    """A program in another language than Python. `path` is the program's main file or manifest. The
    code lies below `directory`. `language` is `go`, `rust`, `node` or `ruby`."""

    path: str
    directory: str
    language: str


class CompiledPrograms:
    """Finds the Go, Rust, JavaScript and Ruby programs in one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.manifests = tree, manifests_of(tree)

    def command(self, name: str) -> tuple[CompiledProgram, ...]:
        return tuple(self._by_name.get(name, ()))

    def launched(self, words: list[str], directory: str) -> list[str]:
        """Returns the name of the only program that `cargo run --` or `go run ./cmd/shop` can start
        in a directory, as a list. Returns an empty list if there is not one, and the words of other
        commands as they are."""
        if words[:2] == ["go", "run"]:
            place = _directory(directory, words[2])
            found = [name for name, p in self._written_in("go") if place in (p.path, p.directory)]
        elif words[:2] == ["cargo", "run"]:
            found = self._launched_by_cargo(words, directory)
        else:
            return words
        return found if len(found) == 1 else []

    def _launched_by_cargo(self, words: list[str], directory: str) -> list[str]:
        if not {"--example", "--manifest-path"}.isdisjoint(words):
            return []
        chosen = [b for a, b in pairwise(words) if a in ("--bin", "-p", "--package")]
        programs = self._written_in("rust")
        here = [name for name, program in programs if program.directory == directory]
        return chosen or here or [name for name, _ in programs]

    def _written_in(self, language: str) -> list[tuple[str, CompiledProgram]]:
        found = ((name, p) for name, programs in self._by_name.items() for p in programs)
        return [(name, program) for name, program in found if program.language == language]

    @cached_property
    def _by_name(self) -> dict[str, list[CompiledProgram]]:
        found: dict[str, list[CompiledProgram]] = {}
        for name, program in (*self._node(), *self._rust(), *self._go(), *self._ruby()):
            if not is_test_or_sample(program.path):
                found.setdefault(name, []).append(program)
        return found

    def _node(self) -> Iterator[tuple[str, CompiledProgram]]:
        for path in self.manifests.everywhere(("package.json",))[:MOST]:
            for name in self.manifests.package(path).bins:
                yield name, CompiledProgram(path, dirname(path), "node")

    def _rust(self) -> Iterator[tuple[str, CompiledProgram]]:
        for path in self.manifests.everywhere(("Cargo.toml",))[:MOST]:
            read, here = toml_value(self.manifests.text(path) or ""), dirname(path)
            listed = read.get("bin")
            bins = [b.get("name") for b in listed or () if isinstance(b, dict)]
            main = f"{here}/src/main.rs" if here else "src/main.rs"
            if self.tree.has(main):
                bins.append(mapping_at(read, "package").get("name"))
            for name in dict.fromkeys(b for b in bins if isinstance(b, str)):
                yield name, CompiledProgram(path, here, "rust")

    def _go(self) -> Iterator[tuple[str, CompiledProgram]]:
        for path in self.tree.ending_with("main.go"):
            here = dirname(path)
            above, _, name = here.rpartition("/")
            if above.rpartition("/")[2] == "cmd":
                yield name, CompiledProgram(path, here, "go")
            elif not here and (module := _go_program_name(self.manifests.text("go.mod") or "")):
                yield module, CompiledProgram(path, here, "go")

    def _ruby(self) -> Iterator[tuple[str, CompiledProgram]]:
        for home, gemspec in self.manifests.gemspecs.items():
            text = self.manifests.text(gemspec) or ""
            for path in (
                *self.tree.below(_directory(home, "exe")),
                *self.tree.below(_directory(home, "bin")),
            ):
                name = path.rpartition("/")[2]  # `bin/` also has tools of the developers
                if f'"{name}"' in text or f"'{name}'" in text or dirname(path).endswith("exe"):
                    yield name, CompiledProgram(path, home, "ruby")


def _go_program_name(text: str) -> str:
    """Returns the program name that `go install` uses: the last part of the module path."""
    line = next((row for row in text.split("\n") if row.startswith("module ")), "")
    parts = line.removeprefix("module ").strip().split("/")
    versioned = len(parts) > 1 and parts[-1][:1] == "v" and parts[-1][1:].isdigit()
    return parts[-2] if versioned else parts[-1]


compiled_programs = lru_cache(maxsize=4)(CompiledPrograms)

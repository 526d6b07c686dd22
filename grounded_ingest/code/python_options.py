"""Options and subcommands that a Python program declares: argparse, click and typer.

What a program declares is asked of all modules of its package, so that a name is missing only where
nothing in the package could make it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from grounded_ingest.language.lexicon import manifest_words as words
from grounded_ingest.language.patterns import compiled

_OPTION = compiled(r"--?[A-Za-z][\w-]*")
_LIBRARIES = ("argparse", "click", "typer")
_OTHERS = words.PARSERS.split()
_PASSING = words.PASSING.split()
_IMPORTS = compiled(
    rf"(?m)^[ \t]*(?:import|from)[ \t]+[\w., ]*\b(?:{'|'.join((*_LIBRARIES, *_OTHERS))})\b"
)
_SETTINGS_OF_ARGUMENTS = ("cli_parse_args", "CliApp", "CliSettingsSource")


class Declared(NamedTuple):
    """`known`: a library that is understood declares the arguments. `whole`: nothing takes others,
    and no name is computed. `of_commands` are the options that certainly belong to a subcommand."""

    options: frozenset[str]
    commands: frozenset[str]
    of_commands: Mapping[str, frozenset[str]]
    known: bool
    whole: bool

    def confirms(self, option: str, command: str) -> bool:
        """Whether a subcommand has an option, or a program without subcommands."""
        if command in self.commands:
            return option in self.of_commands.get(command, ())
        return not self.commands and option in self.options


NOTHING_DECLARED = Declared(frozenset(), frozenset(), {}, known=False, whole=False)


def declared(texts: Iterable[str]) -> Declared:
    """What the modules of a program declare."""
    options, commands = {"--help", "-h"}, set[str]()
    of_commands: dict[str, set[str]] = {}
    known, whole = False, True
    code = list(filter(_IMPORTS.search, texts))
    for text in code:
        try:
            module = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return NOTHING_DECLARED
        imported = set(_imported(module))
        if not any(word in text for word in _SETTINGS_OF_ARGUMENTS):
            imported.discard("pydantic_settings")  # settings of the environment alone
        if imported & set(_OTHERS):
            whole = False
        if not imported & set(_LIBRARIES):
            continue
        known = True
        whole = whole and not any(word in text for word in _PASSING)
        if "typer" in imported:
            options |= {"--install-completion", "--show-completion"}
        for found, named, sure in _of_module(module):
            options |= found
            commands |= named
            whole = whole and sure
        for name, own in (*_by_parser(module), *_by_function(module)):
            of_commands.setdefault(name, {"--help", "-h"}).update(own)
    if not _has_subcommands(code):
        commands.clear()
    kept = {name: frozenset(own) for name, own in of_commands.items()}
    return Declared(frozenset(options), frozenset(commands), kept, known, whole)


_GROUPS = compiled(r"\bgroup\b|\bGroup\(|\badd_(?:command|typer|parser)\(|\.callback\(")
_COMMANDS = compiled(r"(?m)^[ \t]*@([\w.]+)\.command\b")


def _has_subcommands(texts: Iterable[str]) -> bool:
    """Returns whether the first word behind a program's name is a subcommand.

    `@click.command` alone makes a program without subcommands, whose first word is an argument
    (`python -m tool.score mention`). typer does the same for a single `@app.command`."""
    joined = "\n".join(texts)
    owners = [owner for owner in _COMMANDS.findall(joined) if owner not in ("click", "rich_click")]
    return bool(_GROUPS.search(joined)) or len(owners) > 1


def _imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


_Found = tuple[set[str], set[str], bool]
"""Options, commands, and whether all of it could be read."""


def _of_module(module: ast.Module) -> Iterator[_Found]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            yield from _of_call(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _of_function(node)


def _by_parser(module: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """argparse: the options added to a variable that holds the parser of a subcommand."""
    held: dict[str, str] = {}
    nodes = [n for n in ast.walk(module) if isinstance(n, ast.Assign | ast.Call)]
    for node in sorted(nodes, key=lambda n: (n.lineno, isinstance(n, ast.Call))):
        if isinstance(node, ast.Assign):
            call, target = node.value, node.targets[0]
            if isinstance(target, ast.Name):
                held.pop(target.id, None)
                first = call.args[0] if isinstance(call, ast.Call) and call.args else None
                if last_name(call) == "add_parser" and isinstance(first, ast.Constant):
                    held[target.id] = str(first.value)
        elif last_name(node) == "add_argument" and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id in held:
                yield held[owner.id], _names_of_option(node, "add_argument")[0]


def _by_function(module: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """click and typer: the options of a function that is a command."""
    for node in ast.walk(module):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        names = {n for _, named, _ in _of_function(node) for n in named}
        calls = [c for c in ast.walk(node) if isinstance(c, ast.Call)] if names else []
        own = {
            o
            for c in calls
            if last_name(c) in ("option", "Option")
            for o in _names_of_option(c, "")[0]
        }
        yield from ((name, own) for name in names)


def last_name(node: ast.AST) -> str:
    """The last name of what is called."""
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def _of_call(node: ast.Call) -> Iterator[_Found]:
    name = last_name(node)
    if name in ("add_argument", "option", "Option"):
        yield _names_of_option(node, name)
    elif name == "add_parser":
        yield _names_of_parser(node)
    elif name in ("add_typer", "add_command"):
        given = next((k.value for k in node.keywords if k.arg == "name"), None)
        given = given or (node.args[1] if len(node.args) > 1 else None)
        named = {str(given.value)} if isinstance(given, ast.Constant) else set[str]()
        yield set(), named, bool(named)
    elif name == "version_option":
        yield {"--version"}, set(), True
    elif name == "ArgumentParser":
        apart = ("parents", "prefix_chars", None)
        yield set(), set(), not any(k.arg in apart for k in node.keywords)


def _names_of_parser(node: ast.Call) -> _Found:
    first = node.args[0] if node.args else None
    if not isinstance(first, ast.Constant):
        return set(), set(), False
    aliases = next((k.value for k in node.keywords if k.arg == "aliases"), first)
    named = {str(c.value) for c in ast.walk(aliases) if isinstance(c, ast.Constant)}
    return set(), {str(first.value), *named}, True


def _names_of_option(node: ast.Call, name: str) -> _Found:
    given = [a.value for a in node.args if isinstance(a, ast.Constant)]
    written = [value for value in given if isinstance(value, str)]
    parts = " ".join(written).replace("/", " ").split()
    options = {part for part in parts if _OPTION.fullmatch(part)}
    if any(k.arg == "action" and "BooleanOptional" in ast.unparse(k.value) for k in node.keywords):
        options |= {f"--no-{o[2:]}" for o in options if o.startswith("--")}
    return options, set(), not _is_computed(node, name, written)


def _is_computed(node: ast.Call, name: str, written: list[str]) -> bool:
    """Whether names are made when the program runs; typer's `Option` takes a default first."""
    if any(isinstance(a, ast.Starred) for a in node.args):
        return True
    return name != "Option" and bool(node.args) and not written


def _of_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_Found]:
    """A function that is a command: its name, and typer's options by its parameters."""
    for decorator in node.decorator_list:
        if last_name(decorator) in ("command", "group", "callback"):
            given = given_names(decorator)
            constant = next((g for g in given if isinstance(g, ast.Constant)), None)
            names = {str(constant.value)} if constant else default_names(node.name)
            yield set(_parameters(node)), names, constant is not None or not given


def given_names(decorator: ast.expr) -> list[ast.expr]:
    """What a decorator gives for a name."""
    if not isinstance(decorator, ast.Call):
        return []
    return [*decorator.args[:1], *(k.value for k in decorator.keywords if k.arg == "name")]


def default_names(function: str) -> set[str]:
    """The names that click and typer give the command of a function."""
    plain = function.replace("_", "-")
    ends = ("command", "cmd", "group", "grp")
    return {function, plain, *(plain.removesuffix(f"-{end}") for end in ends)}


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        name = argument.arg.replace("_", "-")
        yield from (f"--{name}", f"--no-{name}")


def has_option(found: Declared, option: str) -> bool:
    """Whether an option is declared, or the beginning of one, which argparse takes for it."""
    return option in found.options or any(o.startswith(option) for o in found.options)

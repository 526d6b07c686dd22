"""Finds the options and subcommands that a Python program declares with argparse, click or typer.

All modules in the program's package are read together. A name counts as missing only if no code in
the package could create it. A group of commands is identified by its variable or function name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled

_OPTION = compiled(r"--?[A-Za-z][\w-]*")
_LIBRARIES = frozenset(("argparse", "click", "typer"))
_OTHERS = frozenset(words.PARSERS.split())
_PASSING = words.PASSING.split()
_IMPORTS = compiled(
    rf"(?m)^[ \t]*(?:import|from)[ \t]+[\w., ]*\b(?:{'|'.join(sorted(_LIBRARIES | _OTHERS))})\b"
    r"|\.add_argument\("
)
_SETTINGS_OF_ARGUMENTS = ("cli_parse_args", "CliApp", "CliSettingsSource")
_HELP = frozenset(("--help", "-h"))

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _module(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class DeclaredOptions(NamedTuple):
    """The options and subcommands that a Python program declares.

    `known` is true if the program uses argparse, click or typer. `whole` is true if no other
    library parses arguments and no name is computed. `of_commands` maps a subcommand to the options
    that certainly belong to the subcommand."""

    options: frozenset[str]
    commands: frozenset[str]
    of_commands: Mapping[str, frozenset[str]]
    known: bool
    whole: bool

    def confirms(self, option: str, command: str) -> bool:
        """Returns whether a subcommand certainly has an option.

        In a program without subcommands, the option must be declared by the program."""
        if command in self.commands:
            return option in self.of_commands.get(command, ())
        return not self.commands and option in self.options

    def may_have(self, option: str) -> bool:
        """Returns whether a declared option begins with `option`.

        A prefix counts, because argparse accepts `--verb` for `--verbose`."""
        return any(o.startswith(option) for o in self.options)


NOTHING_DECLARED = DeclaredOptions(frozenset(), frozenset(), {}, known=False, whole=False)


def declared_options(texts: Iterable[str]) -> DeclaredOptions:
    """Returns the options and subcommands that the modules of a program declare."""
    options, commands = set(_HELP), set[str]()
    of_commands: dict[str, set[str]] = {}
    known, whole = False, True
    code = list(filter(_IMPORTS.search, texts))
    for text in code:
        module = _module(text)
        if module is None:
            return NOTHING_DECLARED
        nodes = list(ast.walk(module))
        imported = set(_imported(nodes))
        if not any(word in text for word in _SETTINGS_OF_ARGUMENTS):
            imported.discard("pydantic_settings")  # the settings come from the environment only
        whole = whole and not imported & _OTHERS
        if not _may_declare(imported, text):
            continue
        known = True
        whole = whole and not any(word in text for word in _PASSING)
        if "typer" in imported:
            options |= {"--install-completion", "--show-completion"}
        for found in _declarations(nodes):
            options |= found.options
            commands |= found.commands
            whole = whole and found.complete
        for name, own in (*_argparse_commands(nodes), *_decorated_commands(nodes)):
            of_commands.setdefault(name, set(_HELP)).update(own)
    if not _has_subcommands(code):
        commands.clear()
    by_command = {name: frozenset(own) for name, own in of_commands.items()}
    return DeclaredOptions(frozenset(options), frozenset(commands), by_command, known, whole)


def _may_declare(imported: set[str], text: str) -> bool:
    return bool(imported & _LIBRARIES) or ".add_argument(" in text


_GROUPS = compiled(r"@(?:[\w.]+\.)?group\b|\bGroup\(|\badd_(?:command|typer|parser)\(|\.callback\(")
_COMMANDS = compiled(r"(?m)^[ \t]*@([\w.]+)\.command\b")


def _has_subcommands(texts: Iterable[str]) -> bool:
    """Returns whether the first word after a program's name is a subcommand.

    A program with a single `@click.command` has no subcommands; its first word is an argument
    (`python -m benchmarks.score mention`). typer does the same for a single `@app.command`."""
    joined = "\n".join(texts)
    owners = [owner for owner in _COMMANDS.findall(joined) if owner not in ("click", "rich_click")]
    return bool(_GROUPS.search(joined)) or len(owners) > 1


def _imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


class _Declaration(NamedTuple):
    """The options and commands that a call or function declares.

    `complete` is true if the source code shows all names, so that no name is computed."""

    options: set[str] = set()  # noqa: RUF012  never changed
    commands: set[str] = set()  # noqa: RUF012
    complete: bool = True


def _declarations(nodes: Iterable[ast.AST]) -> Iterator[_Declaration]:
    for node in nodes:
        if isinstance(node, ast.Call):
            yield _call_declaration(node)
        elif isinstance(node, _Function):
            yield from _function_declarations(node)


def _call_declaration(node: ast.Call) -> _Declaration:
    name = _called_name(node)
    if name in ("add_argument", "option", "Option"):
        return _option_declaration(node, name)
    if name == "add_parser":
        return _parser_declaration(node)
    if name in ("add_typer", "add_command"):
        given = next((k.value for k in node.keywords if k.arg == "name"), None)
        given = given or (node.args[1] if len(node.args) > 1 else None)
        names = {str(given.value)} if isinstance(given, ast.Constant) else set[str]()
        return _Declaration(commands=names, complete=bool(names))
    if name == "version_option":
        return _Declaration({"--version"})
    if name == "ArgumentParser":
        apart = ("parents", "prefix_chars", None)
        return _Declaration(complete=not any(k.arg in apart for k in node.keywords))
    return _Declaration()


def _parser_declaration(node: ast.Call) -> _Declaration:
    first = node.args[0] if node.args else None
    if not isinstance(first, ast.Constant):
        return _Declaration(complete=False)
    aliases = next((k.value for k in node.keywords if k.arg == "aliases"), first)
    names = {str(c.value) for c in ast.walk(aliases) if isinstance(c, ast.Constant)}
    return _Declaration(commands={str(first.value), *names})


def _option_declaration(node: ast.Call, name: str) -> _Declaration:
    constants = [a.value for a in node.args if isinstance(a, ast.Constant)]
    written = [value for value in constants if isinstance(value, str)]
    parts = " ".join(written).replace("/", " ").split()
    options = {part for part in parts if _OPTION.fullmatch(part)}
    if any(k.arg == "action" and "BooleanOptional" in ast.unparse(k.value) for k in node.keywords):
        options |= {f"--no-{o[2:]}" for o in options if o.startswith("--")}
    return _Declaration(options, complete=not _is_computed(node, name, written))


def _is_computed(node: ast.Call, name: str, written: list[str]) -> bool:
    """Returns whether a call computes option names at run time.

    For typer's `Option`, the first argument is a default value and not a name."""
    if any(isinstance(a, ast.Starred) for a in node.args):
        return True
    return name != "Option" and bool(node.args) and not written


def _function_declarations(node: _Function) -> Iterator[_Declaration]:
    """Yields the command name of a decorated function, and the options from its parameters.

    typer makes the options `--name` and `--no-name` from a parameter `name`."""
    for decorator in node.decorator_list:
        if _called_name(decorator) in ("command", "group", "callback"):
            given = _name_arguments(decorator)
            constant = next((g for g in given if isinstance(g, ast.Constant)), None)
            names = {str(constant.value)} if constant else _default_names(node.name)
            yield _Declaration(set(_parameters(node)), names, constant is not None or not given)


def _parameters(node: _Function) -> Iterator[str]:
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        name = argument.arg.replace("_", "-")
        yield from (f"--{name}", f"--no-{name}")


def _argparse_commands(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, set[str]]]:
    parsers: dict[str, str] = {}
    some = [n for n in nodes if isinstance(n, ast.Assign | ast.Call)]
    for node in sorted(some, key=lambda n: (n.lineno, isinstance(n, ast.Call))):
        if isinstance(node, ast.Assign):
            call, target = node.value, node.targets[0]
            if isinstance(target, ast.Name):
                parsers.pop(target.id, None)
                first = call.args[0] if isinstance(call, ast.Call) and call.args else None
                if _called_name(call) == "add_parser" and isinstance(first, ast.Constant):
                    parsers[target.id] = str(first.value)
        elif _called_name(node) == "add_argument" and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id in parsers:
                yield parsers[owner.id], _option_declaration(node, "add_argument").options


def _decorated_commands(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, set[str]]]:
    for node in nodes:
        if not isinstance(node, _Function):
            continue
        names = {n for found in _function_declarations(node) for n in found.commands}
        calls = [c for c in ast.walk(node) if isinstance(c, ast.Call)] if names else []
        options = [c for c in calls if _called_name(c) in ("option", "Option")]
        own = {o for call in options for o in _option_declaration(call, "").options}
        yield from ((name, own) for name in names)


def _called_name(node: ast.AST) -> str:
    """Returns the last part of a called name: `b` for the call `a.b()` or the node `a.b`."""
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def _name_arguments(decorator: ast.expr) -> list[ast.expr]:
    if not isinstance(decorator, ast.Call):
        return []
    return [*decorator.args[:1], *(k.value for k in decorator.keywords if k.arg == "name")]


def _default_names(function: str) -> set[str]:
    plain = function.replace("_", "-")
    ends = ("command", "cmd", "group", "grp")
    return {function, plain, *(plain.removesuffix(f"-{end}") for end in ends)}


class CommandTree(NamedTuple):
    """The groups of a click or typer program with their commands.

    `groups` maps the variable of a group to the names in the group. A name maps to the variable of
    a subgroup, or to an empty string if the name is a command. `computed` lists the groups whose
    names are computed at run time."""

    groups: dict[str, dict[str, str]]
    computed: frozenset[str]

    def missing(self, words: Sequence[str]) -> tuple[int, frozenset[str]] | None:
        """Returns the index of the first unknown word in a chain of subcommands, and the names that
        exist at this point. Returns None if all words are known, or if a group may have names that
        the source code does not show."""
        below = {v for names in self.groups.values() for v in names.values()}
        at = {group for group in self.groups if group not in below}
        for number, word in enumerate(words):
            names = {n: v for group in at for n, v in self.groups[group].items()}
            if at & self.computed or not names:
                return None
            if word not in names:
                return number, frozenset(names)
            at = {self.groups[g][word] for g in at if word in self.groups[g]}
            if "" in at or not at <= self.groups.keys():
                return None
        return None

    def chains_to(self, word: str) -> list[str]:
        """Returns the chains of subcommands that end with `word`, in the order of their
        definitions."""
        below = {v for names in self.groups.values() for v in names.values()}
        pending = [(group, "") for group in self.groups if group not in below]
        found = []
        for group, before in pending:  # the list grows in the loop
            for name, child in self.groups[group].items():
                chain = f"{before} {name}".strip()
                if name == word:
                    found.append(chain)
                if child in self.groups and chain.count(" ") < _DEEPEST:
                    pending.append((child, chain))
        return found


_DEEPEST = 4
"""Maximum number of subcommands in a chain, because groups may contain each other."""
NO_COMMANDS = CommandTree({}, frozenset())
_MAKES_GROUPS = compiled(
    r"(?m)^[ \t]*(?:import|from)[ \t]+[\w., ]*\b(?:click|typer|rich_click|asyncclick)\b"
    r"|\.(?:add_typer|add_command)\("
)
_COMPUTING = (
    "list_commands", "get_command", "cls=", "MultiCommand", "CommandCollection", "entry_points",
)  # fmt: skip


class _Addition(NamedTuple):
    """A statement that adds a command or subgroup to `group`.

    `child` is the function or variable of the command or subgroup, and `names` are the names by
    which it is called."""

    group: str
    names: frozenset[str]
    child: str


def command_tree(texts: Iterable[str]) -> CommandTree:
    """Returns the command groups that the modules of a program declare.

    Returns an empty tree if a module computes commands at run time or cannot be parsed."""
    additions: list[_Addition] = []
    names: dict[str, set[str]] = {}
    groups: set[str] = set()
    for text in texts:
        if not _MAKES_GROUPS.search(text):
            continue
        module = None if any(word in text for word in _COMPUTING) else _module(text)
        if module is None:
            return NO_COMMANDS
        for node in ast.walk(module):
            additions += _additions(node, names, groups)
    tree: dict[str, dict[str, str]] = {group: {} for group in groups}
    computed = set()
    for one in additions:
        below = one.child if one.child in groups else ""
        own = one.names or names.get(one.child, set())
        if not own:
            computed.add(one.group)
        tree.setdefault(one.group, {}).update(dict.fromkeys(own, below))
    return CommandTree(tree, frozenset(computed))


def _additions(node: ast.AST, names: dict[str, set[str]], groups: set[str]) -> Iterator[_Addition]:
    """Yields the commands and subgroups that a syntax node adds to groups.

    Also adds new groups to the set `groups`, and their command names to the mapping `names`."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
        if _called_name(node.value) in ("Typer", "Group"):
            for target in node.targets:
                groups.add(_called_name(target))
                names.setdefault(_called_name(target), set()).update(_literal_names(node.value))
    elif isinstance(node, ast.Call) and _called_name(node) in ("add_typer", "add_command"):
        if node.args and isinstance(node.func, ast.Attribute):
            own = _literal_names(ast.Call(node.func, node.args[1:], node.keywords))
            group, child = _called_name(node.func.value), _called_name(node.args[0])
            yield _Addition(group, frozenset(own), child)
    elif isinstance(node, _Function):
        for decorator in node.decorator_list:
            if _called_name(decorator) == "group":
                groups.add(node.name)
            if _called_name(decorator) in ("command", "group"):
                yield from _decorator_addition(node.name, decorator, names)


def _decorator_addition(
    function: str, decorator: ast.expr, names: dict[str, set[str]]
) -> Iterator[_Addition]:
    own = _literal_names(decorator)
    if not own and not _name_arguments(decorator):
        own = _default_names(function)
    names.setdefault(function, set()).update(own)
    func = decorator.func if isinstance(decorator, ast.Call) else decorator
    group = _called_name(func.value) if isinstance(func, ast.Attribute) else ""
    if group not in ("", "click", "typer", "rich_click"):
        yield _Addition(group, frozenset(own), function)


def _literal_names(node: ast.expr) -> set[str]:
    constants = (n.value for n in _name_arguments(node) if isinstance(n, ast.Constant))
    return {str(value) for value in constants if value}

"""Finds the options and subcommands that a Python program declares with argparse, click or typer.

All modules in the program's package are read together. A name counts as missing only if no code in
the package could create it. A group of commands is identified by its variable or function name."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from grounded_ingest.code.declared_options import NOTHING_DECLARED, Declarations, DeclaredOptions
from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled

_OPTION = compiled(r"--?[A-Za-z][\w-]*")
_LIBRARIES = frozenset(("argparse", "click", "typer"))
_OTHERS = frozenset(words.PARSERS.split())
_PASSING = frozenset(words.PASSING.split())
_IMPORTS = compiled(
    rf"(?m)^[ \t]*(?:import|from)[ \t]+[\w., ]*\b(?:{'|'.join(sorted(_LIBRARIES | _OTHERS))})\b"
    r"|\.add_(?:argument|parser)\("
)
_SETTINGS_OF_ARGUMENTS = ("cli_parse_args", "CliApp", "CliSettingsSource")

_SHARED = ("option", "argument", "version_option")
"""Functions of click whose result several commands may share as a decorator."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _module(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def declared_options(texts: Iterable[str]) -> DeclaredOptions:
    """Returns the options and subcommands that the modules of a program declare."""
    code = list(filter(_IMPORTS.search, texts))
    modules = [_module(text) for text in code]
    walked = [list(ast.walk(module)) for module in modules if module is not None]
    if len(walked) < len(code):
        return NOTHING_DECLARED
    own = {name for nodes in walked for node in nodes for name in _defined(node)}
    reader = _OptionReader(own, typed=any("typer" in text for text in code))
    for text, nodes in zip(code, walked, strict=True):
        try:
            reader.read_module(text, nodes)
        except RecursionError:
            return NOTHING_DECLARED
    if not _has_subcommands(code):
        reader.found.commands.clear()
    return reader.found.result()._replace(named=reader.named)


def _defined(node: ast.AST) -> Iterator[str]:
    """Yields the name of a function or class, and of a variable in `color = click.option(…)`."""
    if isinstance(node, _Function | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign) and _called_name(node.value) in _SHARED:
        yield from map(_dotted, node.targets)


def _names_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yields the names and the short strings in code, and keyword arguments with their `=`."""
    for node in nodes:
        match node:
            case ast.Name(id=name) | ast.alias(name=name) | ast.Constant(value=str(name)):
                yield name
            case ast.Attribute(attr=name):
                yield from (name, _dotted(node))
            case ast.keyword(arg=str(name)):
                yield from (name, f"{name}=")
            case _:
                pass


def _passed_arguments(node: ast.AST) -> Iterator[ast.AST]:
    """Yields each `sys.argv` that the parser itself gets, as in `parse_args(sys.argv[1:])`, or that
    is the program's own name, as in `sys.argv[0]`. Any other function may change the arguments."""
    places: list[ast.expr] = []
    if isinstance(node, ast.Call) and _called_name(node) == "parse_args":
        places = [a.value if isinstance(a, ast.Subscript) else a for a in node.args]
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        places = [node.value] if getattr(node.slice, "value", None) == 0 else []
    yield from (place for place in places if _dotted(place) == "sys.argv")


def _dotted(node: ast.AST) -> str:
    """Returns a name with its attributes, such as `self.parser`, or an empty string."""
    if isinstance(node, ast.Attribute):
        owner = _dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return node.id if isinstance(node, ast.Name) else ""


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


_Owners = frozenset[str]
_MOST_PARSERS = 200
"""Maximum number of variables with a parser in one place, because each branch copies them."""
_HARMLESS = frozenset(words.HARMLESS_DECORATORS.split())


class _OptionReader(ast.NodeVisitor):
    """Collects the options of the modules of a program.

    `functions` lists the functions and classes of the program. `typed` is true if it uses typer,
    which makes a `--no-name` for a parameter `name`. `parsers` maps a variable of the
    function that is being read to the subcommands whose parser it is. An option that is added to
    any other parser counts for every command. A parser that is passed to another package may get
    options there. `groups` are the variables with a group of subparsers. `named` is false if the
    name of a command is computed, or if another package gets a group of subparsers."""

    def __init__(self, functions: set[str], *, typed: bool) -> None:
        self.functions, self.found, self.named = functions, Declarations(), True
        self.typed = typed
        self.parsers: dict[str, _Owners] = {}
        self.groups: set[str] = set()

    def read_module(self, text: str, nodes: list[ast.AST]) -> None:
        """Reads a module, given its text and all its nodes."""
        found, imported = self.found, set(_imported(nodes))
        if not any(word in text for word in _SETTINGS_OF_ARGUMENTS):
            imported.discard("pydantic_settings")  # the settings come from the environment only
        found.whole = found.whole and not imported & _OTHERS
        declares = ".add_argument(" in text or ".add_parser(" in text
        if not declares and imported.isdisjoint(_LIBRARIES):
            return
        found.known = True
        passed = {id(one) for node in nodes for one in _passed_arguments(node)}
        names = _names_in(n for n in nodes if id(n) not in passed)
        found.whole = found.whole and _PASSING.isdisjoint(names)
        if "typer" in imported:
            found.add(("--install-completion", "--show-completion"), ())
        self.parsers = {}
        self.visit(nodes[0])

    def visit_FunctionDef(self, node: _Function) -> None:
        before = self.parsers
        arguments = {n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)}
        self.parsers = {name: own for name, own in before.items() if name not in arguments}
        self._read_decorators(node)
        for statement in node.body:
            self.visit(statement)
        self.parsers = before

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def _read_decorators(self, node: _Function) -> None:
        kinds = {_called_name(decorator) for decorator in node.decorator_list}
        names = {name for d in node.decorator_list for name in self._decorated(node, d)}
        owners = frozenset(names) if "command" in kinds and "callback" not in kinds else frozenset()
        calls = [n for part in (*node.decorator_list, node.args) for n in ast.walk(part)]
        for call in calls:
            if isinstance(call, ast.Call):
                self._read_call(call, owners, frozenset(names))
        foreign = kinds - _HARMLESS - self.functions
        if kinds & {"command", "group", "callback"}:
            self.found.add(_parameters(node, negated=self.typed or bool(foreign)), owners)
        if owners and foreign:
            self.found.may_have_more(owners)

    def _decorated(self, node: _Function, decorator: ast.expr) -> Iterator[str]:
        """Yields the names of the command that a decorator makes of a function."""
        if _called_name(decorator) in ("command", "group", "callback"):
            given = _name_arguments(decorator)
            constant = next((g for g in given if isinstance(g, ast.Constant)), None)
            names = {str(constant.value)} if constant else _default_names(node.name)
            self.named = self.named and (constant is not None or not given)
            self.found.commands |= names
            yield from names

    def visit_If(self, node: ast.If) -> None:
        """Reads both branches. After them, a variable may be the parser of either."""
        self.visit(node.test)
        before, after = self.parsers, dict[str, _Owners]()
        for branch in (node.body, node.orelse):
            self.parsers = dict(before)
            for statement in branch:
                self.visit(statement)
            for name, owners in self.parsers.items():
                after[name] = after.get(name, frozenset()) | owners
        self.parsers = after

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        owners = self._owners_of(node.value)
        if _called_name(node.value) == "add_subparsers":
            self.groups.update(map(_dotted, node.targets))
        for target in node.targets:
            self.parsers.pop(_dotted(target), None)
            if owners and _dotted(target) and len(self.parsers) < _MOST_PARSERS:
                self.parsers[_dotted(target)] = owners

    def visit_Call(self, node: ast.Call) -> None:
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        owners = self._owners_of(owner) if owner is not None else frozenset()
        self._read_call(node, owners, owners)
        given = (*node.args, *(k.value for k in node.keywords))
        passed = frozenset[str]().union(*map(self._owners_of, given))
        if _called_name(node.func) in ("command", "group") and isinstance(node.func, ast.Call):
            self.found.may_have_more(())  # the options are parameters of a function elsewhere
        if _called_name(node) not in self.functions:
            if passed:
                self.found.may_have_more(passed)
            self.named = self.named and not any(map(self._is_group, given))
        self.generic_visit(node)

    def _is_group(self, node: ast.expr) -> bool:
        called = isinstance(node, ast.Call) and _called_name(node) == "add_subparsers"
        return called or _dotted(node) in self.groups

    def _owners_of(self, node: ast.expr) -> _Owners:
        """Returns the subcommands whose parser an expression is. Returns an empty set if the parser
        is not known."""
        name = _called_name(node) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and name == "add_parser":
            return frozenset(_parser_names(node))
        if name in ("add_argument_group", "add_mutually_exclusive_group"):
            return self._owners_of(getattr(getattr(node, "func", node), "value", node))
        return self.parsers.get(_dotted(node), frozenset())

    def _read_call(self, node: ast.Call, owners: _Owners, certain: _Owners) -> None:
        """Reads a call that may declare an option or a command. `certain` are the commands that
        certainly have the option."""
        name, found = _called_name(node), self.found
        if name in ("add_argument", "option", "Option"):
            options, complete = _option_names(node, name)
            found.add(options, owners, certain)
            found.limit(options, _choices(node))
            # `nargs=argparse.REMAINDER` accepts the options of another program.
            if not complete or any("REMAINDER" in _dotted(k.value) for k in node.keywords):
                found.may_have_more(owners)
        elif name == "version_option":
            found.add(("--version",), owners)
        elif name in ("add_parser", "add_typer", "add_command"):
            names = _parser_names(node) if name == "add_parser" else _added_names(node)
            found.commands |= names
            self.named = self.named and bool(names)
        if name in ("add_parser", "ArgumentParser"):
            self._read_settings(node, name)

    def _read_settings(self, node: ast.Call, name: str) -> None:
        """Reads the settings of a new parser that give it options. The options of a parent that is
        no subcommand count for every command already."""
        parents = [n for k in node.keywords if k.arg == "parents" for n in ast.walk(k.value)]
        if name == "add_parser":
            if any(self.parsers.get(_dotted(parent)) for parent in parents):
                self.found.may_have_more(_parser_names(node))
        elif parents or any(k.arg == "prefix_chars" for k in node.keywords):
            self.found.may_have_more(())


def _added_names(node: ast.Call) -> set[str]:
    """Returns the name that `add_typer` or `add_command` gives, or an empty set."""
    given = next((k.value for k in node.keywords if k.arg == "name"), None)
    given = given or (node.args[1] if len(node.args) > 1 else None)
    return {str(given.value)} if isinstance(given, ast.Constant) else set()


def _parser_names(node: ast.Call) -> set[str]:
    """Returns the name and the aliases of a subcommand, or an empty set if the name is computed."""
    first = node.args[0] if node.args else None
    if not isinstance(first, ast.Constant):
        return set()
    aliases = next((k.value for k in node.keywords if k.arg == "aliases"), first)
    names = {str(c.value) for c in ast.walk(aliases) if isinstance(c, ast.Constant)}
    return {str(first.value), *names}


def _option_names(node: ast.Call, name: str) -> tuple[set[str], bool]:
    """Returns the options that a call declares, and whether the code shows all their names."""
    constants = [a.value for a in node.args if isinstance(a, ast.Constant)]
    written = [value for value in constants if isinstance(value, str)]
    parts = " ".join(written).replace("/", " ").split()
    options = {part for part in parts if _OPTION.fullmatch(part)}
    if any(k.arg == "action" and "BooleanOptional" in ast.unparse(k.value) for k in node.keywords):
        options |= {f"--no-{o[2:]}" for o in options if o.startswith("--")}
    return options, not _is_computed(node, name, written)


_PLAIN_TYPES = ("str", "int", "str.lower", "str.upper")
"""Types that leave a value as it is written, apart from its case."""


def _choices(node: ast.Call) -> Iterator[str]:
    """Yields the values in `choices=["a", "b"]` or `type=click.Choice(["a", "b"])`, in lower case.
    Yields nothing if one of them is computed, if a function converts the value first, or if the
    value may be missing."""
    given = {k.arg: k.value for k in node.keywords}
    kind, listed = given.get("type"), given.get("choices")
    if isinstance(kind, ast.Call) and _called_name(kind) == "Choice" and kind.args:
        listed = kind.args[0]
    elif "nargs" in given or (kind is not None and _dotted(kind) not in _PLAIN_TYPES):
        return
    items = listed.elts if isinstance(listed, ast.List | ast.Tuple | ast.Set) else ()
    if all(isinstance(item, ast.Constant) for item in items):
        yield from (str(ast.literal_eval(item)).lower() for item in items)


def _is_computed(node: ast.Call, name: str, written: list[str]) -> bool:
    """Returns whether a call computes option names at run time.

    For typer's `Option`, the first argument is a default value and not a name."""
    if any(isinstance(a, ast.Starred) for a in node.args):
        return True
    return name != "Option" and bool(node.args) and not written


def _parameters(node: _Function, *, negated: bool) -> Iterator[str]:
    """Yields the options that a function's parameters name: `--name`, and also `--no-name`, which
    typer and decorators of other packages may make."""
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        name = argument.arg.replace("_", "-")
        yield f"--{name}"
        if negated:
            yield f"--no-{name}"


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
    names are computed at run time. `free` maps the names of groups that no group adds to their
    variables: a program whose names are computed may add them."""

    groups: dict[str, dict[str, str]]
    computed: frozenset[str]
    free: Mapping[str, str] = MappingProxyType({})

    @property
    def _outermost(self) -> set[str]:
        return self.groups.keys() - {v for names in self.groups.values() for v in names.values()}

    def missing(self, words: Sequence[str]) -> tuple[int, frozenset[str]] | None:
        """Returns the index of the first unknown word in a chain of subcommands, and the names that
        exist at this point. Returns None if all words are known, or if a group may have names that
        the source code does not show."""
        at = self._outermost
        added = {self.free[w] for w in words[:1] if at & self.computed and w in self.free}
        at = added or at
        for number, word in enumerate(words[bool(added) :], bool(added)):
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
        """Returns the chains of subcommands that end with `word`: groups by name, and commands in
        the order of their definitions."""
        called = {group: name for name, group in self.free.items()} if self.computed else {}
        pending = [(g, called.get(g, "")) for g in self.groups if g in self._outermost]
        found: list[str] = []
        for group, before in pending:  # the list grows in the loop
            for name, child in self.groups[group].items():
                chain = f"{before} {name}".strip()
                if name == word:
                    found.append(chain)
                if child in self.groups and chain.count(" ") < _DEEPEST:
                    pending.append((child, chain))
        return [*dict.fromkeys(found)]


_DEEPEST = 4
"""Maximum number of subcommands in a chain, because groups may contain each other."""
NO_COMMANDS = CommandTree({}, frozenset())
_MAKES_GROUPS = compiled(
    r"(?m)^[ \t]*(?:import|from)[ \t]+[\w., ]*\b(?:click|typer|rich_click|asyncclick)\b"
    r"|\.(?:add_typer|add_command)\("
)
_COMPUTING = (
    "def list_commands", "def get_command", "cls=", "MultiCommand", "CommandCollection",
    "entry_points",
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
    for text in filter(_MAKES_GROUPS.search, texts):
        module = None if any(word in text for word in _COMPUTING) else _module(text)
        if module is None:
            return NO_COMMANDS
        for node in ast.walk(module):
            additions += _additions(node, names, groups)
    tree: dict[str, dict[str, str]] = {group: {} for group in sorted(groups)}
    computed = set()
    for one in additions:
        below = one.child if one.child in groups else ""
        own = one.names or names.get(one.child, set())
        if not own:
            computed.add(one.group)
        tree.setdefault(one.group, {}).update(dict.fromkeys(sorted(own), below))
    added = {child for commands in tree.values() for child in commands.values()}
    loose = sorted(tree.keys() - added)
    free = {name: group for group in loose for name in names.get(group, ())}
    return CommandTree(tree, frozenset(computed), free)


def _additions(node: ast.AST, names: dict[str, set[str]], groups: set[str]) -> Iterator[_Addition]:
    """Yields the commands and subgroups that a syntax node adds to groups.

    Also adds new groups to the set `groups`, and their command names to the mapping `names`."""
    match node:
        case ast.Assign(targets=targets, value=ast.Call() as made):
            for target in targets if _called_name(made) in ("Typer", "Group") else ():
                groups.add(_called_name(target))
                names.setdefault(_called_name(target), set()).update(_literal_names(made))
        case ast.Call(
            func=ast.Attribute(value=group, attr="add_typer" | "add_command"), args=[child, *rest]
        ):
            own = _literal_names(ast.Call(node.func, rest, node.keywords))
            yield _Addition(_called_name(group), frozenset(own), _called_name(child))
        case _:
            pass
    for function, decorator in _decorators(node):
        if _called_name(decorator) == "group":
            groups.add(function)
        if _called_name(decorator) in ("command", "group"):
            yield from _decorator_addition(function, decorator, names)


def _decorators(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yields the name of a function with each decorator, also in `app.command("x")(function)`."""
    if isinstance(node, _Function):
        yield from ((node.name, decorator) for decorator in node.decorator_list)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and node.args:
        yield _called_name(node.args[0]), node.func


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
        is_group = _called_name(decorator) == "group"
        yield _Addition(group, frozenset(own), function if is_group else "")


def _literal_names(node: ast.expr) -> set[str]:
    constants = (n.value for n in _name_arguments(node) if isinstance(n, ast.Constant))
    return {str(value) for value in constants if value}

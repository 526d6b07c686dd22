"""Finds the subcommands that a Python program declares with argparse.

The reader follows parsers and subparsers through variables, and through the functions of the
package that receive them. If a parser is passed anywhere else, the parser's commands count as
unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from posixpath import dirname, join
from typing import NamedTuple

from grounded_ingest.code.python_programs import NO_COMMANDS, CommandTree

_MOST_CALLS, _DEPTH = 400, 12
"""Maximum number of followed calls in a program, and maximum depth of calls and of re-exports."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class _Parser(NamedTuple):
    """A parser in the program, or its group of subparsers. `key` identifies the parser."""

    key: str
    is_group: bool = False


class _Definition(NamedTuple):
    """A definition in a module, or a whole module if `node` is an `ast.Module`."""

    path: str
    node: ast.AST


def argparse_tree(entry: str, root: str, read: Callable[[str], str | None]) -> CommandTree:
    """Returns the subcommands of the program whose main module is the file `entry`.

    Absolute imports are resolved from the directory `root`. `read` returns the text of a file, or
    None. Returns an empty tree if the program does not use argparse, or if a subparser comes from a
    place that is not followed."""
    package = _Package(root, read)
    module = package.module(entry := _declaring_module(entry, package))
    if module is None:
        return NO_COMMANDS
    reader = _Reader(package)
    bodies = [n for n in ast.walk(module) if isinstance(n, _Function | ast.Module)]
    for names in (("ArgumentParser",), ("add_subparsers", "add_parser")):
        for body in bodies:
            if body not in reader.visited and any(_called_name(c) in names for c in _calls(body)):
                reader.run(_Definition(entry, body), {})
    return NO_COMMANDS if reader.lost else CommandTree(reader.groups, frozenset(reader.computed))


def _declaring_module(entry: str, package: _Package) -> str:
    """Returns the module that declares the subcommands: the main module, or else the only imported
    module with subcommands. Returns an empty string if there is none."""
    if "add_subparsers" in (package.read(entry) or ""):
        return entry
    imported = {place.path for place in package.imports(entry)}
    others = [path for path in imported if "add_subparsers" in (package.read(path) or "")]
    return others[0] if len(others) == 1 else ""


class _Package:
    """The modules of a program. Each module is parsed once."""

    def __init__(self, root: str, read: Callable[[str], str | None]) -> None:
        self.root, self.read = root, read
        self._modules: dict[str, ast.Module | None] = {}
        self._names: dict[str, dict[str, _Definition | None]] = {}
        self._defined: dict[str, dict[str, list[ast.AST]]] = {}

    def module(self, path: str) -> ast.Module | None:
        if path not in self._modules:
            try:
                text = self.read(path)
                self._modules[path] = None if text is None else ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._modules[path] = None
        return self._modules[path]

    def imports(self, path: str) -> Iterator[_Definition]:
        """Yields the modules and definitions that a module imports from the program's own
        package."""
        yield from (place for place in self._imported_names(path).values() if place)

    def find(self, path: str, name: str, depth: int = 0) -> _Definition | None:
        """Returns the module or definition that a dotted name means in the module at `path`.
        Returns None if the name has no or several meanings."""
        first, _, rest = name.partition(".")
        module = self.module(path)
        if module is None or depth > _DEPTH:
            return None
        if own := self._definitions(path).get(first):
            return _Definition(path, own[0]) if len(own) == 1 and not rest else None
        place = self._imported_names(path).get(first)
        if place is None or not rest:
            return place
        return self.find(place.path, rest, depth + 1) if _is_module(place) else None

    def _definitions(self, path: str) -> dict[str, list[ast.AST]]:
        if path not in self._defined:
            found: dict[str, list[ast.AST]] = {}
            for node in ast.walk(self.module(path) or ast.Module([], [])):
                if isinstance(node, _Function | ast.ClassDef):
                    found.setdefault(node.name, []).append(node)
            self._defined[path] = found
        return self._defined[path]

    def _imported_names(self, path: str) -> dict[str, _Definition | None]:
        if path in self._names:
            return self._names[path]
        found: dict[str, _Definition | None] = {}
        self._names[path] = found  # set first, because modules may import each other
        for node in ast.walk(self.module(path) or ast.Module([], [])):
            if isinstance(node, ast.Import):
                named = [(a.asname, a.name, "") for a in node.names if a.asname]
            elif isinstance(node, ast.ImportFrom):
                base = "." * node.level + (node.module or "")
                named = [(a.asname or a.name, base, a.name) for a in node.names]
            else:
                continue
            for name, base, attribute in named:
                place = self._target(path, base, attribute)
                known = found.setdefault(name, place)
                if known != place:
                    found[name] = None
        return found

    def _target(self, path: str, base: str, attribute: str) -> _Definition | None:
        dots = len(base) - len(base.lstrip("."))
        directory = self.root
        if dots:
            directory = dirname(path)
            for _ in range(dots - 1):
                directory = dirname(directory)
        stem = join(directory, *filter(None, base.lstrip(".").split(".")))
        there = join(stem, attribute) if attribute else stem
        for file in (f"{there}.py", join(there, "__init__.py")):
            if module := self.module(file):
                return _Definition(file, module)
        for file in (f"{stem}.py", join(stem, "__init__.py")):
            if attribute and self.module(file):
                return self.find(file, attribute, 1)
        return None


def _is_module(place: _Definition) -> bool:
    return isinstance(place.node, ast.Module)


class _Reader:
    """Reads function bodies and collects groups of subcommands. `computed` lists the groups that
    may have more names than were found. `lost` is true if a subparser comes from code that is not
    read."""

    def __init__(self, package: _Package) -> None:
        self.package = package
        self.groups: dict[str, dict[str, str]] = {}
        self.computed: set[str] = set()
        self.visited: set[ast.AST] = set()
        self.lost = False
        self.calls = self.depth = 0

    def run(self, place: _Definition, bound: dict[str, _Parser]) -> _Parser | None:
        """Reads a function body in which the variables `bound` are argparse parsers. Returns the
        parser that the function returns, or None."""
        self.calls += 1
        if self.calls > _MOST_CALLS or self.depth > _DEPTH:
            self.lost = True
            return None
        self.visited.add(place.node)
        self.depth += 1
        body = _Body(self, place.path, bound)
        for statement in getattr(place.node, "body", ()):
            body.visit(statement)
        self.depth -= 1
        return body.result

    def add(self, group: _Parser, call: ast.Call) -> _Parser:
        """Adds the subcommand of a call of `add_parser` to `group`. Returns the subcommand's
        parser."""
        names = [getattr(node, "value", None) for node in _name_nodes(call)]
        plain = [n for n in names if isinstance(n, str)]
        if not names or len(plain) < len(names):
            self.computed.add(group.key)
        key = f"{group.key} {names[0]!r}" if names else f"{group.key} {call.lineno}"
        self.groups.setdefault(group.key, {}).update((n, key) for n in plain)
        return _Parser(key)


def _name_nodes(call: ast.Call) -> Iterator[ast.AST]:
    yield from call.args[:1]
    yield from (k.value for k in call.keywords if k.arg == "name")
    for keyword in call.keywords:
        if keyword.arg in ("aliases", None):
            listed = keyword.value
            yield from listed.elts if isinstance(listed, ast.List | ast.Tuple) else (listed,)


class _Body(ast.NodeVisitor):
    """Reads the statements of one body in their order."""

    def __init__(self, reader: _Reader, path: str, bound: dict[str, _Parser]) -> None:
        self.reader, self.path, self.bound = reader, path, dict(bound)
        self.result: _Parser | None = None

    def _skip(self, node: ast.AST) -> None:
        """Skips a nested definition. If the definition uses a parser from outside, the parser's
        commands count as unknown."""
        for name in ast.walk(node):
            if isinstance(name, ast.Name) and name.id in self.bound:
                self._leak(self.bound[name.id])

    def visit(self, node: ast.AST) -> None:
        """Reads a syntax node. Skips nested functions and classes."""
        nested = isinstance(node, _Function | ast.ClassDef | ast.Lambda)
        (self._skip if nested else super().visit)(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self._value(node.value)
        for target in node.targets:
            self.bound.pop(_dotted(target), None)
            if value is not None:
                self.bound[_dotted(target)] = value

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit_Assign(ast.Assign([node.target], node.value))

    def visit_Return(self, node: ast.Return) -> None:
        self.result = (self._value(node.value) if node.value else None) or self.result

    def visit_Expr(self, node: ast.Expr) -> None:
        self._value(node.value)

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.expr):
            self._leak(self._value(node))
        else:
            super().generic_visit(node)

    def _leak(self, parser: _Parser | None) -> None:
        if parser is not None:
            self.reader.computed.add(parser.key)

    def _value(self, node: ast.expr) -> _Parser | None:
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Name | ast.Attribute) and (found := self.bound.get(_dotted(node))):
            return found
        if isinstance(node, ast.Attribute):  # `sub.choices`
            self._value(node.value)
        elif isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp):  # `if parser is None`
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self._value(child)
        else:
            for child in ast.iter_child_nodes(node):
                self.visit(child)
        return None

    def _call(self, node: ast.Call) -> _Parser | None:
        name, reader = _called_name(node), self.reader
        owner = self._value(node.func.value) if isinstance(node.func, ast.Attribute) else None
        given = self._parser_arguments(node)
        parsers = [p for _, p in given if p]
        if owner is None:
            reader.lost = reader.lost or name in ("add_parser", "add_subparsers")
            place = reader.package.find(self.path, _dotted(node.func).removeprefix("self."))
            if name == "ArgumentParser" or (place and _is_parser_class(place.node)):
                return _Parser(f"{self.path}:{node.lineno}")
            if place is not None and isinstance(place.node, _Function):
                return self._follow(place, given, parsers)
        for parser in parsers:
            self._leak(parser)
        return self._method(owner, name, node) if owner is not None else None

    def _parser_arguments(self, node: ast.Call) -> list[tuple[str, _Parser | None]]:
        given = [("", self._value(a)) for a in node.args]
        return given + [(k.arg or "**", self._value(k.value)) for k in node.keywords]

    def _follow(
        self, place: _Definition, given: list[tuple[str, _Parser | None]], parsers: list[_Parser]
    ) -> _Parser | None:
        """Reads the body of a called function, if a parser is passed to it or created in it."""
        if not parsers and not any(_called_name(c) == "ArgumentParser" for c in _calls(place.node)):
            return None
        return self.reader.run(place, _parameters(place.node, given))

    def _method(self, owner: _Parser, name: str, node: ast.Call) -> _Parser | None:
        first = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else "-"
        if owner.is_group and name == "add_parser":
            return self.reader.add(owner, node)
        if name == "add_subparsers":
            self.reader.groups.setdefault(owner.key, {})
            return _Parser(owner.key, is_group=True)
        if name == "add_argument" and not str(first).startswith("-"):
            self._leak(owner)  # the first word may be an argument
        return None


def _parameters(function: ast.AST, given: list[tuple[str, _Parser | None]]) -> dict[str, _Parser]:
    arguments = function.args if isinstance(function, _Function) else None
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)] if arguments else []
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    found = {}
    for number, (keyword, parser) in enumerate(given):
        name = keyword or (names[number] if number < len(names) else "")
        if parser and name:
            found[name] = parser
    return found


def _is_parser_class(node: ast.AST) -> bool:
    bases = node.bases if isinstance(node, ast.ClassDef) else ()
    return any(_dotted(base).rpartition(".")[2] == "ArgumentParser" for base in bases)


def _calls(body: ast.AST) -> Iterator[ast.Call]:
    """Yields the calls in a body, without those in nested definitions."""
    for child in ast.iter_child_nodes(body):
        if isinstance(child, ast.Call):
            yield child
        if not isinstance(child, _Function | ast.ClassDef):
            yield from _calls(child)


def _called_name(node: ast.Call) -> str:
    return _dotted(node.func).rpartition(".")[2]


def _dotted(node: ast.AST) -> str:
    """Returns a name with its attributes, such as `self.parser`. An owner that is not a name, such
    as a call, becomes `?`."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else "?"

"""Commands below commands that a Python program declares with click or typer.

Groups are known by the name of their variable or function, in whatever module they stand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grounded_ingest.code.python_options import default_names, given_names, last_name
from grounded_ingest.text.patterns import compiled


class CommandTree(NamedTuple):
    """The commands of each group, by the group's variable: name to the variable of the group below,
    or to an empty text for a command. `computed` groups have names that are made when the program
    runs."""

    groups: dict[str, dict[str, str]]
    computed: frozenset[str]

    def missing(self, words: Sequence[str]) -> tuple[int, frozenset[str]] | None:
        """Returns the place of the first word that names no command of the group before it, and the
        names that this group has. None if all words are known, or if a group could have others."""
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


NO_COMMANDS = CommandTree({}, frozenset())
_DECLARES = compiled(
    r"(?m)^[ \t]*(?:import|from)[ \t]+[\w., ]*\b(?:click|typer|rich_click|asyncclick)\b"
    r"|\.(?:add_typer|add_command)\("
)
_COMPUTING = (
    "list_commands", "get_command", "cls=", "MultiCommand", "CommandCollection", "entry_points",
)  # fmt: skip


def command_tree(texts: Iterable[str]) -> CommandTree:
    """Returns the groups of a program's modules; none if one of them makes its commands as it runs,
    or cannot be parsed."""
    found: list[_Added] = []
    names: dict[str, set[str]] = {}
    groups: set[str] = set()
    for text in texts:
        if not _DECLARES.search(text):
            continue
        if any(word in text for word in _COMPUTING):
            return NO_COMMANDS
        try:
            module = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return NO_COMMANDS
        for node in ast.walk(module):
            found += _added(node, names, groups)
    tree: dict[str, dict[str, str]] = {group: {} for group in groups}
    computed = set()
    for one in found:
        below = one.child if one.child in groups else ""
        called = one.names or names.get(one.child, set())
        if not called:
            computed.add(one.group)
        tree.setdefault(one.group, {}).update(dict.fromkeys(called, below))
    return CommandTree(tree, frozenset(computed))


class _Added(NamedTuple):
    group: str
    names: frozenset[str]
    child: str


def _added(node: ast.AST, names: dict[str, set[str]], groups: set[str]) -> Iterator[_Added]:
    """Yields what a statement adds to groups; notes new groups, and the names given to things."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
        if last_name(node.value) in ("Typer", "Group"):
            for target in node.targets:
                groups.add(last_name(target))
                names.setdefault(last_name(target), set()).update(_literal_names(node.value))
    elif isinstance(node, ast.Call) and last_name(node) in ("add_typer", "add_command"):
        if node.args and isinstance(node.func, ast.Attribute):
            called = _literal_names(ast.Call(node.func, node.args[1:], node.keywords))
            owner, child = last_name(node.func.value), last_name(node.args[0])
            yield _Added(owner, frozenset(called), child)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for decorator in node.decorator_list:
            if last_name(decorator) == "group":
                groups.add(node.name)
            if last_name(decorator) in ("command", "group"):
                yield from _of_function(node.name, decorator, names)


def _of_function(
    function: str, decorator: ast.expr, names: dict[str, set[str]]
) -> Iterator[_Added]:
    called = _literal_names(decorator)
    if not called and not given_names(decorator):
        called = default_names(function)
    names.setdefault(function, set()).update(called)
    func = decorator.func if isinstance(decorator, ast.Call) else decorator
    owner = last_name(func.value) if isinstance(func, ast.Attribute) else ""
    if owner not in ("", "click", "typer", "rich_click"):
        yield _Added(owner, frozenset(called), function)


def _literal_names(node: ast.expr) -> set[str]:
    return {str(n.value) for n in given_names(node) if isinstance(n, ast.Constant) and n.value}

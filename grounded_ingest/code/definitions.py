"""Finds the names that a source file defines, with the parser of the file's language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct

from grounded_ingest.code.grammars import captures_in, language_of, node_text
from grounded_ingest.text.patterns import compiled

LONGEST = 1_000_000
"""Maximum length of a source text that is parsed, in characters."""


class CodeDefinition(Struct, frozen=True, array_like=True):
    """A definition of a name in source code, from `line` to `end_line` (1-based).

    `kind` is `function`, `class`, `type` or `value`. `owner` are the names of the enclosing
    definitions, the outermost first."""

    name: str
    kind: str
    line: int
    end_line: int
    owner: tuple[str, ...] = ()

    @property
    def qualified(self) -> str:
        """Returns the qualified name, such as `Store.decode` for a method in a class `Store`."""
        return ".".join((*self.owner, self.name))

    def covers(self, first: int, last: int) -> bool:
        """Returns whether all lines from `first` to `last` belong to the definition."""
        return self.line <= first and last <= self.end_line


def definitions_in(path: str, text: str) -> tuple[CodeDefinition, ...] | None:
    """Returns the definitions in a source text, in order.

    Returns None if there is no parser for the file's extension, or if the text is too long. Also
    returns None if most of the text is not in the language of the extension."""
    language = language_of(path)
    return _parsed(language, text) if language and len(text) <= LONGEST else None


@lru_cache(maxsize=64)
def _parsed(language: str, text: str) -> tuple[CodeDefinition, ...] | None:
    try:
        if language == "python":
            return _in_python(text)
        nodes = captures_in(language, text)
        return None if nodes is None else tuple(_captured(nodes))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def has_parser(path: str) -> bool:
    """Returns whether there is a parser for the file extension of `path`."""
    return bool(language_of(path))


def body_of(defined: CodeDefinition, text: str) -> str:
    """Returns the lines of a definition in the text of its file."""
    return "\n".join(text.split("\n")[defined.line - 1 : defined.end_line])


def definitions_of(found: tuple[CodeDefinition, ...], name: str) -> list[CodeDefinition]:
    """Returns the definitions that a written name can mean.

    The name may be qualified: `decode`, `Store.decode`, `Store::decode()`."""
    parts = name.removesuffix("()").replace("::", ".").replace("#", ".").split(".")
    named = (d for d in found if d.name == parts[-1])
    return [d for d in named if [*d.owner, d.name][-len(parts) :] == parts]


def enclosing_definition(
    found: tuple[CodeDefinition, ...], first: int, last: int
) -> CodeDefinition | None:
    """Returns the innermost definition (function, class or constant) around the lines from `first`
    to `last`.

    Returns None if there is none, or if the lines are only a part of it: they touch some, but not
    all, of the definitions inside."""
    around = [d for d in found if d.covers(first, last)]
    inner = min(around, key=lambda d: d.end_line - d.line, default=None)
    if inner is None:
        return None
    span = inner.line, inner.end_line
    within = [d for d in found if d is not inner and inner.covers(d.line, d.end_line)]
    parts = [d for d in within if d.line <= last and first <= d.end_line]
    twins = any((d.line, d.end_line) == span for d in within)
    return None if twins or (parts and len(parts) < len(within)) else inner


_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
"""The fields of Python's syntax tree that contain statements."""


def _in_python(text: str) -> tuple[CodeDefinition, ...]:
    """Returns the definitions in Python code. Leaves out assignments inside functions."""
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    assignments = (ast.Assign, ast.AnnAssign)
    found: list[CodeDefinition] = []
    waiting: list[tuple[ast.AST, tuple[str, ...]]] = [(ast.parse(text), ())]
    while waiting:
        node, owner = waiting.pop()
        if isinstance(node, assignments):
            end = node.end_lineno or node.lineno
            names = _assigned_names(node)
            found += (CodeDefinition(n, "value", node.lineno, end, owner) for n in names)
            continue
        inside, local = owner, False
        if isinstance(node, scopes):
            local = not isinstance(node, ast.ClassDef)
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            kind = "function" if local else "class"
            found.append(CodeDefinition(node.name, kind, first, node.end_lineno or first, owner))
            inside = (*owner, node.name)
        waiting += [
            (child, inside)
            for block in _BLOCKS
            for child in getattr(node, block, ())
            if not (local and isinstance(child, assignments))
        ]
    return tuple(sorted(found, key=lambda d: (d.line, -d.end_line)))


def _assigned_names(node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for name in (n for target in targets for n in ast.walk(target)):
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
            yield name.id


def _captured(nodes: list[tuple[Any, set[str]]]) -> Iterator[CodeDefinition]:
    around: list[tuple[int, tuple[str, ...], bool]] = []
    """The enclosing nodes of the current node, as (end byte, names, whether values are local)."""
    for node, captures in nodes:
        while around and around[-1][0] < max(node.end_byte, node.start_byte + 1):
            around.pop()
        _, owner, local = around[-1] if around else (0, (), False)
        inside = owner
        kind = _kind_of(captures)
        if kind and not (local and kind == "value"):
            names = _names(node)
            own = (*owner, *_receiver(node))
            first, last = node.start_point[0] + 1, node.end_point[0] + 1
            yield from (CodeDefinition(name, kind, first, last, own) for name in names)
            inside = (*own, *names[:1]) if kind != "value" else owner
        elif "owner" in captures:
            owning = node.child_by_field_name("type") or node.child_by_field_name("name")
            inside = (*owner, node_text(owning).partition("<")[0]) if owning else owner
        around.append((node.end_byte, inside, local or "local" in captures))


def _kind_of(captures: set[str]) -> str:
    """Returns the kind of definition that a node is, or an empty string. A variable that gets its
    value from `require` is not a definition."""
    kinds = (k for k in ("function", "type", "value") if k in captures)
    return "" if "imported" in captures else next(kinds, "")


_NAMING = frozenset((
    "identifier", "property_identifier", "type_identifier", "field_identifier", "constant",
    "word", "variable_name", "private_property_identifier", "string", "scope_resolution",
    "nested_identifier", "name", "setter", "operator", "simple_identifier",
    "namespace_identifier",
))  # fmt: skip
"""Types of syntax nodes that are plain names. Destructuring patterns and computed names are left
out, because they do not count as definitions."""
_AROUND_NAME = compiled(r"\w+_declarator|qualified_identifier|pattern|variable_name")
"""Matches the types of syntax nodes that may contain a name, such as `*rows(int a)[3]` in C."""


def _names(node: Any) -> list[str]:
    if node.type == "assignment":
        found = [n for n in node.children_by_field_name("left") if n.type == "constant"]
    else:
        found = node.children_by_field_name("name") or node.children_by_field_name("declarator")
        found = found or [n for n in node.named_children if n.type in _NAMING][:1]
    texts = ((n.type, node_text(n)) for n in map(_innermost, found))
    return [text.strip("\"'") for kind, text in texts if "\n" not in text and kind in _NAMING]


def _innermost(node: Any, stop: str = "") -> Any:
    """Returns the node with the name that a declarator declares, or the node itself. Stops at the
    first node of the type `stop`."""
    while node.type != stop and _AROUND_NAME.fullmatch(node.type) and node.named_children:
        fields = ("declarator", "bound_identifier", "name")
        named = (node.child_by_field_name(field) for field in fields)
        node = next(filter(None, named), node.named_children[-1])
    return node


def _receiver(node: Any) -> tuple[str, ...]:
    """Returns the type that a definition outside of its body names: the receiver of a method in Go,
    or the scope of `int Store::decode()` in C++."""
    declarator = node.child_by_field_name("declarator")
    scoped = declarator and _innermost(declarator, "qualified_identifier")
    if scoped and scoped.type == "qualified_identifier":
        return tuple(part.partition("<")[0] for part in node_text(scoped).split("::")[:-1])
    field = node.child_by_field_name("receiver") if node.type == "method_declaration" else None
    words = node_text(field).strip("()").split()
    return (words[-1].lstrip("*").partition("[")[0],) if words else ()

"""Gives the syntax tree of Python the interface of a tree of tree-sitter, so that the same code
reads values in Python and in the other languages.

The type of a node is the name of its class in `ast`, such as `ann_assign`, and its fields are
those of the class. The differences are in `_parts`.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect
from collections.abc import Iterator
from functools import cache, cached_property
from itertools import accumulate
from typing import Any

from grounded_ingest.text.patterns import compiled

_DictItem = type("DictItem", (ast.AST,), {"_fields": ("key", "value")})
_DefaultParameter = type("DefaultParameter", (ast.AST,), {"_fields": ("name", "value")})
_ArgumentList = type("ArgumentList", (ast.AST,), {"_fields": ("args", "keywords")})
"""Nodes that trees of tree-sitter have, and trees of Python do not."""


class PythonNode:
    """A node of Python's syntax tree, or a name that is only a text in that tree.

    `node` is the node of `ast`, or the text of the name."""

    has_error = False

    def __init__(self, node: ast.AST | str, parent: PythonNode | None, source: _Source) -> None:
        self.node, self.parent, self._source = node, parent, source
        self.type: str = _type_of(node, parent.type if parent else "")
        self.place: tuple[int, int] = source.place_of(node) or (
            parent.place if parent else (0, len(source.content))
        )
        self.start_byte, self.end_byte = self.place

    @cached_property
    def _fields(self) -> list[tuple[str, PythonNode]]:
        return [(field, PythonNode(n, self, self._source)) for field, n in _parts(self.node)]

    @cached_property
    def named_children(self) -> list[PythonNode]:
        return [child for field, child in self._fields if field != "operator"]

    def children_by_field_name(self, name: str) -> list[PythonNode]:
        return [child for field, child in self._fields if field == name]

    def child_by_field_name(self, name: str) -> PythonNode | None:
        return next(iter(self.children_by_field_name(name)), None)

    @property
    def start_point(self) -> tuple[int, int]:
        return bisect(self._source.begins, self.start_byte) - 1, 0

    @property
    def text(self) -> bytes:
        match self.node:
            case str(text) | ast.Name(id=text) | ast.arg(arg=text):
                return text.encode(errors="replace")
            case _:
                return self._source.content[slice(*self.place)].strip()


class _Source:
    """The text of a file, and the bytes at which its lines begin."""

    def __init__(self, text: str) -> None:
        self.content = text.encode(errors="replace")
        self.begins = [0, *accumulate(map(len, _LINE.findall(self.content)))]

    def place_of(self, node: ast.AST | str) -> tuple[int, int] | None:
        """Returns the first byte of a node and the byte after its last. A function or class begins
        with its decorators. Returns None for nodes without a place of their own."""
        if isinstance(node, str):
            return None
        inner: list[Any] = [node] if hasattr(node, "lineno") else [*ast.iter_child_nodes(node)]
        placed = [n for n in inner if hasattr(n, "lineno")]
        placed += getattr(node, "decorator_list", ())
        begins = [self.begins[n.lineno - 1] + n.col_offset for n in placed]
        ends = [self.begins[n.end_lineno - 1] + n.end_col_offset for n in placed]
        return (min(begins), max(ends)) if placed else None


_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def python_root(text: str) -> PythonNode:
    """Returns the root node of a Python file. Raises SyntaxError or ValueError if the file is not
    valid."""
    return PythonNode(ast.parse(text), None, _Source(text))


_CAPITAL = compiled(r"(?<!^)(?=[A-Z])")


def _type_of(node: ast.AST | str, parent: str) -> str:
    match node:
        case str() | ast.Name() | ast.arg():
            return "string_content" if parent == "string" else "identifier"
        case ast.Constant(value=value):
            return "string" if isinstance(value, str) else "literal"
        case _:
            return _snake_case(type(node).__name__)


@cache
def _snake_case(name: str) -> str:
    return _CAPITAL.sub("_", name).lower()


def _parts(node: ast.AST | str) -> Iterator[tuple[str, ast.AST | str]]:
    """Yields the parts of a node, each with the field that it has in its parent."""
    match node:
        case ast.Call(func=function, args=args, keywords=keywords):
            yield "function", function
            yield "arguments", _ArgumentList(args=args, keywords=keywords)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                yield "", _DictItem(key=key, value=value)
        case ast.arguments():
            placed = [*node.posonlyargs, *node.args][::-1]
            pairs = [*zip(placed, node.defaults[::-1], strict=False)]
            pairs += [(a, d) for a, d in zip(node.kwonlyargs, node.kw_defaults, strict=True) if d]
            for parameter, default in pairs:
                yield "", _DefaultParameter(name=parameter, value=default)
            yield from ((f, part) for f, part in _fields(node) if not f.endswith("defaults"))
        case ast.AugAssign() | ast.BoolOp(op=ast.Or()):
            yield "operator", "or" if isinstance(node, ast.BoolOp) else "+="
            yield from _fields(node)
        case ast.Constant(value=str() as text):
            yield "content", text
        case str() | ast.Name() | ast.Constant():
            pass
        case _:
            yield from _fields(node)


_MARKS = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop, ast.type_ignore)


def _fields(node: ast.AST) -> Iterator[tuple[str, ast.AST | str]]:
    for field, content in ast.iter_fields(node):
        for part in content if isinstance(content, list) else [content]:
            if isinstance(part, ast.AST | str) and not isinstance(part, _MARKS):
                yield field, part

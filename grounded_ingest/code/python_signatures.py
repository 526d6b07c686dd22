"""Finds the functions and classes of a Python file, and the arguments that a call may pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from grounded_ingest.text.patterns import compiled

_DATACLASSES = ("dataclass", "dataclasses.dataclass")


class Signature(Struct, frozen=True, array_like=True):
    """A name that the top level of a file defines, in `line` (1-based).

    `arguments` are the names that a call may use as keywords. It is None if a call may use others
    too: `**kwargs`, a decorator that returns another function, a class whose `__init__` is
    elsewhere, or a variable."""

    name: str
    line: int
    arguments: tuple[str, ...] | None


def signatures_in(_path: str, text: str) -> tuple[Signature, ...]:
    """Returns the names that the top level of a Python text defines, also below `if` and `try`. If
    the text is of a newer Python than this one, its functions and classes may take any argument."""
    try:
        return tuple(_signatures(ast.parse(text).body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        rows = enumerate(text.split("\n"), 1)
        return tuple(Signature(m[1], n, None) for n, row in rows if (m := _DEFINED.match(row)))


_DEFINED = compiled(r"[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")


def _signatures(body: list[ast.stmt]) -> Iterator[Signature]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Signature(node.name, node.lineno, _arguments(node, bound=False))
        elif isinstance(node, ast.ClassDef):
            yield Signature(node.name, node.lineno, _arguments_of_class(node))
        elif isinstance(node, ast.If | ast.Try):
            handlers = node.handlers if isinstance(node, ast.Try) else []
            for inner in (node.body, node.orelse, *(h.body for h in handlers)):
                yield from _signatures(inner)
        else:
            yield from (Signature(name, node.lineno, None) for name in _bound(node))


def _bound(node: ast.stmt) -> Iterator[str]:
    """Yields the names that an assignment, or an import with another name, binds."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.alias) and inner.asname and inner.asname != inner.name:
            yield inner.asname
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id


def _arguments(
    node: ast.FunctionDef | ast.AsyncFunctionDef, *, bound: bool
) -> tuple[str, ...] | None:
    """Returns the keywords that a function takes. The first argument of a method is `bound`."""
    given = node.args
    if node.decorator_list or given.kwarg:
        return None
    names = [a.arg for a in (*given.posonlyargs, *given.args)][bound:]
    return (*names, *(a.arg for a in given.kwonlyargs))


def _arguments_of_class(node: ast.ClassDef) -> tuple[str, ...] | None:
    methods = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
    decorators = [ast.unparse(d).partition("(")[0] for d in node.decorator_list]
    if node.keywords or "__new__" in methods:
        return None
    if "__init__" in methods:
        return None if decorators else _arguments(methods["__init__"], bound=True)
    made = decorators and not node.bases and all(d in _DATACLASSES for d in decorators)
    return tuple(_fields(node)) if made else None


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id

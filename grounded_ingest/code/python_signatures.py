"""Finds the functions and classes of a Python file, and the arguments that a call may pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

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
    """Returns the names that the top level of a Python text defines, also below `if` and `try`.
    Returns nothing if the text is no Python."""
    try:
        return tuple(_signatures(ast.parse(text).body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _signatures(body: list[ast.stmt]) -> Iterator[Signature]:
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield Signature(name, node.lineno, _arguments(node, bound=False))
            case ast.ClassDef(name=name):
                yield Signature(name, node.lineno, _arguments_of_class(node))
            case ast.Assign() | ast.AnnAssign():
                stored = (n for n in ast.walk(node) if isinstance(n, ast.Name))
                names = (n.id for n in stored if isinstance(n.ctx, ast.Store))
                yield from (Signature(name, node.lineno, None) for name in names)
            case ast.Import(names=imported) | ast.ImportFrom(names=imported):
                others = (a.asname for a in imported if a.asname and a.asname != a.name)
                yield from (Signature(name, node.lineno, None) for name in others)
            case ast.If() | ast.Try():
                for inner in (node.body, node.orelse, *(h.body for h in _handlers(node))):
                    yield from _signatures(inner)
            case _:
                pass


def _handlers(node: ast.If | ast.Try) -> list[ast.ExceptHandler]:
    return node.handlers if isinstance(node, ast.Try) else []


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
    functions = [n for n in node.body if isinstance(n, ast.FunctionDef)]
    if node.keywords or any(f.name == "__new__" for f in functions):
        return None
    decorators = [ast.unparse(d).partition("(")[0] for d in node.decorator_list]
    for function in functions:
        if function.name == "__init__" and not decorators:
            return _arguments(function, bound=True)
    if decorators and not node.bases and all(d in _DATACLASSES for d in decorators):
        fields = (n.target for n in node.body if isinstance(n, ast.AnnAssign))
        return tuple(f.id for f in fields if isinstance(f, ast.Name))
    return None

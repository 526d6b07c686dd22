"""Definitions of Python, by its own parser."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grounded_ingest.code.code_definition import CodeDefinition

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign)


def defined_in_python(text: str) -> tuple[CodeDefinition, ...]:
    """By Python's own parser; what is assigned inside a function is no definition."""
    found: list[CodeDefinition] = []
    waiting: list[tuple[ast.AST, tuple[str, ...]]] = [(ast.parse(text), ())]
    while waiting:
        node, owner = waiting.pop()
        if isinstance(node, _ASSIGNMENTS):
            found += _assigned_by(node, owner)
            continue
        inside, local = owner, False
        if isinstance(node, _SCOPES):
            local = not isinstance(node, ast.ClassDef)
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            kind = "function" if local else "class"
            found.append(CodeDefinition(node.name, kind, first, node.end_lineno or first, owner))
            inside = (*owner, node.name)
        waiting += [
            (child, inside)
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
            and not (local and isinstance(child, _ASSIGNMENTS))
        ]
    return tuple(sorted(found, key=lambda d: (d.line, -d.end_line)))


def _assigned_by(
    node: ast.Assign | ast.AnnAssign, owner: tuple[str, ...]
) -> Iterator[CodeDefinition]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for name in (n for target in targets for n in ast.walk(target)):
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
            yield CodeDefinition(
                name.id, "value", node.lineno, node.end_lineno or node.lineno, owner
            )

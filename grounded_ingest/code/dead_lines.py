"""Lines of code that no run reaches or that nothing reads: what they say does not hold."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.yaml_text import YamlError, nodes_of

LONGEST = 400_000
"""Characters of the longest text that is parsed."""
NEAR = 400
"""Lines above one in which what it stands below is looked for."""

_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
_NEVER = compiled(r"(?m)^[ \t]*#[ \t]*if[ \t]+(?:0|false)\b")
_IF, _ELSE = compiled(r"[ \t]*#[ \t]*if"), compiled(r"[ \t]*#[ \t]*(?:el|end)")
_CONSTANT = compiled(r"(?m)^[ \t]*(?:el)?(?:if|while)[ \t]+\(?(?:False|True|0|1|None)\b")
_NAMED = compiled(r"([ \t]*)(?:- )?([\w.\"\'-]+)[ \t]*(?::[^=\n]*)?[:=]")
_DELETES = compiled(r"([ \t]*)del[ \t]+([\w.]+)")
_EXITS = compiled(r"([ \t]*)(?:return|raise|continue|break)\b")


def dead_lines(path: str, text: str, first: int, last: int) -> frozenset[int]:
    """Those of the lines first..last (1-based) that are dead as far as the language's own parser
    knows: unreachable statements and overwritten values of Python, `#if 0` of C, keys of YAML
    that come again. Parses only where they look like it."""
    dead = _PARSED.get(path.rpartition(".")[2].lower())
    if dead is None or len(text) > LONGEST or not _suspect(text, first, last):
        return frozenset()
    return dead(text) & frozenset(range(first, last + 1))


class _Outline(NamedTuple):
    """What a text is looked at for before it is parsed, made once."""

    rows: tuple[str, ...]
    constant: bool
    names: Counter[tuple[str, str]]


@lru_cache(maxsize=8)
def _outline(text: str) -> _Outline:
    rows = tuple(text.split("\n"))
    found = (m for row in rows if (m := _NAMED.match(row) or _DELETES.match(row)))
    names = Counter((m[1], m[2]) for m in found)
    constant = bool(_CONSTANT.search(text) or _NEVER.search(text))
    return _Outline(rows, constant, names)


def _suspect(text: str, first: int, last: int) -> bool:
    """Whether it could be that some of the lines are dead: a look that costs little."""
    rows, constant, names = _outline(text)
    if constant or any(_EXITS.match(row) for row in rows[max(0, first - 2) : last - 1]):
        return True
    looked_at = (*rows[first - 1 : last], *_above(rows, first))
    named = (m for row in looked_at if (m := _NAMED.match(row)))
    return any(names[m[1], m[2]] > 1 for m in named)


def _above(rows: Sequence[str], first: int) -> Iterator[str]:
    """The lines that a line stands below, by indentation, of those near by."""
    depth = _depth(rows[first - 1]) if first <= len(rows) else 0
    for row in reversed(rows[max(0, first - NEAR) : first - 1]):
        if not depth:
            return
        if row.strip() and _depth(row) < depth:
            depth = _depth(row)
            yield row


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip())


def _parse(lines: Callable[[str], Iterator[int]]) -> Callable[[str], frozenset[int]]:
    @lru_cache(maxsize=16)
    def found(text: str) -> frozenset[int]:
        try:
            return frozenset(lines(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError, YamlError):
            return frozenset()

    return found


def _in_python(text: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(text)):
        for body in (getattr(node, name, None) for name in _BODIES):
            if isinstance(body, list):
                yield from _behind_exits(body)
                yield from _overwritten(body)
        if isinstance(node, ast.If | ast.While):
            yield from _never_taken(node)


def _lines(nodes: Sequence[ast.AST]) -> Iterator[int]:
    for node in nodes:
        first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", 0)
        yield from range(first, (last or 0) + 1)


def _behind_exits(body: Sequence[ast.stmt]) -> Iterator[int]:
    at = next((n for n, node in enumerate(body) if isinstance(node, _LEAVES)), None)
    if at is not None:
        yield from _lines(body[at + 1 :])


def _never_taken(node: ast.If | ast.While) -> Iterator[int]:
    if isinstance(node.test, ast.Constant):
        yield from _lines(node.orelse if node.test.value else node.body)


def _overwritten(body: Sequence[ast.stmt]) -> Iterator[int]:
    """Assignments of a name that the same block deletes or assigns again before anything asks."""
    held: dict[str, ast.stmt] = {}
    for node in body:
        used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _is_load(n)}
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.Delete | ast.Expr | ast.Import):
            held.clear()  # what branches, calls or defines may ask for anything
            continue
        for name in used:
            held.pop(name, None)
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
            held.clear()
        for name in _set_by(node):
            if (before := held.pop(name, None)) is not None:
                yield from _lines([before])
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                held[name] = node


def _is_load(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _set_by(node: ast.stmt) -> list[str]:
    targets: Sequence[ast.expr] = ()
    if isinstance(node, ast.Assign | ast.Delete):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return [t.id for t in targets if isinstance(t, ast.Name)]


def _excluded(text: str) -> Iterator[int]:
    """The lines of `#if 0`, up to its own `#else` or `#endif`."""
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not depth:
            depth = int(bool(_NEVER.match(line)))
            continue
        if _IF.match(line):
            depth += 1
        elif _ELSE.match(line) and (depth == 1 or "endif" in line):
            depth -= 1
            if not depth:
                continue
        yield number


def _repeated_keys(text: str) -> Iterator[int]:
    """The lines of a mapping's keys that the same mapping gives again further down."""
    waiting: list[Any] = [*(nodes_of(text) or ())]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen or not isinstance(node.value, list):
            continue
        seen.add(id(node))
        if node.id != "mapping":
            waiting += node.value
            continue
        last = {key.value: n for n, (key, _) in enumerate(node.value) if key.id == "scalar"}
        for n, (key, value) in enumerate(node.value):
            waiting.append(value)
            if key.id == "scalar" and last[key.value] != n and key.value != "<<":
                end = value.end_mark
                yield from range(key.start_mark.line + 1, end.line + (2 if end.column else 1))


_PARSED = {
    **dict.fromkeys(("py", "pyi"), _parse(_in_python)),
    **dict.fromkeys(("c", "h", "cc", "cpp", "hpp", "cs", "m"), _parse(_excluded)),
    **dict.fromkeys(("yaml", "yml"), _parse(_repeated_keys)),
}

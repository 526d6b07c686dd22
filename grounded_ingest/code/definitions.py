"""What a text of source code defines, by the parser of its language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from grounded_ingest.code.grammars import captures_in, node_text

if TYPE_CHECKING:
    import ast

LONGEST = 1_000_000
"""Characters of the longest text that is parsed."""


class CodeDefinition(NamedTuple):
    """A name that a text defines, from `line` to `end_line` (1-based). `owner` are the names of the
    definitions around it, the outermost first."""

    name: str
    kind: str
    line: int
    end_line: int
    owner: tuple[str, ...] = ()

    @property
    def qualified(self) -> str:
        """The name behind those of its owners, joined by dots."""
        return ".".join((*self.owner, self.name))

    def covers(self, first: int, last: int) -> bool:
        """Whether all of these lines belong to the definition."""
        return self.line <= first and last <= self.end_line

    def overlaps(self, first: int, last: int) -> bool:
        """Whether one of these lines belongs to the definition."""
        return self.line <= last and first <= self.end_line


Parse = Callable[[str], "tuple[CodeDefinition, ...] | None"]


def definitions_in(path: str, text: str) -> tuple[CodeDefinition, ...] | None:
    """Returns the definitions of a text in order; None if its language has no parser here, if it is
    too long, or if most of it is not in that language."""
    parse = PARSERS.get(_extension(path))
    return None if parse is None or len(text) > LONGEST else _parsed(parse, text)


@lru_cache(maxsize=64)
def _parsed(parse: Parse, text: str) -> tuple[CodeDefinition, ...] | None:
    try:
        return parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def has_parser(path: str) -> bool:
    """Whether files of this name can be parsed."""
    return _extension(path) in PARSERS


def _extension(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[2].lower()


def definitions_of(found: tuple[CodeDefinition, ...], name: str) -> list[CodeDefinition]:
    """Returns the definitions of a name: `decode`, `Store.decode`, `Store::decode()`."""
    parts = name.removesuffix("()").replace("::", ".").replace("#", ".").split(".")
    return [d for d in found if [*d.owner, d.name][-len(parts) :] == parts]


def enclosing_definition(
    found: tuple[CodeDefinition, ...], first: int, last: int
) -> CodeDefinition | None:
    """Returns the innermost definition around lines; None if there is none, or if the lines cover
    some but not all of the definitions inside it."""
    around = [d for d in found if d.covers(first, last)]
    inner = min(around, key=lambda d: d.end_line - d.line, default=None)
    if inner is None:
        return None
    span = inner.line, inner.end_line
    within = [d for d in found if d is not inner and inner.covers(d.line, d.end_line)]
    parts = [d for d in within if d.overlaps(first, last)]
    twins = any((d.line, d.end_line) == span for d in within)
    return None if twins or (parts and len(parts) < len(within)) else inner


def _in_python(text: str) -> tuple[CodeDefinition, ...]:
    """Returns the definitions of Python; assignments inside functions define nothing."""
    import ast  # late: the hook rarely parses Python

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
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
            and not (local and isinstance(child, assignments))
        ]
    return tuple(sorted(found, key=lambda d: (d.line, -d.end_line)))


def _assigned_names(node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    import ast

    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for name in (n for target in targets for n in ast.walk(target)):
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
            yield name.id


def _by_grammar(language: str, text: str) -> tuple[CodeDefinition, ...] | None:
    nodes = captures_in(language, text)
    return None if nodes is None else tuple(_captured(nodes))


def _captured(nodes: list[tuple[Any, set[str]]]) -> Iterator[CodeDefinition]:
    around: list[tuple[int, tuple[str, ...], bool]] = []
    """The nodes around the present one: where each ends, its names, and whether it is local."""
    for node, captures in nodes:
        while around and around[-1][0] < max(node.end_byte, node.start_byte + 1):
            around.pop()
        _, owner, local = around[-1] if around else (0, (), False)
        inside = owner
        kind = next((k for k in ("function", "type", "value") if k in captures), "")
        if kind and not (local and kind == "value"):
            names = _names(node)
            own = (*owner, *_receiver(node))
            first, last = node.start_point[0] + 1, node.end_point[0] + 1
            yield from (CodeDefinition(name, kind, first, last, own) for name in names)
            inside = (*own, *names[:1]) if kind != "value" else owner
        elif "owner" in captures and (owning := node.child_by_field_name("type")) is not None:
            inside = (*owner, node_text(owning).partition("<")[0])
        around.append((node.end_byte, inside, local or "local" in captures))


_NAMING = frozenset(
    (
        "identifier", "property_identifier", "type_identifier", "field_identifier", "constant",
        "word", "variable_name", "private_property_identifier", "string", "scope_resolution",
        "nested_identifier", "name", "setter", "operator",
    )
)  # fmt: skip
"""Types of nodes that are names. Patterns and computed names define nothing here."""


def _names(node: Any) -> list[str]:
    """Returns the names that a node defines."""
    field = "left" if node.type == "assignment" else "name"
    found = node.children_by_field_name(field)
    if node.type == "assignment":
        found = [n for n in found if n.type == "constant"]
    if node.type == "variable_declarator" and not found:
        found = [n for n in node.named_children[:1] if n.type == "identifier"]
    texts = ((n.type, node_text(n)) for n in found)
    return [text.strip("\"'") for kind, text in texts if "\n" not in text and kind in _NAMING]


def _receiver(node: Any) -> tuple[str, ...]:
    """Returns the type that a method of Go belongs to."""
    field = node.child_by_field_name("receiver") if node.type == "method_declaration" else None
    words = node_text(field).strip("()").split()
    return (words[-1].lstrip("*").partition("[")[0],) if words else ()


PARSERS: dict[str, Parse] = {
    **dict.fromkeys(("py", "pyi"), _in_python),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs"), partial(_by_grammar, "javascript")),
    **dict.fromkeys(("ts", "mts", "cts"), partial(_by_grammar, "typescript")),
    "tsx": partial(_by_grammar, "tsx"),
    "go": partial(_by_grammar, "go"),
    "rs": partial(_by_grammar, "rust"),
    "java": partial(_by_grammar, "java"),
    "cs": partial(_by_grammar, "c_sharp"),
    **dict.fromkeys(("rb", "rake"), partial(_by_grammar, "ruby")),
    **dict.fromkeys(("sh", "bash"), partial(_by_grammar, "bash")),
}
"""By the extension of the file."""

"""Finds the environment variables that a file reads or declares."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

from msgspec import Struct

from grounded_ingest.code.grammars import node_text, nodes_in
from grounded_ingest.code.manifest_facts import with_lines
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.yaml_text import YamlError, nodes_of

LONGEST = 400_000
"""Maximum length of a text that is searched for environment variables, in characters."""


class EnvironmentName(Struct, frozen=True):
    """An environment variable, and the line (1-based) that reads or declares the variable."""

    name: str
    line: int


Read = Callable[[str], Iterator[EnvironmentName]]

_NAME = compiled(r"[A-Z][A-Z0-9]*(?:_+[A-Z0-9]+)*")
_READER = compiled(r"(?i)env")


def environment_in(path: str, text: str) -> tuple[EnvironmentName, ...]:
    """Returns the environment variables in a text, in order.

    Returns an empty tuple if the file format is unknown or the text is too long."""
    read = _reader(path)
    return () if read is None or len(text) > LONGEST else _parsed(read, text)


def may_hold_environment(path: str) -> bool:
    """Returns whether `path` has a format in which environment variables are searched."""
    return _reader(path) is not None


def only_declares(path: str) -> bool:
    """Returns whether a file only declares variables and has no code, such as `.env.example`."""
    return _reader(path) in (_in_lines, _in_dockerfile, _in_yaml)


@lru_cache(maxsize=64)
def _parsed(read: Read, text: str) -> tuple[EnvironmentName, ...]:
    try:
        return tuple(sorted(set(read(text)), key=lambda e: (e.line, e.name)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _is_name(value: object) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _in_python(text: str) -> Iterator[EnvironmentName]:
    if not _READER.search(text):
        return
    for node in ast.walk(ast.parse(text)):
        naming: list[ast.expr] = []
        if isinstance(node, ast.Subscript) and _READER.search(ast.unparse(node.value)):
            naming = [node.slice]
        elif isinstance(node, ast.Call):
            asks = node.args[:1] if _READER.search(ast.unparse(node.func)) else []
            naming = [*asks, *(k.value for k in node.keywords if k.arg in ("env", "envvar"))]
        for one in (c for n in naming for c in (n.elts if isinstance(n, ast.List) else [n])):
            if isinstance(one, ast.Constant) and _is_name(one.value):
                yield EnvironmentName(str(one.value), one.lineno)


_LITERALS = frozenset(
    ("string", "string_literal", "interpreted_string_literal", "raw_string_literal")
)
_ASKS = compiled(r"(?i)env\w*(?:(?:[.?]|::)+\w+|!)*\s*[(\[]\s*$|\benv(?:var|_var)?\s*[=:]\s*$")
"""Code right before a string literal with a variable name: `os.Getenv(`, `env::var(`, `env = `."""
_MAY_READ = compiled(
    r"(?i)env\w*(?:(?:[.?]|::)+\w+|!)*\s*[(\[]\s*[\"'`]|\benv(?:var|_var)?\s*[=:]\s*[\"'`]|\.env\b|"
    r"\benv(?:config)?:\""
)
"""Matches a part of each text in which a node names a variable, so that other texts need no parse.
"""
_STRUCT_TAG = compiled(r"\benv(?:config)?:\"([A-Z][A-Z0-9_]*)")


def _by_grammar(language: str, text: str) -> Iterator[EnvironmentName]:
    if _MAY_READ.search(text):
        source = text.encode(errors="replace")
        for node in nodes_in(language, text):
            yield from _names_in_node(node, source)


def _names_in_node(node: Any, source: bytes) -> Iterator[EnvironmentName]:
    line = node.start_point[0] + 1
    if node.type in _LITERALS:
        text = node_text(node)
        name = text.strip("\"'`")
        before = source[max(0, node.start_byte - 80) : node.start_byte].decode(errors="replace")
        if _is_name(name) and _ASKS.search(before.rpartition("\n")[2]):
            yield EnvironmentName(name, line)
        elif node.type == "raw_string_literal" and (tag := _STRUCT_TAG.search(text)):
            yield EnvironmentName(tag[1], line)
    elif node.type == "member_expression":  # matches `process.env.PORT`
        owner = node_text(node.child_by_field_name("object"))
        name = node_text(node.child_by_field_name("property"))
        if owner.endswith(".env") and _is_name(name):
            yield EnvironmentName(name, line)
    elif node.type == "variable_declarator":  # matches `const { A, B: b } = process.env`
        pattern, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if pattern is None or pattern.type != "object_pattern":
            return
        for part in pattern.named_children if node_text(value).endswith(".env") else ():
            name = node_text(part).partition(":")[0].partition("=")[0].strip()
            if _is_name(name):
                yield EnvironmentName(name, part.start_point[0] + 1)


def _in_shell(text: str) -> Iterator[EnvironmentName]:
    """Yields the variables that a script exports, or that it reads without setting them."""
    assigned: set[str] = set()
    read: list[EnvironmentName] = []
    source = text.encode(errors="replace")
    parents: dict[int, Any] = {}  # `Node.parent` is slow because it searches from the root
    for node in nodes_in("bash", text):
        parents.update((child.id, node) for child in node.named_children)
        if node.type != "variable_name" or not _is_name(node_text(node)):
            continue
        parent, name = parents[node.id], EnvironmentName(node_text(node), node.start_point[0] + 1)
        command = parents.get(parent.id)
        exported = command is not None and source.startswith(b"export", command.start_byte)
        if parent.type in ("expansion", "simple_expansion") or exported:
            read.append(name)
        elif parent.type == "variable_assignment":
            assigned.add(name.name)
    yield from (name for name in read if name.name not in assigned)


_LINE = compiled(r"(?m)^[ \t]*(?:#[ \t]?)?(?:export[ \t]+)?([A-Z][A-Z0-9_]*)[ \t]*=")
_DOCKER = compiled(r"(?mi)^[ \t]*(?:ENV|ARG)[ \t]+((?:[^\n\\]|\\\n|\\.)*)")
_GIVEN = compiled(r"(?:^|\s)([A-Za-z_]\w*)=")


def _in_lines(text: str) -> Iterator[EnvironmentName]:
    for line, found in with_lines(_LINE.finditer(text), text, group=1):
        yield EnvironmentName(found[1], line)


def _in_dockerfile(text: str) -> Iterator[EnvironmentName]:
    for line, found in with_lines(_DOCKER.finditer(text), text):
        names = _GIVEN.findall(found[1]) or found[1].split()[:1]
        yield from (EnvironmentName(name, line) for name in names if _is_name(name))


_VARIABLE_KEYS = frozenset(("env", "environment", "envs", "build-args"))
_EXPANDED = compiled(r"\$\{([A-Z][A-Z0-9_]*)")
_LISTED = compiled(r"([A-Z][A-Z0-9_]*)(?:=.*)?", re.DOTALL)


def _in_yaml(text: str) -> Iterator[EnvironmentName]:
    """Yields the environment variables in compose files, CI workflows and cluster manifests."""
    try:
        waiting: list[Any] = list(nodes_of(text))
    except YamlError:
        return
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.id == "scalar":
            names = _EXPANDED.findall(node.value)
            yield from (EnvironmentName(n, node.start_mark.line + 1) for n in names)
        elif node.id == "sequence":
            waiting += node.value
        else:
            for key, value in node.value:
                waiting += (key, value)
                if key.value in _VARIABLE_KEYS:
                    yield from _below_key(value)


def _below_key(node: Any) -> Iterator[EnvironmentName]:
    """Yields the variable names below a key such as `env`.

    The node is a mapping, a list of `NAME=value`, or a list of mappings with the key `name`."""
    named = []
    if node.id == "mapping":
        named = [key for key, _ in node.value]
    elif node.id == "sequence":
        pairs = [pair for item in node.value if item.id == "mapping" for pair in item.value]
        named = [item for item in node.value if item.id == "scalar"]
        named += [value for key, value in pairs if key.value == "name"]
    for one in named:
        if isinstance(one.value, str) and (found := _LISTED.fullmatch(one.value)):
            yield EnvironmentName(found[1], one.start_mark.line + 1)


_READERS: dict[str, Read] = {
    **dict.fromkeys(("py", "pyi"), _in_python),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs"), partial(_by_grammar, "javascript")),
    **dict.fromkeys(("ts", "mts", "cts"), partial(_by_grammar, "typescript")),
    "tsx": partial(_by_grammar, "tsx"),
    "go": partial(_by_grammar, "go"),
    "rs": partial(_by_grammar, "rust"),
    "java": partial(_by_grammar, "java"),
    "cs": partial(_by_grammar, "c_sharp"),
    **dict.fromkeys(("rb", "rake"), partial(_by_grammar, "ruby")),
    **dict.fromkeys(("sh", "bash"), _in_shell),
    **dict.fromkeys(("yml", "yaml"), _in_yaml),
}
"""Maps a file extension to the function that finds environment variables in such a file."""
_EXAMPLE = compiled(r"\.env(?:[._-][\w.-]+)?$|[\w.-]*\.env$|env\.(?:example|sample|template|dist)$")
_IMAGE = compiled(r"(?:Docker|Container)file(?:\.[\w-]+)?$|[\w-]+\.[Dd]ockerfile$")


def _reader(path: str) -> Read | None:
    name = path.rpartition("/")[2]
    if _EXAMPLE.match(name):
        return _in_lines
    if _IMAGE.match(name):
        return _in_dockerfile
    return _READERS.get(name.rpartition(".")[2].lower())

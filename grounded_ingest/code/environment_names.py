"""Environment variables that a text reads or declares, by the parser of its language."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from grounded_ingest.code.offers import with_lines
from grounded_ingest.text.patterns import compiled

LONGEST = 400_000
"""Characters of the longest text that is parsed."""


class EnvironmentName(NamedTuple):
    """A variable and the line (1-based) that reads or declares it."""

    name: str
    line: int


_NAME = compiled(r"[A-Z][A-Z0-9]*(?:_+[A-Z0-9]+)*")
_READER = compiled(r"(?i)env")
_ASKED = compiled(r"(?i)env\w*(?:(?:[.?]|::)+\w+|!)*\s*[(\[]\s*$|\benv(?:var|_var)?\s*[=:]\s*$")
"""What stands before the literal that names a variable: `os.Getenv(`, `env::var(`, `env = `."""
_TAG = compiled(r"\benv(?:config)?:\"([A-Z][A-Z0-9_]*)")
_LINE = compiled(r"(?m)^[ \t]*(?:#[ \t]?)?(?:export[ \t]+)?([A-Z][A-Z0-9_]*)[ \t]*=")
_DOCKER = compiled(r"(?mi)^[ \t]*(?:ENV|ARG)[ \t]+((?:[^\n\\]|\\\n|\\.)*)")
_GIVEN = compiled(r"(?:^|\s)([A-Za-z_]\w*)=")
_EXPANDED = compiled(r"\$\{([A-Z][A-Z0-9_]*)")
_LISTED = compiled(r"([A-Z][A-Z0-9_]*)(?:=.*)?", 16)


def environment_in(path: str, text: str) -> tuple[EnvironmentName, ...]:
    """The variables of a text in order; none where its format is not known, or it is too long."""
    read = _reader(path)
    return () if read is None or len(text) > LONGEST else _kept(read, text)


def may_hold_environment(path: str) -> bool:
    """Whether files of this name are read."""
    return _reader(path) is not None


def only_declares(path: str) -> bool:
    """Whether a file is one that gives variables, as `.env.example` does, and no code."""
    return _reader(path) in (_in_lines, _in_dockerfile, _in_yaml)


@lru_cache(maxsize=64)
def _kept(read: Read, text: str) -> tuple[EnvironmentName, ...]:
    try:
        return tuple(sorted(set(read(text)), key=lambda e: (e.line, e.name)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


Read = Callable[[str], Iterator[EnvironmentName]]


def _in_python(text: str) -> Iterator[EnvironmentName]:
    if not _READER.search(text):
        return
    for node in ast.walk(ast.parse(text)):
        named: list[ast.expr] = []
        if isinstance(node, ast.Subscript) and _READER.search(ast.unparse(node.value)):
            named = [node.slice]
        elif isinstance(node, ast.Call):
            asks = node.args[:1] if _READER.search(ast.unparse(node.func)) else []
            named = [*asks, *(k.value for k in node.keywords if k.arg in ("env", "envvar"))]
        for one in (c for n in named for c in (n.elts if isinstance(n, ast.List) else [n])):
            if isinstance(one, ast.Constant) and _is_name(one.value):
                yield EnvironmentName(str(one.value), one.lineno)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _by_grammar(language: str) -> Read:
    def read(text: str) -> Iterator[EnvironmentName]:
        from grounded_ingest.code.grammars import nodes_in

        if _READER.search(text):
            source = text.encode(errors="replace")
            for node in nodes_in(language, text):
                yield from _of_node(node, source)

    return read


def _of_node(node: Any, source: bytes) -> Iterator[EnvironmentName]:
    line = node.start_point[0] + 1
    if node.type in _LITERALS:
        text = _text(node)
        before = source[max(0, node.start_byte - 80) : node.start_byte].decode(errors="replace")
        if _is_name(text.strip("\"'`")) and _ASKED.search(before.rpartition("\n")[2]):
            yield EnvironmentName(text.strip("\"'`"), line)
        elif node.type == "raw_string_literal" and (tag := _TAG.search(text)):
            yield EnvironmentName(tag[1], line)
    elif node.type == "member_expression":
        held, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        if held is not None and _text(held).endswith(".env") and _is_name(_text(name)):
            yield EnvironmentName(_text(name), line)
    elif node.type == "variable_declarator":
        yield from _taken_apart(node)


def _taken_apart(node: Any) -> Iterator[EnvironmentName]:
    """`const { A, B: b } = process.env`."""
    pattern, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if pattern is None or value is None or not _text(value).endswith(".env"):
        return
    for part in pattern.named_children if pattern.type == "object_pattern" else ():
        name = _text(part).partition(":")[0].partition("=")[0].strip()
        if _is_name(name):
            yield EnvironmentName(name, part.start_point[0] + 1)


_LITERALS = frozenset(
    {
        *("string", "string_literal", "interpreted_string_literal", "raw_string_literal"),
    }
)


def _text(node: Any) -> str:
    return node.text.decode(errors="replace") if node is not None and node.text else ""


def _in_shell(text: str) -> Iterator[EnvironmentName]:
    """What a script exports, and what it asks for without giving it a value."""
    from grounded_ingest.code.grammars import nodes_in

    own: set[str] = set()
    asked: list[EnvironmentName] = []
    source = text.encode(errors="replace")
    above_of: dict[int, Any] = {}  # `Node.parent` looks from the root down, so it costs more
    for node in nodes_in("bash", text):
        above_of.update((child.id, node) for child in node.named_children)
        if node.type != "variable_name" or not _is_name(_text(node)):
            continue
        above, name = above_of[node.id], EnvironmentName(_text(node), node.start_point[0] + 1)
        holder = above_of.get(above.id)
        exported = holder is not None and source.startswith(b"export", holder.start_byte)
        if above.type in ("expansion", "simple_expansion") or exported:
            asked.append(name)
        elif above.type == "variable_assignment":
            own.add(name.name)
    yield from (name for name in asked if name.name not in own)


def _in_lines(text: str) -> Iterator[EnvironmentName]:
    for line, found in with_lines(_LINE.finditer(text), text, group=1):
        yield EnvironmentName(found[1], line)


def _in_dockerfile(text: str) -> Iterator[EnvironmentName]:
    for line, found in with_lines(_DOCKER.finditer(text), text):
        names = _GIVEN.findall(found[1]) or found[1].split()[:1]
        yield from (EnvironmentName(name, line) for name in names if _is_name(name))


_HOLDERS = frozenset(("env", "environment", "envs", "build-args"))


def _in_yaml(text: str) -> Iterator[EnvironmentName]:
    """Variables of compose files, workflows and manifests of clusters."""
    from yaml import YAMLError

    from grounded_ingest.text.yaml_text import YamlError, nodes_of

    try:
        waiting: list[Any] = list(nodes_of(text))
    except (YamlError, YAMLError):
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
                if key.value in _HOLDERS:
                    yield from _held(value)


def _held(node: Any) -> Iterator[EnvironmentName]:
    """The names of a mapping, of a list of `NAME=value`, or of `name:` in a list."""
    if node.id == "mapping":
        named = [key for key, _ in node.value]
    elif node.id == "sequence":
        pairs = [pair for item in node.value if item.id == "mapping" for pair in item.value]
        named = [item for item in node.value if item.id == "scalar"]
        named += [value for key, value in pairs if key.value == "name"]
    else:
        return
    for one in named:
        if isinstance(one.value, str) and (found := _LISTED.fullmatch(one.value)):
            yield EnvironmentName(found[1], one.start_mark.line + 1)


_READERS: dict[str, Read] = {
    **dict.fromkeys(("py", "pyi"), _in_python),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs"), _by_grammar("javascript")),
    **dict.fromkeys(("ts", "mts", "cts"), _by_grammar("typescript")),
    "tsx": _by_grammar("tsx"),
    "go": _by_grammar("go"),
    "rs": _by_grammar("rust"),
    "java": _by_grammar("java"),
    "cs": _by_grammar("c_sharp"),
    **dict.fromkeys(("rb", "rake"), _by_grammar("ruby")),
    **dict.fromkeys(("sh", "bash"), _in_shell),
    **dict.fromkeys(("yml", "yaml"), _in_yaml),
}
"""By the ends of file names."""
_EXAMPLE = compiled(r"\.env(?:[._-][\w.-]+)?$|[\w.-]*\.env$|env\.(?:example|sample|template|dist)$")
_IMAGE = compiled(r"(?:Docker|Container)file(?:\.[\w-]+)?$|[\w-]+\.[Dd]ockerfile$")


def _reader(path: str) -> Read | None:
    name = path.rpartition("/")[2]
    if _EXAMPLE.match(name):
        return _in_lines
    if _IMAGE.match(name):
        return _in_dockerfile
    return _READERS.get(name.rpartition(".")[2].lower())

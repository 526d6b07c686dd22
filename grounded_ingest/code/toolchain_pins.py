"""Versions that manifests and toolchain files ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from grounded_ingest.code.offers import json_value, mapping_at, toml_value, with_lines
from grounded_ingest.text.patterns import compiled

Version = tuple[int, ...]


class Pin(NamedTuple):
    """What a file asks of a runtime: `minimum` and newer, or just this version."""

    runtime: str
    version: Version
    minimum: bool
    line: int = 0


_NAMES = {
    "node": "node", "nodejs": "node", "node.js": "node", "python": "python",
    "golang": "go", "go": "go",
    "rust": "rust", "ruby": "ruby", "php": "php", "bun": "bun", "deno": "deno", "pnpm": "pnpm",
    "npm": "npm", "yarn": "yarn", "java": "java",
}  # fmt: skip
_PLAIN = {
    ".nvmrc": "node", ".node-version": "node", ".python-version": "python", ".ruby-version": "ruby",
    ".go-version": "go", "rust-toolchain": "rust", ".bun-version": "bun",
}  # fmt: skip
_VERSION = compiled(r"(\d+(?:\.\d+){0,2})")
# `^\s*` crosses lines: of n blank lines every one would be begun at and read to the last.
_GO = compiled(r"(?m)^(go|toolchain)[^\S\n]+(?:go)?(\d+(?:\.\d+)*)")
_FROM = compiled(
    r"(?mi)^FROM\s+(?:--\S+\s+)*(?:[\w.-]+/)*(node|python|golang|rust|ruby|php|bun|deno):v?(\d+(?:\.\d+)*)"
)
_GEM = compiled(r"(?m)^[^\S\n]*ruby[^\S\n]+['\"](?:(>=|~>)\s*)?(\d+(?:\.\d+)*)")
_REQUIRES = compiled(r"(?m)^[^\S\n]*python_requires\s*=\s*(.+)$")
_COMPARED = compiled(r"(?:(>=|<=|~=|==|=|<|>|\^|~|!=)\s*)?v?(\d+(?:\.(?:\d+|x|X|\*))*)")


_LONGEST_RANGE = 500
"""Characters; a longer text is no range of versions."""


def numbers(version: str) -> Version:
    """`3.12` as (3, 12); what is no number ends it."""
    found = _VERSION.search(version)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def pins(path: str, text: str) -> list[Pin]:
    """What a file asks of runtimes; its name says how it is read."""
    name = path.rpartition("/")[2]
    if name in _PLAIN:
        rows = [r for r in text.splitlines()[:20] if r.strip() and not r.startswith("#")]
        return [Pin(_PLAIN[name], v, minimum=False) for r in rows if (v := numbers(r))]
    if name.startswith("Dockerfile") or name.endswith(".Dockerfile"):
        return [
            Pin(_NAMES[m[1].lower()], numbers(m[2]), False, line)
            for line, m in with_lines(_FROM.finditer(text), text)
        ]
    reader = _READERS.get(name)
    return list(reader(text)) if reader else []


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def least(spec: Any) -> Version:
    """The lowest version a range admits; empty where it has no lower end."""
    if not isinstance(spec, str) or len(spec) > _LONGEST_RANGE:
        return ()
    lowest = [_lower_end(part) for part in spec.split("||")]
    return min(lowest) if lowest and all(lowest) else ()


def _lower_end(spec: str) -> Version:
    found = [(m[1] or "", m[2]) for m in _COMPARED.finditer(spec)]
    ends = [numbers(version) for sign, version in found if sign not in ("<", "<=", "!=", ">")]
    return max(ends, default=())


def _range(runtime: str, spec: Any, text: str, key: str) -> Iterator[Pin]:
    if version := least(spec):
        at = text.find(key)
        yield Pin(runtime, version, minimum=True, line=_line(text, at) if at >= 0 else 0)


def _node(text: str) -> Iterator[Pin]:
    read = json_value(text)
    for name, spec in mapping_at(read, "engines").items():
        if name in _NAMES:
            yield from _range(_NAMES[name], spec, text, '"engines"')
    for name, spec in mapping_at(read, "volta").items():
        if name in _NAMES and (version := numbers(str(spec))):
            yield Pin(_NAMES[name], version, minimum=False)
    manager = read.get("packageManager") if isinstance(read, dict) else None
    name, _, said = str(manager or "").partition("@")
    if name in _NAMES and numbers(said):
        yield Pin(_NAMES[name], numbers(said), False, _line(text, text.find('"packageManager"')))


def _python(text: str) -> Iterator[Pin]:
    read = toml_value(text)
    yield from _range(
        "python", mapping_at(read, "project").get("requires-python"), text, "requires-python"
    )
    poetry = mapping_at(read, "tool", "poetry", "dependencies").get("python")
    yield from _range("python", poetry, text, "python")


def _setup_cfg(text: str) -> Iterator[Pin]:
    if found := _REQUIRES.search(text):
        yield from _range("python", found[1], text, found[0].strip())


def _setup_py(text: str) -> Iterator[Pin]:
    import ast

    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(module):
        if isinstance(node, ast.keyword) and node.arg == "python_requires":
            spec = node.value.value if isinstance(node.value, ast.Constant) else None
            yield from _range("python", spec, text, "python_requires")


def _cargo(text: str) -> Iterator[Pin]:
    read = toml_value(text)
    for keys in (("package",), ("workspace", "package")):
        yield from _range("rust", mapping_at(read, *keys).get("rust-version"), text, "rust-version")


def _rust_toolchain(text: str) -> Iterator[Pin]:
    channel = mapping_at(toml_value(text), "toolchain").get("channel")
    if version := numbers(str(channel)) if channel and str(channel)[0].isdigit() else ():
        yield Pin("rust", version, minimum=False)


def _go_mod(text: str) -> Iterator[Pin]:
    for line, m in with_lines(_GO.finditer(text), text):
        yield Pin("go", numbers(m[2]), m[1] == "go", line)


def _composer(text: str) -> Iterator[Pin]:
    yield from _range("php", mapping_at(json_value(text), "require").get("php"), text, '"php"')


def _gemfile(text: str) -> Iterator[Pin]:
    for line, m in with_lines(_GEM.finditer(text), text):
        yield Pin("ruby", numbers(m[2]), bool(m[1]), line)


def _tool_versions(text: str) -> Iterator[Pin]:
    for row in text.splitlines()[:200]:
        name, *versions = row.split("#")[0].split()[:2] or [""]
        if name in _NAMES and versions and (version := numbers(versions[0])):
            yield Pin(_NAMES[name], version, minimum=False)


def _mise(text: str) -> Iterator[Pin]:
    for name, said in mapping_at(toml_value(text), "tools").items():
        version = numbers(said) if isinstance(said, str) else ()
        if name in _NAMES and version:
            yield Pin(_NAMES[name], version, minimum=False)


_READERS = {
    "package.json": _node, "pyproject.toml": _python, "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "Cargo.toml": _cargo, "rust-toolchain.toml": _rust_toolchain, "go.mod": _go_mod,
    "composer.json": _composer, "Gemfile": _gemfile, ".tool-versions": _tool_versions,
    "mise.toml": _mise, ".mise.toml": _mise,
}  # fmt: skip

PINNING = (*_PLAIN, *_READERS, "Dockerfile")
"""Names of the files that are read."""

_MATRIX = compiled(
    r"(?m)^[^\S\n]*+(?:-[^\S\n]*+)?(node|python|go|ruby|php|java)-?version:[ \t]*+"
    r"(.*+(?:\n\s++-\s.*+)*+)"
)


def matrix(text: str) -> list[Pin]:
    """The versions that a workflow of CI names."""
    return [
        Pin(m[1], numbers(version), minimum=False)
        for m in _MATRIX.finditer(text)
        for version in re.findall(r"\d+(?:\.\d+)*", m[2])
    ]


def own_version(path: str, text: str) -> str:
    """The version a manifest gives its own package; empty where it is made elsewhere."""
    return _own(path, text, "version")


def own_name(path: str, text: str) -> str:
    """The name a manifest gives its own package."""
    return _own(path, text, "name")


def _own(path: str, text: str, key: str) -> str:
    name = path.rpartition("/")[2]
    read: Any = json_value(text) if name == "package.json" else toml_value(text)
    keys = {"package.json": (), "pyproject.toml": ("project",), "Cargo.toml": ("package",)}
    found = mapping_at(read, *keys[name]).get(key) if name in keys else None
    if name == "pyproject.toml" and found is None:
        found = mapping_at(read, "tool", "poetry").get(key)
    return found if isinstance(found, str) else ""

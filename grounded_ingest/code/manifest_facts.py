"""Reads the values in manifests, the runtime versions they require, and their dependencies."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.toml_text import TomlError, load_toml
from grounded_ingest.text.yaml_text import YamlError, nodes_of, value_of


def json_value(text: str) -> Any:
    """Returns the value of a JSON text, or None if the JSON is invalid or nested too deeply."""
    import json  # imported late for a fast start

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def toml_value(text: str) -> dict[str, Any]:
    """Returns the values in a TOML text.

    Returns an empty mapping if the TOML is invalid or too large for the reader."""
    try:
        return load_toml(text)
    except TomlError:
        return {}


def yaml_value(text: str) -> Any:
    """Returns the value of the first YAML document in a text.

    Returns None if the YAML is invalid or too large for the reader."""
    try:
        nodes = nodes_of(text)
        return value_of(nodes[0]) if nodes else None
    except (YamlError, ValueError, RecursionError):
        return None


def mapping_at(value: Any, *keys: str) -> dict[str, Any]:
    """Returns the mapping at a path of keys. Returns an empty mapping if nothing is there."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def with_lines(
    found: Iterable[re.Match[str]], text: str, group: int = 0
) -> Iterator[tuple[int, re.Match[str]]]:
    """Yields pairs of a line number (1-based) and a match whose `group` begins on that line.

    Leaves out matches without the group.
    """
    line, counted = 1, 0
    for one in found:
        if (at := one.start(group)) >= 0:
            line += text.count("\n", counted, at)
            counted = at
            yield line, one


Version = tuple[int, ...]


class Pin(Struct, frozen=True):
    """A runtime version that a file requires.

    If `minimum` is true, newer versions are allowed too. `line` is 1-based, or 0 if unknown."""

    runtime: str
    version: Version
    minimum: bool
    line: int = 0


_RUNTIMES = {
    "node": "node", "nodejs": "node", "node.js": "node", "python": "python",
    "golang": "go", "go": "go",
    "rust": "rust", "ruby": "ruby", "php": "php", "bun": "bun", "deno": "deno", "pnpm": "pnpm",
    "npm": "npm", "yarn": "yarn", "java": "java",
}  # fmt: skip
_VERSION_FILES = {
    ".nvmrc": "node", ".node-version": "node", ".python-version": "python", ".ruby-version": "ruby",
    ".go-version": "go", "rust-toolchain": "rust", ".bun-version": "bun",
}  # fmt: skip
_VERSION = compiled(r"(\d+(?:\.\d+){0,2})")
# The patterns use `[^\S\n]*`, because `\s*` also matches line ends. With `\s*`, a search over n
# blank lines would take quadratic time.
_GO = compiled(r"(?m)^(go|toolchain)[^\S\n]+(?:go)?(\d+(?:\.\d+)*)")
_FROM = compiled(
    r"(?mi)^FROM\s+(?:--\S+\s+)*(?:[\w.-]+/)*(node|python|golang|rust|ruby|php|bun|deno):v?(\d+(?:\.\d+)*)"
)
_RUBY = compiled(r"(?m)^[^\S\n]*ruby[^\S\n]+['\"](?:(>=|~>)\s*)?(\d+(?:\.\d+)*)")
_PYTHON_REQUIRES = compiled(r"(?m)^[^\S\n]*python_requires\s*=\s*(.+)$")
_COMPARED = compiled(r"(?:(>=|<=|~=|==|=|<|>|\^|~|!=)\s*)?v?(\d+(?:\.(?:\d+|x|X|\*))*)")
_LONGEST_RANGE = 500
"""Maximum length of a text that is read as a version range, in characters."""


def numbers(version: str) -> Version:
    """Returns the first version in a text as one to three numbers: (3, 12) for `3.12`."""
    found = _VERSION.search(version)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def pins(path: str, text: str) -> list[Pin]:
    """Returns the runtime versions that a file requires. The file name decides the format."""
    name = path.rpartition("/")[2]
    if name in _VERSION_FILES:
        rows = [r for r in text.splitlines()[:20] if r.strip() and not r.startswith("#")]
        return [Pin(_VERSION_FILES[name], v, minimum=False) for r in rows if (v := numbers(r))]
    if name.startswith("Dockerfile") or name.endswith(".Dockerfile"):
        return [
            Pin(_RUNTIMES[m[1].lower()], numbers(m[2]), False, line)
            for line, m in with_lines(_FROM.finditer(text), text)
        ]
    reader = _PINS.get(name)
    return list(reader(text)) if reader else []


def _lowest(spec: Any) -> Version:
    """Returns the lowest version in a version range. Returns () if the range has no lower end."""
    if not isinstance(spec, str) or len(spec) > _LONGEST_RANGE:
        return ()
    lowest = [_lower_end(part) for part in spec.split("||")]
    return min(lowest) if lowest and all(lowest) else ()


def _lower_end(spec: str) -> Version:
    found = [(m[1] or "", m[2]) for m in _COMPARED.finditer(spec)]
    ends = [numbers(version) for sign, version in found if sign not in ("<", "<=", "!=", ">")]
    return max(ends, default=())


def _minimum(runtime: str, spec: Any, text: str, key: str) -> Iterator[Pin]:
    if version := _lowest(spec):
        at = text.find(key)
        line = text.count("\n", 0, at) + 1 if at >= 0 else 0
        yield Pin(runtime, version, minimum=True, line=line)


def _package_json_pins(text: str) -> Iterator[Pin]:
    read = json_value(text)
    for name, spec in mapping_at(read, "engines").items():
        if name in _RUNTIMES:
            yield from _minimum(_RUNTIMES[name], spec, text, '"engines"')
    for name, spec in mapping_at(read, "volta").items():
        if name in _RUNTIMES and (version := numbers(str(spec))):
            yield Pin(_RUNTIMES[name], version, minimum=False)
    manager = read.get("packageManager") if isinstance(read, dict) else None
    name, _, version_text = str(manager or "").partition("@")
    if name in _RUNTIMES and (version := numbers(version_text)):
        line = text.count("\n", 0, text.find('"packageManager"')) + 1
        yield Pin(_RUNTIMES[name], version, minimum=False, line=line)


def _pyproject_pins(text: str) -> Iterator[Pin]:
    read = toml_value(text)
    required = mapping_at(read, "project").get("requires-python")
    yield from _minimum("python", required, text, "requires-python")
    poetry = mapping_at(read, "tool", "poetry", "dependencies").get("python")
    yield from _minimum("python", poetry, text, "python")


def _setup_cfg_pins(text: str) -> Iterator[Pin]:
    if found := _PYTHON_REQUIRES.search(text):
        yield from _minimum("python", found[1], text, found[0].strip())


def _setup_py_pins(text: str) -> Iterator[Pin]:
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(module):
        if isinstance(node, ast.keyword) and node.arg == "python_requires":
            spec = node.value.value if isinstance(node.value, ast.Constant) else None
            yield from _minimum("python", spec, text, "python_requires")


def _cargo_pins(text: str) -> Iterator[Pin]:
    read = toml_value(text)
    for keys in (("package",), ("workspace", "package")):
        spec = mapping_at(read, *keys).get("rust-version")
        yield from _minimum("rust", spec, text, "rust-version")


def _rust_toolchain_pins(text: str) -> Iterator[Pin]:
    channel = mapping_at(toml_value(text), "toolchain").get("channel")
    if version := numbers(str(channel)) if channel and str(channel)[0].isdigit() else ():
        yield Pin("rust", version, minimum=False)


def _go_mod_pins(text: str) -> Iterator[Pin]:
    for line, m in with_lines(_GO.finditer(text), text):
        yield Pin("go", numbers(m[2]), m[1] == "go", line)


def _composer_pins(text: str) -> Iterator[Pin]:
    yield from _minimum("php", mapping_at(json_value(text), "require").get("php"), text, '"php"')


def _gemfile_pins(text: str) -> Iterator[Pin]:
    for line, m in with_lines(_RUBY.finditer(text), text):
        yield Pin("ruby", numbers(m[2]), bool(m[1]), line)


def _tool_versions_pins(text: str) -> Iterator[Pin]:
    for row in text.splitlines()[:200]:
        name, *versions = row.split("#")[0].split()[:2] or [""]
        if name in _RUNTIMES and versions and (version := numbers(versions[0])):
            yield Pin(_RUNTIMES[name], version, minimum=False)


def _mise_pins(text: str) -> Iterator[Pin]:
    for name, spec in mapping_at(toml_value(text), "tools").items():
        version = numbers(spec) if isinstance(spec, str) else ()
        if name in _RUNTIMES and version:
            yield Pin(_RUNTIMES[name], version, minimum=False)


_PINS: dict[str, Callable[[str], Iterator[Pin]]] = {
    "package.json": _package_json_pins, "pyproject.toml": _pyproject_pins,
    "setup.cfg": _setup_cfg_pins, "setup.py": _setup_py_pins, "Cargo.toml": _cargo_pins,
    "rust-toolchain.toml": _rust_toolchain_pins, "go.mod": _go_mod_pins,
    "composer.json": _composer_pins, "Gemfile": _gemfile_pins,
    ".tool-versions": _tool_versions_pins, "mise.toml": _mise_pins, ".mise.toml": _mise_pins,
}  # fmt: skip
PINNING = (*_VERSION_FILES, *_PINS, "Dockerfile")
"""Names of the files that require runtime versions."""

_MATRIX = compiled(
    r"(?m)^[^\S\n]*+(?:-[^\S\n]*+)?(node|python|go|ruby|php|java)-?version:[ \t]*+"
    r"(.*+(?:\n\s++-\s.*+)*+)"
)


def ci_pins(text: str) -> list[Pin]:
    """Returns the runtime versions that a CI workflow uses."""
    return [
        Pin(m[1], numbers(version), minimum=False)
        for m in _MATRIX.finditer(text)
        for version in re.findall(r"\d+(?:\.\d+)*", m[2])
    ]


def own_version(path: str, text: str) -> str:
    """Returns the version of a manifest's own package. Returns an empty string if there is none."""
    return _own_field(path, text, "version")


def own_name(path: str, text: str) -> str:
    """Returns the name of a manifest's own package. Returns an empty string if there is none."""
    return _own_field(path, text, "name")


def _own_field(path: str, text: str, key: str) -> str:
    name = path.rpartition("/")[2]
    read: Any = json_value(text) if name == "package.json" else toml_value(text)
    keys = {"package.json": (), "pyproject.toml": ("project",), "Cargo.toml": ("package",)}
    found = mapping_at(read, *keys[name]).get(key) if name in keys else None
    if name == "pyproject.toml" and found is None:
        found = mapping_at(read, "tool", "poetry").get(key)
    return found if isinstance(found, str) else ""


def normal_name(name: str, of: str) -> str:
    """Returns a package name, normalised by the rules of the ecosystem `of`.

    Source: https://packaging.python.org/en/latest/specifications/name-normalization/"""
    return re.sub(r"[-_.]+", "-", name).lower() if of in ("python", "rust") else name


def cargo_dependencies(text: str) -> Iterator[str]:
    """Yields the names of the dependencies that a Cargo.toml lists, also in its workspace."""
    read = toml_value(text)
    for place in (read, mapping_at(read, "workspace"), *mapping_at(read, "target").values()):
        for key in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name, detail in mapping_at(place, key).items():
                yield name
                yield str(mapping_at(detail).get("package") or "")

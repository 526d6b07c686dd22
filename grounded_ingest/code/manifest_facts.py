"""Reads the values in manifests, the runtime versions they require, and their dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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

    Leaves out matches without the group."""
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


RUNTIMES = {
    "node": "node", "nodejs": "node", "node.js": "node", "python": "python",
    "golang": "go", "go": "go", "rust": "rust", "rustc": "rust", "msrv": "rust",
    "ruby": "ruby", "php": "php", "bun": "bun", "deno": "deno", "pnpm": "pnpm",
    "npm": "npm", "yarn": "yarn",
}  # fmt: skip
"""Maps the names of runtimes, in lower case, to the names that a `Pin` has."""
_TOOLS = "|".join(RUNTIMES)
_QUOTED = r"[\"']([^\"'\n]+)[\"']"
_LINE = r"^[^\S\n]*+(v?\d[\w.]*)"
_SET = r"[^\S\n]*=[^\S\n]*"
_POETRY = rf"^\[tool\.poetry\.dependencies\][^\n]*\n(?:(?!\[).*+\n)*?python{_SET}{_QUOTED}"
_MISE = rf"^(?P<tool>{_TOOLS}){_SET}{_QUOTED}"
_TABLE: dict[str, tuple[tuple[str, str], ...]] = {
    ".nvmrc": (("node", _LINE),), ".node-version": (("node", _LINE),),
    ".python-version": (("python", _LINE),), ".python-version-default": (("python", _LINE),),
    ".ruby-version": (("ruby", r"^(?:ruby-)?(\d\S*)"),), ".go-version": (("go", _LINE),),
    ".bun-version": (("bun", _LINE),),
    "rust-toolchain": (("rust", _LINE),),
    "rust-toolchain.toml": (("rust", rf"^[^\S\n]*channel{_SET}[\"'](\d[\d.]*)[\"']"),),
    "pyproject.toml": (
        (">python", rf"^[^\S\n]*requires-python{_SET}{_QUOTED}"),
        (">python", _POETRY),
    ),
    "setup.cfg": ((">python", rf"^[^\S\n]*python_requires{_SET}(.+)$"),),
    "setup.py": ((">python", rf"python_requires{_SET}{_QUOTED}"),),
    "Cargo.toml": ((">rust", rf"^rust-version{_SET}{_QUOTED}"),),
    "go.mod": ((">go", r"^go[^\S\n]+(\S+)"), ("go", r"^toolchain[^\S\n]+go(\S+)")),
    "composer.json": ((">php", rf'"php"[^\S\n]*:[^\S\n]*{_QUOTED}'),),
    "Gemfile": (("ruby", rf"^[^\S\n]*ruby[^\S\n]+{_QUOTED}"),),
    ".gemspec": ((">ruby", rf"required_ruby_version{_SET}(?:[\w:.]+\()?\[?{_QUOTED}"),),
    ".tool-versions": (("", rf"^(?P<tool>{_TOOLS})[^\S\n]+(?:[a-z]+-)?(\d\S*)"),),
    "mise.toml": (("", _MISE),), ".mise.toml": (("", _MISE),),
    "Dockerfile": (
        ("", rf"^FROM\s+(?:--\S+\s+)*(?:[\w.-]+/)*(?P<tool>{_TOOLS}):v?(\d[\d.]*)"),
        ("", rf"^ARG\s+(?P<tool>{_TOOLS})_VERSION=[\"']?(\d[\d.]*)"),
    ),
}  # fmt: skip
"""Maps the name of a file to the patterns for the runtime versions that it requires. The last group
matches the version. A `>` before the runtime means that newer versions are allowed too."""
# The patterns use `[^\S\n]*`, because `\s*` also matches line ends. With `\s*`, a search over n
# blank lines would take quadratic time.
_PATTERNS = {
    name: [(runtime, compiled(pattern, re.MULTILINE | re.IGNORECASE)) for runtime, pattern in rows]
    for name, rows in _TABLE.items()
}
PINNING = ("package.json", *_TABLE)
"""Names of the files that require runtime versions."""
_VERSION = compiled(r"(\d+(?:\.\d+){0,2})")
_COMPARED = compiled(r"(?:(>=|<=|~=|==|=|<|>|\^|~|!=)\s*)?v?(\d+(?:\.(?:\d+|x|X|\*))*)")
_LONGEST_RANGE = 500
"""Maximum length of a text that is read as a version range, in characters."""


def numbers(version: str) -> Version:
    """Returns the first version in a text as one to three numbers: (3, 12) for `3.12`."""
    found = _VERSION.search(version)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def pins(path: str, text: str) -> list[Pin]:
    """Returns the runtime versions that a file requires. The file name decides the format."""
    name = ".gemspec" if path.endswith(".gemspec") else path.rpartition("/")[2]
    if name == "package.json":
        return list(_package_json_pins(text))
    return [
        pin
        for runtime, pattern in _PATTERNS.get(name, ())
        for line, m in with_lines(pattern.finditer(text), text, pattern.groups)
        if (pin := _pin(runtime or m["tool"], m[m.lastindex or 0], line))
    ]


def _pin(runtime: str, spec: str, line: int) -> Pin | None:
    name = RUNTIMES[runtime.lstrip(">").lower()]
    minimum = runtime[0] == ">" or spec[0] in ">^~"
    version = _lowest(spec) if minimum else numbers(spec)
    return Pin(name, version, minimum, line) if any(version) else None


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


def _package_json_pins(text: str) -> Iterator[Pin]:
    read = mapping_at(json_value(text))
    manager, _, version = str(read.get("packageManager") or "").partition("@")
    stated = (
        *((f">{name}", spec) for name, spec in mapping_at(read, "engines").items()),
        *mapping_at(read, "volta").items(),
        (manager, version),
    )
    for runtime, spec in stated:
        name = runtime.lstrip(">")
        if name in RUNTIMES and isinstance(spec, str) and spec:
            line = text.count("\n", 0, max(0, text.find(f'"{name}'))) + 1
            if pin := _pin(runtime, spec, line):
                yield pin


_CI_KEY = compiled(
    rf"(?mi)^[^\S\n]*+(?:-[^\S\n]*+)?(?:({_TOOLS})(?:[-_]version\w*)?:|uses:[^\n]*rust-(toolchain)@)"
    r"[ \t]*+(.*+(?:\n\s*+(?:(?:-\s++)?[\"']?[\w.+-]++[\"']?[ \t]*+(?:#.*+)?|#.*+)$)*+)"
)


def ci_pins(text: str) -> list[Pin]:
    """Returns the runtime versions that a CI workflow uses."""
    return [
        Pin(runtime, numbers(version), minimum=False, line=line)
        for line, m in with_lines(_CI_KEY.finditer(text), text)
        for runtime in [RUNTIMES[(m[1] or "rust").lower()]]
        for version in re.findall(r"(?<![\w.])\d+(?:\.\d+)*", m[3])
    ]


_AROUND_TOOL = compiled(r"^(?:setup|actions?|mirrors)-|-(?:pre-commit|action)$|\.git$")


def tool_pins(text: str) -> Iterator[tuple[str, str]]:
    """Yields pairs of tool and version from a CI workflow or `.pre-commit-config.yaml`: `ruff`,
    `v0.6.9` for the `rev` of the repository `ruff-pre-commit`. The version is empty if only a run
    can tell it. The tag of an action such as `x-action` is its own version, and not that of `x`."""
    read = yaml_value(text)
    for repo in _mappings(mapping_at(read).get("repos")):
        yield _tool_name(str(repo.get("repo"))), _written(repo.get("rev"))
    for job in _mappings(list(mapping_at(read, "jobs").values())):
        for step in _mappings(job.get("steps")):
            action, _, tag = str(step.get("uses", "")).partition("@")
            version = mapping_at(step, "with").get("version")
            if version is not None or _tool_name(action) == action.rpartition("/")[2]:
                yield _tool_name(action), _written(tag if version is None else version)


def _written(version: Any) -> str:
    """Returns a version, or an empty string for an expression, and for 1.20, which YAML reads as
    the number 1.2."""
    return version if isinstance(version, str) and "$" not in version else ""


def _mappings(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _tool_name(address: str) -> str:
    # `ruff-pre-commit.git` has two endings.
    return _AROUND_TOOL.sub("", _AROUND_TOOL.sub("", address.rpartition("/")[2].lower()))


def own_version(path: str, text: str) -> str:
    """Returns the version of a manifest's own package. Returns an empty string if there is none."""
    return _own_field(path, text, "version")


def own_name(path: str, text: str) -> str:
    """Returns the name of a manifest's own package or module. Returns an empty string if there is
    none."""
    if path.endswith("go.mod"):
        return found[1] if (found := _MODULE.search(text)) else ""
    return _own_field(path, text, "name")


_MODULE = compiled(r"(?m)^module\s+(\S+)")
"""Matches the line of go.mod with the module's own path."""
NAMING = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod")
"""Names of the manifests that name their own package or module."""


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

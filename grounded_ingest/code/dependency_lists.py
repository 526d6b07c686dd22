"""The packages that manifests depend on, by their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from grounded_ingest.code.offers import json_value, mapping_at, toml_value
from grounded_ingest.text.patterns import compiled

_REQUIREMENT = compiled(r"^\s*([A-Za-z0-9][\w.-]*)")
_GO = compiled(
    r"(?m)^[^\S\n]*(?:require[^\S\n]+)?((?=[\w.-][\w-]*+\.[\w.-])[\w.-]++/[\w./-]++)\s+v\d"
)
_GEM = compiled(r"(?m)^[^\S\n]*gem[^\S\n]+['\"]([\w.-]+)['\"]")
_NODE = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


def ecosystem(path: str) -> str:
    """Whose packages a manifest lists; empty for what is none."""
    name = path.rpartition("/")[2]
    if name.startswith("requirements") and name.endswith((".txt", ".in")):
        return "python"
    return _ECOSYSTEMS.get(name, "")


def package_names(path: str, text: str) -> frozenset[str]:
    """The normalised names a manifest lists, its own among them."""
    name = path.rpartition("/")[2]
    of = ecosystem(path)
    reader = _requirements if name.startswith("requirements") else _READERS.get(name)
    found = reader(text) if reader else ()
    return frozenset(normal_name(n, of) for n in found if isinstance(n, str) and n)


def normal_name(name: str, of: str) -> str:
    """https://packaging.python.org/en/latest/specifications/name-normalization/"""
    return re.sub(r"[-_.]+", "-", name).lower() if of in ("python", "rust") else name


def _package_json(text: str) -> Iterator[str]:
    read = json_value(text)
    for key in _NODE:
        yield from mapping_at(read, key)
    if isinstance(read, dict):
        yield str(read.get("name") or "")


def _composer(text: str) -> Iterator[str]:
    read = json_value(text)
    for key in ("require", "require-dev"):
        yield from mapping_at(read, key)
    if isinstance(read, dict):
        yield str(read.get("name") or "")


def _strings(value: Any) -> Iterator[str]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, str) and (found := _REQUIREMENT.match(item)):
            yield found[1]


def _pyproject(text: str) -> Iterator[str]:
    read = toml_value(text)
    project, poetry = mapping_at(read, "project"), mapping_at(read, "tool", "poetry")
    yield str(project.get("name") or poetry.get("name") or "")
    yield from _strings(project.get("dependencies"))
    groups = (
        *mapping_at(project, "optional-dependencies").values(),
        *mapping_at(read, "dependency-groups").values(),
    )
    for group in (*groups, mapping_at(read, "build-system").get("requires")):
        yield from _strings(group)
    yield from _strings(mapping_at(read, "tool", "uv").get("dev-dependencies"))
    for group in (poetry, *(mapping_at(poetry, "group").values())):
        yield from mapping_at(group, "dependencies")
    yield from mapping_at(poetry, "dev-dependencies")


def _requirements(text: str) -> Iterator[str]:
    return _strings(text.splitlines())


def _cargo(text: str) -> Iterator[str]:
    read = toml_value(text)
    yield str(mapping_at(read, "package").get("name") or "")
    for place in (read, mapping_at(read, "workspace"), *mapping_at(read, "target").values()):
        for key in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name, said in mapping_at(place, key).items():
                yield name
                yield str(mapping_at(said).get("package") or "")


def _go_mod(text: str) -> Iterator[str]:
    yield from (m[1] for m in _GO.finditer(text))
    yield from (m[1] for m in re.finditer(r"(?m)^module\s+(\S+)", text))


def _gemfile(text: str) -> Iterator[str]:
    yield from (m[1] for m in _GEM.finditer(text))


_READERS: dict[str, Callable[[str], Iterator[str]]] = {
    "package.json": _package_json, "pyproject.toml": _pyproject, "Cargo.toml": _cargo,
    "go.mod": _go_mod, "Gemfile": _gemfile, "composer.json": _composer,
}  # fmt: skip
_ECOSYSTEMS = {
    "package.json": "node", "pyproject.toml": "python", "Cargo.toml": "rust", "go.mod": "go",
    "Gemfile": "ruby", "composer.json": "php",
}  # fmt: skip
LISTING = (
    *_READERS,
    "requirements.txt",
    "requirements-dev.txt",
    "requirements.in",
    "requirements_dev.txt",
)
"""Names of the files that are read."""

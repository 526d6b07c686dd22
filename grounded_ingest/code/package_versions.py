"""Reads which versions of packages a manifest asks for, and compares them with a stated version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from grounded_ingest.code.manifest_facts import (
    Version,
    json_value,
    mapping_at,
    numbers,
    toml_value,
)
from grounded_ingest.text.patterns import compiled

EDITION = "rust-edition"
"""Stands for the edition of Rust among the packages of a Cargo.toml."""

COMPOSE = ("compose.yml", "compose.yaml", "docker-compose.yml", "docker-compose.yaml")
"""Names of the files that list servers as images, such as `postgres:18-alpine`. The tag of another
owner's image may be another version: `postgis/postgis:16-3.4`."""
VERSION_LISTING = (
    "package.json", "pyproject.toml", "requirements.txt", "requirements-dev.txt", "Cargo.toml",
    "go.mod", "Gemfile", "composer.json", "Directory.Packages.props", ".tool-versions",
    "libs.versions.toml", "gradle-wrapper.properties", "build.gradle", "build.gradle.kts",
    "pom.xml", "mise.toml", ".mise.toml", "tox.toml", *COMPOSE,
)  # fmt: skip
"""Names of the manifests whose package versions are read. Project files of .NET and gemspecs are
read too."""
PROJECT_FILE = (".csproj", ".gemspec")
_GEMSPEC = compiled(
    r"(?m)^[^\S\n]*\w+\.add(?:_runtime|_development)?_dependency[( ]*['\"]([\w.-]+)['\"][^\S\n]*,"
    r"[^\S\n]*['\"]([^'\"\n]+)['\"]"
)
_REQUIREMENT = compiled(r"^\s*([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*([^;#]*)")
_GO = compiled(r"(?m)^[^\S\n]*(?:require[^\S\n]+)?([\w.-]+\.[\w./-]+)[^\S\n]+v(\d[\w.+-]*)")
_GEM = compiled(
    r"(?m)^[^\S\n]*gem[^\S\n]+['\"]([\w.-]+)['\"][^\S\n]*,[^\S\n]*['\"]([^'\"\n]+)['\"]"
)
_TOOL = compiled(r"(?m)^([a-z][\w-]*)[ \t]+v?(\d[\w.]*)[ \t]*(?:#.*)?$")
_MISE = compiled(r"(?m)^([a-z][\w-]*)[ \t]*=[ \t]*['\"]v?(\d[\w.]*)['\"]")
_IMAGE = compiled(r"(?m)^[ \t]*+image:[ \t]*+['\"]?([\w-]+):v?(\d+(?:\.\d+)*)(?=[-'\"\s]|$)")
_REFERENCE = compiled(
    r"<Package(?:Reference|Version)\s+Include=\"([\w.-]+)\"\s+Version=\"([\d.]+)\""
)
_WRAPPER = compiled(r"(?m)^distributionUrl=.*/(gradle)-(\d[\d.]*\d)-\w+\.zip")
_GRADLE = compiled(
    r"(?:\bid[ (]*['\"]([\w.-]+)|\b(kotlin)\([^)]*)['\")]*[ \t]+version[ (]*['\"](\d[\w.-]*)"
    r"|\b(\w+?)\d*(?:Version|_version)[ \t]*=[ \t]*['\"](\d[\w.-]*)['\"]"
)
_MAVEN = compiled(
    r"<artifactId>(?:([\w.-]+?)-starter-parent|([\w.-]+))</artifactId>\s*<version>(\d[\w.-]*)</version>"
    r"|<([\w.-]+?)[.-]version>(\d[\w.-]*)</"
)
_ALIASES = {"org.springframework.boot": "spring-boot"}
_BOUND = compiled(r"(>=|<=|~>|~=|===?|!=|=|<|>|\^|~)?\s*v?(\d+(?:\.\d+)*)(\.[xX*])?")
_NOT_PLAIN = compiled(r"[A-Za-wyzA-WYZ]{2,}|:|/|\$")
"""Matches version specifications that name a protocol, a tag or a branch, as `workspace:^1`."""
_SUFFIX = compiled(r"(?<=\d)[.-][A-Za-z][\w.-]*")
"""Matches what follows the numbers of a version, as in `33.6.0-jre`."""
_LONGEST = 200
"""Maximum length of a version specification that is read, in characters."""


def package_versions(path: str, text: str) -> dict[str, str]:
    """Returns the packages that a manifest lists, with the version that it asks for."""
    name = path.rpartition("/")[2]
    if pattern := _ROWS.get(name) or _ROWS.get(name.rpartition(".")[2]):
        return dict(pattern.findall(text))
    if name.startswith(("build.gradle", "pom.xml")):
        found: dict[str, str] = {}
        for m in (_MAVEN if name == "pom.xml" else _GRADLE).finditer(text):
            plugin, version = filter(None, m.groups())
            listed = "kotlin" if ".kotlin." in plugin else _ALIASES.get(plugin, plugin)
            if not version.endswith("-SNAPSHOT"):
                found[listed] = f"{found[listed]} || {version}" if listed in found else version
        return found
    if name.startswith("requirements"):
        return dict(_requirements(text.splitlines()))
    if name.endswith(".toml"):
        return _toml_versions(name, toml_value(text))
    return _json_versions(json_value(text))


def _toml_versions(name: str, read: dict[str, Any]) -> dict[str, str]:
    """Returns the packages with their versions in the parsed TOML of the manifest `name`."""
    if name == "tox.toml":
        return dict(_requirements(mapping_at(read).get("requires")))
    if name == "libs.versions.toml":
        return {n: v for n, v in mapping_at(read, "versions").items() if isinstance(v, str)}
    if name == "Cargo.toml":
        return _joined(_cargo_versions(read))
    return _joined(_pyproject_versions(read))


def _joined(listed: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns the packages with their versions. Several versions of a package, as in groups, are
    joined to one specification, which allows each of them."""
    found: dict[str, dict[str, None]] = {}
    for name, version in listed:
        found.setdefault(name, {})[version] = None
    return {name: " || ".join(filter(None, versions)) for name, versions in found.items()}


_ROWS = {
    "go.mod": _GO, "Gemfile": _GEM, ".tool-versions": _TOOL, "gradle-wrapper.properties": _WRAPPER,
    "mise.toml": _MISE, ".mise.toml": _MISE, **dict.fromkeys(COMPOSE, _IMAGE),
    "gemspec": _GEMSPEC, "csproj": _REFERENCE, "props": _REFERENCE,
}  # fmt: skip
"""Maps the name of a manifest, or its ending, to the pattern for a package and its version."""
_PACKAGE_KEYS = ("require", "require-dev", "dependencies", "devDependencies", "peerDependencies")


def _json_versions(read: Any) -> dict[str, str]:
    tables = [mapping_at(read, key) for key in reversed(_PACKAGE_KEYS)]
    found = {n: v for table in tables for n, v in table.items() if isinstance(v, str)}
    manager, _, version = str(mapping_at(read).get("packageManager", "")).partition("@")
    asked = version and manager not in mapping_at(read, "engines")
    return found | ({manager: version.partition("+")[0]} if asked else {})


def _requirements(rows: Any) -> Iterator[tuple[str, str]]:
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, str) and (found := _REQUIREMENT.match(row)):
            yield found[1], found[2].strip(" ()")


def _table_versions(table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, detail in table.items():
        version = detail.get("version") if isinstance(detail, dict) else detail
        if isinstance(version, str):
            # Cargo and Poetry read a bare version as a caret range.
            yield name, f"^{version}" if version[:1].isdigit() else version


def _pyproject_versions(read: dict[str, Any]) -> Iterator[tuple[str, str]]:
    poetry = mapping_at(read, "tool", "poetry")
    for table in (poetry, *mapping_at(poetry, "group").values()):
        yield from _table_versions(mapping_at(table, "dependencies"))
    project = mapping_at(read, "project")
    groups = (
        mapping_at(read, "build-system").get("requires"),
        project.get("dependencies"),
        *mapping_at(project, "optional-dependencies").values(),
        *mapping_at(read, "dependency-groups").values(),
    )
    for group in groups:
        yield from _requirements(group)


def _cargo_versions(read: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for package in (mapping_at(read, "package"), mapping_at(read, "workspace", "package")):
        if isinstance(edition := package.get("edition"), str):
            yield EDITION, edition
    targets = mapping_at(read, "target")
    for place in (*map(mapping_at, targets.values()), read, mapping_at(read, "workspace")):
        for key in ("build-dependencies", "dev-dependencies", "dependencies"):
            yield from _table_versions(mapping_at(place, key))


class _Range(Struct, frozen=True):
    """The versions from `low` up to, but not including, `high`. An empty `high` sets no limit."""

    low: Version
    high: Version


def allows(spec: str, stated: str) -> bool | None:
    """Returns whether a version specification allows a stated version: `4`, `4.3`, `18+`, `^4.3.1`.

    `4.0` is read as `4`, because people write `4.0` for every 4.x. Returns None if the
    specification is not a plain range of versions."""
    spec = _SUFFIX.sub("", spec)
    if len(spec) > _LONGEST or _NOT_PLAIN.search(spec):
        return None
    ranges = [_range(part) for part in spec.split("||")]
    version = numbers(stated)
    version = version[:1] if len(version) == 2 and version[1] == 0 else version
    if not all(ranges) or not version:
        return None
    meant = _Range(version, () if stated.endswith("+") else _next(version, len(version)))
    if stated[0] in "^~":
        meant = _range(stated) or meant
    return any(_meet(meant, one) for one in ranges if one)


def begins_at(spec: str, stated: str) -> bool | None:
    """Returns whether the lowest version of a range begins with a stated version.
    Returns None if the specification is not a plain range of versions with a lowest version."""
    lows, version = lowest(spec), numbers(stated)
    return any(low[: len(version)] == version for low in lows) if lows else None


def lowest(spec: str) -> list[tuple[int, ...]]:
    """Returns the lowest version of each range in a specification such as `^3.5 || ^4.0`. Returns
    an empty list if it is not a plain range of versions with a lowest version."""
    spec = _SUFFIX.sub("", spec)
    if len(spec) > _LONGEST or _NOT_PLAIN.search(spec):
        return []
    lows = [one.low for part in spec.split("||") if (one := _range(part))]
    return [*map(_pad, lows)] if all(lows) else []


def _range(spec: str) -> _Range | None:
    """Returns the versions that all bounds of a specification allow. Returns None without a
    bound."""
    found = [_bounds(m) for m in _BOUND.finditer(spec) if m[1] != "!="]
    if not found:
        return None
    highs = [one.high for one in found if one.high]
    return _Range(max(one.low for one in found), min(highs, default=()))


def _bounds(found: re.Match[str]) -> _Range:
    sign, wild = found[1] or "", bool(found[3])
    version = tuple(map(int, found[2].split(".")))[:3]
    if sign in (">=", ">"):
        return _Range(version, ())
    if sign in ("<", "<="):
        return _Range((), version if sign == "<" else _next(version, len(version)))
    if sign == "^":
        fixed = next((n for n, part in enumerate(version) if part), len(version) - 1)
        return _Range(version, _next(version, fixed + 1))
    if sign in ("~>", "~="):
        return _Range(version, _next(version, max(len(version) - 1, 1)))
    if sign == "~":
        return _Range(version, _next(version, min(len(version), 2)))
    return _Range(version, _next(version, len(version) if wild or len(version) < 3 else 3))


def _next(version: Version, size: int) -> Version:
    """Returns the first version after all versions that begin with the first `size` numbers."""
    return (*version[: size - 1], version[size - 1] + 1)


def _meet(one: _Range, other: _Range) -> bool:
    below = not other.high or _pad(one.low) < _pad(other.high)
    return below and (not one.high or _pad(other.low) < _pad(one.high))


def _pad(version: Version) -> Version:
    return (*version, *(0 for _ in range(3 - len(version))))

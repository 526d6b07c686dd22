"""Reads the features and targets that a Cargo.toml declares, and the extras and groups that a
pyproject.toml declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from grounded_ingest.code.manifest_facts import mapping_at, normal_name, own_name, toml_value

TARGETS = {"bin": "src/bin", "example": "examples", "test": "tests", "bench": "benches"}
"""Maps the kinds of targets that cargo builds to the folders in which cargo finds their files."""


class PackageParts(Struct, frozen=True):
    """A package, and the names that its manifest declares, by their kind.

    `name` is empty if the manifest declares no package. `whole` is false if the manifest could not
    be read, or declares names elsewhere."""

    name: str
    names: Mapping[str, frozenset[str]]
    whole: bool = True


def cargo_parts(text: str) -> PackageParts:
    """Returns the features and the listed targets in a Cargo.toml. The targets that cargo finds by
    their files are not included."""
    read = toml_value(text)
    listed = {kind: frozenset(_target_names(read.get(kind))) for kind in TARGETS}
    features = mapping_at(read, "features")
    names = {**listed, "feature": frozenset(("default", *features, *_optional(read)))}
    name = mapping_at(read, "package").get("name")
    return PackageParts(name if isinstance(name, str) else "", names, bool(read))


def _target_names(targets: Any) -> Iterator[str]:
    for target in targets if isinstance(targets, list) else ():
        if isinstance(name := mapping_at(target).get("name"), str):
            yield name


def _optional(read: dict[str, Any]) -> Iterator[str]:
    """Yields the optional dependencies in a Cargo.toml, which are features too."""
    for place in (read, *mapping_at(read, "target").values()):
        for key in ("dependencies", "build-dependencies"):
            for name, detail in mapping_at(place, key).items():
                if mapping_at(detail).get("optional"):
                    yield name


def python_parts(text: str) -> PackageParts:
    """Returns the extras and groups in a pyproject.toml, with normalised names.

    `whole` is false if a build backend computes the extras."""
    read = toml_value(text)
    project, poetry = mapping_at(read, "project"), mapping_at(read, "tool", "poetry")
    name = project.get("name") or poetry.get("name")
    extras = (*mapping_at(project, "optional-dependencies"), *mapping_at(poetry, "extras"))
    groups = [*mapping_at(read, "dependency-groups"), *mapping_at(poetry, "group")]
    groups += mapping_at(read, "tool", "pdm", "dev-dependencies")
    if "dev-dependencies" in poetry or "dev-dependencies" in mapping_at(read, "tool", "uv"):
        groups.append("dev")
    computed = "optional-dependencies" in project.get("dynamic", ())
    whole = bool(project or poetry or groups) and not computed
    return PackageParts(
        normal_name(name, "python") if isinstance(name, str) else "",
        {"extra": _normal(extras), "group": _normal(groups)},
        whole,
    )


def _normal(names: Any) -> frozenset[str]:
    return frozenset(normal_name(n, "python") for n in names if isinstance(n, str))


def declared_names(path: str, text: str) -> set[tuple[str, str]]:
    """Returns the names that a manifest declares and that options can select, as (kind, name):
    `("feature", "tls")`. Returns an empty set if the file at `path` is not a manifest."""
    file = path.rpartition("/")[2]
    found = {("package", name)} if (name := own_name(path, text)) else set()
    parse = {"Cargo.toml": cargo_parts, "pyproject.toml": python_parts}.get(file)
    for kind, names in parse(text).names.items() if parse else ():
        found |= {(kind, way) for n in names for way in (n, n.replace("-", "_"))}
    return found


def found_target(path: str) -> tuple[str, str]:
    """Returns the folder and the name of the target that cargo finds in a file: `examples/x.rs`,
    `examples/x/main.rs`. Returns two empty strings for any other file."""
    homes = tuple(f"/{home}" for home in TARGETS.values())
    folder, _, name = path.removesuffix(".rs").rpartition("/")
    if name == "main" and not f"/{folder}".endswith(homes):
        folder, _, name = folder.rpartition("/")
    known = path.endswith(".rs") and f"/{folder}".endswith(homes)
    return (folder, name) if known else ("", "")

"""Finds the repositories of a fleet: the clones in a directory."""

from __future__ import annotations

import os
from collections.abc import Iterator

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.text.patterns import compiled

_NOT_IN_NAMES = compiled(r"[^\w.@+/-]")


def clones_in(directory: str) -> dict[str, str]:
    """Maps names to the clones and bare repositories up to two levels below a directory. Raises
    GroundedIngestError if the directory does not exist or has no repositories, or if two
    repositories have the same name."""
    if not os.path.isdir(directory):
        raise GroundedIngestError(f"{directory} is not a directory")
    found: dict[str, str] = {}
    for path in _clones(directory, ""):
        name = _NOT_IN_NAMES.sub("-", path)
        if name in found:
            raise GroundedIngestError(
                f"two repositories have the name {name}: {found[name]} and {directory}/{path}",
                "rename one of the directories",
            )
        found[name] = os.path.abspath(f"{directory}/{path}")
    if not found:
        raise GroundedIngestError(
            f"{directory}: the directory contains no repositories",
            "expected clones or bare repositories at most two levels below the directory",
        )
    return found


def _clones(directory: str, below: str, levels: int = 2) -> Iterator[str]:
    for name in sorted(os.listdir(f"{directory}/{below}")):
        path = f"{below}/{name}" if below else name
        full = f"{directory}/{path}"
        if not os.path.isdir(full) or os.path.islink(full):
            continue
        if _is_repository(full):
            yield path
        elif levels > 1 and not name.startswith("."):
            yield from _clones(directory, path, levels - 1)


def _is_repository(directory: str) -> bool:
    return os.path.lexists(f"{directory}/.git") or (
        os.path.isfile(f"{directory}/HEAD") and os.path.isdir(f"{directory}/objects")
    )

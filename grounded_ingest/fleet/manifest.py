"""Reads the list of repositories in a fleet from a manifest, a directory of clones, or a plain list
(docs/fleet.md)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.clone import without_user
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.toml_text import TomlError, load_toml

_URL = compiled(r"(?:https?|ssh|git|file)://\S+|[\w.-]+@[\w.-]+:\S+")
_STEP = r"(?!\.\.?(?:/|$))[\w.@+-]+"
_NAME = compiled(rf"{_STEP}(?:/{_STEP})*")
_NOT_IN_NAMES = compiled(r"[^\w.@+/-]")
_KEYS = {"name", "path", "url", "owner"}


class FleetRepository(NamedTuple):
    """A repository in a fleet. `place` is a local directory or a URL that git can clone."""

    name: str
    place: str
    owner: str = ""

    @property
    def remote(self) -> bool:
        return bool(_URL.fullmatch(self.place))


def from_manifest(path: str) -> list[FleetRepository]:
    """Returns the repositories in a TOML manifest.

    An entry `[[repository]]` has the key `path` or `url`, and optionally `name` and `owner`. Paths
    are relative to the manifest. Raises GroundedIngestError if the manifest is malformed.
    """
    try:
        with open(path, encoding="utf-8") as file:
            tables = load_toml(file.read())
    except OSError as error:
        raise GroundedIngestError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise GroundedIngestError(f"{path}: {error}") from None
    except TomlError as error:
        raise GroundedIngestError(f"{path}:{error.line}: {error}") from None
    if other := sorted(tables.keys() - {"repository"}):
        raise GroundedIngestError(
            f"{path}: the key {other[0]} is unknown", "write each repository as [[repository]]"
        )
    entries = tables.get("repository", [])
    if not isinstance(entries, list):
        raise GroundedIngestError(
            f"{path}: the key repository is not a list", "write each repository as [[repository]]"
        )
    here = os.path.dirname(os.path.abspath(path))
    return distinct([_entry(t, n, path, here) for n, t in enumerate(entries, 1)])


def _entry(table: Any, number: int, path: str, here: str) -> FleetRepository:
    where = f"{path}: repository {number}"
    if not isinstance(table, dict) or not all(isinstance(v, str) and v for v in table.values()):
        raise GroundedIngestError(
            f"{where}: a value is empty or is not a string", "give every key a text in quotes"
        )
    if other := sorted(table.keys() - _KEYS):
        raise GroundedIngestError(
            f"{where}: the key {other[0]} is unknown", "use the keys name, owner, path and url"
        )
    if ("path" in table) == ("url" in table):
        raise GroundedIngestError(
            f"{where}: the keys path and url are both set or both missing",
            "write exactly one of them",
        )
    place = table.get("url") or os.path.join(here, table["path"])
    if "url" in table and not _URL.fullmatch(place):
        raise GroundedIngestError(f"{where}: not a URL that git can clone: {without_user(place)}")
    name = table.get("name") or name_of(place)
    _check_name(name, where)
    return FleetRepository(name, place, table.get("owner", ""))


def _check_name(name: str, where: str) -> None:
    """Raises GroundedIngestError if `name` is not safe as a relative file name."""
    if not _NAME.fullmatch(name):
        raise GroundedIngestError(
            f"{where}: the name {name!r} has characters that are not allowed",
            "use only letters, digits, . _ - @ + and /",
        )


def from_lines(lines: Iterable[str], here: str) -> list[FleetRepository]:
    """Returns the repositories in a plain list. A line contains a path or URL, and optionally a tab
    and the owner. A line that starts with `#` is a comment."""
    found = []
    for line in lines:
        place, _, owner = line.strip().partition("\t")
        if place and not place.startswith("#"):
            place = place if _URL.fullmatch(place) else os.path.join(here, place)
            found.append(FleetRepository(name_of(place), place, owner.strip()))
    return distinct(found)


def from_directory(directory: str) -> list[FleetRepository]:
    """Returns the repositories up to two levels below a directory.

    Raises GroundedIngestError if the directory does not exist or has no repositories.
    """
    if not os.path.isdir(directory):
        raise GroundedIngestError(f"{directory} is not a directory")
    found = [
        FleetRepository(_NOT_IN_NAMES.sub("-", name), f"{directory}/{name}")
        for name in _clones(directory, "")
    ]
    if not found:
        raise GroundedIngestError(
            f"{directory}: the directory contains no repositories",
            "expected clones or bare repositories at most two levels below the directory",
        )
    return distinct(found)


def _clones(directory: str, below: str, levels: int = 2) -> Iterable[str]:
    for name in sorted(os.listdir(f"{directory}/{below}")):
        path = f"{below}/{name}" if below else name
        full = f"{directory}/{path}"
        if not os.path.isdir(full) or os.path.islink(full):
            continue
        if is_repository(full):
            yield path
        elif levels > 1 and not name.startswith("."):
            yield from _clones(directory, path, levels - 1)


def is_repository(directory: str) -> bool:
    """Returns whether a directory contains `.git` or is a bare repository."""
    return os.path.lexists(f"{directory}/.git") or (
        os.path.isfile(f"{directory}/HEAD") and os.path.isdir(f"{directory}/objects")
    )


def name_of(place: str) -> str:
    """Returns the name for a repository: `owner/name` from a URL, or the last directory in a
    path."""
    if _URL.fullmatch(place):
        path = urlsplit(place).path if "://" in place else place.partition(":")[2]
        steps = path.strip("/").removesuffix(".git").strip("/").split("/")
        name = "/".join(steps[-2:])
    else:
        steps = os.path.normpath(place).split(os.sep)
        name = (
            steps[-2] if steps[-1] == ".git" and len(steps) > 1 else steps[-1].removesuffix(".git")
        )
    return _NOT_IN_NAMES.sub("-", name)


def distinct(found: Sequence[FleetRepository]) -> list[FleetRepository]:
    """Returns the repositories unchanged. Raises GroundedIngestError if two repositories have the
    same name."""
    names: dict[str, FleetRepository] = {}
    for repository in found:
        _check_name(repository.name, without_user(repository.place))
        if repository.name in names:
            raise GroundedIngestError(
                f"two repositories have the name {repository.name}:"
                f" {without_user(names[repository.name].place)} and"
                f" {without_user(repository.place)}",
                "set the key `name` of one repository in a manifest",
            )
        names[repository.name] = repository
    return [*names.values()]

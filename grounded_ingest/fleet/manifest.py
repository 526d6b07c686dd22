"""The repositories of a fleet, from a manifest, a directory of clones or a list (docs/fleet.md)."""

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
    """A repository of a fleet. `place` is a directory of this machine, or a URL for git."""

    name: str
    place: str
    owner: str = ""

    @property
    def remote(self) -> bool:
        return bool(_URL.fullmatch(self.place))


def from_manifest(path: str) -> list[FleetRepository]:
    """Reads a TOML file of `[[repository]]`: `path` or `url`, and optionally `name` and `owner`.
    Paths are relative to the file. Raises GroundedIngestError."""
    try:
        with open(path, encoding="utf-8") as file:
            tables = load_toml(file.read())
    except OSError as error:
        raise GroundedIngestError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise GroundedIngestError(f"{path}: {error}") from None
    except TomlError as error:
        raise GroundedIngestError(f"{path}:{error.line}: {error}") from None
    if other := sorted(tables.keys() - {"repository"}):
        raise GroundedIngestError(
            f"{path}: unknown key {other[0]}", "repositories are [[repository]]"
        )
    entries = tables.get("repository", [])
    if not isinstance(entries, list):
        raise GroundedIngestError(f"{path}: repository is not a list", "write [[repository]]")
    here = os.path.dirname(os.path.abspath(path))
    return distinct([_entry(t, n, path, here) for n, t in enumerate(entries, 1)])


def _entry(table: Any, number: int, path: str, here: str) -> FleetRepository:
    where = f"{path}: repository {number}"
    if not isinstance(table, dict) or not all(isinstance(v, str) and v for v in table.values()):
        raise GroundedIngestError(f"{where}: every value must be a text that is not empty")
    if other := sorted(table.keys() - _KEYS):
        raise GroundedIngestError(
            f"{where}: unknown key {other[0]}", "known: name, owner, path, url"
        )
    if ("path" in table) == ("url" in table):
        raise GroundedIngestError(f"{where}: give either path or url")
    place = table.get("url") or os.path.join(here, table["path"])
    if "url" in table and not _URL.fullmatch(place):
        raise GroundedIngestError(f"{where}: git knows no such URL: {without_user(place)}")
    name = table.get("name") or name_of(place)
    _check_name(name, where)
    return FleetRepository(name, place, table.get("owner", ""))


def _check_name(name: str, where: str) -> None:
    """Raises GroundedIngestError unless `name` is safe as the name of a file below a directory."""
    if not _NAME.fullmatch(name):
        raise GroundedIngestError(
            f"{where}: a name has letters, digits, . _ - @ + and / only: {name!r}"
        )


def from_lines(lines: Iterable[str], here: str) -> list[FleetRepository]:
    """Reads one place a line, optionally with a tab and its owner; `#` begins a comment."""
    found = []
    for line in lines:
        place, _, owner = line.strip().partition("\t")
        if place and not place.startswith("#"):
            place = place if _URL.fullmatch(place) else os.path.join(here, place)
            found.append(FleetRepository(name_of(place), place, owner.strip()))
    return distinct(found)


def from_directory(directory: str) -> list[FleetRepository]:
    """Finds the repositories up to two levels below a directory. Raises GroundedIngestError."""
    if not os.path.isdir(directory):
        raise GroundedIngestError(f"{directory} is not a directory")
    found = [
        FleetRepository(_NOT_IN_NAMES.sub("-", name), f"{directory}/{name}")
        for name in _clones(directory, "")
    ]
    if not found:
        raise GroundedIngestError(
            f"{directory}: no repositories in it", "clones, or bare ones, two levels deep"
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
    """Whether a directory has a `.git` or is a bare repository."""
    return os.path.lexists(f"{directory}/.git") or (
        os.path.isfile(f"{directory}/HEAD") and os.path.isdir(f"{directory}/objects")
    )


def name_of(place: str) -> str:
    """Returns the name of a place: `owner/name` of a URL, the last directory of a path."""
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
    """Returns `found`. Raises GroundedIngestError if two repositories have one name."""
    names: dict[str, FleetRepository] = {}
    for repository in found:
        _check_name(repository.name, without_user(repository.place))
        if repository.name in names:
            raise GroundedIngestError(
                f"two repositories are called {repository.name}:"
                f" {without_user(names[repository.name].place)} and"
                f" {without_user(repository.place)}",
                "give one of them another name in a manifest",
            )
        names[repository.name] = repository
    return [*names.values()]

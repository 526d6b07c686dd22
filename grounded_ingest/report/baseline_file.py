"""The file of a baseline: where it is, whose version of it counts, and writing it."""

from __future__ import annotations

import os
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.records.baseline import Accepted, baseline_text, parse_baseline
from grounded_ingest.records.whole_file import locked, write_whole
from grounded_ingest.repository.judging_config import protected_tree
from grounded_ingest.repository.scope import Scoped


class BaselineFile(NamedTuple):
    """`inside` is its path from the root, empty where it lies outside the repository; `by_base`:
    base judges, and what the change makes of the file does not count; `configured`: no command line
    names it."""

    name: str
    inside: str
    full: str
    by_base: bool
    configured: bool = False


class BaselineRead(NamedTuple):
    """What of a baseline counts, and what has to be said of the file."""

    entries: list[Accepted]
    said: tuple[str, ...] = ()


def baseline_file(
    scoped: Scoped, given: str, configured: str, *, landed: bool
) -> BaselineFile | None:
    """The file that is given (from the current directory) or configured (from the root)."""
    repo, by_base = scoped.tree.repo, landed or scoped.mode == "range"
    if given:
        full = os.path.abspath(given)
        return BaselineFile(given, _inside(repo, full), full, by_base)
    if configured:
        return BaselineFile(configured, configured, f"{repo.root}/{configured}", by_base, True)
    return None


def _inside(repo: Repo, full: str) -> str:
    """Its path from the root; empty where it is outside. A link that leads in is inside, and so is
    one of the repository that leads out: else a change could lead its baseline elsewhere."""
    root = os.path.realpath(repo.root)
    for path in (full, os.path.realpath(full)):
        above, below = os.path.split(path)
        while os.path.realpath(above) != root and os.path.dirname(above) != above:
            above, name = os.path.split(above)
            below = f"{name}/{below}"
        if os.path.realpath(above) == root:
            return below
    return ""


def read_baseline(scoped: Scoped, file: BaselineFile, *, anew: bool) -> BaselineRead:
    """Returns the entries of a baseline, and what to say about it. Raises GroundedIngestError if a
    file that the command line names is missing or broken; of a configured one that is only said,
    and nothing of it counts."""
    if file.by_base and file.inside:
        return _landed(scoped, file.inside)
    content = _on_disk(scoped, file)
    if content is None:
        if anew or file.configured:
            return BaselineRead([], () if anew else ("it does not exist",))
        raise GroundedIngestError(f"{file.name} does not exist: --update-baseline writes it")
    try:
        return BaselineRead(parse_baseline(content, file.name))
    except GroundedIngestError as error:
        if anew or file.configured:
            return BaselineRead([], (f"nothing of it counts: {error}",))
        raise


def _landed(scoped: Scoped, path: str) -> BaselineRead:
    content = protected_tree(scoped).read(path)
    if content is None:
        return BaselineRead([], ("it is not on base, so nothing of it counts yet",))
    try:
        entries = parse_baseline(content, "base")
    except GroundedIngestError as error:
        return BaselineRead([], (f"nothing of it counts: {error}",))
    now = scoped.tree.read(path) if scoped.tree.entry(path) is not None else b""
    known = set(content.split(b"\n"))
    if any(line not in known for line in (now or b"").split(b"\n")):
        return BaselineRead(entries, ("what this change adds to it counts once it has landed",))
    return BaselineRead(entries)


def _on_disk(scoped: Scoped, file: BaselineFile) -> bytes | None:
    if file.inside and (scoped.tree.repo.bare or scoped.mode == "staged"):
        return scoped.tree.read(file.inside) if scoped.tree.entry(file.inside) else None
    try:
        with open(file.full, "rb") as opened:
            return opened.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise GroundedIngestError(f"{file.name}: {error.strerror}") from None


def write_baseline(repo: Repo, file: BaselineFile, entries: list[Accepted]) -> None:
    """Write the file. Raises GroundedIngestError where that cannot be."""
    try:
        if os.path.islink(file.full):
            raise GroundedIngestError(f"{file.name} is a symbolic link: name the file it leads to")
        with locked(repo):
            write_whole(file.full, baseline_text(entries))
    except OSError as error:
        raise GroundedIngestError(f"{file.name}: {error.strerror}") from None

"""Reads, compares and writes the baseline: the file of findings that a repository accepts."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec
from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.records.whole_file import locked, write_whole
from grounded_ingest.report.findings import ReportItem
from grounded_ingest.repository.judging_config import protected_tree
from grounded_ingest.repository.scope import Scoped
from grounded_ingest.text.printable import printable

_TEXT = 100
"""Characters of a finding in its entry, for those who read the file."""


AcceptedKey = tuple[str, str, str]
"""Path, rule and id: they identify a finding even if its line moves."""


class Accepted(Struct, frozen=True, omit_defaults=True):
    """An accepted finding: one line of a baseline. `id` is its claim's, or a digest of its message
    if it has no claim; `text` is for those who read the file."""

    path: str
    rule: str
    id: str
    text: str = ""

    @property
    def key(self) -> AcceptedKey:
        return (self.path, self.rule, self.id)


class BaselineFile(NamedTuple):
    """Where a baseline is.

    name: as the user gave it. inside: its path from the root, empty if it is outside the
    repository. by_base: what the change makes of the file does not count. configured: the
    configuration names it, not the command line.
    """

    name: str
    inside: str
    full: str
    by_base: bool
    configured: bool = False


class BaselineRead(NamedTuple):
    """The entries that count, and remarks about the file for the report."""

    entries: list[Accepted]
    remarks: tuple[str, ...] = ()


def find_baseline(
    scoped: Scoped, given: str, configured: str, *, landed: bool
) -> BaselineFile | None:
    """Returns the file that the option gives (from the current directory), else the configured one
    (from the root). `landed`: base judges in every mode, not only ranges."""
    repo, by_base = scoped.tree.repo, landed or scoped.mode == "range"
    if given:
        full = os.path.abspath(given)
        return BaselineFile(given, _path_inside(repo, full), full, by_base)
    if configured:
        return BaselineFile(configured, configured, f"{repo.root}/{configured}", by_base, True)
    return None


def _path_inside(repo: Repo, full: str) -> str:
    """Returns the path from the root, or an empty text if it is outside.

    A link that leads into the repository is inside, and so is one in the repository that leads out:
    otherwise a change could point its own baseline elsewhere.
    """
    root = os.path.realpath(repo.root)
    for path in (full, os.path.realpath(full)):
        above, below = os.path.split(path)
        while os.path.realpath(above) != root and os.path.dirname(above) != above:
            above, name = os.path.split(above)
            below = f"{name}/{below}"
        if os.path.realpath(above) == root:
            return below
    return ""


def read_baseline(scoped: Scoped, file: BaselineFile, *, update: bool) -> BaselineRead:
    """Returns the entries of a baseline; none if a configured file is missing or broken.

    Raises GroundedIngestError if a file that the command line names is missing or broken, unless
    this run updates it.
    """
    if file.by_base and file.inside:
        return _read_from_base(scoped, file.inside)
    content = _read_current(scoped, file)
    if content is None:
        if update or file.configured:
            return BaselineRead([], () if update else ("the file does not exist",))
        raise GroundedIngestError(f"{file.name} does not exist", "--update-baseline writes it")
    try:
        return BaselineRead(parse_baseline(content, file.name))
    except GroundedIngestError as error:
        if update or file.configured:
            return BaselineRead([], (f"no entry counts: {error}",))
        raise


def _read_from_base(scoped: Scoped, path: str) -> BaselineRead:
    content = protected_tree(scoped).read(path)
    if content is None:
        return BaselineRead([], ("the file is not on base, so its entries do not count yet",))
    try:
        entries = parse_baseline(content, "base")
    except GroundedIngestError as error:
        return BaselineRead([], (f"no entry counts: {error}",))
    now = scoped.tree.read(path) if scoped.tree.entry(path) is not None else b""
    known = set(content.split(b"\n"))
    if any(line not in known for line in (now or b"").split(b"\n")):
        return BaselineRead(entries, ("entries that this change adds count once they are on base",))
    return BaselineRead(entries)


def _read_current(scoped: Scoped, file: BaselineFile) -> bytes | None:
    if file.inside and (scoped.tree.repo.bare or scoped.mode == "staged"):
        return scoped.tree.read(file.inside) if scoped.tree.entry(file.inside) else None
    try:
        with open(file.full, "rb") as opened:
            return opened.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise GroundedIngestError(f"{file.name}: {error.strerror}") from None


def parse_baseline(content: bytes, name: str) -> list[Accepted]:
    """Returns the entries of a file. Raises GroundedIngestError with the file and line that cannot
    be read."""
    found = []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(msgspec.json.decode(line, type=Accepted))
        except NOT_JSON:
            raise GroundedIngestError(
                f"{name}:{number}: not an entry of a baseline",
                "--update-baseline writes the file anew",
            ) from None
    return found


def baseline_text(entries: Iterable[Accepted]) -> bytes:
    """Returns the content of a baseline, sorted, so that its diff shows changed findings only."""
    lines = [msgspec.json.encode(e) for e in sorted(entries, key=lambda e: (*e.key, e.text))]
    return b"".join(line + b"\n" for line in lines)


def write_baseline(repo: Repo, file: BaselineFile, entries: list[Accepted]) -> None:
    """Writes the file. Raises GroundedIngestError if it is a link or cannot be written."""
    try:
        if os.path.islink(file.full):
            raise GroundedIngestError(
                f"{file.name} is a symbolic link", "name the file that it leads to"
            )
        with locked(repo):
            write_whole(file.full, baseline_text(entries))
    except OSError as error:
        raise GroundedIngestError(f"{file.name}: {error.strerror}") from None


def accept_findings(
    found: Iterable[ReportItem], entries: Iterable[Accepted]
) -> tuple[frozenset[str], list[Accepted]]:
    """Returns the fingerprints of the accepted findings, and the entries that accept none.

    An entry accepts one finding, the first of equal ones: a second copy of a sentence is new.
    """
    unused: dict[AcceptedKey, list[Accepted]] = {}
    for entry in entries:
        unused.setdefault(entry.key, []).append(entry)
    accepted = set()
    for item in found:
        if unused.get(baseline_key(item)):
            unused[baseline_key(item)].pop()
            accepted.add(item.fingerprint)
    return frozenset(accepted), [entry for rest in unused.values() for entry in rest]


def baseline_entries(found: Iterable[ReportItem]) -> list[Accepted]:
    """Returns an entry for each finding that a baseline can accept: errors and warnings in
    files."""
    return [
        Accepted(*baseline_key(e), printable(e.text or e.fact, _TEXT))
        for e in found
        if e.path and e.severity in ("error", "warning")
    ]


def renew_entries(
    old: Iterable[Accepted], found: Iterable[Accepted], covered: Callable[[Accepted], bool]
) -> tuple[list[Accepted], int, int]:
    """Returns the entries of an updated baseline, how many are new, and how many were dropped.

    Old entries stay if this run did not cover them.
    """
    before = list(old)
    after = [*(e for e in before if not covered(e)), *found]
    had, has = Counter(e.key for e in before), Counter(e.key for e in after)
    return after, (has - had).total(), (had - has).total()


def baseline_key(item: ReportItem) -> AcceptedKey:
    """Returns what identifies a finding in a baseline: path, rule, and claim, target or message."""
    path = item.path.encode("utf-8", "backslashreplace").decode()  # git's paths are bytes
    return (path, item.rule, item.key)

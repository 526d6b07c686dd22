"""Reads, compares and writes the baseline, a file with the findings that a repository accepts."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec
from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError, os_errors_as
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.records.whole_file import locked, write_whole
from grounded_ingest.report.findings import ReportItem
from grounded_ingest.repository.judging_config import protected_tree
from grounded_ingest.repository.scope import Scoped
from grounded_ingest.text.printable import printable

_TEXT = 100
"""Maximum number of characters of a claim in an entry, for people who read the file."""


AcceptedKey = tuple[str, str, str]
"""Path, rule and id. They identify a finding even if its line number changes."""


class Accepted(Struct, frozen=True, omit_defaults=True):
    """An accepted finding, written as one line in a baseline. id: the id of the claim, a digest of
    claim and target if a reference is wrong, or a digest of the message if the finding has no
    claim. text: the claim or message, for people who read the file."""

    path: str
    rule: str
    id: str
    text: str = ""

    @property
    def key(self) -> AcceptedKey:
        return (self.path, self.rule, self.id)


class BaselineFile(NamedTuple):
    """The location of a baseline, the file with accepted findings.

    name: the name that the user wrote. inside: the path relative to the root, empty if the file is
    outside the repository. full: the absolute path. by_base: read the version on the base branch,
    so that a change cannot accept its own findings. configured: true if the configuration names the
    file, false if the command line names it.
    """

    name: str
    inside: str
    full: str
    by_base: bool
    configured: bool = False


def find_baseline(
    scoped: Scoped, given: str, configured: str, *, landed: bool
) -> BaselineFile | None:
    """Returns the location of the baseline, or None if no baseline is named.

    The path from the command line (`given`, relative to the current directory) wins over the path
    in the configuration, which is relative to the root. If `landed` is true, every check reads the
    version on the base branch. Otherwise, only the check of a commit range reads that version.
    """
    repo, by_base = scoped.tree.repo, landed or scoped.mode == "range"
    if given:
        full = os.path.abspath(given)
        return BaselineFile(given, _path_inside(repo, full), full, by_base)
    if configured:
        return BaselineFile(configured, configured, f"{repo.root}/{configured}", by_base, True)
    return None


def _path_inside(repo: Repo, full: str) -> str:
    """Returns the path relative to the root, or an empty string if it is outside the repository.

    A symbolic link into the repository counts as inside. A symbolic link in the repository that
    leads out of it also counts as inside. Otherwise a change could replace the baseline by a link
    to another file.
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


def read_baseline(
    scoped: Scoped, file: BaselineFile, *, update: bool
) -> tuple[list[Accepted], list[str]]:
    """Returns the entries in a baseline, and remarks about the file for the report. Returns no
    entries if a configured file is missing or broken. Raises GroundedIngestError if the command
    line names a missing or broken file, unless this run updates the file."""
    if file.by_base and file.inside:
        return _read_from_base(scoped, file.inside)
    content = _read_current(scoped, file)
    if content is not None:
        return _entries_in(content, file.name, strict=not (update or file.configured))
    if not (update or file.configured):
        raise GroundedIngestError(
            f"the baseline {file.name} does not exist", "add --update-baseline to create the file"
        )
    return [], [] if update else ["the baseline file does not exist"]


def _entries_in(content: bytes, name: str, *, strict: bool) -> tuple[list[Accepted], list[str]]:
    try:
        return parse_baseline(content, name), []
    except GroundedIngestError as error:
        if strict:
            raise
        return [], [f"all entries of the baseline are ignored: {error}"]


def _read_from_base(scoped: Scoped, path: str) -> tuple[list[Accepted], list[str]]:
    content = protected_tree(scoped).read(path)
    if content is None:
        return [], ["the baseline file is not on the base branch yet, so its entries do not count"]
    entries, remarks = _entries_in(content, f"{path} on the base branch", strict=False)
    now = scoped.tree.read(path) if scoped.tree.entry(path) is not None else b""
    if not remarks and not {*(now or b"").split(b"\n")} <= {*content.split(b"\n")}:
        remarks = ["entries that this change adds do not count before they are on the base branch"]
    return entries, remarks


def _read_current(scoped: Scoped, file: BaselineFile) -> bytes | None:
    if file.inside and (scoped.tree.repo.bare or scoped.mode == "staged"):
        return scoped.tree.read(file.inside) if scoped.tree.entry(file.inside) else None
    with os_errors_as(f"{file.name} cannot be read"):
        try:
            with open(file.full, "rb") as opened:
                return opened.read()
        except FileNotFoundError:
            return None


def parse_baseline(content: bytes, name: str) -> list[Accepted]:
    """Returns the entries in the content of a baseline file. Raises GroundedIngestError with file
    and line if a line is not an entry."""
    found = []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(msgspec.json.decode(line, type=Accepted))
        except NOT_JSON:
            raise GroundedIngestError(
                f"{name}:{number}: this line is not an entry in a baseline",
                "run check with --update-baseline to write the file again",
            ) from None
    return found


def baseline_text(entries: Iterable[Accepted]) -> bytes:
    """Returns the content of a baseline file. The lines are sorted, so that a diff shows only
    changed findings."""
    lines = [msgspec.json.encode(e) for e in sorted(entries, key=lambda e: (*e.key, e.text))]
    return b"".join(line + b"\n" for line in lines)


def write_baseline(repo: Repo, file: BaselineFile, entries: list[Accepted]) -> None:
    """Writes the baseline file. Raises GroundedIngestError if the file is a symbolic link or cannot
    be written."""
    if os.path.islink(file.full):
        raise GroundedIngestError(
            f"the baseline {file.name} is a symbolic link", "name the real file instead"
        )
    with os_errors_as(f"{file.name} cannot be written"), locked(repo):
        write_whole(file.full, baseline_text(entries))


def accept_findings(
    found: Iterable[ReportItem], entries: Iterable[Accepted]
) -> tuple[frozenset[str], list[Accepted]]:
    """Returns the fingerprints of the accepted findings, and the entries that accept no finding. An
    entry accepts only one finding, so that a second copy of a sentence is a new finding."""
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
    """Returns an entry for each error and each warning in a file. A baseline cannot accept notes,
    or findings without a file."""
    return [
        Accepted(*baseline_key(e), printable(e.text or e.fact, _TEXT))
        for e in found
        if e.path and e.severity in ("error", "warning")
    ]


def renew_entries(
    old: Iterable[Accepted], found: Iterable[Accepted], covered: Callable[[Accepted], bool]
) -> tuple[list[Accepted], int, int]:
    """Returns the entries of the updated baseline, the number of new entries, and the number of
    removed entries. Keeps an old entry if this run did not check the entry's document and rule."""
    before = list(old)
    after = [*(e for e in before if not covered(e)), *found]
    had, has = Counter(e.key for e in before), Counter(e.key for e in after)
    return after, (has - had).total(), (had - has).total()


def baseline_key(item: ReportItem) -> AcceptedKey:
    """Returns the key that identifies a finding in a baseline: its path, its rule and its `key`."""
    path = item.path.encode("utf-8", "backslashreplace").decode()  # in git, paths are bytes
    return (path, item.rule, item.key)

"""Reads from the output of `git diff-tree` which files and names each commit removed.

A single git process reads all commits. If objects of a commit are missing in this clone, git stops
there. The module then leaves out that commit and starts a new process after it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.text.printable import counted

BYTES = 4_000_000_000
"""Maximum number of bytes of patches that a walk reads."""
IN_A_ROW = 20
"""Number of consecutive unreadable commits after which the walk stops, as in a clone without blobs.
"""
LATEST = 2**62
"""The largest time that can be stored, in seconds since 1970."""
CANDIDATES = 8
"""Maximum number of removals to keep for a name. The newest are kept."""

_HEADER = "--format=%x01%H %ct"
_TO_FILES = ("-r", "-z", "--name-status", "--diff-filter=DR", "-l1000")
_TO_PATCHES = (
    "-r", "-p", "-U0", "--no-renames", "--diff-filter=MD", "--no-color", "--no-ext-diff",
    "--no-textconv", "--text", "--src-prefix=a/",
)  # fmt: skip


class Removal(NamedTuple):
    """A commit that removed the file `path`, or a line from that file.

    `time` is the time of the commit in seconds since 1970. `rank` orders commits with the same
    time: the later commit has the larger rank. `target` is the new path if git detects a rename.
    `times` counts the commits that removed the path, at most CANDIDATES. `gone` is the time of the
    last commit that removed a file of a directory, and 0 for a file."""

    time: int
    rank: int
    commit: str
    path: str
    target: str = ""
    times: int = 1
    gone: int = 0


class NameReader(Struct, frozen=True):
    """Reads names from the lines that a commit removed, for example the names of variables.

    `names` gets a path and the removed lines without their minus signs, and returns the names.
    `patterns` are git pathspecs for the files to read. `version` has to change if `names` returns
    other results, because results are stored."""

    version: str
    patterns: tuple[str, ...]
    names: Callable[[str, bytes], Collection[str]]


Removals = dict[str, list[Removal]]
"""Removals by name."""
Read = Callable[[Iterator[bytes], int], Iterator[Removals]]
"""Function that parses git's output and yields the removals of each commit as soon as the commit's
output is complete."""
Progress = Callable[[str], object]
"""Function that shows how far the search is."""


class Walk(Struct, frozen=True):
    """The result of reading commits: the files and lines of code that they removed.

    `unread` contains the commits that could not be read. `cut` is true if a limit stopped the
    search before the last commit."""

    found: Removals
    unread: list[str]
    cut: bool = False


def walk_files(repo: Repo, commits: Sequence[str], progress: Progress) -> Walk:
    """Reads removed and renamed files.

    Git compares contents to detect renames. If the blobs of a commit are missing, reads the commit
    again without rename detection."""
    what = "looking up removed files in commits"

    def walk(some: Sequence[str], renames: str) -> Walk:
        return _walk(repo, some, (*_TO_FILES, renames), (), _read_files, what, progress)

    done = walk(commits, "-M")
    if not done.unread:
        return done
    again = walk(done.unread, "--no-renames")
    for name, removals in again.found.items():
        _add(done.found, name, removals)
    return Walk(done.found, again.unread, done.cut or again.cut)


def walk_names(repo: Repo, commits: Sequence[str], reader: NameReader, progress: Progress) -> Walk:
    """Reads the names on the lines that the commits removed, as `reader` finds them."""
    read = partial(_read_patches, reader=reader)
    what = "looking up removed names in commits"
    return _walk(repo, commits, _TO_PATCHES, reader.patterns, read, what, progress)


def _walk(
    repo: Repo,
    commits: Sequence[str],
    options: Sequence[str],
    patterns: Sequence[str],
    read: Read,
    what: str,
    progress: Progress,
) -> Walk:
    """Returns the removals that `read` finds in git's output. Skips commits with errors."""
    found: Removals = {}
    unread: list[str] = []
    left, at, in_a_row = [BYTES], 0, 0

    def collect(first: int, end: int) -> int:
        """Reads the commits from `first` to `end`, and returns how many git could read."""
        done = 0
        stdin = "".join(f"{c}\n" for c in commits[first:end]).encode()
        command = ("diff-tree", "--stdin", "--always", _HEADER, *options, "--", *patterns)
        output = _limited(repo.stream(*command, stdin=stdin), left)
        with contextlib.suppress(GroundedIngestError):
            for removals in counted(read(output, -first), len(commits), what, progress, first):
                for name, of_name in removals.items():
                    _add(found, name, of_name)
                done += 1
        return done

    while at < len(commits):
        done = collect(at, len(commits))
        at += done
        if at == len(commits) or left[0] <= 0:
            break
        # Git failed in this commit, or after it and before the header of the next commit.
        if collect(at, at + 1):
            in_a_row = 0
        else:
            unread.append(commits[at])
            in_a_row = 1 if done else in_a_row + 1
        at += 1
        if in_a_row == IN_A_ROW:
            unread += commits[at:]
            break
    return Walk(found, unread, cut=left[0] <= 0)


def _add(found: Removals, name: str, removals: Iterable[Removal]) -> None:
    """Adds removals of a name to `found`. Drops the oldest if there are too many."""
    kept = found.setdefault(name, [])
    kept.extend(removals)
    if len(kept) > 2 * CANDIDATES:
        kept[:] = sorted(set(kept), reverse=True)[:CANDIDATES]


def _limited(output: Iterator[bytes], left: list[int]) -> Iterator[bytes]:
    """Yields the output unchanged, and subtracts its size in bytes from `left[0]`. Raises
    GroundedIngestError if nothing is left."""
    for part in output:
        left[0] -= len(part)
        if left[0] <= 0:
            raise GroundedIngestError("the patches in the history are too large to read")
        yield part


def _split(output: Iterator[bytes], by: bytes) -> Iterator[bytes]:
    rest = b""
    for part in output:
        *whole, rest = (rest + part).split(by)
        yield from whole
    if rest:
        yield rest


def _read_files(output: Iterator[bytes], rank: int) -> Iterator[Removals]:
    """Parses the output of `git diff-tree --name-status -z`: a header, then a status with a path. A
    rename has two paths."""
    commit, time, found = "", 0, Removals()
    fields = _split(output, b"\0")
    for field in fields:
        field = field.lstrip(b"\n")
        if field.startswith(b"\x01"):
            if commit:
                yield found
                rank -= 1
            commit, time, found = *_header(field), {}
        elif field:
            path = os.fsdecode(next(fields, b""))
            target = os.fsdecode(next(fields, b"")) if field.startswith(b"R") else ""
            found[path] = [Removal(time, rank, commit, path, target)]
    if commit:
        yield found


def _header(line: bytes) -> tuple[str, int]:
    commit, *times = line[1:].split()
    # The author of a commit can set any time, and even one that git cannot read.
    time = int(times[0]) if times and times[0].isdigit() else 0
    return commit.decode(), min(time, LATEST)


def _read_patches(output: Iterator[bytes], rank: int, reader: NameReader) -> Iterator[Removals]:
    """Parses the output of `git diff-tree -p -U0`. The lines before the first `@@` of a file name
    the file. The lines after it are removed or added lines, and all removed lines of a file are
    read together."""
    commit, time, found = "", 0, Removals()
    path, in_hunk = "", False
    for section in _sections(output):
        if section.startswith(b"\x01"):
            if commit:
                yield found
                rank -= 1
            header, _, section = section.partition(b"\n")
            commit, time, found = *_header(header), {}
            path, in_hunk = "", False
        elif section.startswith(_FILE):
            path, in_hunk = "", False
        if not in_hunk:
            hunk = _HUNK.search(section)
            in_hunk, start = hunk is not None, hunk.start() if hunk else len(section)
            # git quotes file names with quotation marks or control characters.
            if named := _OLD_PATH.search(section, 0, start):
                path = os.fsdecode(named[1].removesuffix(b"\t"))
            section = section[start:]
        if removed := path and _REMOVED.findall(section):
            removal = Removal(time, rank, commit, path)
            for name in reader.names(path, b"\n".join(removed)):
                found.setdefault(name, []).append(removal)
    if commit:
        yield found


_FILE = b"diff --git "
_SECTION = re.compile(rb"(?m)^(?=\x01|%s)" % _FILE)
_HUNK = re.compile(rb"(?m)^@@")
_OLD_PATH = re.compile(rb"(?m)^--- a/(.*)")
_REMOVED = re.compile(rb"(?m)^-(.{0,2000})")
"""Matches a removed line, of which the first 2,000 bytes are read. Longer lines are usually
generated."""


def _sections(output: Iterator[bytes]) -> Iterator[bytes]:
    """Splits patches into sections, one for each commit header and file. A long section is split
    further at line ends."""
    rest = b""
    for part in output:
        lines, end, rest = (rest + part).rpartition(b"\n")
        yield from filter(None, _SECTION.split(lines + end))
    if rest:
        yield rest

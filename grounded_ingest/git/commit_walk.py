"""Reads what commits removed out of `git diff-tree`: files, and names on removed lines.

Part of the git edge. One git process reads all commits. Where git ends at a commit whose objects
this clone lacks, that commit is left out and the next process goes on behind it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo

BYTES = 4_000_000_000
"""Bytes of patches that one walk reads at most."""
IN_A_ROW = 20
"""Unreadable commits in a row, after which the rest is left out too: a clone without blobs."""
LATEST = 2**62
"""The largest time that is kept."""
CANDIDATES = 8
"""Newest removals of a name that are kept."""

_HEADER = "--format=%x01%H %ct"
_TO_FILES = ("-r", "-z", "--name-status", "--diff-filter=DR", "-l1000")
_TO_PATCHES = (
    "-r", "-p", "-U0", "--no-renames", "--diff-filter=MD", "--no-color", "--no-ext-diff",
    "--no-textconv", "--text", "--src-prefix=a/",
)  # fmt: skip


class Removal(NamedTuple):
    """A commit that removed the file `path`, or a line from it. `time` is the commit's, in epoch
    seconds; `rank` is larger for the later one of commits of the same second. `target`: the file's
    new path if git detects a rename."""

    time: int
    rank: int
    commit: str
    path: str
    target: str = ""


class NameReader(NamedTuple):
    """Finds names on removed lines. `version` changes when `names` does; `patterns` are pathspecs
    of the files to read; `names` gets a path and one removed line without its sign."""

    version: str
    patterns: tuple[str, ...]
    names: Callable[[str, bytes], Collection[str]]


Removals = dict[str, list[Removal]]
"""Removals by name."""
Read = Callable[[Iterator[bytes]], Iterator[tuple[str, Removals]]]
"""Turns git's output into (commit, removals), each as soon as the commit's output is complete."""


class Walk(NamedTuple):
    """What commits removed. `unread` commits could not be read; `cut`: the walk ended early."""

    found: Removals
    unread: list[str]
    cut: bool = False


def walk_files(repo: Repo, commits: Sequence[str]) -> Walk:
    """Reads removed and renamed files. Git detects renames by content: a commit whose blobs are
    missing is read again without, which still names the removed files."""
    done = _walk(repo, commits, (*_TO_FILES, "-M"), (), _read_files)
    if not done.unread:
        return done
    again = _walk(repo, done.unread, (*_TO_FILES, "--no-renames"), (), _read_files)
    for name, removals in again.found.items():
        _add(done.found, name, removals)
    return Walk(done.found, again.unread, done.cut or again.cut)


def walk_names(repo: Repo, commits: Sequence[str], reader: NameReader) -> Walk:
    """Reads the names on removed lines."""
    return _walk(repo, commits, _TO_PATCHES, reader.patterns, lambda o: _read_patches(o, reader))


def _walk(
    repo: Repo, commits: Sequence[str], options: Sequence[str], patterns: Sequence[str], read: Read
) -> Walk:
    """Runs git over the commits, again behind each commit at which it ends with an error."""
    found: Removals = {}
    unread: list[str] = []
    left, at, in_a_row = [BYTES], 0, 0

    def collect(first: int, end: int) -> int:
        """Returns how many of these commits were read: fewer than all if git failed."""
        done = 0
        output = _limited(_output(repo, commits[first:end], options, patterns), left)
        with contextlib.suppress(GroundedIngestError):
            for _, removals in read(output):
                for name, of_name in removals.items():
                    _add(found, name, (r._replace(rank=-first - done) for r in of_name))
                done += 1
        return done

    while at < len(commits):
        done = collect(at, len(commits))
        at += done
        if at == len(commits) or left[0] <= 0:
            break
        # Git ended in this commit, or behind it and before it wrote the next header.
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
    """Adds removals of a name, of which the newest are kept."""
    kept = found.setdefault(name, [])
    kept.extend(removals)
    if len(kept) > 2 * CANDIDATES:
        kept[:] = sorted(set(kept), reverse=True)[:CANDIDATES]


def _output(
    repo: Repo, commits: Sequence[str], options: Sequence[str], patterns: Sequence[str]
) -> Iterator[bytes]:
    stdin = "".join(f"{c}\n" for c in commits).encode()
    command = ("diff-tree", "--stdin", "--always", _HEADER, *options, "--", *patterns)
    return repo.stream(*command, stdin=stdin)


def _limited(output: Iterator[bytes], left: list[int]) -> Iterator[bytes]:
    """Passes output on while bytes are left. Raises GroundedIngestError when none are."""
    for part in output:
        left[0] -= len(part)
        if left[0] <= 0:
            raise GroundedIngestError("too many bytes of patches")
        yield part


def _split(output: Iterator[bytes], by: bytes) -> Iterator[bytes]:
    rest = b""
    for part in output:
        *whole, rest = (rest + part).split(by)
        yield from whole
    if rest:
        yield rest


def _read_files(output: Iterator[bytes]) -> Iterator[tuple[str, Removals]]:
    """Reads `--name-status -z`: a header, then a status and one path, or two of a rename."""
    commit, time, found = "", 0, Removals()
    fields = _split(output, b"\0")
    for field in fields:
        field = field.lstrip(b"\n")
        if field.startswith(b"\x01"):
            if commit:
                yield commit, found
            commit, time, found = *_header(field), {}
        elif field:
            path = os.fsdecode(next(fields, b""))
            target = os.fsdecode(next(fields, b"")) if field.startswith(b"R") else ""
            found[path] = [Removal(time, 0, commit, path, target)]
    if commit:
        yield commit, found


def _header(line: bytes) -> tuple[str, int]:
    commit, time = line[1:].split()
    return commit.decode(), min(int(time), LATEST)  # a commit may claim any time


def _read_patches(output: Iterator[bytes], reader: NameReader) -> Iterator[tuple[str, Removals]]:
    """Reads `-p -U0`: lines before the first `@@` of a file name it, lines behind it are removed
    or added ones."""
    commit, time, found = "", 0, Removals()
    path, in_hunk = "", False
    removal = Removal(0, 0, "", "")
    for line in _split(output, b"\n"):
        first = line[:1]
        if first == b"-":
            if in_hunk:
                for name in reader.names(path, line[1:]) if path else ():
                    found[name] = [*found.get(name, ()), removal]
            elif line.startswith(b"--- a/"):  # names with quotes or control characters are quoted
                path = os.fsdecode(line[6:].removesuffix(b"\t"))
                removal = Removal(time, 0, commit, path)
        elif first == b"@":
            in_hunk = True
        elif first == b"d":
            path, in_hunk = "", False
        elif first == b"\x01":
            if commit:
                yield commit, found
            commit, time, found = *_header(line), {}
            path, in_hunk = "", False
    if commit:
        yield commit, found

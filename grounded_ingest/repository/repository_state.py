"""Computes a digest of everything that an offline check depends on. Equal digests mean equal
results.

The digest covers HEAD and its branch, every ref, the available objects, git's settings and ignore
rules, and the index. The digest covers the metadata of every tracked and untracked file. File
contents are not read, and git's filters never run. The digest also covers the environment variables
that name the base branch, a change or an agent. Finally, the digest covers the date and the
installed code."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import SUBMODULE, Repo
from grounded_ingest.model.digests import blake2b
from grounded_ingest.text.lexicon.agents import ENVIRONMENT
from grounded_ingest.version import code_stamp

_HEAD = ("rev-parse", "HEAD", "--symbolic-full-name", "HEAD")
_UNBORN = 128
"""The exit code of the git command `_HEAD` in a repository without commits."""
_SETTINGS = ("config", "--list", "-z")
_REFS = ("for-each-ref", "--format=%(objectname) %(refname) %(symref)")
# These options cover the whole work tree, even if the command runs in a subdirectory.
_INDEX = ("ls-files", "-t", "--stage", "-z", "--full-name", "--", ":/")
_OTHERS = ("ls-files", "--others", "--exclude-standard", "-z", "--full-name", "--", ":/")
_TICK_NS = 10_000_000
"""Interval in nanoseconds in which two writes to a file may get the same timestamp."""


_NAMING = ("GITHUB_", "CI_", "GIT_", "PRE_COMMIT", "GROUNDED_INGEST_")
"""Prefixes of the environment variables that a run reads to choose the base branch or the
change."""


def state_of(repo: Repo, *asked_for: bytes) -> bytes:
    """Returns a digest of the repository's state and of the bytes `asked_for`, which describe the
    request. Returns an empty value if the digest cannot be computed, for example while a file is
    being written."""
    listing = () if repo.bare else (_OTHERS, _INDEX)  # The slowest command starts first.
    for command in (*listing, _HEAD, _SETTINGS, _REFS):
        repo.begin(*command)
    digest = blake2b(digest_size=16)

    def add(*parts: bytes) -> None:
        for part in parts:
            digest.update(b"%d\0" % len(part))
            digest.update(part)

    try:
        settings = repo.run(*_SETTINGS, ok=(0, 1))
        add(*asked_for, *_surroundings(repo), *_ignoring(repo, settings))
        add(repo.run(*_HEAD, ok=(0, _UNBORN)), settings, repo.run(*_REFS))
        for command in reversed(listing):
            said = repo.run(*command)
            paths = _tracked(said) if command is _INDEX else said.split(b"\0")[:-1]
            add(said, _on_disk(repo, paths))
    except (GroundedIngestError, OSError, ValueError):
        return b""
    return digest.digest()


def _surroundings(repo: Repo) -> Iterator[bytes]:
    yield code_stamp().encode()
    yield "\n".join(f"{p} {_written(p)}" for p in sys.path if os.path.isdir(p)).encode()
    yield datetime.now(UTC).date().isoformat().encode()
    for name in sorted(n for n in os.environ if n.startswith(_NAMING)):
        yield f"{name}={os.environ[name]}".encode(errors="surrogateescape")
    yield b"agent" if any(os.environ.get(name) for name in ENVIRONMENT) else b""
    yield b"shallow" if repo.shallow else b""
    objects = f"{repo.common_dir}/objects"
    held = sorted(os.listdir(objects))
    yield "\n".join(f"{name} {_written(f'{objects}/{name}')}" for name in held).encode()


def _ignoring(repo: Repo, settings: bytes) -> Iterator[bytes]:
    """Yields the size and modification time of each ignore file outside the work tree."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    named = [row[18:] for row in settings.split(b"\0") if row.startswith(b"core.excludesfile\n")]
    users = os.path.expanduser(os.fsdecode(named[-1])) if named else f"{home}/git/ignore"
    for path in (f"{repo.common_dir}/info/exclude", users):
        try:
            found = os.stat(path)
        except OSError:
            yield b"none"
        else:
            yield b"%d %d" % (found.st_size, found.st_mtime_ns)


def _written(path: str) -> int:
    """Returns the time in nanoseconds at which a file was last added to a directory or removed from
    it."""
    return os.stat(path).st_mtime_ns


def _on_disk(repo: Repo, paths: Iterable[bytes]) -> bytes:
    """Returns the metadata of the files in the work tree. Raises ValueError if one was written a
    moment ago, because another write could give it the same timestamp."""
    recent = time.time_ns() - _TICK_NS
    root = os.fsencode(f"{repo.root}/")
    lstat, rows = os.lstat, []
    for path in paths:
        try:
            found = lstat(root + path)
        except OSError:
            rows.append(b"none")
            continue
        written = found.st_ctime_ns
        if written > recent:
            raise ValueError(path)
        rows.append(
            b"%d %d %d %d %d"
            % (found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns, written)
        )
    return b"\n".join(rows)


def _tracked(said: bytes) -> Iterator[bytes]:
    submodule = SUBMODULE.encode()
    for row in said.split(b"\0")[:-1]:
        about, _, path = row.partition(b"\t")
        if not about.startswith(submodule, 2):  # behind the tag
            yield path

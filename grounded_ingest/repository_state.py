"""A digest of all that the decisions of `check --all --offline` depend on in a repository.

HEAD and every ref (base, reachability, which objects there are), the index, the work tree with its
untracked files, the environment that names base or an agent, and this version. Files that git says
are unchanged are taken as HEAD has them; those it is told not to look at are read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from grounded_ingest import __version__
from grounded_ingest.digests import blake2b
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract import VERSION
from grounded_ingest.git import Repo
from grounded_ingest.lexicon.agents import ENVIRONMENT

FORMAT = 1
"""Raised when what is kept for `recall` changes its meaning."""
_STATUS = (
    "status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames",
    "--ignore-submodules=dirty",
)  # fmt: skip
_FLAGS = ("ls-files", "-v", "-z")
_HEAD = ("rev-parse", "--verify", "--quiet", "HEAD")
_REFS = ("for-each-ref", "--format=%(objectname) %(refname)")
_FIELDS = {"1": 8, "u": 10, "?": 1}
"""Where the path begins in a row of `git status`: after so many spaces."""
_LARGEST = 64 * 1024 * 1024


def state_of(repo: Repo) -> bytes:
    """The digest; empty where it cannot be told."""
    asked = (_REFS,) if repo.bare else (_REFS, _STATUS, _FLAGS)
    for command in (_HEAD, *asked):
        repo.begin(*command)
    digest = blake2b(digest_size=16)
    try:
        head = repo.run(*_HEAD, ok=(0, 1))
        outputs = [repo.run(*command) for command in asked]
        for part in (*_surroundings(repo), head, *outputs[:2], *_unsettled(repo, outputs)):
            digest.update(b"%d\0" % len(part))
            digest.update(part)
    except (GroundedIngestError, OSError, ValueError):
        return b""
    return digest.digest()


def _surroundings(repo: Repo) -> Iterator[bytes]:
    yield f"{FORMAT} {__version__} {VERSION}".encode()
    yield os.environ.get("GITHUB_BASE_REF", "").encode(errors="surrogateescape")
    yield b"agent" if any(os.environ.get(name) for name in ENVIRONMENT) else b""
    yield b"shallow" if repo.shallow else b""


def _unsettled(repo: Repo, outputs: list[bytes]) -> Iterator[bytes]:
    """The files on disk that git does not vouch for."""
    if repo.bare:
        return
    _, status, flags = outputs
    for path in sorted({*_changed(status), *_unwatched(flags)}):
        yield os.fsencode(path)
        yield _content(f"{repo.root}/{path}")


def _changed(status: bytes) -> Iterator[str]:
    for row in os.fsdecode(status).split("\0"):
        fields = _FIELDS.get(row[:1])
        if fields:
            yield row.split(" ", fields)[fields]


def _unwatched(flags: bytes) -> Iterator[str]:
    """Files with assume-unchanged (lower case) or skip-worktree (S)."""
    for row in os.fsdecode(flags).split("\0"):
        if row[:1].islower() or row[:1] == "S":
            yield row[2:]


def _content(full: str) -> bytes:
    """A digest of what stands at a path; of large files their times do."""
    if os.path.islink(full):
        return b"link " + os.fsencode(os.readlink(full))
    if not os.path.isfile(full):
        return b"none"
    found = os.stat(full)
    if found.st_size > _LARGEST:
        return b"%d %d %d" % (found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    with open(full, "rb") as file:
        return blake2b(file.read(), digest_size=16).digest()

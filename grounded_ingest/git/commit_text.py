"""Reads commits as text (messages, touched paths, changed lines), and finds the commit that removed
a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.ancestry import shallow_ends
from grounded_ingest.git.cache import Cache, remember
from grounded_ingest.git.repository import Repo

PATHS = 200
"""Maximum number of touched paths in a result."""
WHOLE = 60_000
"""Maximum number of bytes of a diff."""


class CommitText(Struct, frozen=True):
    """A commit as text. `diff` is a unified diff without context lines, cut after the number of
    bytes in `WHOLE`. `paths` are the files in the diff."""

    message: str
    paths: tuple[str, ...]
    diff: str


def commit_text(repo: Repo, oid: str) -> CommitText | None:
    """Returns a commit compared with its first parent. Returns None if the commit is not in this
    clone."""
    header, message = repo.objects.commit(oid)
    if not header:
        return None
    parent = re.search(r"(?m)^parent ([0-9a-f]+)$", header)
    if parent and repo.objects.get(parent[1]) is None:  # a shallow clone ends here
        return CommitText(message, (), "")
    out = repo.stream(
        "show", "--first-parent", "-m", "--no-renames", "--no-ext-diff", "--no-textconv",
        "--no-color", "--unified=0", "--format=", oid,
    )  # fmt: skip
    diff, size = list[bytes](), 0
    with suppress(GroundedIngestError), closing(out):  # an object is missing in a partial clone
        for part in out:
            diff.append(part)
            size += len(part)
            if size > WHOLE:
                break
    text = b"".join(diff)[:WHOLE].decode(errors="replace")
    paths = dict.fromkeys(re.findall(r"(?m)^diff --git a/(.*?) b/", text))
    return CommitText(message, tuple(paths)[:PATHS], text)


REWRITES = 4
"""Maximum number of commits that `rewrites` yields."""


class TextRemoval(Struct, frozen=True):
    """A commit that removed a text, with the text of the file before and after the commit. The
    commit id is abbreviated."""

    commit: str
    before: str
    after: str


def last_removal(
    repo: Repo, start: str, path: str, needle: str, cache: Cache
) -> TextRemoval | None:
    """Returns the last commit up to `start` that removed an occurrence of `needle` from a file.

    Returns None if no commit removed `needle`, or if objects are missing in this clone."""
    found = _commits(repo, start, path, ("-1", f"-S{needle}"), cache)
    if not found:
        return None
    (commit,) = found
    before, after = (_text(repo, f"{at}:{path}") for at in (f"{commit}^", commit))
    removes = before.count(needle) > after.count(needle)
    return TextRemoval(commit, before, after) if removes else None


def rewrites(
    repo: Repo, start: str, path: str, pattern: str, cache: Cache
) -> Iterator[TextRemoval]:
    """Yields the newest commits up to `start` that changed a matching line in a file, at most
    `REWRITES` commits.

    `pattern` is an extended regular expression that ignores case."""
    options = (f"-{REWRITES}", "-E", "-i", f"-G{pattern}")
    for commit in _commits(repo, start, path, options, cache):
        before, after = (_text(repo, f"{at}:{path}") for at in (f"{commit}^", commit))
        yield TextRemoval(commit, before, after)


def _commits(repo: Repo, start: str, path: str, options: Sequence[str], cache: Cache) -> list[str]:
    """Returns the abbreviated ids of the commits in the log of a file, newest first. Returns an
    empty list if git fails, for example in a partial clone."""

    def ask() -> list[str]:
        log = ("--literal-pathspecs", "-c", "core.abbrev=12", "log", "--format=%h", "--no-renames")
        return repo.run(*log, *options, start, "--", path).decode().split()

    try:
        key = start, path, options, sorted(shallow_ends(repo))
        return remember(cache, "log", key, list[str], ask)
    except GroundedIngestError:
        return []


def _text(repo: Repo, revision: str) -> str:
    return (repo.objects.read(revision) or b"").decode(errors="replace")

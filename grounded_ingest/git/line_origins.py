"""Finds the commit that wrote each line in a document, and the days on which a file was changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.ancestry import shallow_ends
from grounded_ingest.git.repository import Repo, epoch_seconds
from grounded_ingest.git.trees import Tree

_AT_ONCE = 4
_LONGEST = 20_000
"""Maximum number of lines, in the old and the new text together, for a comparison of a document."""


class LineOrigin(NamedTuple):
    """The commit that wrote a line, its author time in seconds since 1970, and the path of the
    document in that commit.

    `cut` is true if a shallow clone ends at this commit, so that the line may be older."""

    commit: str
    time: int
    path: str
    cut: bool = False


Origins = Mapping[int, LineOrigin]


def origins_of(repo: Repo, head: str, documents: Iterable[str], tree: Tree) -> dict[str, Origins]:
    """Returns the origin of each line in each document. Line numbers start at 1. Leaves out
    uncommitted lines.

    Runs `git blame` only once for each document in a tree, even if several callers need the result.
    """
    kept, wanted = _kept(repo, head, tree), list(documents)
    if new := [path for path in wanted if path not in kept]:
        found = origins(repo, head, new, tree)
        kept.update((path, found.get(path, {})) for path in new)
    return {path: kept[path] for path in wanted}


@lru_cache(maxsize=4)
def _kept(repo: Repo, head: str, tree: Tree) -> dict[str, Origins]:
    del repo, head, tree
    return {}


def origins(repo: Repo, head: str, documents: Iterable[str], tree: Tree) -> dict[str, Origins]:
    """Returns what `origins_of` returns, without its cache."""
    if not head:
        return {}
    held = {path: repo.objects.get(f"{head}:{path}") for path in documents}
    known = {path: found.oid for path, found in held.items() if found is not None}
    cut = shallow_ends(repo)
    from concurrent.futures import ThreadPoolExecutor  # imported late for a fast start

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        blamed = pool.map(lambda path: _blame(repo, head, path, cut), known)
        found = dict(zip(known, blamed, strict=True))
    for path, oid in known.items():
        entry = tree.entry(path)
        if entry is not None and entry.oid != oid:
            found[path] = _origins_after_edit(found[path], repo.objects.read(oid), tree.read(path))
    return found


def _blame(repo: Repo, head: str, path: str, cut: frozenset[str]) -> Origins:
    """Returns the result of `git blame`. The option `-w` ignores white space, so that an indented
    line keeps its origin."""
    try:
        out = repo.run(
            "-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "-w", "--root", "--no-textconv",
            head, "--", path
        )  # fmt: skip
    except GroundedIngestError:  # This happens in a partial clone.
        return {}
    found: dict[int, LineOrigin] = {}
    times: dict[str, int] = {}
    names: dict[str, str] = {}
    commit, line = "", 0
    for row in out.split(b"\n"):
        if row.startswith(b"\t"):
            found[line] = LineOrigin(commit, times[commit], names[commit], commit in cut)
        elif row.startswith(b"author-time "):
            times[commit] = epoch_seconds(row[12:])
        elif row.startswith(b"filename "):
            names[commit] = _unquoted(os.fsdecode(row[9:]))
        elif (words := row.split(b" ")) and len(words[0]) in (40, 64) and len(words) >= 3:
            commit, line = words[0].decode(), int(words[2])
    return found


@lru_cache(maxsize=4)
def days_of_edits(repo: Repo, head: str) -> Mapping[str, list[int]]:
    """Maps each document to the days on which commits up to `head` changed it, as days since 1970,
    the latest first. Leaves out merges. Empty if there is no commit, or if git fails."""
    days: dict[str, set[int]] = {}
    day = 0
    for row in _log(repo, head, "--no-renames", "--name-only", "--", *_DOCUMENTS):
        if row.startswith("\x01"):
            day = _day(row)
        elif row:
            days.setdefault(row, set()).add(day)
    return {path: sorted(some, reverse=True) for path, some in days.items()}


@lru_cache(maxsize=4)
def latest_days(repo: Repo, head: str) -> list[int]:
    """Returns the days of the newest commits up to `head`, as days since 1970, the latest first."""
    rows = _log(repo, head, "-n", str(_NEWEST))
    return sorted({_day(row) for row in rows if row}, reverse=True)


def _day(row: str) -> int:
    """Returns the day of a commit. It is 0 if the commit has no valid time."""
    return int(row[1:]) // A_DAY if row[1:].isdecimal() else 0


def _log(repo: Repo, head: str, *options: str) -> list[str]:
    command = ("-c", "core.quotePath=false", "log", "--no-merges", "--format=%x01%ct", head)
    try:
        return os.fsdecode(repo.run(*command, *options)).split("\n") if head else []
    except GroundedIngestError:
        return []


A_DAY = 24 * 60 * 60
_NEWEST = 500
_DOCUMENTS = ("*.md", "*.mdx", "*.mdc", "*.markdown", "*.rst", "*.adoc", "*.txt", "*.html")


def _unquoted(name: str) -> str:
    """Returns a path without the quotes that git adds around control characters."""
    if not (name.startswith('"') and name.endswith('"')):
        return name
    return name[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape")


def _origins_after_edit(known: Origins, old: bytes | None, new: bytes | None) -> Origins:
    before, after = (old or b"").split(b"\n"), (new or b"").split(b"\n")
    if len(before) + len(after) > _LONGEST:
        return {}
    from difflib import SequenceMatcher  # imported late for a fast start

    matcher = SequenceMatcher(
        None, [b.rstrip() for b in before], [a.rstrip() for a in after], autojunk=False
    )
    return {
        b + n + 1: known[a + n + 1]
        for a, b, size in matcher.get_matching_blocks()
        for n in range(size)
        if a + n + 1 in known
    }

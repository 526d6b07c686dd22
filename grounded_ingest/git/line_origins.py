"""Which commit wrote each line of a document, by `git blame`. Part of the git edge."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.ancestry import shallow_ends
from grounded_ingest.git.commit_time import epoch_seconds
from grounded_ingest.git.last_writes import LastWrite, last_writes
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import Tree

_AT_ONCE = 4
_LONGEST = 20_000
"""Lines of a changed document whose unchanged lines are still told apart."""


class LineOrigin(NamedTuple):
    """What wrote a line: the commit, its author time in epoch seconds, the document's path then.
    `cut`: a shallow clone ends there, so that the line is at least that old."""

    commit: str
    time: int
    path: str
    cut: bool = False


Origins = Mapping[int, LineOrigin]


def origins_of(repo: Repo, head: str, documents: Iterable[str], tree: Tree) -> dict[str, Origins]:
    """Returns origins by line (1-based) of each document; lines that no commit holds are left out.
    Each document is blamed once for a tree."""
    kept, wanted = _kept(repo, head, tree), list(documents)
    if new := [path for path in wanted if path not in kept]:
        found = origins(repo, head, new, tree)
        kept.update((path, found.get(path, {})) for path in new)
    return {path: kept[path] for path in wanted}


@lru_cache(maxsize=4)
def _kept(repo: Repo, head: str, tree: Tree) -> dict[str, Origins]:
    del repo, head, tree
    return {}


def origins(
    repo: Repo,
    head: str,
    documents: Iterable[str],
    tree: Tree,
) -> dict[str, Origins]:
    """Returns the same, asking git about every document."""
    if not head:
        return {}
    held = {path: repo.objects.get(f"{head}:{path}") for path in documents}
    known = {path: found.oid for path, found in held.items() if found is not None}
    found = _committed(repo, head, known)
    for path, oid in known.items():
        entry = tree.entry(path)
        if entry is not None and entry.oid != oid:
            found[path] = _carried(found[path], repo.objects.read(oid), tree.read(path))
    return found


def _committed(repo: Repo, head: str, known: Mapping[str, str]) -> dict[str, Origins]:
    """Origins of documents, by their blobs, as `head` has them."""
    cut = shallow_ends(repo)
    last = last_writes(repo, head, known)
    found: dict[str, Origins] = {
        path: _of_one(repo.objects.read(oid), path, one, cut)
        for path, oid in known.items()
        if (one := last.get(path)) and one.created
    }
    rest = [path for path in known if path not in found]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        starts = (last[path].commit if path in last else head for path in rest)
        blamed = pool.map(lambda path, start: _blame(repo, start, path, cut), rest, starts)
        found.update(zip(rest, blamed, strict=True))
    return found


def _of_one(content: bytes | None, path: str, one: LastWrite, cut: frozenset[str]) -> Origins:
    """The origins of a document that came whole with one commit."""
    lines = content.removesuffix(b"\n").count(b"\n") + 1 if content else 0
    origin = LineOrigin(one.commit, one.time, path, one.commit in cut)
    return dict.fromkeys(range(1, lines + 1), origin)


def _blame(repo: Repo, head: str, path: str, cut: frozenset[str]) -> Origins:
    """Space is left aside, so that a line that was only indented keeps its origin."""
    try:
        out = repo.run(
            "-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "-w", "--root", "--no-textconv",
            head, "--", path
        )  # fmt: skip
    except GroundedIngestError:  # a partial clone
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


def _unquoted(name: str) -> str:
    """A path as `core.quotePath=false` leaves it: only odd characters are quoted."""
    if not (name.startswith('"') and name.endswith('"')):
        return name
    return name[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape")


def _carried(known: Origins, old: bytes | None, new: bytes | None) -> Origins:
    """Origins of the lines that an uncommitted edit leaves as they are."""
    before, after = (old or b"").split(b"\n"), (new or b"").split(b"\n")
    if len(before) + len(after) > _LONGEST:
        return {}
    matcher = SequenceMatcher(
        None, [b.rstrip() for b in before], [a.rstrip() for a in after], autojunk=False
    )
    return {
        b + n + 1: known[a + n + 1]
        for a, b, size in matcher.get_matching_blocks()
        for n in range(size)
        if a + n + 1 in known
    }

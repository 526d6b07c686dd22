"""Finds the commit that wrote each line in a document."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.ancestry import shallow_ends
from grounded_ingest.git.repository import Repo, epoch_seconds
from grounded_ingest.git.trees import Tree


class LastWrite(NamedTuple):
    """The commit that gave a path its present content.

    `time` is the author's time in seconds since 1970. `created` is true if the commit added the
    file and removed no file, so it did not rename another file.
    """

    commit: str
    time: int
    created: bool


class _Logged(NamedTuple):
    commit: str
    time: int
    parents: tuple[str, ...]


def last_writes(repo: Repo, head: str, paths: Iterable[str]) -> dict[str, LastWrite]:
    """Returns the last write of each path in `head`, from a single walk over the history.

    At a merge, the walk continues to the first parent with the same content, like `git blame`.
    Returns an empty result if history objects are missing.
    """
    wanted = frozenset(paths)
    if not wanted:
        return {}
    try:
        log = list(_log(repo, head))
        changed = _changes(repo, log, wanted)
        stops = _last_writers(log, changed, wanted)
        new = {p for p, one in stops.items() if _is_new(p, one, changed)}
        removing = _removing(repo, [stops[p] for p in new])
    except GroundedIngestError:
        return {}
    return {
        path: LastWrite(one.commit, one.time, path in new and one.commit not in removing)
        for path, one in stops.items()
    }


def _log(repo: Repo, head: str) -> Iterator[_Logged]:
    out = repo.run("log", "--topo-order", "--format=%H %at %P", head)
    for row in out.decode().splitlines():
        commit, time, *parents = row.split(" ")
        yield _Logged(commit, epoch_seconds(time), tuple(filter(None, parents)))


_Changes = dict[tuple[str, str], dict[str, str]]
"""Maps (commit, parent) to the changed paths with their status. The parent of a first commit is
empty.
"""


def _changes(repo: Repo, log: list[_Logged], wanted: frozenset[str]) -> _Changes:
    pairs = [(one.commit, parent) for one in log for parent in one.parents or ("",)]
    suffixes = sorted({os.path.splitext(p)[1] for p in wanted})
    patterns = [f":(glob)**/*{s}" for s in suffixes] if all(map(_is_plain, suffixes)) else []
    fields = _diffed(repo, pairs, "--name-status", "--always", "--", *patterns)
    found: _Changes = {}
    number = -1
    for field in fields:
        if number + 1 < len(pairs) and field == pairs[number + 1][0]:
            number += 1
            continue
        path = next(fields)
        if path in wanted:
            found.setdefault(pairs[number], {})[path] = field
    return found


def _is_plain(suffix: str) -> bool:
    return suffix[1:].isalnum()


def _diffed(repo: Repo, pairs: Iterable[tuple[str, str]], *args: str) -> Iterator[str]:
    """Yields the fields of `git diff-tree` for each pair of commit and parent."""
    stdin = "".join(f"{' '.join(filter(None, pair))}\n" for pair in pairs).encode()
    out = repo.run(
        "diff-tree", "--stdin", "--root", "-r", "-z", "--no-renames", *args,
        stdin=stdin
    )  # fmt: skip
    return iter(os.fsdecode(out).split("\0")[:-1])


def _last_writers(
    log: list[_Logged], changed: _Changes, wanted: frozenset[str]
) -> dict[str, _Logged]:
    """Returns the commit that last wrote each path. The walk goes from parent to parent, always to
    the first parent with the same content. `log` contains children before parents.
    """
    at: dict[str, set[str]] = {log[0].commit: set(wanted)} if log else {}
    found: dict[str, _Logged] = {}
    for one in log:
        here = at.pop(one.commit, None)
        if not here:
            continue
        for parent in one.parents:
            stay = here & changed.get((one.commit, parent), {}).keys()
            here -= stay
            at[parent] = at[parent] | here if parent in at else here
            here = stay
        if not one.parents:
            here &= changed.get((one.commit, ""), {}).keys()
        found.update(dict.fromkeys(here, one))
    return found


def _is_new(path: str, one: _Logged, changed: _Changes) -> bool:
    """Returns whether no parent of the commit contains the path."""
    pairs = ((one.commit, parent) for parent in one.parents or ("",))
    return all(changed.get(pair, {}).get(path) == "A" for pair in pairs)


def _removing(repo: Repo, commits: Iterable[_Logged]) -> set[str]:
    """Returns the commits that remove a file, and so may have renamed a file instead of adding
    one."""
    pairs = [(c.commit, p) for c in dict.fromkeys(commits) for p in c.parents]
    if not pairs:
        return set()
    fields = _diffed(repo, pairs, "--name-only", "--diff-filter=D")
    known = {commit for commit, _ in pairs}
    return {f for f in fields if f in known}


_AT_ONCE = 4
_FEW = 8
"""Maximum number of documents for which `git blame` starts at the head. For more documents, one
walk over the history first finds the last write of each document, and `git blame` starts there. In
a history of 9,000 commits, the walk takes as long as ten blames.
"""
_LONGEST = 20_000
"""Maximum number of lines, in the old and the new text together, for a comparison of a document."""


class LineOrigin(NamedTuple):
    """The commit that wrote a line, its author time in seconds since 1970, and the path of the
    document in that commit.

    `cut` is true if a shallow clone ends at this commit, so that the line may be older.
    """

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


def origins(
    repo: Repo,
    head: str,
    documents: Iterable[str],
    tree: Tree,
) -> dict[str, Origins]:
    """Returns, for each document, the commit and path from which each line comes. Runs `git blame`
    for every document, because this function has no cache."""
    if not head:
        return {}
    held = {path: repo.objects.get(f"{head}:{path}") for path in documents}
    known = {path: found.oid for path, found in held.items() if found is not None}
    found = _committed_origins(repo, head, known)
    for path, oid in known.items():
        entry = tree.entry(path)
        if entry is not None and entry.oid != oid:
            found[path] = _origins_after_edit(found[path], repo.objects.read(oid), tree.read(path))
    return found


def _committed_origins(repo: Repo, head: str, known: Mapping[str, str]) -> dict[str, Origins]:
    """Returns the origins of lines in documents at `head`. `known` maps paths to blobs."""
    cut = shallow_ends(repo)
    last = last_writes(repo, head, known) if len(known) > _FEW else {}
    found: dict[str, Origins] = {
        path: _origins_of_one(repo.objects.read(oid), path, one, cut)
        for path, oid in known.items()
        if (one := last.get(path)) and one.created
    }
    rest = [path for path in known if path not in found]
    from concurrent.futures import ThreadPoolExecutor  # imported late for a fast start

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        starts = (last[path].commit if path in last else head for path in rest)
        blamed = pool.map(lambda path, start: _blame(repo, start, path, cut), rest, starts)
        found.update(zip(rest, blamed, strict=True))
    return found


def _origins_of_one(
    content: bytes | None, path: str, one: LastWrite, cut: frozenset[str]
) -> Origins:
    """Returns the origins of lines in a document that a single commit wrote completely."""
    lines = content.removesuffix(b"\n").count(b"\n") + 1 if content else 0
    origin = LineOrigin(one.commit, one.time, path, one.commit in cut)
    return dict.fromkeys(range(1, lines + 1), origin)


def _blame(repo: Repo, head: str, path: str, cut: frozenset[str]) -> Origins:
    """Returns the result of `git blame`. The option `-w` ignores white space, so that an indented
    line keeps its origin.
    """
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


def _unquoted(name: str) -> str:
    """Returns a path without the quotes that git adds around control characters."""
    if not (name.startswith('"') and name.endswith('"')):
        return name
    return name[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape")


def _origins_after_edit(known: Origins, old: bytes | None, new: bytes | None) -> Origins:
    """Returns the origins of the lines that an uncommitted edit does not change."""
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

"""Which commit last wrote each path: all of them from one walk over history."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.commit_time import epoch_seconds
from grounded_ingest.git.repository import Repo


class LastWrite(NamedTuple):
    """The commit that gave a path the content it has, by its author's time in epoch seconds.
    `created`: it brought the path in, and no other file can have been renamed to it."""

    commit: str
    time: int
    created: bool


class _Logged(NamedTuple):
    commit: str
    time: int
    parents: tuple[str, ...]


def last_writes(repo: Repo, head: str, paths: Iterable[str]) -> dict[str, LastWrite]:
    """The last write of each path that `head` has, as `git blame` walks: of a merge, to the first
    parent that has the very same content. Empty if git lacks the history."""
    wanted = frozenset(paths)
    if not wanted:
        return {}
    try:
        log = list(_log(repo, head))
        changed = _changes(repo, log, wanted)
        stops = _stops(log, changed, wanted)
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
"""Status by path, by commit and parent; of a commit without parents by the commit and nothing."""


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
    """The fields of `git diff-tree` for each commit beside one of its parents."""
    stdin = "".join(f"{' '.join(filter(None, pair))}\n" for pair in pairs).encode()
    out = repo.run(
        "diff-tree", "--stdin", "--root", "-r", "-z", "--no-renames", *args,
        stdin=stdin
    )  # fmt: skip
    return iter(os.fsdecode(out).split("\0")[:-1])


def _stops(log: list[_Logged], changed: _Changes, wanted: frozenset[str]) -> dict[str, _Logged]:
    """Where each path's way ends: on to the first parent that has the same content, as long as one
    does. `log` names children before parents."""
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
    """Whether no parent of a commit has a path."""
    pairs = ((one.commit, parent) for parent in one.parents or ("",))
    return all(changed.get(pair, {}).get(path) == "A" for pair in pairs)


def _removing(repo: Repo, commits: Iterable[_Logged]) -> set[str]:
    """Those of these commits that take a file out: it may have been renamed."""
    pairs = [(c.commit, p) for c in dict.fromkeys(commits) for p in c.parents]
    if not pairs:
        return set()
    fields = _diffed(repo, pairs, "--name-only", "--diff-filter=D")
    known = {commit for commit, _ in pairs}
    return {f for f in fields if f in known}

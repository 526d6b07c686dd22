"""Finds the files and names that commits removed. Each commit is read only once. The results are
stored in tables of the cache file, so a later run reads only new commits. Results depend only on
the commits and never on time. The limits count commits and bytes. `gaps` says what the search left
out; a name without a result may have been removed there."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.cache import Cache, transaction
from grounded_ingest.git.commit_walk import (
    CANDIDATES,
    NameReader,
    Removal,
    Removals,
    Walk,
    walk_files,
    walk_names,
)
from grounded_ingest.git.repository import Repo

COMMITS = 200_000
"""Maximum number of commits that a walk reads."""
AT_ONCE = 5000
"""Maximum number of commits that an impatient run, such as a hook, searches for names."""
TRIES = 5
"""Maximum number of tries for a query while other runs write to the store. After these tries, the
run keeps its results in memory."""
HEADS = 16
"""Number of stored heads (commits whose whole history is in the store) at which the store is
emptied."""

_TABLE_NAMES = ("head", "unread", "removed")
_TABLES = """
CREATE TABLE IF NOT EXISTS head (walk TEXT, oid TEXT, cut INTEGER, PRIMARY KEY (walk, oid))
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS unread (walk TEXT, oid TEXT, PRIMARY KEY (walk, oid))
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS removed (walk TEXT, name BLOB, time INTEGER, rank INTEGER,
  oid TEXT, path BLOB, target BLOB, PRIMARY KEY (walk, name, time, oid, path)) WITHOUT ROWID;
"""
_FEW = 0.1
"""Share of the files of a directory that a commit must remove to count as the one that emptied it.
"""
_OF_SUBTREE = "--grep=^git-subtree-dir: "
"""Selects the commits that `git subtree` makes from another repository."""
_FILES = "files 2"

T = TypeVar("T")
ReadCommits = Callable[[list[str]], Walk]


class _AskAgainError(Exception):
    """Raised if another run changed the store, or if memory has replaced it."""


class _Apart(Struct, frozen=True):
    """Stored `commits` of other branches, which a search ignores, and the `heads` whose history is
    stored."""

    commits: frozenset[str]
    heads: frozenset[str]


def moved_together(directory: str, removals: Sequence[Removal]) -> Removal:
    """Returns the removal that tells best what happened to a directory. If at least half of its
    files moved to one new directory, returns a file that moved there. Otherwise returns the first
    file, without its new path (`target`), so that the directory does not count as moved."""
    tails = {r: r.path.removeprefix(directory) for r in removals}
    homes = {r: r.target.removesuffix(t) for r, t in tails.items() if r.target.endswith(t)}
    home, count = next(iter(Counter(homes.values()).most_common(1)), ("", 0))
    if 2 * count < len(removals):
        return removals[0]._replace(target="")
    return next(r for r in homes if homes[r] == home)


class RemovalHistory:
    """Finds the files and names that commits in the history of a repository removed.

    `directory` is the directory of the cache. If `directory` is empty, the results stay in memory.
    If `patient` is true, a search for names reads even a long history completely. If `patient` is
    false, the search reads at most `AT_ONCE` commits. `progress` receives a message about each
    hundredth of the commits."""

    def __init__(
        self,
        repo: Repo,
        directory: str = "",
        *,
        patient: bool = True,
        progress: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.repo, self.patient, self._progress = repo, patient, progress
        self.gaps: dict[str, str] = {}
        """Maps a kind of walk to a message that says why its results are incomplete."""
        self._cache = Cache(directory, _TABLES, self._begin_again)
        self._apart: dict[tuple[str, str], _Apart] = {}
        """Maps a kind of walk and a start commit to the stored commits that the search ignores."""

    def removed_files(self, start: str, paths: Iterable[str]) -> dict[str, Removal]:
        """Returns the newest removal of each path that a commit up to `start` removed."""
        asked = list(dict.fromkeys(p for p in paths if p))
        return self._of_files(start, asked, lambda p: self._kept(_FILES, start, "=?", p))

    def removed_below(self, start: str, directories: Iterable[str]) -> dict[str, Removal]:
        """Returns for each directory a file below it that a commit removed: the newest commit that
        removed at least a tenth (`_FEW`) as many files of the directory as any other, because a
        single file may come back after a move and be removed again.

        Leaves out directories without a removal. The removal has a target only if at least half of
        the files moved to the same directory. An empty `__init__.py` alone does not count as moved,
        because git takes any two empty files for a rename."""
        asked = list(dict.fromkeys(d.rstrip("/") for d in directories if d))

        def emptied(directory: str) -> list[Removal]:
            below = f"{directory}/", f"{directory}0"
            found = self._kept(_FILES, start, ">? AND name<?", *below)
            files = Counter(r.commit for r in found)
            most = max(files.values(), default=0)
            commit = next((r.commit for r in found if files[r.commit] >= _FEW * most), "")
            removed = [r for r in found if r.commit == commit]
            if not removed:
                return []
            return [moved_together(directory, removed)._replace(gone=found[0].time)]

        return self._of_files(start, asked, emptied)

    def removed_ends(self, start: str, ends: Iterable[str]) -> dict[str, str]:
        """Maps each path ending, such as `lib/x.py`, to the removed path with this ending. A path
        that was moved does not count if its new path has the ending, too. Leaves out endings that
        match several removed paths."""
        names: dict[str, set[str]] = {}
        for end in ends:
            names.setdefault(end.rpartition("/")[2], set()).add(end)
        if not names or not start:
            return {}

        def answer() -> dict[str, str]:
            self._read_up_to(start, _FILES, self._walk_files)
            found: dict[str, set[str]] = {}
            for row in self._ask("SELECT DISTINCT name, target FROM removed WHERE walk=?", _FILES):
                path, target = map(os.fsdecode, row)
                for end in names.get(path.rpartition("/")[2], ()):
                    if path.endswith(f"/{end}") and not target.endswith(f"/{end}"):
                        found.setdefault(end, set()).add(path)
            return {end: next(iter(paths)) for end, paths in found.items() if len(paths) == 1}

        return self._answer(answer)

    def _walk_files(self, commits: Sequence[str]) -> Walk:
        return walk_files(self.repo, commits, self._progress)

    def _of_files(
        self, start: str, asked: list[str], kept: Callable[[str], list[Removal]]
    ) -> dict[str, Removal]:
        if not asked or not start:
            return {}

        def answer() -> dict[str, Removal]:
            self._read_up_to(start, _FILES, self._walk_files)
            return {a: found[0]._replace(times=len(found)) for a in asked if (found := kept(a))}

        return self._answer(answer)

    def removed_names(self, start: str, names: Iterable[str], reader: NameReader) -> Removals:
        """Maps each name to the removed lines that contain the name, from commits up to `start`,
        newest first. If the search left out commits, `gaps[reader.version]` says why, and a name
        without a result may have been removed too."""
        asked = list(dict.fromkeys(n for n in names if n))
        if not asked or not start:
            return {}
        walk = reader.version

        def answer() -> Removals:
            read = partial(walk_names, self.repo, reader=reader, progress=self._progress)
            self._read_up_to(start, walk, read)
            return {n: found for n in asked if (found := self._kept(walk, start, "=?", n))}

        return self._answer(answer)

    def close(self) -> None:
        self._cache.close()

    def _answer(self, answer: Callable[[], T]) -> T:
        for _ in range(TRIES):
            try:
                return answer()
            except _AskAgainError:
                continue
        self._cache.use_memory()  # Other runs keep writing to the store.
        self._apart.clear()
        return answer()

    def _read_up_to(self, start: str, walk: str, read: ReadCommits) -> None:
        if (walk, start) in self._apart:
            return
        heads = self._heads(walk)
        try:
            if start not in heads:
                self._extend(start, walk, heads, read)
            else:
                self._read_again(walk, read)
            self._set_apart(start, walk)
        except GroundedIngestError:
            if not heads:
                self.gaps[walk] = "git could not list the commits of this history"
                return
            self._forget(walk)  # A stored head no longer exists, because git pruned it.
            self._read_up_to(start, walk, read)
            return
        if start in self._apart[walk, start].heads:
            self._say_gaps(start, walk)

    def _heads(self, walk: str) -> list[str]:
        return [oid for (oid,) in self._ask("SELECT oid FROM head WHERE walk=?", walk)]

    def _set_apart(self, start: str, walk: str) -> None:
        """Finds the stored commits that belong to other branches, outside of the history of
        `start`."""
        heads = self._heads(walk)
        others = [h for h in heads if h != start]
        apart = self._list(others, [start]) if others else []
        self._apart[walk, start] = _Apart(frozenset(apart), frozenset(heads))

    def _extend(self, start: str, walk: str, heads: list[str], read: ReadCommits) -> None:
        if len(heads) >= HEADS:
            self._forget(walk)
            heads = []
        # A merge commit itself removes nothing, and `git subtree` makes commits of another tree.
        commits = self._list([start], heads, "--no-merges", "--invert-grep", _OF_SUBTREE)
        if walk != _FILES and not self.patient and len(commits) > AT_ONCE:
            self.gaps[walk] = (
                f"{len(commits):,} commits were not searched for removed names: "
                "run `grounded-ingest check --all` to search them"
            )
            return
        done = read(commits[:COMMITS])
        beyond = set(self._list(heads, [start])) if heads else set()
        cut = done.cut or len(commits) > COMMITS
        self._store(start, walk, done, heads, cut=cut, ended=[h for h in heads if h not in beyond])

    def _list(self, of: Sequence[str], without: Sequence[str], *more: str) -> list[str]:
        """Returns the commits in the history of `of` that are not in the history of `without`,
        newest first."""
        stdin = "".join([*(f"{c}\n" for c in of), *(f"^{c}\n" for c in without)]).encode()
        return self.repo.run("rev-list", *more, "--stdin", stdin=stdin).decode().split()

    def _read_again(self, walk: str, read: ReadCommits) -> None:
        """Reads the commits that an earlier run could not read, if their objects are now in the
        clone."""
        unread = [oid for (oid,) in self._ask("SELECT oid FROM unread WHERE walk=?", walk)]
        if unread and self.patient and not read(unread[:1]).unread:
            self._store("", walk, read(unread), (), cut=False, again=unread)

    def _say_gaps(self, start: str, walk: str) -> None:
        apart = self._apart[walk, start].commits
        unread = self._ask("SELECT oid FROM unread WHERE walk=?", walk)
        count = sum(oid not in apart for (oid,) in unread)
        if count:
            self.gaps[walk] = (
                f"{count:,} commit{'s' * (count > 1)} could not be read: objects are missing "
                "in this clone; fetch them, or use a full clone"
            )
        elif self._ask("SELECT 1 FROM head WHERE walk=? AND oid=? AND cut", walk, start):
            self.gaps[walk] = "the history is too long, so only the newest commits were searched"

    def _kept(self, walk: str, start: str, where: str, *values: str) -> list[Removal]:
        """Returns the stored removals in the history of `start`, newest first. `where` is an SQL
        condition that compares the name with `values`."""
        sql = f"SELECT time, rank, oid, path, target FROM removed WHERE walk=? AND name{where}"  # noqa: S608
        if (walk, start) not in self._apart:
            return []
        found = self._ask(sql, walk, *map(os.fsencode, values))
        # Another run has meanwhile changed the stored heads.
        if self._apart[walk, start].heads != {*self._heads(walk)}:
            del self._apart[walk, start]
            raise _AskAgainError
        apart = self._apart[walk, start].commits
        rows = (
            Removal(time, rank, oid, os.fsdecode(path), os.fsdecode(target))
            for time, rank, oid, path, target in found
        )
        return sorted((r for r in rows if r.commit not in apart), reverse=True)

    def _store(
        self,
        start: str,
        walk: str,
        done: Walk,
        heads: Sequence[str],
        *,
        cut: bool,
        ended: Sequence[str] = (),
        again: Sequence[str] = (),
    ) -> None:
        """Stores the results of a walk from `start` back to the commits that `heads` already cover.
        `ended` are heads that `start` replaces. `again` are commits that an earlier run could not
        read."""
        last = self._ask("SELECT max(rank) FROM removed")[0][0] or 0
        newest = last + max((-r.rank for found in done.found.values() for r in found), default=0)
        rows = (
            (
                walk,
                os.fsencode(name),
                removal.time,
                newest + 1 + removal.rank,
                removal.commit,
                os.fsencode(removal.path),
                os.fsencode(removal.target),
            )
            for name, removals in done.found.items()
            for removal in sorted(set(removals), reverse=True)[:CANDIDATES]
        )

        def write(db: sqlite3.Connection) -> None:
            with transaction(db):
                there = db.execute("SELECT oid FROM head WHERE walk=?", (walk,)).fetchall()
                if not {*heads} <= {oid for (oid,) in there}:
                    raise _AskAgainError  # Another run has emptied the store.
                if not there:  # Rows without a head would count for every branch.
                    _delete(db, walk)
                db.executemany("INSERT OR REPLACE INTO removed VALUES (?,?,?,?,?,?,?)", rows)
                db.executemany(
                    "DELETE FROM unread WHERE walk=? AND oid=?", ((walk, c) for c in again)
                )
                db.executemany(
                    "INSERT OR REPLACE INTO unread VALUES (?,?)", ((walk, c) for c in done.unread)
                )
                if start:
                    db.executemany(
                        "DELETE FROM head WHERE walk=? AND oid=?", ((walk, h) for h in ended)
                    )
                    db.execute(
                        "INSERT OR REPLACE INTO head VALUES (?,?,?)", (walk, start, int(cut))
                    )

        self._cache.use(write)

    def _forget(self, walk: str) -> None:
        def write(db: sqlite3.Connection) -> None:
            with transaction(db):
                _delete(db, walk)

        self._cache.use(write)

    def _ask(self, sql: str, *values: str | bytes) -> list[Any]:
        return self._cache.use(lambda db: db.execute(sql, values).fetchall())

    def _begin_again(self) -> None:
        self._apart.clear()
        raise _AskAgainError


def _delete(db: sqlite3.Connection, walk: str) -> None:
    for table in _TABLE_NAMES:
        db.execute(f"DELETE FROM {table} WHERE walk=?", (walk,))  # noqa: S608

"""What became of files that history had and the tree has not: renamed, or removed, and by whom."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo, TreeEntry
from grounded_ingest.git.trees import CommitTree, Tree

_ROUNDS = 8
"""Renames of one file that are followed."""

_SURE = 75
"""Similarity in percent from which on a rename is certain enough to be written down."""

_RENAMES = "2000"
"""Files of one commit among which git looks for renames (`-l`)."""


class Fate(NamedTuple):
    """`commit` removed the path. `to`: where it stands now, with git's `similarity` in percent, the
    least on the way; empty where it was removed for good, under its `last` name. `renamed`: git saw
    it go there; else another file has its content. `candidates`: files of the tree that may have
    taken its place."""

    commit: str
    to: str = ""
    similarity: int = 0
    candidates: tuple[str, ...] = ()
    last: str = ""
    renamed: bool = False

    @property
    def certain(self) -> bool:
        return self.renamed and self.similarity >= _SURE


class _Removal(NamedTuple):
    commit: str
    blobs: dict[str, str]


class _Rename(NamedTuple):
    to: str
    similarity: int


class Fates:
    """Answers for one tree and the history of HEAD."""

    def __init__(self, repo: Repo, head: str, tree: Tree) -> None:
        self.repo, self.head, self.tree = repo, head, tree
        self._removals: dict[str, _Removal | None] = {}
        self._renames: dict[str, dict[str, _Rename]] = {}
        self._by_blob: dict[str, list[str]] | None = None
        self.failed = False

    def look_up(self, paths: Iterable[str]) -> None:
        """Ask history about many paths at once; directories end in a slash."""
        wanted = list(dict.fromkeys(paths))
        for _ in range(_ROUNDS):
            new = [p for p in wanted if p not in self._removals]
            self._find_removals(new)
            self._find_renames(new)
            found = (self._next(p) for p in new)
            wanted = [n for n in found if n and not self._stands(n)]
            if not wanted:
                return

    def of(self, path: str) -> Fate | None:
        """What became of a path that was looked up; None where history never had it."""
        removal = self._removals.get(path)
        if removal is None:
            return None
        at, similarity = path, 100
        for _ in range(_ROUNDS):
            rename = self._step(at)
            if rename is None:
                break
            similarity = min(similarity, rename.similarity)
            at = rename.to
            if self._stands(at):
                return Fate(removal.commit, at, similarity, last=at, renamed=True)
            if self._removals.get(at) is None:
                break
        last = self._removals.get(at) or removal
        same = self._same_content(last, at)
        if len(same) == 1:
            return Fate(last.commit, same[0], 100, last=at)
        return Fate(last.commit, candidates=(*same[:5],) or self._same_name(path), last=at)

    def _stands(self, path: str) -> bool:
        return self.tree.is_dir(path) if path.endswith("/") else self.tree.has(path)

    def _next(self, path: str) -> str:
        rename = self._step(path)
        return rename.to if rename else ""

    def _step(self, path: str) -> _Rename | None:
        removal = self._removals.get(path)
        renames = self._renames.get(removal.commit, {}) if removal else {}
        if not path.endswith("/") or removal is None:
            return renames.get(path)
        targets = set()
        for old in removal.blobs:
            new = renames.get(old)
            tail = old[len(path) :]
            if new is None or not new.to.endswith("/" + tail):
                return None
            targets.add((new.to[: -len(tail)], new.similarity))
        places = {to for to, _ in targets}
        return _Rename(places.pop(), min(s for _, s in targets)) if len(places) == 1 else None

    def _same_content(self, removal: _Removal, path: str) -> list[str]:
        """Files of the tree with the very bytes that were removed: a copy made before."""
        blob = removal.blobs.get(path, "")
        found = self.repo.objects.get(blob) if blob else None
        if found is None or found.size < 32:
            return []
        if self._by_blob is None:
            self._by_blob = defaultdict(list)
            for name, entry in self.tree.files.items():
                self._by_blob[entry.oid].append(name)
        return self._by_blob.get(blob, [])

    def _same_name(self, path: str) -> tuple[str, ...]:
        name = path.rstrip("/").rpartition("/")[2]
        if path.endswith("/") or name.startswith(("__init__.", "index.", "README", "mod.rs")):
            return ()
        found = self.tree.ending_with(name)
        return tuple(found) if len(found) <= 3 else ()

    def _find_removals(self, paths: list[str]) -> None:
        """The last commit of HEAD's history that removed each path, or all below a directory."""
        self._removals.update(dict.fromkeys(paths))
        asked = [p for p in paths if _is_inside(p)]
        if not asked or not self.head:
            return
        self._log(asked)
        if missing := [p for p in asked if self._removals[p] is None]:
            self._log(missing, "-m", "--first-parent")  # removed by a merge itself

    def _log(self, asked: list[str], *more: str) -> None:
        stdin = "\n".join([self.head, "--", *(p.rstrip("/") for p in asked)]) + "\n"
        try:
            out = self.repo.run(
                "--literal-pathspecs", "log", "--stdin", "--format=%x01%H", "--raw", "--no-abbrev",
                "--diff-filter=D", "--no-renames", "-z", *more,
                stdin=os.fsencode(stdin)
            )  # fmt: skip
        except GroundedIngestError:
            self.failed = True
            return
        directories = [p for p in asked if p.endswith("/")]
        files = {p for p in asked if not p.endswith("/")}
        for part in os.fsdecode(out).split("\x01")[1:]:
            commit, removed = _removed(part)
            for name in files & removed.keys():
                if self._removals[name] is None:
                    self._removals[name] = _Removal(commit, {name: removed[name]})
            for directory in directories:
                below = {n: b for n, b in removed.items() if n.startswith(directory)}
                if below and self._removals[directory] is None:
                    self._removals[directory] = _Removal(commit, below)

    def _find_renames(self, paths: list[str]) -> None:
        found = (self._removals[p] for p in paths)
        commits = [c for c in dict.fromkeys(r.commit for r in found if r) if c not in self._renames]
        if not commits:
            return
        self._renames.update((c, {}) for c in commits)
        stdin = "".join(f"{c}\n" for c in commits).encode()
        try:
            out = self.repo.run(
                "diff-tree", "--stdin", "-r", "-z", "-M", f"-l{_RENAMES}", "--raw", "--no-abbrev",
                "--diff-filter=R", stdin=stdin
            )  # fmt: skip
        except GroundedIngestError:
            self.failed = True
            return
        fields = iter(os.fsdecode(out).split("\0")[:-1])
        commit = ""
        for field in fields:
            if not field.startswith(":"):
                commit = field.strip("\n")
                continue
            words = field.split(" ")
            old, new = next(fields), next(fields)
            if self._is_something(TreeEntry(words[0], words[2])):
                self._renames[commit][old] = _Rename(new, int(words[4][1:]))

    def _is_something(self, entry: TreeEntry) -> bool:
        """Whether a blob has content: an empty file is like every other empty file."""
        found = self.repo.objects.get(entry.oid)
        return found is None or found.size > 0


class PastTrees:
    """Trees of the commits that HEAD reaches. What may end with a name is known from all paths
    there ever were, read once; only they are looked up, and no commit's whole tree is listed."""

    def __init__(self, repo: Repo, head: str) -> None:
        self.repo, self.head = repo, head
        self._ever: Tree | None = None
        self._failed = False

    def at(self, commit: str) -> CommitTree:
        return _PastTree(self, commit)

    @property
    def ever(self) -> Tree | None:
        """Every path that a commit ever added; None if git fails, as in a partial clone."""
        if self._ever is None and not self._failed:
            try:
                out = self.repo.run(
                    "log", "--format=", "--name-only", "-z",
                    "--diff-filter=A", "--no-renames", "--diff-merges=first-parent", self.head
                )  # fmt: skip
            except GroundedIngestError:
                self._failed = True
                return None
            names = dict.fromkeys(n.lstrip("\n") for n in os.fsdecode(out).split("\0"))
            self._ever = Tree(self.repo, {n: TreeEntry("", "") for n in names if n})
        return self._ever


class _PastTree(CommitTree):
    def __init__(self, past: PastTrees, commit: str) -> None:
        super().__init__(past.repo, commit)
        self._past = past

    def ending_with(self, suffix: str) -> list[str]:
        ever = self._past.ever
        if ever is None:
            return super().ending_with(suffix)
        return [p for p in ever.ending_with(suffix) if self.has(p)]

    def directories_ending_with(self, suffix: str) -> list[str]:
        ever = self._past.ever
        if ever is None:
            return super().directories_ending_with(suffix)
        return [d for d in ever.directories_ending_with(suffix) if self.is_dir(d)]


def _is_inside(path: str) -> bool:
    """Whether git takes it for a path of the repository."""
    steps = path.rstrip("/").split("/")
    return not {"\n", "\0"} & set(path) and not {"", ".", "..", ".git"} & set(steps)


def _removed(part: str) -> tuple[str, dict[str, str]]:
    """A commit of the log and the blobs it removed by path."""
    commit, *fields = part.replace("\n", "\0").split("\0")
    rest = [f for f in fields if f]
    pairs = zip(rest[::2], rest[1::2], strict=False)
    return commit, {name: head.split(" ")[2] for head, name in pairs if head.startswith(":")}

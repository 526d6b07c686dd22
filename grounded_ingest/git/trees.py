"""Trees of files (index, commit, work tree) and the texts of their files.

Only this module decides whether a path exists."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from posixpath import dirname, join, normpath
from stat import S_ISREG
from typing import TYPE_CHECKING

from grounded_ingest.git.repository import SUBMODULE, SYMLINK, Repo, TreeEntry

if TYPE_CHECKING:
    import hashlib

_DIRECTORY = "040000"
_MODES = (b"100644", b"100755", b"40000", b"120000", b"160000", b"100664")
_LARGEST_IN_MEMORY = 64 * 1024 * 1024
"""Size in bytes of the largest file in the work tree that is read into memory."""
LARGEST = 2 * 1024 * 1024
"""Size in bytes of the largest file whose lines are read."""
KEPT = 8 * 1024 * 1024
"""Maximum number of characters in the text cache. With the cache, many citations of the same files
read each file only once."""


class Tree:
    """Files by their path from the root. This base class has a fixed list of files and represents
    the index."""

    def __init__(self, repo: Repo, files: Mapping[str, TreeEntry]) -> None:
        self.repo = repo
        self._files = files

    @property
    def files(self) -> Mapping[str, TreeEntry]:
        return self._files

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.files)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        named: dict[str, list[str]] = {}
        for path in self._sorted:
            named.setdefault(path.rpartition("/")[2], []).append(path)
        return named

    def entry(self, path: str) -> TreeEntry | None:
        return self.files.get(path)

    def has(self, path: str) -> bool:
        """Returns whether the path is a file, a link or a submodule."""
        return path in self.files

    def mode(self, path: str) -> str:
        """Returns the mode of a path as git prints it. Returns an empty string if the file does not
        exist."""
        entry = self.entry(path)
        return entry.mode if entry is not None else ""

    def below(self, directory: str) -> list[str]:
        """Returns all files below a directory, sorted."""
        prefix = directory.rstrip("/") + "/"
        start = bisect_left(self._sorted, prefix)
        end = bisect_left(self._sorted, prefix[:-1] + "0")  # "0" is the character after "/".
        return self._sorted[start:end]

    def is_dir(self, path: str) -> bool:
        prefix = path.rstrip("/") + "/"
        at = bisect_left(self._sorted, prefix)
        return at < len(self._sorted) and self._sorted[at].startswith(prefix)

    def ending_with(self, suffix: str) -> list[str]:
        """Returns the files whose path ends with `suffix`: for `b.py`, `a/b.py` but not `ab.py`."""
        name = suffix.rpartition("/")[2]
        tail = "/" + suffix
        return [p for p in self._by_name.get(name, ()) if p == suffix or p.endswith(tail)]

    def has_kind(self, path: str) -> bool:
        """Returns whether any file in the tree has the same extension as `path`."""
        return path.rpartition(".")[2] in self._endings

    @cached_property
    def _endings(self) -> frozenset[str]:
        return frozenset(p.rpartition(".")[2] for p in self._sorted)

    @cached_property
    def _directories_by_name(self) -> dict[str, list[str]]:
        found: dict[str, None] = {}
        for path in self._sorted:
            while (path := path.rpartition("/")[0]) and path not in found:
                found[path] = None
        named: dict[str, list[str]] = {}
        for path in sorted(found):
            named.setdefault(path.rpartition("/")[2], []).append(path)
        return named

    def directories_ending_with(self, suffix: str) -> list[str]:
        """Returns the directories whose path ends with the path `suffix`. Leaves out directories
        that are inside another result."""
        bare = suffix.strip("/")
        known = self._directories_by_name.get(bare.rpartition("/")[2], ())
        found = [d for d in known if d == bare or d.endswith(f"/{bare}")]
        return [d for d in found if f"/{d}/".find(f"/{bare}/") == len(d) - len(bare)]

    def submodule_above(self, path: str) -> str:
        """Returns the submodule that contains a path. Returns an empty string if there is none."""
        while path:
            if self.mode(path) == SUBMODULE:
                return path
            path = path.rpartition("/")[0]  # `dirname` of "/" is "/", so the loop would not end.
        return ""

    def read(self, path: str) -> bytes | None:
        """Returns the content of a regular file. Returns None for anything else."""
        entry = self.entry(path)
        if entry is None or entry.mode in (SYMLINK, SUBMODULE):
            return None
        return self.repo.objects.read(entry.oid)

    def size(self, path: str) -> int:
        entry = self.entry(path)
        found = self.repo.objects.get(entry.oid) if entry else None
        return found.size if found else 0

    def link_target(self, path: str) -> str:
        """Returns the target of a symbolic link as a path from the root. The target does not need
        to exist."""
        entry = self.entry(path)
        content = self.repo.objects.read(entry.oid) if entry and entry.oid else None
        return normpath(join(dirname(path), os.fsdecode(content or b"\0")))

    def link_above(self, path: str) -> str:
        """Returns the symbolic link among the directories in a path. Returns an empty string if
        there is none."""
        while path := path.rpartition("/")[0]:
            if self.mode(path) == SYMLINK:
                return path
        return ""


class CommitTree(Tree):
    """The tree of a commit. Looks up single paths in git's tree objects. Lists the whole tree only
    if `files` is used."""

    def __init__(self, repo: Repo, commit: str) -> None:
        super().__init__(repo, {})
        self.commit = commit
        self._listed = not commit
        self._listing: Callable[[], Mapping[str, TreeEntry]] = lambda: repo.tree(commit)
        self._directories: dict[str, bytes] = {}
        self.reached: dict[str, bool] = {}
        """A cache that callers fill: whether each commit is an ancestor of this commit."""

    def know(self, files: Mapping[str, TreeEntry]) -> None:
        """Takes the list of all files from the caller, so that git need not list them."""
        self._files, self._listed = files, True

    def set_listing(self, cheaper: Callable[[], Mapping[str, TreeEntry]]) -> None:
        """Sets a function that lists the tree faster than git does. It is called only if a list is
        needed."""
        self._listing = cheaper

    @property
    def files(self) -> Mapping[str, TreeEntry]:
        if not self._listed:
            self.know(self._listing())
        return self._files

    def entry(self, path: str) -> TreeEntry | None:
        if self._listed:
            return self._files.get(path)
        found = self._look_up(path)
        return None if found is None or found.mode == _DIRECTORY else found

    def has(self, path: str) -> bool:
        return self.entry(path) is not None

    def is_dir(self, path: str) -> bool:
        if self._listed:
            return super().is_dir(path)
        found = self._look_up(path.strip("/"))
        return found is not None and found.mode == _DIRECTORY

    def _look_up(self, path: str) -> TreeEntry | None:
        directory, _, name = path.rpartition("/")
        if not name:
            return None
        rows = self._directory(directory)
        for mode in _MODES:
            row = b"%s %s\0" % (mode, os.fsencode(name))
            at = rows.find(row)
            if at >= 0:
                start = at + len(row)
                oid = rows[start : start + (32 if len(self.commit) == 64 else 20)].hex()
                return TreeEntry(mode.decode().zfill(6), oid)
        return None

    def _directory(self, path: str) -> bytes:
        """Returns a tree object as git stores it: rows with mode, name, NUL and raw object id."""
        if path not in self._directories:
            if path:
                above = self._look_up(path)
                oid = above.oid if above is not None and above.mode == _DIRECTORY else ""
            else:
                root = self.repo.objects.get(f"{self.commit}^{{tree}}")
                oid = root.oid if root else ""
            self._directories[path] = (self.repo.objects.read(oid) or b"") if oid else b""
        return self._directories[path]


class WorkTree(Tree):
    """The files on disk: existing tracked files, and untracked files that git does not ignore.

    Files that a sparse checkout leaves out are read from the index. Files are read as they are,
    never through git's filters. Links are not followed."""

    def __init__(self, repo: Repo) -> None:
        index = repo.index()
        found = {
            p: e
            for p, e in index.items()
            if e.mode == SUBMODULE or os.path.lexists(f"{repo.root}/{p}")
        }
        away = index.keys() - found.keys()
        self.left_out = away & repo.left_out() if away else set()
        found.update((p, index[p]) for p in self.left_out)
        found.update((p, TreeEntry("100644", "")) for p in repo.untracked())
        super().__init__(repo, found)
        self._oids: dict[str, str] = {}
        self._inside: dict[str, bool] = {}

    def entry(self, path: str) -> TreeEntry | None:
        entry = self.files.get(path)
        if entry is None or entry.mode == SUBMODULE or path in self.left_out:
            return entry
        if os.path.islink(self._full(path)):
            return TreeEntry(SYMLINK, entry.oid)
        if path not in self._oids:
            self._oids[path] = self._hash(path)
        return TreeEntry(entry.mode, self._oids[path]) if self._oids[path] else None

    def mode(self, path: str) -> str:
        if path not in self.files:
            return ""
        return SYMLINK if os.path.islink(self._full(path)) else self.files[path].mode

    def _full(self, path: str) -> str:
        return f"{self.repo.root}/{path}"

    def _is_file(self, path: str) -> bool:
        """Returns whether the path is a regular file, and no link in it leads out of the root."""
        full = self._full(path)
        if (directory := dirname(full)) not in self._inside:
            root = os.path.join(os.path.realpath(self.repo.root), "")
            self._inside[directory] = os.path.join(os.path.realpath(directory), "").startswith(root)
        try:
            return self._inside[directory] and S_ISREG(os.lstat(full).st_mode)
        except OSError:
            return False

    def _hash(self, path: str) -> str:
        """Returns the object id that git would give the file on disk. Returns an empty string if
        the path is not a file."""
        if not self._is_file(path):
            return ""
        try:
            with open(self._full(path), "rb") as file:
                digest = self._digest(os.fstat(file.fileno()).st_size)
                while part := file.read(1 << 20):
                    digest.update(part)
        except OSError:
            return ""
        return digest.hexdigest()

    def _digest(self, size: int) -> hashlib._Hash:
        # Imported late for a fast start: only files of the work tree are hashed.
        import hashlib

        return hashlib.new(self.repo.object_format, b"blob %d\0" % size)

    def read(self, path: str) -> bytes | None:
        if path in self.left_out:
            return super().read(path)
        if path not in self.files or not self._is_file(path):
            return None
        try:
            with open(self._full(path), "rb") as file:
                content = file.read(_LARGEST_IN_MEMORY + 1)
        except OSError:
            return None
        if len(content) > _LARGEST_IN_MEMORY:
            return None
        if path in self._oids:  # The file may have changed since its object id was computed.
            digest = self._digest(len(content))
            digest.update(content)
            return content if digest.hexdigest() == self._oids[path] else None
        return content

    def size(self, path: str) -> int:
        if path in self.left_out:
            return super().size(path)
        try:
            return os.path.getsize(self._full(path)) if path in self.files else 0
        except OSError:
            return 0

    def link_target(self, path: str) -> str:
        if path in self.left_out:
            return super().link_target(path)
        try:
            return normpath(join(dirname(path), os.readlink(self._full(path))))
        except OSError:
            return "\0"


class ProposedTree(WorkTree):
    """The files on disk, with the content that some of them would have after an edit."""

    def __init__(self, repo: Repo, proposed: Mapping[str, bytes]) -> None:
        super().__init__(repo)
        self._proposed = proposed
        known = {p: self.files.get(p, TreeEntry("100644", "")) for p in proposed}
        self._files = {**self._files, **known}
        for path, content in proposed.items():
            digest = self._digest(len(content))
            digest.update(content)
            self._oids[path] = digest.hexdigest()

    def entry(self, path: str) -> TreeEntry | None:
        if path not in self._proposed:
            return super().entry(path)
        return TreeEntry(self.files[path].mode, self._oids[path])

    def mode(self, path: str) -> str:
        return self.files[path].mode if path in self._proposed else super().mode(path)

    def read(self, path: str) -> bytes | None:
        return self._proposed[path] if path in self._proposed else super().read(path)

    def size(self, path: str) -> int:
        return len(self._proposed[path]) if path in self._proposed else super().size(path)


class _Texts:
    """A cache for texts by tree and path. Keeps the most recently read texts, up to `KEPT`
    characters."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Tree, str], str | None] = {}
        self._size = 0

    def of(self, tree: Tree, path: str) -> str | None:
        """Returns the text of a file. Returns None for links, for binary files, and for files whose
        content is not in this clone."""
        if (tree, path) not in self._kept:
            text = self._kept[tree, path] = _read(tree, path)
            self._size += len(text or "") + 1000
            while self._size > KEPT and len(self._kept) > 1:
                self._size -= len(self._kept.pop(next(iter(self._kept))) or "") + 1000
        return self._kept[tree, path]

    def clear(self) -> None:
        """Empties the cache. A server opens new trees for each request, so old texts would fill the
        memory."""
        self._kept, self._size = {}, 0


_texts = _Texts()
text_of, forget_texts = _texts.of, _texts.clear


def _read(tree: Tree, path: str) -> str | None:
    content = tree.read(path)
    if content is None or b"\0" in content[:8000]:
        return None
    return content.decode(errors="replace").removeprefix("\ufeff")


@lru_cache(maxsize=16)
def rows_of(text: str) -> Sequence[str]:
    """Returns the lines of a text as git and editors do. A form feed does not end a line."""
    rows = text.split("\n")
    return tuple(rows[:-1] if rows[-1] == "" else rows)

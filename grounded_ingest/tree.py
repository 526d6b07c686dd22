"""Trees of files: the index, a commit, the work tree. What `path exists` means in one place."""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property
from posixpath import dirname

from grounded_ingest.git import SUBMODULE, SYMLINK, Entry, Repo


class Tree:
    """Files by path from the root. This one is a fixed listing (the index)."""

    def __init__(self, repo: Repo, files: Mapping[str, Entry]) -> None:
        self.repo = repo
        self._files = files

    @property
    def files(self) -> Mapping[str, Entry]:
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

    def entry(self, path: str) -> Entry | None:
        return self.files.get(path)

    def below(self, directory: str) -> list[str]:
        """Every file below a directory, in order."""
        prefix = directory.rstrip("/") + "/"
        start = bisect_left(self._sorted, prefix)
        end = bisect_left(self._sorted, prefix[:-1] + "0")  # "0" follows "/"
        return self._sorted[start:end]

    def is_dir(self, path: str) -> bool:
        prefix = path.rstrip("/") + "/"
        at = bisect_left(self._sorted, prefix)
        return at < len(self._sorted) and self._sorted[at].startswith(prefix)

    def ending_with(self, suffix: str) -> list[str]:
        """Files whose path ends with these whole components."""
        name = suffix.rpartition("/")[2]
        tail = "/" + suffix
        return [p for p in self._by_name.get(name, ()) if p == suffix or p.endswith(tail)]

    def directories_ending_with(self, suffix: str) -> list[str]:
        tail = f"/{suffix.strip('/')}/"
        found = {
            f"/{p}"[: f"/{p}".index(tail) + len(tail)].strip("/")
            for p in self._sorted
            if tail in f"/{p}"
        }
        return sorted(found)

    def submodule_above(self, path: str) -> str:
        """The submodule a path lies in, if any."""
        while path:
            entry = self.entry(path)
            if entry is not None and entry.mode == SUBMODULE:
                return path
            path = dirname(path)
        return ""

    def read(self, path: str) -> bytes | None:
        """Content of a regular file; None for anything else."""
        entry = self.entry(path)
        if entry is None or entry.mode in (SYMLINK, SUBMODULE):
            return None
        return self.repo.objects.read(entry.oid)

    def size(self, path: str) -> int:
        entry = self.entry(path)
        found = self.repo.objects.get(entry.oid) if entry else None
        return found.size if found else 0


class CommitTree(Tree):
    """The tree of a commit; single paths are asked for, the listing only where it is needed."""

    def __init__(self, repo: Repo, commit: str) -> None:
        super().__init__(repo, {})
        self.commit = commit

        self._listed = not commit

    def know(self, files: Mapping[str, Entry]) -> None:
        """Take a listing that is already known."""
        self._files, self._listed = files, True

    @property
    def files(self) -> Mapping[str, Entry]:
        if not self._listed:
            self.know(self.repo.tree(self.commit))
        return self._files

    def entry(self, path: str) -> Entry | None:
        if self._listed:
            return self._files.get(path)
        found = self.repo.objects.get(f"{self.commit}:{path}") if self.commit else None
        # The object process does not tell modes; a link's blob is told apart by its listing.
        return Entry("100644", found.oid) if found and found.type == "blob" else None

    def is_dir(self, path: str) -> bool:
        if self._listed:
            return super().is_dir(path)
        found = self.repo.objects.get(f"{self.commit}:{path.rstrip('/')}") if self.commit else None
        return found is not None and found.type == "tree"


class WorkTree(Tree):
    """The files on disk: tracked ones that exist, and untracked ones that are not ignored.

    Files are read as they are, never through git's filters; links are not followed.
    """

    def __init__(self, repo: Repo) -> None:
        index = repo.index()
        found = {
            p: e
            for p, e in index.items()
            if e.mode == SUBMODULE or os.path.lexists(f"{repo.root}/{p}")
        }
        found.update((p, Entry("100644", "")) for p in repo.untracked())
        super().__init__(repo, found)
        self._content: dict[str, bytes] = {}

    def entry(self, path: str) -> Entry | None:
        entry = self.files.get(path)
        if entry is None or entry.mode == SUBMODULE:
            return entry
        full = f"{self.repo.root}/{path}"
        if os.path.islink(full):
            return Entry(SYMLINK, entry.oid)
        content = self.read(path)
        return Entry(entry.mode, self._oid(content)) if content is not None else None

    def _oid(self, content: bytes) -> str:
        digest = hashlib.new(self.repo.object_format)
        digest.update(b"blob %d\0" % len(content) + content)
        return digest.hexdigest()

    def read(self, path: str) -> bytes | None:
        if path not in self.files:
            return None
        if path not in self._content:
            full = f"{self.repo.root}/{path}"
            if not os.path.isfile(full) or not _inside(self.repo.root, full):
                return None
            try:
                with open(full, "rb") as file:
                    self._content[path] = file.read()
            except OSError:
                return None
        return self._content[path]

    def size(self, path: str) -> int:
        return len(self.read(path) or b"")


def _inside(root: str, full: str) -> bool:
    return os.path.realpath(full).startswith(
        os.path.realpath(root) + os.sep
    ) and not os.path.islink(full)

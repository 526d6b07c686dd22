"""Reads commits as text (messages, touched paths, changed lines), and finds the commit that removed
a text.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.ancestry import shallow_ends
from grounded_ingest.git.cache import Cache, remember
from grounded_ingest.git.repository import SUBMODULE, SYMLINK, Repo

PATHS = 200
"""Maximum number of touched paths in a result."""
FILES = 40
"""Maximum number of files whose lines are compared."""
LARGEST = 200_000
"""Size in bytes of the largest file that is compared."""
WHOLE = 60_000
"""Maximum number of characters of changed lines over all files."""
TREES = 400
"""Maximum number of directories that are read."""

_TREE = "40000"


class CommitText(Struct, frozen=True):
    """A commit as text.

    `diff` looks like a unified diff without context lines. It compares lines without their order,
    so it shows which lines were added and removed, but not moves.
    """

    message: str
    paths: tuple[str, ...]
    diff: str


class _Touched(Struct, frozen=True):
    path: str
    old: str
    new: str


def commit_text(repo: Repo, oid: str) -> CommitText | None:
    """Returns a commit compared with its first parent. Returns None if the commit is not in this
    clone.
    """
    raw = repo.objects.read(oid)
    if raw is None:
        return None
    header, _, message = raw.partition(b"\n\n")
    rows = [row.split(b" ", 1) for row in header.split(b"\n") if b" " in row]
    tree = next((value.decode() for name, value in rows if name == b"tree"), "")
    parent = next((value.decode() for name, value in rows if name == b"parent"), "")
    found = repo.objects.get(f"{parent}^{{tree}}") if parent else None
    if parent and found is None:  # A shallow clone ends at this commit.
        return CommitText(message.decode(errors="replace"), (), "")
    left = [TREES]
    touched = list(_changed(repo, found.oid if found else "", tree, "", left))
    paths = tuple(t.path for t in touched[:PATHS])
    diff = _diff(repo, touched)
    return CommitText(message.decode(errors="replace"), paths, diff)


def _changed(repo: Repo, old: str, new: str, above: str, left: list[int]) -> Iterator[_Touched]:
    """Yields the files that differ between two trees. `left` is the number of directories that may
    still be read.
    """
    left[0] -= 1
    if old == new or left[0] < 0:
        return
    trees = repo.objects.read_many((old, new))
    before, after = (_rows(trees.get(oid) or b"", len(oid) // 2) for oid in (old, new))
    for name in sorted({*before, *after}):
        one, other = before.get(name, ("", "")), after.get(name, ("", ""))
        if one == other:
            continue
        path = f"{above}{os.fsdecode(name)}"
        was, now = (oid if mode == _TREE else "" for mode, oid in (one, other))
        if was or now:
            yield from _changed(repo, was, now, f"{path}/", left)
        old_file, new_file = (
            oid if mode not in (_TREE, SUBMODULE, SYMLINK) else "" for mode, oid in (one, other)
        )
        if old_file or new_file:
            yield _Touched(path, old_file, new_file)


def _rows(content: bytes, size: int) -> dict[bytes, tuple[str, str]]:
    """Returns (mode, object id) by file name from the content of a git tree object. `size` is the
    length of an object id in bytes."""
    at, rows = 0, {}
    while at < len(content):
        space, end = content.index(b" ", at), content.index(b"\0", at)
        oid = content[end + 1 : end + 1 + size].hex()
        rows[content[space + 1 : end]] = (content[at:space].decode(), oid)
        at = end + 1 + size
    return rows


def _diff(repo: Repo, touched: Iterable[_Touched]) -> str:
    """Returns the changed lines in the first 40 files, ordered by path. Files that programs write
    come last.
    """
    parts: list[str] = []
    size = 0
    files = sorted(touched, key=lambda t: (_is_made(t.path), t.path))[:FILES]
    texts = _texts(repo, [oid for f in files for oid in (f.old, f.new) if oid])
    for file in files:
        old, new = (texts[oid] if oid else "" for oid in (file.old, file.new))
        if old is None or new is None:
            continue
        rows = list(_lines(old, new))
        if rows:
            part = "\n".join((f"--- a/{file.path}", f"+++ b/{file.path}", *rows))
            parts.append(part[: WHOLE - size])
            size += len(part)
        if size >= WHOLE:
            break
    return "\n".join(parts)


_MADE = (".lock", ".min.js", ".map", ".snap", ".svg", "package-lock.json", "pnpm-lock.yaml")


def _is_made(path: str) -> bool:
    """Returns whether a program writes the file. Documents do not describe the lines of such a
    file.
    """
    return path.endswith(_MADE)


def _texts(repo: Repo, oids: list[str]) -> dict[str, str | None]:
    """Returns texts by object id. The text is None for large files, for binary files, and for blobs
    that are not in this clone.
    """
    repo.objects.look_up(oids)
    known = ((oid, repo.objects.get(oid)) for oid in oids)
    small = [oid for oid, found in known if found is not None and found.size <= LARGEST]
    texts: dict[str, str | None] = dict.fromkeys(oids)
    for oid, content in repo.objects.read_many(small).items():
        if content is not None and b"\0" not in content[:8000]:
            texts[oid] = content.decode(errors="replace")
    return texts


def _lines(old: str, new: str) -> Iterator[str]:
    """Yields removed lines, then added lines. Adjacent lines are in the same hunk."""
    before, after = old.split("\n"), new.split("\n")
    gone = Counter(before)
    gone.subtract(after)
    for sign, rows, surplus in (("-", before, 1), ("+", after, -1)):
        left = Counter({row: surplus * n for row, n in gone.items() if surplus * n > 0})
        last = -2
        for number, row in enumerate(rows):
            if left[row] > 0 and row.strip():
                left[row] -= 1
                if number != last + 1:
                    yield "@@"
                yield sign + row
                last = number


REWRITES = 4
"""Maximum number of commits that `rewrites` yields."""


class TextRemoval(Struct, frozen=True):
    """A commit that removed a text, with the text of the file before and after the commit. The
    commit id is abbreviated.
    """

    commit: str
    before: str
    after: str


def last_removal(
    repo: Repo, start: str, path: str, needle: str, cache: Cache | None = None
) -> TextRemoval | None:
    """Returns the last commit up to `start` that removed an occurrence of `needle` from a file.

    Considers only the last commit that changed the number of occurrences. Returns None if no commit
    removed `needle`, or if objects are missing in this clone.
    """
    found = _commits(repo, start, path, ("-1", f"-S{needle}"), cache)
    if not found:
        return None
    (commit,) = found
    before, after = (_text(repo, f"{at}:{path}") for at in (f"{commit}^", commit))
    return (
        TextRemoval(commit, before, after) if before.count(needle) > after.count(needle) else None
    )


def rewrites(
    repo: Repo, start: str, path: str, pattern: str, cache: Cache | None = None
) -> Iterator[TextRemoval]:
    """Yields the newest commits up to `start` that changed a matching line in a file, at most
    `REWRITES` commits.

    `pattern` is an extended regular expression that ignores case.
    """
    options = (f"-{REWRITES}", "-E", "-i", f"-G{pattern}")
    for commit in _commits(repo, start, path, options, cache):
        before, after = (_text(repo, f"{at}:{path}") for at in (f"{commit}^", commit))
        yield TextRemoval(commit, before, after)


def _commits(
    repo: Repo, start: str, path: str, options: Sequence[str], cache: Cache | None
) -> list[str]:
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
    found = repo.objects.get(revision)
    content = repo.objects.read(found.oid) if found else None
    return (content or b"").decode(errors="replace")

"""Finds out what became of a path that the tree does not have, and which path it likely means.

An agent follows a hint, so a hint has to be right. "Moved to" is said only if git saw a rename,
"which added" only of a file of the removing commit, and "perhaps" only of one candidate in the same
directory. A file in another directory is not named only because it has the same name.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from posixpath import basename, dirname, join, splitext
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git.commit_walk import Removal
from grounded_ingest.git.history import moved_together
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import LARGEST, Tree
from grounded_ingest.references.commit import dated_subject
from grounded_ingest.references.context import Context
from grounded_ingest.text.names import near_name

_RENAMES = 8
"""Renames of one file that are followed."""
_ADDED = 400
"""Files a commit may add for its successor of a file to be looked for: with more of them it moved
everything."""
_ALIKE = 0.5
"""Share of the lines that a successor has in common with the file that went, by git's measure of a
rename; of a file with the same name a fifth is enough."""
_SUFFIXES = (
    {".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"}, {".py", ".pyi"},
    {".yml", ".yaml"}, {".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt"},
    {".json", ".jsonc", ".json5"}, {".c", ".cc", ".cpp", ".cxx"}, {".h", ".hh", ".hpp", ".hxx"},
)  # fmt: skip
"""Suffixes that one file may have in place of another: `app.ts` was meant as `app.tsx`."""
_MODULES = (".py", ".ts", ".tsx", ".js", ".rs")
"""Suffixes of modules that become a directory when they grow."""


def removals_of(paths: list[str], context: Context) -> dict[str, Removal]:
    """Returns the removals of files, and of the last file below what may be a directory."""
    removed = context.removals.removed_files(context.start, paths)
    trees = (p for p in paths if p not in removed and not looks_like_path(p))
    return {**removed, **context.removals.removed_below(context.start, trees)}


class Fate(NamedTuple):
    """What became of a path, in words; `to` is the new path if git saw it move. Empty if nothing is
    known."""

    words: str = ""
    to: str = ""


def fate_of_path(path: str, removed: Mapping[str, Removal], context: Context) -> Fate:
    """Returns what became of a path that was there once."""
    if path in context.gone:
        to = context.gone[path]
        return Fate(f"moved to {to}", to) if to else Fate("removed by this change")
    below = [Removal(0, 0, "", p, to) for p, to in context.gone.items() if p.startswith(f"{path}/")]
    if below:
        return _fate_below(path, moved_together(path, below), "removed by this change")
    if path not in removed:
        return Fate()
    removal = removed[path]
    to = _renamed_to(removal, context)
    deleted = f"deleted in {removal.commit[:12]} {dated_subject(removal.commit, context)}".rstrip()
    if removal.path != path.rstrip("/"):
        return _fate_below(path, removal._replace(target=to), deleted)
    if to:
        return Fate(f"moved to {to}", to)
    successor = _successor(context.repo, removal, context.tree)
    return Fate(f"{deleted}, which added {successor}" if successor else deleted)


def _fate_below(path: str, last: Removal, deleted: str) -> Fate:
    """Returns where a directory went, if a file below it kept its place in the directory."""
    inside, to = last.path[len(path.rstrip("/")) :], last.target
    home = f"{to.removesuffix(inside)}/" if to and to.endswith(inside) else ""
    return Fate(f"moved to {home}", home) if home else Fate(deleted)


def _renamed_to(removal: Removal, context: Context) -> str:
    """Returns where the tree has a file that git saw renamed, once or several times, or nothing."""
    for _ in range(_RENAMES):
        if not removal.target or context.tree.has(removal.target):
            return removal.target
        later = context.removals.removed_files(context.start, [removal.target])
        if removal.target not in later or later[removal.target].time < removal.time:
            return ""
        removal = later[removal.target]
    return ""


def _successor(repo: Repo, removal: Removal, tree: Tree) -> str:
    """Returns the only file of the tree that the removing commit added, and that has half of the
    removed file's lines, or its name and a fifth of them; empty if there is none or several."""
    added = [p for p in _added(repo, removal.commit) if tree.has(p)]
    kind, name = splitext(removal.path)[1], basename(removal.path)
    likely = [p for p in added if splitext(p)[1] == kind]
    old = _lines(repo, f"{removal.commit}^:{removal.path}") if likely else None
    if not old:
        return ""
    found = [
        p
        for p in likely
        if _shared(old, _lines(repo, f"{removal.commit}:{p}"))
        >= (_ALIKE if basename(p) != name else _ALIKE / 2.5)
    ]
    return found[0] if len(found) == 1 else ""


@lru_cache(maxsize=256)
def _added(repo: Repo, commit: str) -> tuple[str, ...]:
    """Returns the files that a commit added; none if they are more than `_ADDED`."""
    try:
        out = repo.run(
            "diff-tree", "-r", "-z", "--root", "--no-commit-id", "--name-only", "--no-renames",
            "--diff-filter=A", commit,
        )  # fmt: skip
    except GroundedIngestError:
        return ()
    paths = tuple(os.fsdecode(out).split("\0")[:-1])
    return paths if len(paths) <= _ADDED else ()


def _lines(repo: Repo, revision: str) -> Counter[bytes]:
    """Returns how often each line with a letter stands in a file; empty if it cannot be read."""
    found = repo.objects.get(revision)
    if found is None or found.type != "blob" or found.size > LARGEST:
        return Counter()
    rows = (row.strip() for row in (repo.objects.read(found.oid) or b"").split(b"\n"))
    return Counter(row for row in rows if any(c > 64 for c in row))


def _shared(old: Counter[bytes], new: Counter[bytes]) -> float:
    return (old & new).total() / max(old.total(), new.total(), 1)


def true_name(path: str, tree: Tree) -> str:
    """Returns the one path of the tree that differs in letters' case alone; empty without."""
    found = _by_case(tree).get(path.rstrip("/").casefold(), set())
    return next(iter(found)) if len(found) == 1 else ""


@lru_cache(maxsize=2)
def _by_case(tree: Tree) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in tree.files:
        while path:
            known = found.setdefault(path.casefold(), set())
            if path in known:
                break
            known.add(path)
            path = dirname(path)
    return found


def hint_for_path(path: str, tree: Tree) -> Fate:
    """Returns how a path that no commit had is likely meant, as the end of a message, or nothing.
    `path` counts from the root; `to` is the true name, if only letters' case differs."""
    if name := true_name(path, tree):
        return Fate(f": the name is {name}", name)
    directory, name = path.rstrip("/").rpartition("/")[::2]
    beside = _children(directory, tree)
    stem, suffix = splitext(name)
    stems = {n[: len(n) - len(suffix)]: n for n in beside if splitext(n)[1] == suffix}
    near = _other_suffix(name, beside) or stems.get(near_name(stem, stems), "")
    return Fate(f"; perhaps {join(directory, near)}") if near else Fate()


def _other_suffix(name: str, beside: Iterable[str]) -> str:
    """Returns the only entry with the same stem and a suffix that may stand in its place."""
    stem, suffix = splitext(name)
    alike = next((some for some in _SUFFIXES if suffix in some), set())
    ends = {f"{stem}{s}" for s in alike} | ({f"{stem}/"} if suffix in _MODULES else set())
    found = [n for n in beside if n in ends]
    return found[0] if len(found) == 1 else ""


def _children(directory: str, tree: Tree) -> set[str]:
    """Returns the names of what lies right in a directory; those of directories end in a slash."""
    start = len(directory) + 1 if directory else 0
    rest = (p[start:] for p in (tree.below(directory) if directory else tree.files))
    return {f"{first}{slash}" for first, slash, _ in (p.partition("/") for p in rest)}

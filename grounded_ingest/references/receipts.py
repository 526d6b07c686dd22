"""Finds out why the tree does not have a path, and writes the end of the message about it.

An agent will use the path that a message names, so the path has to be right. The message says
"moved to" only for a rename that git detected, "which added" only for a file that the removing
commit added, "there is" only for the single file with the same stem (`app/types.ts` for the removed
`app/types/`), and "perhaps" only for a single candidate in the same directory. A file of the same
name in another directory is not named.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from posixpath import basename, dirname, join, splitext

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git.commit_walk import Removal
from grounded_ingest.git.history import moved_together
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import LARGEST, Tree
from grounded_ingest.references.commit import dated_subject
from grounded_ingest.references.context import Context
from grounded_ingest.text.names import near_name

_OFTEN = 3
"""Number of commits that removed a path after which a process may add it again."""
_RENAMES = 8
"""Maximum number of successive renames of one file that are followed."""
_ADDED = 400
"""Maximum number of files that the removing commit may add. A commit that adds more files probably
reorganised the tree, so no successor of a removed file is searched for."""
_ALIKE = 0.5
"""Share of lines that a successor must share with the removed file, as git measures renames. If
both files have the same name, a fifth of the lines is enough."""
_SAME = 0.9
"""Minimum share of equal lines for a file with another name and directory to be the same file."""
_SUFFIXES = (
    {".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"},
    {".yml", ".yaml"}, {".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt"},
    {".json", ".jsonc", ".json5"}, {".c", ".cc", ".cpp", ".cxx"}, {".h", ".hh", ".hpp", ".hxx"},
)  # fmt: skip
"""Groups of suffixes that are often confused: a document says `app.ts` and the file is
`app.tsx`."""
_MODULES = (".py", ".ts", ".tsx", ".js", ".rs")
"""Suffixes of modules that may become a directory of the same name."""


def removals_of(paths: list[str], context: Context) -> dict[str, Removal]:
    """Returns for each path the commit that removed it. For a path that may be a directory, returns
    the commit that removed most of it (`removed_below`)."""
    removed = context.removals.removed_files(context.start, paths)
    trees = (p for p in paths if p not in removed and not looks_like_path(p))
    return {**removed, **context.removals.removed_below(context.start, trees)}


class Fate(Struct, frozen=True):
    """What happened to a path that the tree does not have.

    `words` is the end of a message, such as "deleted in 97b300c". `to` is the new path if git
    detected a rename. Both fields are empty if nothing is known. `often` is true if so many commits
    removed the path that a process may add it again (`_OFTEN`). `time` is when the path was gone,
    in seconds since 1970, or 0 if the current change removes it."""

    words: str = ""
    to: str = ""
    often: bool = False
    time: int = 0


def fate_of_path(path: str, removed: Mapping[str, Removal], context: Context) -> Fate:
    """Returns whether a path that existed earlier was deleted or moved, and by which commit.
    Returns an empty `Fate` if no commit removed the path."""
    gone = context.gone
    below = [Removal(0, 0, "", p, to) for p, to in gone.items() if p.startswith(f"{path}/")]
    if path in gone or below:
        to = gone[path] if path in gone else _new_folder(path, moved_together(path, below))
        if to:
            return Fate(f"moved to {to}", to)
        return Fate(f"removed by this change{_twin_of(path, context.tree)}")
    return _fate_by_commit(path, removed[path], context) if path in removed else Fate()


def _twin_of(path: str, tree: Tree) -> str:
    """Returns the end of a message about the file `app.ts` in place of `app.js`, or "" if there is
    none."""
    directory, name = path.rstrip("/").rpartition("/")[::2]
    twin = _other_suffix(name, _children(directory, tree))
    return f"; there is {join(directory, twin)}" if twin else ""


def _fate_by_commit(path: str, removal: Removal, context: Context) -> Fate:
    """Returns what became of a path after a commit removed it, or a file below it."""
    if removal.path != path.rstrip("/"):
        return _fate_of_folder(path, removal, context)
    last = _last_removal(removal, context)
    to, receipt = last.target, _receipt(last, context)
    if to and (nearer := _nearer(path, to, context.tree)):
        return Fate(f"moved{receipt}; there is {nearer}", time=removal.time)
    if to:
        known = to if _is_same_file(removal, to, context.repo) else ""
        return Fate(f"moved to {to}{receipt}", known, time=removal.time)
    if last.path != removal.path:
        words = f"renamed to {last.path}, which was deleted{receipt}"
        return Fate(f"{words}{_twin_of(last.path, context.tree)}", time=last.time)
    successor = _successor(context.repo, removal, context.tree)
    instead = f", which added {successor}" if successor else _twin_of(path, context.tree)
    often = removal.times >= _OFTEN
    return Fate(f"deleted{receipt}{instead}", often=often, time=removal.time)


def _nearer(path: str, to: str, tree: Tree) -> str:
    """Returns the only file that has the last three parts of a moved path, if `to` has not: of many
    copies with the same text, such as those of older documentation, git may name any."""
    end = "/".join(path.split("/")[-3:])
    found = tree.ending_with(end) if end.count("/") > 1 and not to.endswith(end) else ()
    return found[0] if len(found) == 1 else ""


def _fate_of_folder(path: str, removal: Removal, context: Context) -> Fate:
    """Returns where a directory was moved, judged by one of its files, or that it was deleted. What
    became of the file after the move says nothing about the directory, unless the file exists."""
    last = _last_removal(removal, context)
    if last.target and (home := _new_folder(path, removal._replace(target=last.target))):
        return Fate(f"moved to {home}{_receipt(last, context)}", home, time=removal.gone)
    home, receipt = _new_folder(path, removal), _receipt(removal, context)
    if home and context.tree.is_dir(home.rstrip("/")):
        return Fate(f"moved to {home}{receipt}", home, time=removal.gone)
    return Fate(f"deleted{receipt}{_twin_of(path, context.tree)}", time=removal.gone)


def _receipt(removal: Removal, context: Context) -> str:
    return f" in {removal.commit[:12]} {dated_subject(removal.commit, context)}".rstrip()


def _is_same_file(removal: Removal, to: str, repo: Repo) -> bool:
    """Returns whether a renamed file certainly replaces the removed file. Git's own test, half of
    the lines, is not enough if name and directory differ."""
    old = removal.path
    if basename(old) == basename(to) or dirname(old) == dirname(to) or removal.target != to:
        return True
    lines = (_lines(repo, f"{removal.commit}{at}") for at in (f"^:{old}", f":{to}"))
    return _similarity(*lines) >= _SAME


def _new_folder(path: str, last: Removal) -> str:
    """Returns where a directory was moved, if a file kept its relative path inside the directory.
    Returns an empty string for any other directory."""
    inside, to = last.path[len(path.rstrip("/")) :], last.target
    return f"{to.removesuffix(inside)}/" if to and to.endswith(inside) else ""


def _last_removal(first: Removal, context: Context) -> Removal:
    """Follows the renames of a removed file and returns its last removal. `target` is the file's
    current path, or empty if the file is gone."""
    removal = first
    for _ in range(_RENAMES):
        if not removal.target or context.tree.has(removal.target):
            return removal
        later = context.removals.removed_files(context.start, [removal.target])
        if removal.target not in later or later[removal.target].time < removal.time:
            break
        removal = later[removal.target]
    return first._replace(target="")


def _successor(repo: Repo, removal: Removal, tree: Tree) -> str:
    """Returns the only added file that replaced the removed file. The replacement shares half of
    the lines with the removed file, or has its name and shares a fifth of the lines. Returns an
    empty string if no file or several files qualify."""
    added = [p for p in _added_files(repo, removal.commit) if tree.has(p)]
    kind, name = splitext(removal.path)[1], basename(removal.path)
    likely = [p for p in added if splitext(p)[1] == kind]
    old = _lines(repo, f"{removal.commit}^:{removal.path}") if likely else None
    if not old:
        return ""
    found = [
        p
        for p in likely
        if _similarity(old, _lines(repo, f"{removal.commit}:{p}"))
        >= (_ALIKE if basename(p) != name else _ALIKE / 2.5)
    ]
    return found[0] if len(found) == 1 else ""


@lru_cache(maxsize=256)
def _added_files(repo: Repo, commit: str) -> tuple[str, ...]:
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
    """Returns how often each line that contains a letter occurs in a file. Returns an empty counter
    if the file cannot be read."""
    found = repo.objects.get(revision)
    if found is None or found.type != "blob" or found.size > LARGEST:
        return Counter()
    rows = (row.strip() for row in (repo.objects.read(found.oid) or b"").split(b"\n"))
    return Counter(row for row in rows if any(c > 64 for c in row))


def _similarity(old: Counter[bytes], new: Counter[bytes]) -> float:
    return (old & new).total() / max(old.total(), new.total(), 1)


def true_name(path: str, tree: Tree) -> str:
    """Returns the only path that differs from `path` just in upper and lower case. Returns an empty
    string if no path or several paths do."""
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
    """Suggests an existing path in place of `path`, which neither the tree nor a commit has.
    `words` is the end of a message ("; perhaps src/app.ts"), or empty if no path is similar. `to`
    is the suggested path if only upper and lower case differ. `path` is relative to the root."""
    if name := true_name(path, tree):
        return Fate(f": the name is {name}", name)
    directory, name = path.rstrip("/").rpartition("/")[::2]
    beside = _children(directory, tree)
    stem, suffix = splitext(name)
    stems = {n[: len(n) - len(suffix)]: n for n in beside if splitext(n)[1] == suffix}
    near = _other_suffix(name, beside) or stems.get(near_name(stem, stems), "")
    return Fate(f"; perhaps {join(directory, near)}") if near else Fate()


def _other_suffix(name: str, beside: Iterable[str]) -> str:
    """Returns the only entry with the same stem and a related suffix, such as `app.tsx` for
    `app.ts`, or `app.ts` for the directory `app`. Returns an empty string if no entry or several
    entries qualify."""
    stem, suffix = splitext(name)
    alike = next((some for some in _SUFFIXES if suffix in some), () if suffix else _MODULES)
    ends = {f"{stem}{s}" for s in alike} | ({f"{stem}/"} if suffix in _MODULES else set())
    found = [n for n in beside if n in ends]
    return found[0] if len(found) == 1 else ""


def _children(directory: str, tree: Tree) -> set[str]:
    start = len(directory) + 1 if directory else 0
    rest = (p[start:] for p in (tree.below(directory) if directory else tree.files))
    return {f"{first}{slash}" for first, slash, _ in (p.partition("/") for p in rest)}

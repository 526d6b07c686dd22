"""Work trees for tools to run in: commits of clones with no future, and planted sentences."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping

from benchmarks.corpus.cases import Plants, Tree
from benchmarks.quality.labels import clone_below
from benchmarks.workshop import run_git


def made(trees: Iterable[Tree], plants: Plants, repos: str, directory: str) -> Iterator[str]:
    """Make each tree below a directory as a repository of its own, unless it is there, and say what
    was left out. Clones below `repos` may be bare; they are only read, and have to stay."""
    os.makedirs(directory, exist_ok=True)
    for tree in trees:
        root = os.path.join(directory, tree.name)
        if os.path.isdir(root):
            continue
        clone = clone_below(repos, tree.repo) if tree.repo else ""
        if tree.repo and not clone:
            yield f"{tree.name}: no clone of {tree.repo} below {repos}"
        elif clone and not _has(clone, tree.commit):
            yield f"{tree.name}: no commit {tree.commit} in {clone}"
        else:
            _made(tree, clone, root, plants.get(tree, {}))


def _has(clone: str, commit: str) -> bool:
    try:
        return run_git(clone, "cat-file", "-t", commit) == "commit"
    except subprocess.CalledProcessError:
        return False


def _made(tree: Tree, clone: str, root: str, files: Mapping[str, str]) -> None:
    part = f"{root}.part"
    shutil.rmtree(part, ignore_errors=True)  # of a run that was interrupted
    run_git(".", "init", "-q", "--template=", "--initial-branch=main", part)
    run_git(part, "config", "core.symlinks", "false")  # a link could lead out of the tree
    if clone:
        _at_commit(part, clone, tree)
    for path, text in files.items():
        os.makedirs(os.path.dirname(f"{part}/{path}"), exist_ok=True)
        with open(f"{part}/{path}", "w", encoding="utf-8") as file:
            file.write(text)
    if files:
        run_git(part, "add", "--force", "--", *files)
        planted = run_git(part, "write-tree", "--missing-ok")
        parent = ("-p", tree.commit) if clone else ()
        commit = run_git(part, "commit-tree", planted, *parent, "-m", "Write down what is known")
        run_git(part, "update-ref", "HEAD", commit)
    os.rename(part, root)


def _at_commit(root: str, clone: str, tree: Tree) -> None:
    """Main at the commit; of what came later nothing can be reached."""
    objects = run_git(clone, "rev-parse", "--git-path", "objects")
    os.makedirs(f"{root}/.git/objects/info", exist_ok=True)
    with open(f"{root}/.git/objects/info/alternates", "w", encoding="utf-8") as file:
        file.write(os.path.abspath(os.path.join(clone, objects)) + "\n")
    listed = ("for-each-ref", f"--merged={tree.commit}", "--format=create %(refname) %(objectname)")
    tags = run_git(clone, *listed, "refs/tags")
    run_git(root, "update-ref", "--stdin", stdin=f"{tags}\n".encode() if tags else b"")
    run_git(root, "update-ref", "refs/heads/main", tree.commit)
    run_git(root, "remote", "add", "origin", f"https://github.com/{tree.repo}")
    run_git(root, "read-tree", "main")
    if lacking := _lacking(root):
        stdin = "".join(f"{path}\0" for path in lacking).encode("utf-8", "surrogateescape")
        run_git(root, "update-index", "--skip-worktree", "-z", "--stdin", stdin=stdin)
    run_git(root, "checkout-index", "--all", "--quiet", "--force")


def _lacking(root: str) -> list[str]:
    """Files whose content the clone does not hold: partial clones leave out large ones."""
    rows = [r.partition("\t") for r in run_git(root, "ls-files", "-s", "-z").split("\0") if r]
    files = [(head.split()[1], path) for head, _, path in rows if not head.startswith("160000")]
    asked = "".join(f"{oid}\n" for oid, _ in files).encode()
    told = run_git(root, "cat-file", "--batch-check=%(objecttype)", stdin=asked).splitlines()
    return [path for (_, path), said in zip(files, told, strict=True) if said.endswith("missing")]

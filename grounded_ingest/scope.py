"""What a run looks at: the tree after the change, what changed, and base."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git import Change, Entry, Repo
from grounded_ingest.tree import CommitTree, Tree, WorkTree
from grounded_ingest.verify.context import Base

Mode = Literal["worktree", "staged", "range", "paths", "all"]


class Asked(NamedTuple):
    """The scope as asked for on the command line. `paths` are from the root."""

    mode: Mode = "worktree"
    paths: tuple[str, ...] = ()
    start: str = ""
    end: str = "HEAD"
    base: str = ""


class Scoped(NamedTuple):
    """A resolved scope. `changes` are None where everything counts as changed; `parents` are
    commits whose claims are not new (all parents of a merge)."""

    mode: Mode
    tree: Tree
    changes: tuple[Change, ...] | None
    parents: tuple[str, ...]
    base: Base
    head: str
    range: str = ""
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    end: str = ""

    @property
    def gone(self) -> dict[str, str]:
        """Paths that the change removes, with where they went; "" where nowhere."""
        return {
            c.old_path: c.path if c.new is not None else ""
            for c in self.changes or ()
            if c.old is not None and (c.new is None or c.path != c.old_path)
        }


def asked_of_environment(asked: Asked, environ: Mapping[str, str]) -> Asked:
    """pre-commit names a range in the environment when it runs for one."""
    start = environ.get("PRE_COMMIT_FROM_REF") or environ.get("PRE_COMMIT_ORIGIN", "")
    end = environ.get("PRE_COMMIT_TO_REF") or environ.get("PRE_COMMIT_SOURCE", "")
    if asked.mode == "staged" and start and end:
        return asked._replace(mode="range", start=start, end=end)
    return asked


def resolve(repo: Repo, asked: Asked, configured_base: str, environ: Mapping[str, str]) -> Scoped:
    """Find trees, changes and base. Raises GroundedIngestError for unknown revisions."""
    head = repo.head()
    if asked.mode == "range":
        return _range(repo, asked, head)
    base_commit, known, reason = find_base(repo, head, asked.base or configured_base, environ)
    if asked.mode == "staged":
        return _staged(
            repo, head, Base(base_commit, CommitTree(repo, base_commit), known, reason), environ
        )
    if repo.bare:
        tree: Tree = CommitTree(repo, head)
    else:
        tree = WorkTree(repo)
    base = Base(base_commit, CommitTree(repo, base_commit), known, reason)
    if asked.mode == "worktree" and not repo.bare:
        changes = tuple(_worktree_changes(repo, tree, head))
        return Scoped("worktree", tree, changes, (head,), base, head)
    mode: Mode = "paths" if asked.paths else "all"
    return Scoped(mode, tree, None, (head,), base, head, paths=asked.paths)


def _range(repo: Repo, asked: Asked, head: str) -> Scoped:
    zero = set(asked.start) <= {"0"}
    end = repo.commit(asked.end)
    start = "" if zero else repo.commit(asked.start)
    common = repo.merge_base(start, end) if start else ""
    reason = f"merge base of {asked.start} and {asked.end}"
    known = bool(common) or zero or not repo.shallow
    if start and not common:
        reason = "no common history" + (
            " in this shallow clone (fetch-depth: 0)" if repo.shallow else ""
        )
    tree = CommitTree(repo, end)
    if common:
        changes = tuple(repo.between(common, end))
    else:
        changes = tuple(Change(p, p, None, e) for p, e in tree.files.items())
    base = Base(common, CommitTree(repo, common), known, reason)
    if common:
        base.tree.list_by(lambda: _undone(tree.files, list(changes)))
    label = f"{asked.start}..{asked.end}"
    return Scoped("range", tree, changes, (common,), base, head or end, label, end=end)


def _staged(repo: Repo, head: str, base: Base, environ: Mapping[str, str]) -> Scoped:
    if repo.bare:
        raise GroundedIngestError(
            "--staged needs a work tree; this repository is bare", "use --range A..B"
        )
    index = repo.index()
    tree = Tree(repo, index)
    changes = repo.staged(head) if head else [Change(p, p, None, e) for p, e in index.items()]
    if base.commit == head:
        base.tree.know(_undone(index, changes))
    else:
        base.tree.list_by(lambda: _undone(index, repo.staged(base.commit)))
    parents = (head, *_merge_heads(repo, environ))
    if changes or "GIT_INDEX_FILE" in environ:  # git is committing, if only a message
        return Scoped("staged", tree, tuple(changes), parents, base, head)
    note = "nothing is staged: the whole tree, read only"
    return Scoped("all", tree, None, parents, base, head, notes=(note,))


def _undone(index: Mapping[str, Entry], changes: list[Change]) -> dict[str, Entry]:
    """A commit's files: the index without what it changes. Saves listing the tree."""
    files = dict(index)
    for change in changes:
        if change.new is not None:
            files.pop(change.path, None)
    for change in changes:
        if change.old is not None:
            files[change.old_path] = change.old
    return files


def _merge_heads(repo: Repo, environ: Mapping[str, str]) -> list[str]:
    """The other parents of a merge: before a clean one git names them in the environment only."""
    if merging_cleanly(environ):
        return [name.removeprefix("GITHEAD_") for name in environ if name.startswith("GITHEAD_")]
    try:
        with open(f"{repo.git_dir}/MERGE_HEAD", encoding="ascii") as file:
            return file.read().split()
    except OSError:
        return []


def merging_cleanly(environ: Mapping[str, str]) -> bool:
    """Whether git asks before it commits a clean merge (pre-merge-commit)."""
    action = environ.get("GIT_REFLOG_ACTION", "")
    return action.startswith(("merge", "pull")) and any(n.startswith("GITHEAD_") for n in environ)


def _worktree_changes(repo: Repo, tree: Tree, head: str) -> list[Change]:
    """Files on disk that differ from HEAD; only those that can be documents are compared."""
    from grounded_ingest.config import MEMORY_SUFFIXES, is_silent
    from grounded_ingest.extract import LIMIT

    before = repo.tree(head)
    changes = [Change(p, p, before[p], None) for p in before if p not in tree.files]
    for path in tree.files:
        old = before.get(path)
        known = path.lower().endswith(MEMORY_SUFFIXES)
        if known or (not is_silent(path) and tree.size(path) <= LIMIT):
            new = tree.entry(path)
            if new is not None and (old is None or old.oid != new.oid):
                changes.append(Change(path, path, old, new))
    return changes


def find_base(
    repo: Repo, head: str, wanted: str, environ: Mapping[str, str]
) -> tuple[str, bool, str]:
    """(commit, known, how it was found) of base for a run over HEAD."""
    if not head:
        return "", True, "no commit yet"
    # A tag or local branch of that name never stands in for the remote's branch.
    names = [f"refs/remotes/{p}{wanted}" for p in ("origin/", "")] if wanted else []
    names += [wanted] if wanted else []
    if event := environ.get("GITHUB_BASE_REF"):
        names.append(f"refs/remotes/origin/{event}")
    names += [f"refs/remotes/origin/{n}" for n in ("HEAD", "main", "master")]
    for name in names:
        found = repo.objects.get(f"{name}^{{commit}}")
        if found is not None:
            common = repo.merge_base(head, found.oid)
            short = name.removeprefix("refs/remotes/")
            if common:
                return common, True, f"merge base of HEAD and {short}"
            return "", not repo.shallow, f"no common history with {short}"
    if wanted:
        raise GroundedIngestError(
            f"unknown base: {wanted}", "set `base` to a branch that exists, or fetch it"
        )
    if event:  # HEAD is the change itself, and must not bear witness for itself
        return "", False, f"{event}, the base of the change, is not in this clone"
    if repo.has_remote_branches():
        return "", False, "the remote's default branch is unknown (set `base`)"
    return head, True, "HEAD (no remote)"

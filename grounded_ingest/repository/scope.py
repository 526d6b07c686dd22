"""Determines the scope of a run: the tree after the change, the changed files, and the base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.config.settings import MEMORY_SUFFIXES, is_silent
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import LIMIT
from grounded_ingest.git.repository import Change, Repo, TreeEntry
from grounded_ingest.git.trees import CommitTree, ProposedTree, Tree, WorkTree
from grounded_ingest.text.patterns import compiled

ScopeMode = Literal["worktree", "staged", "range", "paths", "all"]


class Asked(NamedTuple):
    """The scope as requested on the command line.

    `mode` says what is checked. `paths` are relative to the root. With the mode `worktree`, only
    files in `paths` that differ from HEAD are checked. `start` and `end` are the commits A and B of
    a range `A..B`. `base` is the base branch from the option `--base`. `before` is the commit to
    judge against if the base branch already contains `end`. Its default is `start`. `proposed`
    contains files with their content after an edit. If `committed` is true, HEAD's files are
    checked instead of those on disk. `hook` is true if pre-commit names the range, before a push.
    """

    mode: ScopeMode = "worktree"
    paths: tuple[str, ...] = ()
    start: str = ""
    end: str = "HEAD"
    base: str = ""
    before: str = ""
    proposed: tuple[tuple[str, bytes], ...] = ()
    committed: bool = False
    hook: bool = False


NOTHING = Asked("paths", ("\0",))
"""A scope without documents, because no file can have this path. For checks of texts that are not
in a file."""


class Scoped(Struct, frozen=True):
    """A scope with its trees. `tree` contains the files after the change.

    `changes` is None if every file counts as changed. Then `removed` contains the files that are in
    HEAD and not in the tree. `parents` are the commits before the change: a claim that is in one of
    them is not new. A merge commit has several. `paths` are the requested paths. `notes` are
    messages for the report. `beyond` contains all changes since the base, or is None if `changes`
    already contains all of them."""

    mode: ScopeMode
    tree: Tree
    changes: tuple[Change, ...] | None
    parents: tuple[str, ...]
    base: Base
    head: str
    range: str = ""
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    end: str = ""
    beyond: tuple[Change, ...] | None = None
    removed: tuple[Change, ...] = ()

    @property
    def from_base(self) -> tuple[Change, ...]:
        """Returns all changes that are not on the base branch: the changes in the scope, and
        earlier changes."""
        return (self.changes or ()) if self.beyond is None else self.beyond

    @property
    def renamed(self) -> dict[str, str]:
        """Maps the present path of each renamed file to its path on the base branch."""
        moved = (c for c in self.from_base if c.new and c.old and c.path != c.old_path)
        return {c.path: c.old_path for c in moved}

    @property
    def gone(self) -> dict[str, str]:
        """Maps each path that the change removes to the file's new path. The new path is empty if
        the file is deleted."""
        return {
            c.old_path: c.path if c.new is not None else ""
            for c in (self.removed if self.changes is None else self.changes)
            if c.old is not None and (c.new is None or c.path != c.old_path)
        }


def asked_range(written: str) -> Asked:
    """Parses the commit range `A..B`. Without B, the range ends at HEAD. Raises GroundedIngestError
    if the text is not a range."""
    start, dots, end = written.partition("..")
    if not dots or not start:
        raise GroundedIngestError(f"`{written}` is not a commit range; expected A..B")
    return Asked("range", start=start, end=end.lstrip(".") or "HEAD")


def asked_of_environment(asked: Asked, environ: Mapping[str, str]) -> Asked:
    """Returns the commit range that pre-commit names in the environment. If there is none, returns
    the scope from the command line."""
    start = environ.get("PRE_COMMIT_FROM_REF") or environ.get("PRE_COMMIT_ORIGIN", "")
    end = environ.get("PRE_COMMIT_TO_REF") or environ.get("PRE_COMMIT_SOURCE", "")
    if asked.mode == "staged" and start and end:
        return asked._replace(mode="range", start=start, end=end, hook=True)
    return asked


class Base(Struct, frozen=True):
    """The state of the repository that a change is judged against, normally on the default branch.

    An empty `commit` stands for an empty tree. `known` is false if the default branch could not be
    found. `reason` says how the base was found."""

    commit: str
    tree: CommitTree
    known: bool
    reason: str


def resolve_scope(
    repo: Repo, asked: Asked, configured_base: str, environ: Mapping[str, str]
) -> Scoped:
    """Returns the scope with its trees, its changes and the base branch. Raises GroundedIngestError
    if a revision is unknown."""
    head = repo.head()
    base = base_of(repo, asked, asked.base or configured_base, environ)
    if asked.mode == "range":
        return _range(repo, asked, base, head)
    if asked.mode == "staged":
        return _staged(repo, head, base, environ)
    tree: Tree
    if repo.bare or asked.committed:
        tree = CommitTree(repo, head)
    else:
        tree = ProposedTree(repo, dict(asked.proposed)) if asked.proposed else WorkTree(repo)
    if asked.mode == "worktree" and not repo.bare:
        changes = tuple(_worktree_changes(repo, tree, head, asked.paths))
        return Scoped("worktree", tree, changes, (head,), base, head, paths=asked.paths)
    mode: ScopeMode = "paths" if asked.paths else "all"
    on_disk = not (repo.bare or asked.committed) and head
    removed = tuple(_removed(repo, tree, head, repo.tree(head))) if on_disk else ()
    return Scoped(mode, tree, None, (head,), base, head, paths=asked.paths, removed=removed)


def base_of(repo: Repo, asked: Asked, wanted: str, environ: Mapping[str, str]) -> Base:
    """Returns the base that the change is judged against, for every scope: the merge base with the
    default branch.

    If the default branch already contains the change, the base is the state before the change, so
    that the change is not compared with itself."""
    end = repo.commit(asked.end) if asked.mode == "range" else repo.head()
    if asked.base and not end:
        raise _unknown_base(asked.base)
    if not end:
        return _base(repo, "", "no commit yet")
    before, name = asked.before or asked.start, asked.end
    began = _began(repo, asked, before, end) if before else None
    tip, short = _default_branch(repo, wanted, environ, local=began is not None)
    if tip:
        common = repo.merge_base(end, tip)
        if common == end and began is not None:
            held = f"{name} is already on the default branch ({short})"
            return replace(began, reason=f"{began.reason}; {held}")
        if common:
            return _base(repo, common, f"merge base of {name} and {short}")
        why = f"no common history with {short}{_cut_off(repo)}"
        return _base(repo, "", why, known=not repo.shallow)
    if short:
        return _base(repo, "", short, known=False)
    return began or _base(repo, end, "HEAD (no remote)")


def _began(repo: Repo, asked: Asked, start: str, end: str) -> Base:
    """Returns the state at which a range begins: the merge base of the two ends."""
    if set(start) <= {"0"}:
        return _base(repo, "", f"there was no commit before {asked.end}")
    common = repo.merge_base(repo.commit(start), end)
    if common:
        return _base(repo, common, f"merge base of {start} and {asked.end}")
    return _base(repo, "", f"no common history{_cut_off(repo)}", known=not repo.shallow)


def _base(repo: Repo, commit: str, reason: str, *, known: bool = True) -> Base:
    return Base(commit, CommitTree(repo, commit), known, reason)


def _cut_off(repo: Repo) -> str:
    way = "run git fetch --unshallow, or set fetch-depth: 0 in CI"
    return f" in this shallow clone ({way})" if repo.shallow else ""


def _range(repo: Repo, asked: Asked, base: Base, head: str) -> Scoped:
    end = repo.commit(asked.end)
    start = _began(repo, asked, asked.start, end).commit
    tree = CommitTree(repo, end)
    if start:
        changes = tuple(repo.between(start, end))
    else:
        changes = tuple(Change(p, p, None, e) for p, e in tree.files.items())
    beyond, parents = None, [start]
    if base.commit != start:
        beyond = tuple(repo.between(base.commit, end)) if base.commit else ()
        if base.commit and (not start or repo.merge_base(start, base.commit) != start):
            # The base commit was merged into the range, so the content from that merge had already
            # landed.
            parents.append(base.commit)
    if base.commit:
        since = changes if beyond is None else beyond
        base.tree.set_listing(lambda: _undone(tree.files, list(since)))
    label = f"{asked.start}..{asked.end}"
    return Scoped(
        "range", tree, changes, tuple(parents), base, head or end, label, end=end, beyond=beyond
    )


def _staged(repo: Repo, head: str, base: Base, environ: Mapping[str, str]) -> Scoped:
    if repo.bare:
        raise GroundedIngestError(
            "--staged needs a work tree, but this repository is bare", "use --range A..B"
        )
    index = repo.index()
    tree = Tree(repo, index)
    changes = repo.staged(head) if head else [Change(p, p, None, e) for p, e in index.items()]
    if base.commit == head:
        base.tree.know(_undone(index, changes))
    else:
        base.tree.set_listing(lambda: _undone(index, repo.staged(base.commit)))
    parents = (head, *_merge_heads(repo, environ))
    # git is making a commit, perhaps one that only changes the message.
    if changes or "GIT_INDEX_FILE" in environ:
        return Scoped("staged", tree, tuple(changes), parents, base, head)
    note = "no file is staged, so the whole tree is checked and nothing is written"
    return Scoped("all", tree, None, parents, base, head, notes=(note,))


def _undone(index: Mapping[str, TreeEntry], changes: list[Change]) -> dict[str, TreeEntry]:
    """Returns the files of a commit. Undoes `changes`, the differences between the commit and the
    git index, in `index`, which is faster than listing the commit's tree."""
    files = dict(index)
    for change in changes:
        if change.new is not None:
            files.pop(change.path, None)
    for change in changes:
        if change.old is not None:
            files[change.old_path] = change.old
    return files


def _merge_heads(repo: Repo, environ: Mapping[str, str]) -> list[str]:
    """Returns the other parents of a merge commit in progress. Before a clean merge, git names
    these commits only in environment variables."""
    if merging_cleanly(environ):
        return [name.removeprefix("GITHEAD_") for name in environ if name.startswith("GITHEAD_")]
    try:
        with open(f"{repo.git_dir}/MERGE_HEAD", encoding="ascii") as file:
            return file.read().split()
    except OSError:
        return []


def merging_cleanly(environ: Mapping[str, str]) -> bool:
    """Returns whether git runs the current hook as `pre-merge-commit`, before git commits a clean
    merge."""
    action = environ.get("GIT_REFLOG_ACTION", "")
    return action.startswith(("merge", "pull")) and any(n.startswith("GITHEAD_") for n in environ)


def _worktree_changes(
    repo: Repo, tree: Tree, head: str, paths: tuple[str, ...] = ()
) -> list[Change]:
    """Returns the files on disk that differ from HEAD. Considers only files in `paths`. Without
    `paths`, considers the tracked files that may differ, and all files that can be documents."""
    before = repo.tree(head)
    removed = _removed(repo, tree, head, before)
    changes = [c for c in removed if not paths or {c.path, c.old_path} & {*paths}]
    moved = {c.path for c in changes}
    for path in paths or _may_differ(repo, tree):
        old = before.get(path)
        new = tree.entry(path) if path in tree.files and path not in moved else None
        if new is not None and (old is None or old.oid != new.oid):
            changes.append(Change(path, path, old, new))
    return changes


def _may_differ(repo: Repo, tree: Tree) -> Iterator[str]:
    edited = repo.edited() | {c.path for c in repo.staged(repo.head())}
    yield from (p for p in tree.files if p in edited or _can_be_a_document(tree, p))


def _removed(
    repo: Repo, tree: Tree, head: str, before: Mapping[str, TreeEntry]
) -> Iterator[Change]:
    """Yields the files of HEAD that are not on disk, each with its new path if it was moved with
    `git mv`."""
    gone = [p for p in before if p not in tree.files]
    moved = {c.old_path: c.path for c in repo.staged(head) if c.old and c.new} if gone else {}
    for path in gone:
        to = moved.get(path, path)
        yield Change(to, path, before[path], tree.entry(to) if to in tree.files else None)


def _can_be_a_document(tree: Tree, path: str) -> bool:
    known = path.lower().endswith(MEMORY_SUFFIXES)
    return known or (not is_silent(path) and tree.size(path) <= LIMIT)


def _default_branch(
    repo: Repo, wanted: str, environ: Mapping[str, str], *, local: bool
) -> tuple[str, str]:
    """Returns the object id and the name of the default branch on the remote.

    If the object id is empty, the second text says why the branch is unknown. Both texts are empty
    if there is no remote. If `local` is true and there is no remote, uses the local default branch.
    """
    told = "" if wanted else named_default(environ)
    target = environ.get("GITHUB_BASE_REF", "")  # The author of a pull request chooses this branch.
    for name in _named(wanted, told):
        if found := repo.objects.get(f"{name}^{{commit}}"):
            return found.oid, name.removeprefix("refs/remotes/")
    if wanted:
        raise _unknown_base(wanted)
    branches = repo.remote_branches()
    if branches and not told:
        return _only(branches, target)
    if (told or target) and repo.remote_url():  # HEAD may be the change itself.
        name = told or target
        return "", f"the default branch {name} is not in this clone (run git fetch origin {name})"
    if branches:
        return "", "the remote's default branch is unknown (set `base`)"
    return _own_branch(repo) if local else ("", "")


def _own_branch(repo: Repo) -> tuple[str, str]:
    """Returns the default branch of a repository without a remote. For a bare repository, returns
    the branch of its HEAD."""
    for name in ("HEAD",) if repo.bare else ("refs/heads/main", "refs/heads/master"):
        if found := repo.objects.get(f"{name}^{{commit}}"):
            return found.oid, name.removeprefix("refs/heads/")
    return "", ""


def _only(branches: Mapping[str, str], target: str) -> tuple[str, str]:
    """Returns the only branch on the remote if it is `main`, `master`, or the pull request's
    target.

    Called only if neither a setting nor git names the default branch. If there are several
    branches, returns no branch and a reason, because anybody could push a `main` with a weak
    configuration to a repository whose default branch is `develop`. `branches` also contains the
    branch under review."""
    for name in (f"origin/{n}" for n in ("main", "master", target)):
        if branches.keys() == {name}:
            return branches[name], name
    shown = [n.removeprefix("origin/") for n in branches][:_NAMED]
    more = ", …" if len(branches) > _NAMED else ""
    said = f"the remote's default branch is unknown; its branches: {', '.join(shown)}{more}"
    return "", f"{said} (set `base`: --base NAME, or run git remote set-head origin --auto)"


_NAMED = 4
"""Maximum number of branches that a message names."""


def _unknown_base(name: str) -> GroundedIngestError:
    return GroundedIngestError(
        f"the base `{name}` is unknown: name an existing branch, or run: git fetch origin {name}"
    )


def _named(wanted: str, told: str) -> Iterator[str]:
    """Yields the git revisions under which the default branch can be found, the most reliable
    first. A tag or local branch with the same name never counts as the remote's branch."""
    if wanted:
        yield from (f"refs/remotes/origin/{wanted}", f"refs/remotes/{wanted}", wanted)
    else:
        yield f"refs/remotes/origin/{told or 'HEAD'}"


def named_default(environ: Mapping[str, str]) -> str:
    """Returns the name of the default branch from the CI system's environment. Returns an empty
    string if there is none."""
    if (told := environ.get("CI_DEFAULT_BRANCH")) or not environ.get("GITHUB_EVENT_PATH"):
        return told or ""
    import json  # imported late: only a CI run reads an event

    try:
        with open(environ["GITHUB_EVENT_PATH"], encoding="utf-8") as file:
            event = json.load(file)
        name = str(event["repository"]["default_branch"])
        return name if is_branch_name(name) else ""
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return ""


_NO_NAME = compiled(r"^[-/.]|[\x00-\x20\x7f~^:?*\[\\\ud800-\udfff]|\.\.|@\{|[/.]$")


def is_branch_name(name: str) -> bool:
    """Returns whether git allows `name` as a branch name (git-check-ref-format)."""
    return bool(name) and _NO_NAME.search(name) is None

"""Runs git in a repository, and reads its trees and objects without running any of its code.

No hook, filter, textconv, pager, fsmonitor or network transport from the repository is run. Objects
are read as git stores them. The caller reads the files in the work tree."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git import process as running
from grounded_ingest.git.object_reader import Objects
from grounded_ingest.git.process import (
    GIT,
    WHERE,
    EarlyCommands,
    RepositoryPlace,
    death_message,
    environment,
    failure,
    read_place,
    with_config,
)

SYMLINK, SUBMODULE, EXECUTABLE = "120000", "160000", "100755"


class TreeEntry(Struct, frozen=True):
    """The mode of a path, as git prints it, and its object id."""

    mode: str
    oid: str


class Setting(Struct, frozen=True):
    """A value in git's configuration.

    `file` is empty for values from the environment and the command line. `in_tree` is true if the
    file is in the work tree. `scope` is git's word: `system`, `global`, `local`, `worktree` or
    `command`. An included file has the scope of the including file."""

    key: str
    value: str
    file: str
    in_tree: bool
    scope: str

    @property
    def of_user(self) -> bool:
        """Returns whether the user of this machine set the value. Values in a repository's own
        `.git/config` do not count, because an archive can contain such a file."""
        return self.scope in ("system", "global", "command") and not self.in_tree


class Change(Struct, frozen=True):
    """A changed file. `path` is the path after the change, and `old_path` the path before it. `old`
    is None if the file is new. `new` is None if the file is removed."""

    path: str
    old_path: str
    old: TreeEntry | None
    new: TreeEntry | None


def path_below(root: str, path: str) -> str:
    """Returns a file system path as git names it below `root`. Follows symbolic links.

    Raises GroundedIngestError if the path is elsewhere, or if no file can have this path (for
    example because of a NUL)."""
    try:
        top, full = os.path.realpath(root), os.path.realpath(path)
    except ValueError as error:
        raise GroundedIngestError(
            f"{path}: no file can have this name: {error}",
            "give the path of a file in this repository",
        ) from None
    if not lies_in(full, top):
        raise GroundedIngestError(
            f"{path} is outside the repository {root}", "give the path of a file in this repository"
        )
    return os.path.relpath(full, top).replace(os.sep, "/")


def lies_in(path: str, directory: str) -> bool:
    """Returns whether `path` is `directory` or is below it, as this operating system compares
    paths. Does not follow links."""
    within = os.path.join(os.path.normcase(directory), "")
    return os.path.join(os.path.normcase(path), "").startswith(within)


_INDEX = ("ls-files", "--stage", "-z", "--full-name", "--", ":/")
_STAGED = (
    "diff-index", "--raw", "--no-abbrev", "-z", "-M", "--cached", "--ita-invisible-in-index",
    "HEAD",
)  # fmt: skip


_STATED = re.compile(
    rb"([^\0]+)\0  ctime: .*\n  mtime: (\d+):(\d+)\n  dev: .*\n  uid: .*\n"
    rb"  size: (\d+)\tflags: .*\n"
)
"""Matches a file of `git ls-files -z --debug`: its path, its time in s and ns, and its size. If a
version of git prints another form, no file counts as edited."""


class Repo:
    """A git repository. `root` is the top of the work tree. For a bare repository, `root` is the
    git directory."""

    def __init__(self, where: str = ".", *, own: bool = True, staged: bool = False) -> None:
        """Opens the repository and starts the first git commands.

        If `own` is true, uses variables such as GIT_DIR, which git sets for a hook. If `staged` is
        true, git starts at once to read the index and its difference from HEAD."""
        self.env = environment(own=own)
        self._command = [*GIT]
        self._begun = EarlyCommands(self._command, where, self.env)
        self._objects: Objects | None = None
        self._settings: tuple[Setting, ...] | None = None
        self._merge_bases: dict[tuple[str, str], str] = {}
        try:
            self._begun.start(*WHERE)
        except FileNotFoundError:
            raise GroundedIngestError("git was not found", "install git 2.36 or newer") from None
        except NotADirectoryError:
            raise GroundedIngestError(f"{where} is not a directory") from None
        self.processes = 1
        if staged:
            self._begun.start(*_INDEX)
            self._begun.start(*_STAGED)
        self._died = ""
        self._where, self._own = where, own
        if not staged:
            self._place  # noqa: B018  raises immediately if there is no repository

    @cached_property
    def _place(self) -> RepositoryPlace:
        code, out, err = self._begun.finish(*WHERE) or (1, b"", b"")
        if died := death_message(code, WHERE[0]):
            raise GroundedIngestError(died)
        try:
            place = read_place(out, self._where)
        except ValueError:
            raise failure(os.fsdecode(err), self._where) from None
        if not (self._own and os.environ.get("GIT_DIR")):
            _refuse_embedded(place.git_dir, self._where)
        # core.worktree may set another root.
        if not place.bare and not os.path.lexists(f"{place.root}/.git"):
            self.env |= {"GIT_DIR": place.git_dir, "GIT_WORK_TREE": place.root}
            self._begun.stop()
        if place.bare and self._own and not os.environ.get("GIT_DIR"):
            self._command.append(f"--git-dir={place.git_dir}")
        return place

    @property
    def bare(self) -> bool:
        return self._place.bare

    @property
    def shallow(self) -> bool:
        return self._place.shallow

    @property
    def git_dir(self) -> str:
        return self._place.git_dir

    @property
    def common_dir(self) -> str:
        return self._place.common_dir

    @cached_property
    def cache_directory(self) -> str:
        """Directory for data that can be lost safely, shared by all work trees."""
        return f"{self.common_dir}/grounded-ingest"

    @property
    def object_format(self) -> str:
        return self._place.object_format

    @property
    def root(self) -> str:
        return self._place.root

    def __enter__(self) -> Repo:
        return self

    def __exit__(self, *_: object) -> None:
        self._begun.stop()
        if self._objects is not None:
            self._objects.close()
            self._objects = None

    @property
    def objects(self) -> Objects:
        if self._objects is None:
            self.processes += 1
            self._objects = Objects(self._command, self.root, self.env)
        return self._objects

    def begin(self, *args: str) -> None:
        """Starts a git command now, so that a later `run` of this command only reads its output."""
        self._begun.start(*args)

    def run(
        self,
        *args: str,
        stdin: bytes = b"",
        ok: tuple[int, ...] = (0,),
        timeout: float | None = None,
        env: Mapping[str, str] | None = None,
    ) -> bytes:
        """Returns the output of a git command. Raises GroundedIngestError if the exit code is not
        in `ok`."""
        self.processes += 1
        root = self.root
        begun = self._begun.finish(*args)
        if begun is not None and begun[0] in ok:
            return begun[1]
        where = f"{root} (git {args[0]})"
        try:
            done = subprocess.run(
                [*self._command, *args], cwd=root, env=dict(env or self.env), input=stdin,
                capture_output=True, check=False, timeout=timeout,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise GroundedIngestError(f"git took longer than {timeout} s in {where}") from None
        if self._note(death_message(done.returncode, args[0])):
            raise GroundedIngestError(self._died)
        if done.returncode not in ok:
            raise failure(os.fsdecode(done.stderr), where)
        return done.stdout

    def stream(self, *args: str, stdin: bytes = b"") -> Generator[bytes, None, None]:
        """Yields the output of a git command as it arrives. Raises GroundedIngestError at the end
        if git failed, because the output is then incomplete."""
        code = yield from running.stream([*self._command, *args], self.root, self.env, stdin)
        if code:
            command = next(a for a in args if not a.startswith("-") and "=" not in a)
            raise GroundedIngestError(
                self._note(death_message(code, command))
                or f"git failed in {self.root} (git {command})"
            )

    def _note(self, died: str) -> str:
        self._died = died or self._died
        return died

    def raise_if_killed(self) -> None:
        """Raises GroundedIngestError if git was killed since the last call.

        The results since then may be incomplete, so the caller must not use them."""
        died, self._died = self._died, ""
        if self._objects is not None:
            died, self._objects.died = died or self._objects.died, ""
        if died:
            raise GroundedIngestError(died, "run the command again; nothing was decided or written")

    @property
    def partial(self) -> bool:
        """Returns whether objects may be missing because only a promisor remote has them."""
        names = ("extensions.partialclone", ".promisor")
        return any(s.key.endswith(names) for s in self.settings())

    def commit(self, revision: str) -> str:
        """Returns a commit's object id. Raises GroundedIngestError if the revision is unknown."""
        # A remote's branch comes first, before a tag or local branch with the same name.
        remote = f"refs/remotes/{revision}^{{commit}}" if "/" in revision else ""
        found = self.objects.get(remote) if remote else None
        if found is None and not revision.startswith("-"):
            found = self.objects.get(f"{revision}^{{commit}}")
        if found is None:
            hint = "this is a shallow clone: fetch more history (fetch-depth: 0)"
            if not self.shallow:
                from grounded_ingest.config.syntax import nearest  # imported late: few runs need it

                refs = self.run("for-each-ref", "--format=%(refname:short)").decode().split()
                near = nearest(revision, refs)
                hint = f"did you mean {near}?" if near else ""
            raise GroundedIngestError(f"unknown revision: {revision}", hint)
        return found.oid

    def head(self) -> str:
        """Returns the object id of HEAD. Returns an empty string if HEAD's branch does not have a
        commit yet."""
        found = self.objects.get("HEAD^{commit}")
        return found.oid if found else ""

    def merge_base(self, one: str, other: str) -> str:
        """Returns the best common ancestor of two commits. Returns an empty string if there is
        none."""
        if one == other:
            return one
        if (one, other) not in self._merge_bases:
            found = self.run("merge-base", one, other, ok=(0, 1)).decode().strip()
            self._merge_bases[one, other] = found
        return self._merge_bases[one, other]

    def disambiguate(self, prefix: str) -> list[str]:
        """Returns all object ids that begin with `prefix`, even if a ref has the name `prefix`."""
        return self.run("rev-parse", f"--disambiguate={prefix}").decode().split()

    def index(self) -> dict[str, TreeEntry]:
        """Returns the entries in the index that git uses. For a path with a merge conflict, returns
        the entry from our side."""
        entries: dict[str, TreeEntry] = {}
        for row in os.fsdecode(self.run(*_INDEX)).split("\0")[:-1]:
            head, _, path = row.partition("\t")
            if head[-1] in "02" or path not in entries:
                entries[path] = TreeEntry(head[:6], head[7:-2])
        return entries

    def tree(self, commit: str) -> dict[str, TreeEntry]:
        """Returns all files in a commit."""
        if not commit:
            return {}
        rows = os.fsdecode(self.run("ls-tree", "-r", "-z", commit)).split("\0")[:-1]
        split = (row.partition("\t") for row in rows)
        return {path: TreeEntry(head[:6], head.split(" ")[2]) for head, _, path in split}

    def left_out(self) -> set[str]:
        """Returns the paths that a sparse checkout leaves out of the work tree (skip-worktree)."""
        out = self.run("ls-files", "-t", "-z", "--full-name", "--", ":/")
        return {r[2:] for r in os.fsdecode(out).split("\0") if r.startswith("S ")}

    def untracked(self) -> list[str]:
        """Returns the paths in the work tree that git neither tracks nor ignores."""
        out = self.run("ls-files", "--others", "--exclude-standard", "-z")
        return os.fsdecode(out).split("\0")[:-1]

    def ignored(self, paths: Iterable[str]) -> set[str]:
        """Returns the given paths that git's ignore rules match as a file or as a directory,
        whether tracked or not."""
        asked = [p for p in paths if p and not p.startswith(("..", "/"))]
        # The rule `cache/` matches directories only, so a file inside is asked too. Git takes
        # `cache/` with a slash for ignored if a .gitignore has an empty line with CRLF.
        inside = {p: f"{p.rstrip('/')}/_" for p in asked}
        found = self._ignored([*inside, *inside.values()]) if asked and not self.bare else set()
        return {p for p in asked if not found.isdisjoint((p, inside[p]))}

    def _ignored(self, asked: Sequence[str]) -> set[str]:
        stdin = b"".join(os.fsencode(p) + b"\0" for p in asked)
        command = ("-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin")
        try:
            out = self.run(*command, stdin=stdin, ok=(0, 1))
        # git ends at a path beyond a symbolic link or inside a submodule, and says nothing about
        # those behind it. 10 links of fluxcd/website to ignored pages were wrong because of one.
        except GroundedIngestError:
            half = len(asked) // 2
            return self._ignored(asked[:half]) | self._ignored(asked[half:]) if half else set()
        return set(os.fsdecode(out).split("\0")[:-1])

    def staged(self, against: str) -> list[Change]:
        """Returns the differences between a commit and the index, with renames. Without a commit,
        returns the whole index as new."""
        if not against:
            return [Change(p, p, None, entry) for p, entry in self.index().items()]
        against = "HEAD" if against == self.head() else against
        return self._changes("diff-index", "--cached", "--ita-invisible-in-index", against)

    def edited(self) -> set[str]:
        """Returns the paths of the tracked files that may differ from the index on disk, by their
        size and time. `git diff` would run the filters that the repository configures."""
        found = set()
        for row in _STATED.finditer(self.run("ls-files", "-z", "--debug")):
            path, *known = row.groups()
            try:
                stat = os.lstat(os.path.join(os.fsencode(self.root), path))
            except OSError:
                continue
            on_disk = *divmod(stat.st_mtime_ns, 1_000_000_000), stat.st_size
            if on_disk != tuple(map(int, known)):
                found.add(os.fsdecode(path))
        return found

    def between(self, old: str, new: str) -> list[Change]:
        """Returns the differences between two commits, with renames."""
        return self._changes("diff-tree", "-r", old, new)

    def _changes(self, *args: str) -> list[Change]:
        command, *rest = args
        try:
            raw = self.run(command, "--raw", "--no-abbrev", "-z", "-M", *rest)
        # A partial clone does not have the blobs that rename detection compares.
        except GroundedIngestError:
            raw = self.run(command, "--raw", "--no-abbrev", "-z", "--no-renames", *rest)
        fields = iter(os.fsdecode(raw).split("\0")[:-1])
        changes = []
        for head in fields:
            old_mode, new_mode, old_oid, new_oid, status = head[1:].split(" ")
            old_path = next(fields)
            path = next(fields) if status[0] in "RC" else old_path
            old = TreeEntry(old_mode, old_oid) if old_mode != "000000" else None
            new = TreeEntry(new_mode, new_oid) if new_mode != "000000" else None
            changes.append(Change(path, old_path if status[0] != "C" else path, old, new))
        return changes

    def history(self, *, since: str = "") -> Iterator[tuple[str, str, str, list[str]]]:
        """Yields (commit, parent, subject, paths) from HEAD backwards, newest first.

        Leaves out merge commits, the first commit in the history, and all commits that `since`
        reaches."""
        # Imported late for a fast start: only `bench` and `audit` need GitPython.
        from grounded_ingest.git.log_walk import walk_history

        start = self.commit(since) if since else ""
        return walk_history(self._command, self.root, self.env, start)

    def messages(self, start: str, end: str) -> str:
        """Returns the authors and messages of the commits in a range as a single text."""
        revisions = f"{start}..{end}" if start else end
        return self.run("log", "--format=%an <%ae>%n%B", revisions).decode(errors="replace")

    def remote_branches(self) -> dict[str, str]:
        """Maps the names of remote branches, such as `origin/main`, to object ids as of the last
        fetch or push. Leaves out a remote's HEAD, which only points to another branch."""
        try:
            with open(f"{self.common_dir}/packed-refs", encoding="utf-8", errors="replace") as file:
                packed = " refs/remotes/" in file.read()
        except FileNotFoundError:
            packed = os.path.exists(f"{self.common_dir}/reftable")
        if not packed and not os.path.exists(f"{self.common_dir}/refs/remotes"):
            return {}
        rows = "--format=%(refname) %(objectname) %(symref)"
        listed = os.fsdecode(self.run("for-each-ref", rows, "refs/remotes/")).splitlines()
        found = (row.removeprefix("refs/remotes/").split(" ") for row in listed)
        return {name: oid for name, oid, symref in found if not symref}

    def settings(self) -> tuple[Setting, ...]:
        """Returns git's configuration, which is read only once."""
        if self._settings is None:
            out = os.fsdecode(self.run("config", "--list", "-z", "--show-scope", "--show-origin"))
            fields = iter(out.split("\0")[:-1])
            found = []
            for scope, where, row in zip(fields, fields, fields, strict=True):
                key, _, value = row.partition("\n")
                found.append(Setting(key, value, *self._from(where), scope))
            self._settings = tuple(found)
        return self._settings

    def _from(self, where: str) -> tuple[str, bool]:
        """Returns the file that contains a setting, and whether the file is in the work tree. A
        symbolic link or `include.path` can lead into the work tree."""
        kind, _, name = where.partition(":")
        if kind != "file":
            return "", False
        path = os.path.join(self.root, name)
        places = os.path.abspath(path), os.path.realpath(path)
        return path, any(map(self._in_work_tree, places))

    def _in_work_tree(self, path: str) -> bool:
        """Returns whether a path is in a work tree of this repository and outside git's own
        directories."""
        main, name = os.path.split(self.common_dir)
        main = main if name == ".git" else ""
        trees = [] if self.bare else [self.root, *([main] if main else [])]
        own = [os.path.realpath(d) for d in (self.git_dir, self.common_dir)]
        inside = any(lies_in(path, p) for tree in trees for p in (tree, os.path.realpath(tree)))
        return inside and not any(lies_in(os.path.realpath(path), d) for d in own)

    def remote_url(self) -> str:
        """Returns the URL of `origin`, or of the only remote. Returns an empty string if there is
        none."""
        urls = {
            s.key: s.value
            for s in self.settings()
            if s.key.startswith("remote.") and s.key.endswith(".url") and not s.in_tree
        }
        only = next(iter(urls.values())) if len(urls) == 1 else ""
        return urls.get("remote.origin.url", only)


def _refuse_embedded(git_dir: str, where: str) -> None:
    """Raises GroundedIngestError for a bare repository inside a work tree. Such a repository may be
    part of the checked-out files, and its configuration could run programs."""
    found, here = os.path.realpath(git_dir), os.path.realpath(where)
    if ".git" in found.split(os.sep) or not lies_in(here, found):
        return
    above = os.path.dirname(found)
    while not os.path.lexists(f"{above}/.git"):
        if above == os.path.dirname(above):
            return
        above = os.path.dirname(above)
    raise GroundedIngestError(
        f"{found} is a bare repository inside the work tree of {above}",
        "run the command in the outer work tree, or set GIT_DIR if the bare repository is your own",
    )


_FILTERS = (
    "config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|process|required)$",
)  # fmt: skip


def write_blobs(repo: Repo, paths: list[str]) -> list[str]:
    """Stores files from the work tree as blobs without running filters. Returns the object ids."""
    repo.begin(*_FILTERS)  # The new objects are needed next.
    stdin = b"".join(os.fsencode(f"{_quoted(p)}\n") for p in paths)
    out = repo.run("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=stdin)
    return out.decode().split()


def update_index(repo: Repo, entries: Mapping[str, str | None]) -> None:
    """Adds blobs to the index that git uses. `entries` maps paths to blobs. A path with None is
    removed from the index.

    If this process is killed in the middle, git rejects the input, because a quoted path without
    its end is an error."""
    zero = "0" * (64 if repo.object_format == "sha256" else 40)
    rows = "".join(
        f"{'100644' if oid else '0'} {oid or zero}\t{_quoted(path)}\n"
        for path, oid in entries.items()
    )
    # git runs clean filters for files that may have changed during the command.
    names = repo.run(*_FILTERS, ok=(0, 1))
    off = {n: "" for n in os.fsdecode(names).split("\0") if n}
    off |= {n: "false" for n in off if n.endswith(".required")}
    env = repo.env | with_config(repo.env, off)
    repo.run("update-index", "--index-info", stdin=os.fsencode(rows), env=env)


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


_YEAR_9999 = 253_402_300_799


def epoch_seconds(printed: str | bytes) -> int:
    """Parses a time in seconds since 1970 as git prints it.

    Returns 0 if the text is not a number or the year is not between 1970 and 9999, because the
    author of a commit can set any time."""
    try:
        found = int(printed)
    except ValueError:
        return 0
    return found if 0 <= found <= _YEAR_9999 else 0

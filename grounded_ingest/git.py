"""The only user of git: one repository, its trees and its objects, never its code.

No hook, filter, textconv, pager, fsmonitor or network transport of the repository is run: objects
are read as stored, work tree files are read by the caller.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from grounded_ingest.cat_file import HARDENED, Objects, environment, failure, with_config
from grounded_ingest.errors import GroundedIngestError

SYMLINK, SUBMODULE = "120000", "160000"


class Entry(NamedTuple):
    """A path's place in a tree: mode as git prints it, object id."""

    mode: str
    oid: str


class Change(NamedTuple):
    """One path of a difference; `old` and `new` are None where it did not or does not exist."""

    path: str
    old_path: str
    old: Entry | None
    new: Entry | None


class Repo:
    """One repository. `root` is the work tree's top (the git directory of a bare one)."""

    def __init__(self, where: str = ".", *, own: bool = True) -> None:
        self._env = environment(own=own)
        self._command = ["git", *HARDENED]
        try:
            found = subprocess.run(
                [*self._command, "rev-parse", "--is-bare-repository", "--is-shallow-repository",
                 "--absolute-git-dir", "--git-common-dir", "--show-object-format",
                 "--show-toplevel"],
                cwd=where, env=self._env, capture_output=True, check=False,
            )  # fmt: skip
        except FileNotFoundError:
            raise GroundedIngestError("git was not found", "install git 2.36 or newer") from None
        except NotADirectoryError:
            raise GroundedIngestError(f"{where} is not a directory") from None
        lines = os.fsdecode(found.stdout).splitlines()
        if len(lines) < 5:
            raise failure(os.fsdecode(found.stderr), where)
        self.bare = lines[0] == "true" or len(lines) < 6
        self.shallow = lines[1] == "true"
        self.git_dir = lines[2]
        self.common_dir = os.path.abspath(os.path.join(where, lines[3]))
        self.object_format = lines[4]
        self.root = self.git_dir if self.bare else lines[5]
        if not self.bare and not os.path.lexists(f"{self.root}/.git"):  # core.worktree
            self._env |= {"GIT_DIR": self.git_dir, "GIT_WORK_TREE": self.root}
        if self.bare and own and not os.environ.get("GIT_DIR"):
            self._command.append(f"--git-dir={self.git_dir}")
        self._objects: Objects | None = None
        self._partial: bool | None = None
        self.processes = 1

    def __enter__(self) -> Repo:
        return self

    def __exit__(self, *_: object) -> None:
        if self._objects is not None:
            self._objects.close()
            self._objects = None

    @property
    def objects(self) -> Objects:
        if self._objects is None:
            self.processes += 1
            self._objects = Objects(self._command, self.root, self._env)
        return self._objects

    def run(
        self,
        *args: str,
        stdin: bytes = b"",
        ok: tuple[int, ...] = (0,),
        timeout: float | None = None,
        env: Mapping[str, str] | None = None,
    ) -> bytes:
        """Output of a git command. Raises GroundedIngestError for any other exit code."""
        self.processes += 1
        done = subprocess.run(
            [*self._command, *args], cwd=self.root, env=dict(env or self._env), input=stdin,
            capture_output=True, check=False, timeout=timeout,
        )  # fmt: skip
        if done.returncode not in ok:
            raise failure(os.fsdecode(done.stderr), f"{self.root} (git {args[0]})")
        return done.stdout

    @property
    def partial(self) -> bool:
        """Whether objects may be missing because a promisor remote holds them."""
        if self._partial is None:
            out = self.run(
                "config",
                "--get-regexp",
                r"^(remote\..*\.promisor|extensions\.partialclone)$",
                ok=(0, 1),
            )
            self._partial = bool(out.strip())
        return self._partial

    def commit(self, revision: str) -> str:
        """The object id of a commit. Raises GroundedIngestError for an unknown revision."""
        # A branch of a remote is meant before a tag or local branch that took its name.
        remote = f"refs/remotes/{revision}^{{commit}}" if "/" in revision else ""
        found = self.objects.get(remote) if remote else None
        if found is None and not revision.startswith("-"):
            found = self.objects.get(f"{revision}^{{commit}}")
        if found is None:
            hint = (
                "this is a shallow clone: fetch more history (fetch-depth: 0)"
                if self.shallow
                else ""
            )
            raise GroundedIngestError(f"unknown revision: {revision}", hint)
        return found.oid

    def head(self) -> str:
        """HEAD's object id, empty on an unborn branch."""
        found = self.objects.get("HEAD^{commit}")
        return found.oid if found else ""

    def merge_base(self, one: str, other: str) -> str:
        """The best common ancestor, empty where there is none."""
        if one == other:
            return one
        return self.run("merge-base", one, other, ok=(0, 1)).decode().strip()

    def unreachable(self, oids: Iterable[str], base: str) -> set[str]:
        """Those commits that are not ancestors of `base`; one process for all."""
        asked = set(oids) - {base}
        if not asked or not base:
            return asked
        stdin = "\n".join([*sorted(asked), f"^{base}"]) + "\n"
        listed = self.run("rev-list", "--stdin", stdin=stdin.encode()).decode().split()
        return asked.intersection(listed)

    def disambiguate(self, prefix: str) -> list[str]:
        """All object ids that begin with `prefix`, refs of that name left aside."""
        return self.run("rev-parse", f"--disambiguate={prefix}").decode().split()

    def index(self) -> dict[str, Entry]:
        """The index git is using; unmerged paths by their own side."""
        entries: dict[str, Entry] = {}
        for row in os.fsdecode(self.run("ls-files", "--stage", "-z")).split("\0")[:-1]:
            head, _, path = row.partition("\t")
            mode, oid, stage = head.split(" ")
            if stage in "02" or path not in entries:
                entries[path] = Entry(mode, oid)
        return entries

    def tree(self, commit: str) -> dict[str, Entry]:
        """Every file of a commit."""
        if not commit:
            return {}
        rows = os.fsdecode(self.run("ls-tree", "-r", "-z", commit)).split("\0")[:-1]
        split = (row.partition("\t") for row in rows)
        return {path: Entry(head[:6], head.split(" ")[2]) for head, _, path in split}

    def untracked(self) -> list[str]:
        """Paths of the work tree that git neither tracks nor ignores."""
        out = self.run("ls-files", "--others", "--exclude-standard", "-z")
        return os.fsdecode(out).split("\0")[:-1]

    def ignored(self, paths: Iterable[str]) -> set[str]:
        """Those paths that git's ignore rules cover, tracked or not."""
        asked = [p for p in paths if p and not p.startswith("..")]
        if not asked or self.bare:
            return set()
        stdin = b"".join(os.fsencode(p) + b"\0" for p in asked)
        try:
            out = self.run(
                "-c",
                "core.excludesFile=",
                "check-ignore",
                "--no-index",
                "-z",
                "--stdin",
                stdin=stdin,
                ok=(0, 1),
            )
        except GroundedIngestError:  # a path beyond a symbolic link or inside a submodule
            return set()
        return set(os.fsdecode(out).split("\0")[:-1])

    def staged(self, against: str) -> list[Change]:
        """What the index changes against a commit (against nothing: all of it), renames found."""
        if not against:
            return [Change(p, p, None, entry) for p, entry in self.index().items()]
        return self._changes("diff-index", "--cached", "--ita-invisible-in-index", against)

    def between(self, old: str, new: str) -> list[Change]:
        """What one commit changes against another, renames found."""
        return self._changes("diff-tree", "-r", old, new)

    def _changes(self, *args: str) -> list[Change]:
        command, *rest = args
        try:
            raw = self.run(command, "--raw", "--no-abbrev", "-z", "-M", *rest)
        except GroundedIngestError:  # a partial clone has no blobs to compare for renames
            raw = self.run(command, "--raw", "--no-abbrev", "-z", "--no-renames", *rest)
        fields = iter(os.fsdecode(raw).split("\0")[:-1])
        changes = []
        for head in fields:
            old_mode, new_mode, old_oid, new_oid, status = head[1:].split(" ")
            old_path = next(fields)
            path = next(fields) if status[0] in "RC" else old_path
            old = Entry(old_mode, old_oid) if old_mode != "000000" else None
            new = Entry(new_mode, new_oid) if new_mode != "000000" else None
            changes.append(Change(path, old_path if status[0] != "C" else path, old, new))
        return changes

    def last_seen(self, paths: Iterable[str], *, seconds: float) -> dict[str, str]:
        """For paths that history once had: the abbreviated commit that removed them."""
        asked = [p for p in dict.fromkeys(paths) if p and "\n" not in p]
        if not asked:
            return {}
        try:
            out = self.run(
                "--literal-pathspecs", "-c", "core.abbrev=12", "log", "--format=%x01%h",
                "--name-only", "--diff-filter=D", "--no-renames", "-z", "HEAD", "--", *asked,
                timeout=seconds,
            )  # fmt: skip
        except (GroundedIngestError, subprocess.TimeoutExpired):
            return {}
        seen: dict[str, str] = {}
        for part in os.fsdecode(out).split("\x01")[1:]:
            commit, *names = re.split(r"[\0\n]+", part)
            for name in names:
                seen.setdefault(name, commit)
        return seen

    def history(self, *, since: str = "") -> Iterator[tuple[str, str, str, list[str]]]:
        """(commit, parent, subject, paths) from HEAD backwards, newest first; merges and the
        first commit left out, `since` and what it reaches as well."""
        from grounded_ingest.history import walk

        return walk(self.git_dir, self._env, since)

    def messages(self, start: str, end: str) -> str:
        """Author addresses and messages of the commits of a range, one after the other."""
        revisions = f"{start}..{end}" if start else end
        return self.run("log", "--format=%an <%ae>%n%B", revisions).decode(errors="replace")

    def has_remote_branches(self) -> bool:
        """Whether anything was ever fetched from or pushed to a remote."""
        return bool(self.run("for-each-ref", "--count=1", "refs/remotes/").strip())

    def remote_url(self) -> str:
        """The URL of `origin`, or of the only remote; empty without one."""
        out = os.fsdecode(self.run("config", "--get-regexp", r"^remote\..*\.url$", ok=(0, 1)))
        urls = dict(line.split(" ", 1) for line in out.splitlines() if " " in line)
        only = next(iter(urls.values())) if len(urls) == 1 else ""
        return urls.get("remote.origin.url", only)

    def write_blobs(self, paths: list[str]) -> list[str]:
        """Store work tree files as they are, filters left out; their object ids."""
        stdin = b"".join(os.fsencode(p) + b"\n" for p in paths)
        out = self.run("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=stdin)
        return out.decode().split()

    def update_index(self, entries: Mapping[str, str | None]) -> None:
        """Put blobs into the index git is using; None removes a path."""
        zero = "0" * (64 if self.object_format == "sha256" else 40)
        rows = "".join(
            f"100644 {oid}\t{path}\0" if oid else f"0 {zero}\t{path}\0"
            for path, oid in entries.items()
        )
        # git asks clean filters about files that may have changed while it looks at them.
        asked = r"^filter\..*\.(clean|process|required)$"
        names = self.run("config", "--name-only", "-z", "--get-regexp", asked, ok=(0, 1))
        off = {n: "" for n in os.fsdecode(names).split("\0") if n}
        off |= {n: "false" for n in off if n.endswith(".required")}
        env = self._env | with_config(self._env, off)
        self.run("update-index", "-z", "--index-info", stdin=os.fsencode(rows), env=env)

"""A real history, committed again through the real hook, at the pace of a busy repository.

    python -m benchmarks.soak --repository DIR --commits 200 --hours 1 --out FILE

The last commits of DIR (first parents) are made again in a repository that shares its objects, by
`git commit`, through the hook that `grounded-ingest init` installs. FILE gets a line of JSON for
each. Exit code 1 where something was left over. Linux alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import suppress
from glob import glob
from statistics import median
from threading import Event, Thread
from typing import NamedTuple

from benchmarks.repository import REMOTE, git
from benchmarks.timing import below, environment
from benchmarks.tools import ours

MARK = "GROUNDED_INGEST_SOAK"
"""A variable that every process of a run has, however it was started."""
PATIENCE = 2.0
"""Seconds in which what a commit started has to end."""


class Made(NamedTuple):
    """One commit. Memory and sizes are bytes: `hook` of the largest process that is not git's,
    `kept` in the git directory, `cache` in the user's, `evidence` in the work tree. `temporary`
    files and processes `left` are those that are still there when it is done."""

    commit: str
    refused: str
    documents: int
    code: int
    wall: float
    cpu: float
    hook: int
    kept: int
    cache: int
    evidence: int
    temporary: int
    left: int


class Watch:
    """The processes of a commit, looked at fifty times a second: the largest that is not git's."""

    def __init__(self, commit: int) -> None:
        self._commit, self._over, self._memory = commit, Event(), 0
        self._thread = Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._over.wait(0.02):
            for pid in _descendants(self._commit):
                with suppress(OSError, KeyError):
                    told = status(pid)
                    if not told["Name"].startswith("git"):
                        self._memory = max(self._memory, kilobytes(told["VmHWM"]))

    def end(self) -> int:
        self._over.set()
        self._thread.join()
        return self._memory


def _descendants(pid: int) -> Iterator[int]:
    for child in below(pid):
        yield child
        yield from _descendants(child)


def status(pid: int) -> dict[str, str]:
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return {name: value.strip() for name, _, value in (line.partition(":") for line in file)}


def kilobytes(told: str) -> int:
    return int(told.removesuffix("kB")) * 1024


def size(directory: str) -> int:
    """Bytes of the files below it."""
    paths = (f"{where}/{name}" for where, _, names in os.walk(directory) for name in names)
    return sum(os.lstat(path).st_size for path in paths)


class Soak:
    """A repository set up at a commit of another, in a session of its own."""

    def __init__(self, root: str, repository: str, start: str) -> None:
        self._root, self._work = root, f"{root}/work"
        for name in ("work", "home", "cache", "tmp"):
            os.mkdir(f"{root}/{name}", mode=0o700)
        who = {f"GIT_{r}_{k}": v for r in ("AUTHOR", "COMMITTER") for k, v in _AUTHOR.items()}
        self._env = environment() | who | {
            "HOME": f"{root}/home", "XDG_CACHE_HOME": f"{root}/cache", "TMPDIR": f"{root}/tmp",
            MARK: root,
        }  # fmt: skip
        self._share(repository, start)
        self._run(*ours(), "init", "--yes", "--hook", "git")
        git(self._work, "add", "--all")
        self._run("git", "commit", "-q", "-m", "Set up grounded-ingest")
        self._push()

    def _share(self, repository: str, start: str) -> None:
        """The tree of a commit, and the objects of its repository without the refs."""
        objects = git(repository, "rev-parse", "--path-format=absolute", "--git-path", "objects")
        git(self._work, "init", "-q", "-b", "main", "--template=")
        git(self._work, "config", "gc.auto", "0")
        with open(f"{self._work}/.git/objects/info/alternates", "w", encoding="utf-8") as file:
            file.write(f"{objects}\n")
        git(self._work, "reset", "-q", "--hard", start)
        self._push()
        git(self._work, "symbolic-ref", "refs/remotes/origin/HEAD", REMOTE)

    def _run(self, *argv: str) -> str:
        return subprocess.run(
            argv, cwd=self._work, env=self._env, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def _push(self) -> None:
        git(self._work, "update-ref", REMOTE, "HEAD")

    def make(self, commit: str) -> Made:
        """Commit what a commit changed beside its first parent."""
        paths = self._stage(commit)
        documents = sum(path.endswith(".md") for path in paths)
        refused, wall, cpu, hook = self._commit(f"Make {commit[:12]} again")
        if refused:
            self._run("git", "commit", "-q", "--no-verify", "-m", "Make it all the same")
        self._push()
        return Made(
            commit, refused, documents, len(paths) - documents, wall, cpu, hook,
            size(f"{self._work}/.git/grounded-ingest"), size(f"{self._root}/cache"),
            size(f"{self._work}/.grounded"), len(os.listdir(f"{self._root}/tmp")), self._left(),
        )  # fmt: skip

    def _stage(self, commit: str) -> list[str]:
        """Index and work tree get the changed paths; what the hook wrote stays."""
        told = git(self._work, "diff-tree", "-r", "-z", "--name-only", f"{commit}^1", commit)
        if told:
            source = ("--source", commit, "--staged", "--worktree", "--pathspec-file-nul")
            restore = ("--literal-pathspecs", "restore", *source, "--pathspec-from-file=-")
            git(self._work, *restore, stdin=told)
        return told.split("\0")[:-1]

    def _commit(self, subject: str) -> tuple[str, float, float, int]:
        with tempfile.TemporaryFile("w+", errors="replace") as spoken:
            began = time.perf_counter()
            process = subprocess.Popen(
                ("git", "commit", "-q", "--allow-empty", "-m", subject),
                cwd=self._work, env=self._env, stdin=subprocess.DEVNULL, stdout=spoken,
                stderr=spoken,
            )  # fmt: skip
            watch = Watch(process.pid)
            _, code, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - began
            memory = watch.end()
            process.returncode = os.waitstatus_to_exitcode(code)
            spoken.seek(0)
            refused = process.returncode and (spoken.read()[-2000:] or f"{process.returncode}")
        return refused or "", wall, usage.ru_utime + usage.ru_stime, memory

    def _left(self) -> int:
        """Processes of this session that do not end."""
        marked, end = f"{MARK}={self._root}".encode(), time.monotonic() + PATIENCE
        while True:
            found = list(processes_with(marked))
            if not found or time.monotonic() > end:
                return len(found)
            time.sleep(0.05)


_AUTHOR = {"NAME": "Ada", "EMAIL": "ada@example.org"}


def processes_with(variable: bytes) -> Iterator[int]:
    for path in glob("/proc/[0-9]*/environ"):
        with suppress(OSError), open(path, "rb") as file:
            if variable in file.read().split(b"\0"):
                yield int(path.split("/")[2])


class Series(NamedTuple):
    """What one figure was over the run: medians of its first and last quarter, and the most."""

    what: str
    unit: str
    first: float
    last: float
    most: float
    flat: bool | None


def figures(made: Sequence[Made]) -> Iterator[Series]:
    """All of a run; `flat` says whether what stays did not grow. What a hook takes follows the
    documents, and ends with it."""
    for documents in (False, True):
        some = [m for m in made if bool(m.documents) is documents]
        name = "documents" if documents else "code"
        if some:
            yield _series(f"wall, {name}", "s", [m.wall for m in some])
            yield _series(f"CPU, {name}", "s", [m.cpu for m in some])
            yield _series(f"peak, {name}", "MB", [m.hook / 1e6 for m in some])
    for what, left in (
        ("temporary files left", [m.temporary for m in made]),
        ("processes left", [m.left for m in made]),
    ):
        yield _series(what, "", left)._replace(flat=not any(left))
    yield _series("commits refused", "", [bool(m.refused) for m in made])
    yield _series("kept in the git directory", "MB", [m.kept / 1e6 for m in made])
    yield _series("kept in the user's cache", "MB", [m.cache / 1e6 for m in made])
    yield _series("evidence in the work tree", "MB", [m.evidence / 1e6 for m in made])


def _series(what: str, unit: str, values: Sequence[float]) -> Series:
    quarter = max(1, len(values) // 4)
    first, last = median(values[:quarter]), median(values[-quarter:])
    return Series(what, unit, first, last, max(values), None)


def told(series: Series) -> str:
    verdict = {None: "", True: "flat", False: "GREW"}[series.flat]
    figures = "".join(f"{value:10.2f}" for value in series[2:5])
    return f"{series.what:32}{figures} {series.unit:3}{verdict}".rstrip()


def history(repository: str, commits: int) -> list[str]:
    """The last commits, oldest first, led by the one they began from."""
    listed = git(repository, "rev-list", "--first-parent", f"--max-count={commits + 1}", "HEAD")
    return listed.split()[::-1]


def replay(repository: str, commits: int, hours: float, out: str) -> list[Made]:
    start, *rest = history(repository, commits)
    made = []
    with (
        tempfile.TemporaryDirectory(prefix="gi-") as root,
        open(out, "w", encoding="utf-8") as file,
    ):
        soak = Soak(root, repository, start)
        began = time.monotonic()
        for number, commit in enumerate(rest):
            time.sleep(max(0.0, began + number * hours * 3600 / len(rest) - time.monotonic()))
            made.append(soak.make(commit))
            print(json.dumps(made[-1]._asdict()), file=file, flush=True)
    return made


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--repository", required=True)
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--out", required=True)
    found = list(figures(replay(**vars(parser.parse_args()))))
    print(f"{'':32}{'first':>10}{'last':>10}{'most':>10}")
    print("\n".join(map(told, found)))
    raise SystemExit(any(series.flat is False for series in found))


if __name__ == "__main__":
    main()

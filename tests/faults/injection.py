"""Faults by injection: commands run with `faults.c` before libc, and what they leave behind."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.repos import Repo, environment

SOURCE = Path(__file__).with_name("faults.c")
DRAFT = ".grounded-draft"
_WHEN_AND_HOW_LONG = {"run", "surveyed_in", "seconds", "peak_mb"}
_WHEN = re.compile(rb"20\d\d-\d\d-\d\dT[\d:.]+Z")
_CACHES = {".git", "cache", "tables"}


class Call(NamedTuple):
    """A call that changes something: who makes it, which, and where."""

    process: str
    name: str
    path: str

    @property
    def kind(self) -> tuple[str, str, str]:
        """What it is done to, but for digests, object ids and numbers."""
        return (
            self.process,
            self.name,
            re.sub(r"[0-9a-f]{8,}|[0-9]+|(?<=tmp_obj_)\w+", "", self.path),
        )


class Ran(NamedTuple):
    """What a command answered, and the calls that it made."""

    code: int
    out: str
    err: str
    calls: tuple[Call, ...] = ()


Left = dict[str, bytes]
"""Files by path, and git's index as one."""


class Scene:
    """A directory with all that a command reads and writes, made anew for each run of it."""

    def __init__(
        self, base: Path, library: Path, argv: tuple[str, ...], plant: Callable[[Repo], object]
    ) -> None:
        self.base, self._library, self.argv = base, library, argv
        self._kept, self.at = base / "kept", base / "scene"
        plant(Repo(self._kept / "repo"))
        self.renew()
        self.before = self.left()
        self.whole = self.run()
        self.after = self.left()

    def renew(self) -> None:
        shutil.rmtree(self.at, ignore_errors=True)
        shutil.copytree(self._kept, self.at, symlinks=True)
        self.repo = Repo(self.at / "repo")

    def run(self, at: int = 0, how: str = "", **env: str) -> Ran:
        """The command, its call number `at` broken."""
        state, log = self.base / "count", self.base / "calls"
        state.write_bytes(bytes(8))
        log.write_bytes(b"")
        injected = {
            "LD_PRELOAD": str(self._library), "FAULTS_STATE": str(state), "FAULTS_LOG": str(log),
            "FAULTS_BELOW": str(self.at), "FAULTS_AT": str(at), "FAULTS_HOW": how,
        }  # fmt: skip
        again = {"PYTHONFAULTS": json.dumps(injected), "PYTHONPATH": str(SOURCE.with_name("site"))}
        ran = ended(self.start(**injected | again | env))
        rows = (row.split(" ", 3)[1:] for row in log.read_text("utf-8").splitlines())
        calls = tuple(Call(p, n, w.removeprefix(f"{self.at}/")) for p, n, w in rows)
        return ran._replace(calls=calls)

    def start(self, *argv: str, cwd: Path | None = None, **env: str) -> subprocess.Popen[str]:
        """The command, or another one, in a process group of its own."""
        own = {name: str(self.at / name) for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
        return subprocess.Popen(
            [sys.executable, "-m", "grounded_ingest", *(argv or self.argv)], cwd=cwd or self.repo.root,
            env=environment() | own | {"XDG_CACHE_HOME": str(self.at / "cache")} | env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip

    def left(self) -> Left:
        """All that a run leaves for people: the work tree, git's index, and tables. What says when
        it ran is left out."""
        found = {
            str(path.relative_to(self.at)): _WHEN.sub(b"", path.read_bytes())
            for path in self.at.rglob("*")
            if path.is_file() and _is_kept(path.relative_to(self.at).parts)
        }
        found.update(_tables(self.at / "tables"))
        for row in self.repo.git("ls-files", "--stage").splitlines():
            found[f"index:{row.partition(chr(9))[2]}"] = row.encode()
        return found

    def half_done(self) -> list[str]:
        """What is neither as it was nor as it has to be, drafts left out."""
        left = self.left()
        states = (self.before, self.after)
        return [
            path
            for path in {*left, *self.before, *self.after}
            if left.get(path) not in [s.get(path) for s in states] and not path.endswith(DRAFT)
        ]

    def remains(self) -> list[str]:
        """Locks, drafts, journals and work that nobody is at any more."""
        ends = (DRAFT, "index.lock", ".new", "-journal")
        found = [
            p for p in self.at.rglob("*") if p.name.endswith(ends) or p.parent.name.endswith(".new")
        ]
        return sorted(str(p.relative_to(self.at)) for p in found)


def _is_kept(parts: tuple[str, ...]) -> bool:
    return not _CACHES & set(parts) or "hooks" in parts


def ended(process: subprocess.Popen[str]) -> Ran:
    out, err = process.communicate(timeout=120)
    return Ran(process.returncode, out, err)


def _tables(out: Path) -> Iterator[tuple[str, bytes]]:
    """The tables of a fleet's last run."""
    if not out.exists():
        return
    from grounded_ingest.fleet.tables import TABLES, answer_query, list_runs

    if not list_runs(str(out)):
        return
    for name in TABLES:
        kept = answer_query(str(out), f'SELECT * FROM "{name}" LIMIT 0', {}).columns
        columns = ", ".join(f'"{c}"' for c in kept if c not in _WHEN_AND_HOW_LONG)
        rows = answer_query(str(out), f'SELECT {columns} FROM "{name}" ORDER BY ALL', {}).rows
        yield f"table:{name}", repr(rows).encode()


def library(directory: Path) -> Path:
    """The library of `faults.c`, compiled."""
    made = directory / "faults.so"
    command = ["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(made), str(SOURCE)]
    subprocess.run(command, check=True)
    return made

"""Whole processes, timed in turns: wall, CPU with all children, peak memory of the largest.

The kernel counts what the parent held at the fork to the child's peak, so that this process has
to stay small: figures below its own 16 MB or so are not seen.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from glob import glob
from threading import Event, Thread
from types import MappingProxyType
from typing import NamedTuple

KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
"""What timed processes see of the environment: nothing that configures git or an agent."""


class Taken(NamedTuple):
    """One run: seconds of wall and of CPU, peak resident memory in bytes."""

    wall: float
    cpu: float
    memory: int


class Command(NamedTuple):
    """A command to time. `prepare` gets the round's number and is not timed; `codes` are the exit
    codes of a run that did its work; `tree` adds up the memory of all its processes (on Linux),
    looked at five times a second; `env` is added to the environment."""

    name: str
    argv: tuple[str, ...]
    cwd: str
    prepare: Callable[[int], None] | None = None
    codes: tuple[int, ...] = (0,)
    tree: bool = False
    env: Mapping[str, str] = MappingProxyType({})


class Series:
    """The runs of one command, the warm-up left out."""

    def __init__(self, runs: Iterable[Taken]) -> None:
        self.runs = tuple(runs)

    @property
    def wall(self) -> float:
        return statistics.median(r.wall for r in self.runs)

    @property
    def cpu(self) -> float:
        return statistics.median(r.cpu for r in self.runs)

    @property
    def memory(self) -> int:
        return max(r.memory for r in self.runs)


class Watch:
    """The proportional memory of a process and all below it, until it is told to end."""

    def __init__(self, pid: int) -> None:
        self._pid, self._peak, self._over = pid, 0, Event()
        self._thread = Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._over.wait(0.2):
            self._peak = max(self._peak, _memory(self._pid))

    def end(self) -> int:
        self._over.set()
        self._thread.join()
        return self._peak


def _memory(pid: int) -> int:
    """Bytes that a process and its descendants hold, shared pages counted once; 0 for none."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            line = next(line for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0
    return int(line.split()[1]) * 1024 + sum(map(_memory, below(pid)))


def below(pid: int) -> Iterator[int]:
    """The children of every thread of a process."""
    for path in glob(f"/proc/{pid}/task/*/children"):
        with suppress(OSError), open(path, encoding="ascii") as file:
            yield from map(int, file.read().split())


def environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


def take(command: Command) -> Taken:
    """Run it once. Raises RuntimeError with what it said, where it ended in another way than it
    should."""
    with tempfile.TemporaryFile() as spoken:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command.argv,
            cwd=command.cwd,
            env={**environment(), **command.env},
            stdin=subprocess.DEVNULL,
            stdout=spoken,
            stderr=subprocess.STDOUT,
        )
        together = Watch(process.pid) if command.tree else None
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            raise
        wall = time.perf_counter() - begin
        peak = together.end() if together else 0
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in command.codes:
            spoken.seek(0)
            text = spoken.read()[-2000:].decode(errors="replace")
            raise RuntimeError(f"{command.name}: exit code {process.returncode}\n{text}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Taken(wall, usage.ru_utime + usage.ru_stime, max(peak, usage.ru_maxrss * unit))


def interleave(commands: Sequence[Command], rounds: int, *, warm: bool = True) -> dict[str, Series]:
    """Time commands in turns: in every round each of them once, after one warm-up round."""
    runs: dict[str, list[Taken]] = {c.name: [] for c in commands}
    for number in range(0 if warm else 1, rounds + 1):
        for command in commands:
            if command.prepare is not None:
                command.prepare(number)
            taken = take(command)
            if number:
                runs[command.name].append(taken)
    return {name: Series(taken) for name, taken in runs.items()}


def python(cwd: str) -> Command:
    """What every ratio is to: the interpreter that starts and ends."""
    return Command("python -c pass", (sys.executable, "-c", "pass"), cwd)


def said(command: Command, *more: str) -> str:
    """What a command writes to stdout, untimed. Raises RuntimeError where it fails."""
    done = subprocess.run(
        [*command.argv, *more],
        cwd=command.cwd,
        env={**environment(), **command.env},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in command.codes:
        raise RuntimeError(f"{command.name}: {done.stderr.strip()[-500:]}")
    return done.stdout

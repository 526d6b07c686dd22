"""The engine of a cluster: Ray runs the work, and Daft, on Ray, brings rows together.

One machine's cluster is started for a run and ended with it; another one is joined. Its machines
share the directories that a run writes to, and have the same version of this package.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, chdir, contextmanager, redirect_stdout, suppress
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.engine import JobOutcome, Work
from grounded_ingest.version import __version__

if TYPE_CHECKING:
    from ray import ObjectRef

LOCAL = "local"
"""The address of a cluster of this machine, which is started."""
RETRIES = 3
"""How often work is begun again that was lost with its worker."""

_OF_WORKERS = {"DAFT_ANALYTICS_ENABLED": "0", "DAFT_PROGRESS_BAR": "0"}
_OF_DRIVER = {
    **_OF_WORKERS, "RAY_USAGE_STATS_ENABLED": "0", "RAY_task_oom_retries": str(RETRIES),
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # else Ray uploads the working directory
}  # fmt: skip
_OF_ONE_MACHINE = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # it listens on the loopback address alone then
    "RAY_AUTH_MODE": "token",
}
_LITERAL = str.maketrans({mark: f"\\{mark}" for mark in "\\*?[]{}"})
"""Daft takes a path for a pattern."""
_LONGEST_WAIT = 10.0
"""Seconds until somebody listens at an address."""
_LONGEST_PLACE = 28
"""Characters of a directory below which the paths of Ray's sockets are not too long."""


class Sign(NamedTuple):
    """What a worker has to be like: its version, and the files that it sees."""

    version: str
    files: tuple[str, ...]


class DaftEngine:
    """A cluster of this machine with as many workers as it has cores, or as are given, or the one
    at an address. `shared` are directories that all its machines have to see."""

    def __init__(self, workers: int | None, address: str, shared: Sequence[str]) -> None:
        self._workers, self._address, self._shared = workers, address, shared
        self._sign = Sign(__version__, ())
        self._shuffler: Any = None
        self._left = ExitStack()

    def map(self, work: Work, jobs: Sequence[str]) -> Iterator[JobOutcome]:
        import ray

        task = ray.remote(num_cpus=1, max_retries=RETRIES)(outcome_there)
        waiting = iter(enumerate(jobs))
        running: dict[ObjectRef[tuple[str, str]], int] = {}
        while True:
            while len(running) < self._at_once() and (job := next(waiting, None)):
                running[task.remote(self._sign, work, job[1])] = job[0]
            if not running:
                return
            [done], _ = ray.wait([*running])
            yield JobOutcome(running.pop(done), *_answer(done))

    def _at_once(self) -> int:
        """More jobs than can run, so that no worker waits for one, and not all: of those that are
        begun each is looked at when one ends."""
        import ray

        cores: dict[str, float] = ray.cluster_resources()
        return self._workers or 2 * max(1, int(cores.get("CPU", 1)))

    def shuffle(self, files: Sequence[str], key: str, buckets: int, out: str) -> list[list[str]]:
        import ray
        from ray.exceptions import RayError

        failed: Exception | None = None
        for again in range(RETRIES + 1):
            time.sleep(again)
            shutil.rmtree(out, ignore_errors=True)
            self._shuffler = self._shuffler or ray.remote(num_cpus=0)(Shuffler).remote()
            brought = self._shuffler.brought_together.remote(self._sign, files, key, buckets, out)
            try:
                sets: list[list[str]] = ray.get(brought)
                return sets
            except RayError as error:  # Daft plans no query anew whose rows went with a worker
                ray.kill(self._shuffler)
                failed, self._shuffler = error, None
        raise GroundedIngestError(f"rows were not brought together: {_said(failed)}")

    def __enter__(self) -> Self:
        with ExitStack() as left:
            files = tuple(left.enter_context(_mark(directory)) for directory in self._shared)
            self._sign = Sign(__version__, files)
            _begin(self._address, self._workers, left)
            self._left = left.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._shuffler = None
        self._left.close()


def outcome_there(sign: Sign, work: Work, job: str) -> tuple[str, str]:
    """What a worker does: the answer to a job, or the error that it raised."""
    check_worker(sign)
    try:
        return work(job), ""
    except Exception as error:  # noqa: BLE001  a row, as in each engine
        return "", f"{type(error).__name__}: {error}"


class Shuffler:
    """Who asks Daft: a worker of its own, since what Daft holds of a cluster is of no use after an
    error, and is held as long as a process."""

    def brought_together(
        self, sign: Sign, files: Sequence[str], key: str, buckets: int, out: str
    ) -> list[list[str]]:
        check_worker(sign)
        import daft

        daft.set_runner_ray(noop_if_initialized=True)
        size = daft.lit(buckets)
        bucket = ((daft.col(key) % size) + size) % size
        rows = daft.read_parquet([f.translate(_LITERAL) for f in files])
        spread = rows.with_column("bucket", bucket).repartition(buckets, "bucket")
        found = spread.write_parquet(out, partition_cols=["bucket"]).to_pydict()
        sets: dict[int, list[str]] = {}
        for number, path in sorted(zip(found["bucket"], found["path"], strict=True)):
            sets.setdefault(number, []).append(path)
        return [*sets.values()]


@cache
def check_worker(sign: Sign) -> None:
    """Raises GroundedIngestError where a worker would write other rows, or where nobody sees."""
    if sign.version != __version__:
        raise GroundedIngestError(f"it has grounded-ingest {__version__}, not {sign.version}")
    for file in sign.files:
        if not os.path.exists(file):
            raise GroundedIngestError(
                f"it does not see {os.path.dirname(file)}, which all machines have to share"
            )


def _answer(done: ObjectRef[tuple[str, str]]) -> tuple[str, str]:
    """Answer and error of a job. Raises GroundedIngestError where a worker cannot do any."""
    import ray
    from ray import exceptions as lost

    try:
        answer: tuple[str, str] = ray.get(done)
        return answer
    except (lost.WorkerCrashedError, lost.NodeDiedError, lost.OutOfMemoryError) as error:
        return "", f"lost with its worker {RETRIES + 1} times, at last by {_said(error)}"
    except lost.RayError as error:
        raise GroundedIngestError(f"a worker cannot work: {_said(error)}") from None


def _said(error: Exception | None) -> str:
    """An error of Ray in one line."""
    cause = getattr(error, "cause", None) or error
    return f"{type(cause).__name__}: {str(cause).strip().partition(chr(10))[0][:300]}"


def _begin(address: str, workers: int | None, left: ExitStack) -> None:
    """Join a cluster, or start one, to be left in the end. Raises GroundedIngestError."""
    if address not in (LOCAL, "auto"):
        _reach(address)
    os.environ.update(_OF_DRIVER)
    place = left.enter_context(_place())
    told: dict[str, Any] = {"runtime_env": {"env_vars": _OF_WORKERS}}
    if address == LOCAL:
        os.environ.update({**_OF_ONE_MACHINE, "RAY_AUTH_TOKEN": secrets.token_hex(32)})
        told = {"num_cpus": workers, "include_dashboard": False, "_temp_dir": place}
    try:
        import daft  # noqa: F401  said here, not by a worker
        import ray
        from ray.exceptions import RayError
    except ModuleNotFoundError as error:
        raise GroundedIngestError(
            f"--engine daft needs {error.name}", "pip install 'grounded-ingest[fleet-ray]'"
        ) from None
    # Of lost workers it tells on standard output.
    silence = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  closed in the end
    left.enter_context(redirect_stdout(left.enter_context(silence)))
    left.callback(ray.shutdown)
    try:
        with chdir(place):  # workers import from where they were started, first of all
            ray.init(address, logging_level=logging.ERROR, log_to_driver=False, **told)
    except (RayError, RuntimeError, ValueError, OSError) as error:
        raise GroundedIngestError(f"no Ray cluster at {address}: {_said(error)}") from None


def _reach(address: str) -> None:
    """Ask whether somebody listens: Ray itself waits for minutes."""
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal():
        raise GroundedIngestError(f"no address of a Ray cluster: {address}", "give HOST:PORT")
    try:
        socket.create_connection((host, int(port)), timeout=_LONGEST_WAIT).close()
    except (OSError, OverflowError) as error:
        raise GroundedIngestError(f"no Ray cluster at {address}: {error}") from None


@contextmanager
def _place() -> Iterator[str]:
    """A directory of nobody else, for what Ray keeps of a run."""
    usual = tempfile.gettempdir()
    short = usual if len(usual) <= _LONGEST_PLACE else "/tmp"  # noqa: S108  made anew, and private
    made = tempfile.mkdtemp(prefix="fleet-", dir=short)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def _mark(directory: str) -> Iterator[str]:
    """A file in a directory, by which workers are asked whether they see it."""
    path = f"{directory}/.seen-{secrets.token_hex(8)}"
    try:
        os.makedirs(directory, exist_ok=True)
        with open(path, "x"):
            pass
    except OSError as error:
        raise GroundedIngestError(f"{directory}: {error.strerror}") from None
    try:
        yield path
    finally:
        with suppress(FileNotFoundError):
            os.remove(path)

"""Runs jobs. A job checks one repository, in a separate process with limited time and memory.

`run_job` starts `repository_process.py`, writes the job as JSON to its standard input, and reads
the answer from its standard output. A repository may be hostile. So every failure is returned as an
answer, and the process gets no secrets."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.text.printable import printable

_ENVIRONMENT = {
    "HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "SSL_CERT_DIR", "SSL_CERT_FILE",
    "TMPDIR", "TZ", "USER", "VIRTUAL_ENV", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH",
}  # fmt: skip
_RUNNING: set[subprocess.Popen[bytes]] = set()


class Checking(Struct, frozen=True):
    """The options and limits for each repository of a run.

    `config` is the path of a configuration file for all repositories; if empty, each repository's
    own is used. If `fresh` is true, an unchanged repository is checked again. `seconds` limits the
    elapsed time and `memory_mb` the memory of each process."""

    config: str = ""
    isolated: bool = False
    online: bool = False
    fresh: bool = False
    seconds: float = 600.0
    memory_mb: int = 2048


class Job(Struct, frozen=True):
    """A job that checks HEAD of a repository and writes its report below the directory `reports`.
    `settings` is a digest of the settings that the report depends on. A report of the same commit
    and settings is reused, unless `checking.fresh` is true."""

    name: str
    directory: str
    reports: str
    settings: str
    checking: Checking


class JobAnswer(Struct, frozen=True):
    """The result of a job, which may be a failure.

    `state` is `ok`, `empty` if the repository has no commits, or the kind of failure. `report` is
    the name of the report's file, and `reused` is true if an earlier run wrote it. `columns` has
    the values for this repository's row in the table `repositories`."""

    state: Literal["ok", "empty", "time", "memory", "error"]
    reason: str = ""
    seconds: float = 0.0
    peak_mb: float = 0.0
    report: str = ""
    reused: bool = False
    columns: dict[str, str | int] = {}


def run_job(job: Job) -> JobAnswer:
    """Runs a job in a new process group and kills the whole group afterwards. So no git process or
    parser that the job started continues to run."""
    began = time.monotonic()
    read_end, write_end = os.pipe()  # the kernel closes write_end if this process dies
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "grounded_ingest.fleet.repository_process", str(read_end)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=job_environment(), start_new_session=True, pass_fds=(read_end,),
    )  # fmt: skip
    _RUNNING.add(process)
    os.close(read_end)
    limit = job.checking.seconds
    try:
        out, err = process.communicate(msgspec.json.encode(job), timeout=limit)
    except subprocess.TimeoutExpired:
        answer = JobAnswer("time", f"the job took more than {limit:g} s")
    else:
        answer = _read_answer(process.returncode, out, err, job.checking.memory_mb)
    finally:
        _kill_group(process)
        process.communicate()
        _RUNNING.discard(process)
        os.close(write_end)
    reason = printable(answer.reason, 500)
    return replace(answer, reason=reason, seconds=round(time.monotonic() - began, 2))


def end_running_jobs() -> None:
    """Kills all running jobs of this process. Called if a run is interrupted."""
    for process in [*_RUNNING]:
        _kill_group(process)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _read_answer(code: int, out: bytes, err: bytes, memory_mb: int) -> JobAnswer:
    try:
        return msgspec.json.decode(out, type=JobAnswer)
    except msgspec.DecodeError:
        pass
    last = err.decode(errors="replace").strip().rpartition("\n")[2]
    allowed = f"the limit is {memory_mb} MB"
    if code == -signal.SIGKILL or "MemoryError" in last:
        return JobAnswer("memory", f"the process ran out of memory; {allowed}")
    if code < 0:  # native code crashes when an allocation fails
        return JobAnswer("error", f"{signal.Signals(-code).name} ended the process; {allowed}")
    return JobAnswer("error", f"the process exited with {code}: {last}".rstrip(": "))


def job_environment() -> dict[str, str]:
    """Returns the environment variables for the process of a job, from a fixed list."""
    kept = {
        name: value for name, value in os.environ.items()
        if name in _ENVIRONMENT or name.startswith(("LC_", "PYTHON"))
    }  # fmt: skip
    # Git runs in the repository's directory. With a relative entry in PATH, git could start a
    # program from the hostile repository.
    steps = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return kept | {"PATH": os.pathsep.join(filter(os.path.isabs, steps))}

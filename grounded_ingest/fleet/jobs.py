"""Runs jobs. A job is work on one repository, in a separate process with limited time and memory.

`run_job` starts `repository_process.py`, writes the job as JSON to the standard input of the
process, and reads the answer from its standard output. A repository may be hostile. So every
failure is returned as an answer, and a process that reads a repository gets no secrets.
"""

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

_LONGEST_REASON = 500
_ENVIRONMENT = {
    "HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "SSL_CERT_DIR", "SSL_CERT_FILE",
    "TMPDIR", "TZ", "USER", "VIRTUAL_ENV", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH",
}  # fmt: skip
_RUNNING: set[subprocess.Popen[bytes]] = set()


class Limits(Struct, frozen=True):
    """The limits for one repository: seconds of elapsed time, and megabytes of memory for each
    process."""

    seconds: float = 600.0
    memory_mb: int = 2048


class CheckOptions(Struct, frozen=True):
    """Options for the check of a repository.

    `config` is the path of a configuration file for all repositories. If `config` is empty, the
    configuration in each repository is used.
    """

    config: str = ""
    isolated: bool = False
    online: bool = False


class RepositorySource(Struct, frozen=True):
    """A git directory on this machine. If `url` is set, the directory is a clone of that URL in the
    cache."""

    directory: str
    url: str = ""


class CloneJob(Struct, frozen=True, tag="clone"):
    """A job that clones a remote repository, or updates its clone."""

    source: RepositorySource
    limits: Limits


class SurveyJob(Struct, frozen=True, tag="survey"):
    """A job that checks HEAD of a repository and writes a survey below the directory `surveys`.

    `settings` is a digest of the settings that the survey depends on. An existing survey with the
    same commit and settings is reused, unless `fresh` is true. `sarif` is the path of a SARIF file
    to write, or empty.
    """

    name: str
    source: RepositorySource
    surveys: str
    settings: str
    options: CheckOptions
    limits: Limits
    fresh: bool = False
    sarif: str = ""


Job = CloneJob | SurveyJob


class JobAnswer(Struct, frozen=True):
    """The result of a job, which may be a failure.

    `state` is `ok`, `empty` if the repository has no commits, or the kind of failure. `peak_mb` is
    the largest amount of memory that a process used. `disk_mb` is the size of a clone in megabytes.
    After a survey job, `survey` is the name of the survey's directory, `reused` is true if the
    survey already existed, and `counts` holds its counts.
    """

    state: Literal["ok", "empty", "clone", "time", "memory", "error"]
    reason: str = ""
    seconds: float = 0.0
    peak_mb: float = 0.0
    disk_mb: float = 0.0
    survey: str = ""
    reused: bool = False
    counts: dict[str, str | int] = {}


def survey_repository(job: SurveyJob) -> JobAnswer:
    """Clones a repository if it is remote, and then checks the repository in a second process.

    The second process does not get the credentials that cloning needs. The time for cloning counts
    towards the time limit.
    """
    cloned = JobAnswer("ok")
    if job.source.url:
        cloned = run_job(CloneJob(job.source, job.limits))
        if cloned.state != "ok":
            return cloned
        left = max(1.0, job.limits.seconds - cloned.seconds)
        job = replace(job, limits=replace(job.limits, seconds=left))
    answer = run_job(job)
    seconds = round(answer.seconds + cloned.seconds, 2)
    return replace(answer, seconds=seconds, disk_mb=cloned.disk_mb)


def run_job(job: Job) -> JobAnswer:
    """Runs a job in a new process group and kills the whole group afterwards. So no git process or
    parser that the job started continues to run."""
    began = time.monotonic()
    read_end, write_end = os.pipe()  # the kernel closes write_end if this process dies
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "grounded_ingest.fleet.repository_process", str(read_end)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=job_environment(job), start_new_session=True, pass_fds=(read_end,),
    )  # fmt: skip
    _RUNNING.add(process)
    os.close(read_end)
    try:
        out, err = process.communicate(msgspec.json.encode(job), timeout=job.limits.seconds)
    except subprocess.TimeoutExpired:
        answer = JobAnswer("time", f"the job took more than {job.limits.seconds:g} s")
    else:
        answer = _read_answer(process.returncode, out, err, job)
    finally:
        _kill_group(process)
        process.communicate()
        _RUNNING.discard(process)
        os.close(write_end)
    reason = printable(answer.reason, _LONGEST_REASON)
    return replace(answer, reason=reason, seconds=round(time.monotonic() - began, 2))


def end_running_jobs() -> None:
    """Kills all running jobs of this process. Called if a run is interrupted."""
    for process in [*_RUNNING]:
        _kill_group(process)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _read_answer(code: int, out: bytes, err: bytes, job: Job) -> JobAnswer:
    try:
        return msgspec.json.decode(out, type=JobAnswer)
    except msgspec.DecodeError:
        pass
    last = err.decode(errors="replace").strip().rpartition("\n")[2]
    allowed = f"the limit is {job.limits.memory_mb} MB"
    if code == -signal.SIGKILL or "MemoryError" in last:
        return JobAnswer("memory", f"the process ran out of memory; {allowed}")
    if code < 0:  # native code crashes when an allocation fails
        return JobAnswer("error", f"{signal.Signals(-code).name} ended the process; {allowed}")
    return JobAnswer("error", f"the process exited with {code}: {last}".rstrip(": "))


def job_environment(job: Job) -> dict[str, str]:
    """Returns the environment variables for the process of a job.

    A clone job gets all variables of the user, because git's credential helpers need them. All
    other jobs get only a fixed list of variables.
    """
    if isinstance(job, CloneJob):
        return dict(os.environ)
    kept = {
        name: value for name, value in os.environ.items()
        if name in _ENVIRONMENT or name.startswith(("LC_", "PYTHON"))
    }  # fmt: skip
    # Git runs in the repository's directory. With a relative entry in PATH, git could start a
    # program from the hostile repository.
    steps = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return kept | {"PATH": os.pathsep.join(filter(os.path.isabs, steps))}

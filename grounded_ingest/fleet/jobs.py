"""Jobs: work on one repository, in a process of its own with limits of time and memory.

`run_job` starts `repository_process.py`, writes the job to its standard input as JSON, and reads
the answer from its standard output. A repository may be hostile, so every failure is an answer, and
the process that reads one has no secret in its environment.
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
    """Limits of one repository: seconds by the clock, megabytes of memory for each process."""

    seconds: float = 600.0
    memory_mb: int = 2048


class CheckOptions(Struct, frozen=True):
    """Options of the check. `config` is a file of the user; without it each repository is checked
    by its own configuration."""

    config: str = ""
    isolated: bool = False
    online: bool = False


class RepositorySource(Struct, frozen=True):
    """A git directory of this machine. With `url` it is a clone in the cache, made and updated from
    there."""

    directory: str
    url: str = ""


class CloneJob(Struct, frozen=True, tag="clone"):
    """Makes or updates the clone of a remote repository."""

    source: RepositorySource
    limits: Limits


class SurveyJob(Struct, frozen=True, tag="survey"):
    """Checks HEAD of a repository and writes its survey below the directory `surveys`.

    `settings` is a digest of everything but the commit that the rows depend on: with it, a survey
    that is already there is used again, unless `fresh`. `sarif` is a file to write as well.
    """

    name: str
    source: RepositorySource
    surveys: str
    settings: str
    options: CheckOptions
    limits: Limits
    fresh: bool = False
    sarif: str = ""


class Question(Struct, frozen=True):
    """A citation of a repository: the columns of the table `elsewhere` that say what is cited."""

    kind: str
    target: str
    first: int = 0
    last: int = 0
    at: str = ""


class LookUpJob(Struct, frozen=True, tag="look-up"):
    """Looks up in one repository what another one cites of it."""

    source: RepositorySource
    questions: tuple[Question, ...]
    limits: Limits


Job = CloneJob | SurveyJob | LookUpJob


class Found(Struct, frozen=True):
    """The answer to a question: `confirmed`, `refuted`, or `unknown` with a reason."""

    verdict: str
    reason: str = ""


class JobAnswer(Struct, frozen=True):
    """The result of a job, a failure included.

    `disk_mb` is the size of a clone. A survey answers with its directory's name in `survey`, with
    `reused` if it was there, and with its `counts`; a look-up with one `found` for each question.
    """

    state: Literal["ok", "empty", "clone", "time", "memory", "error"]
    reason: str = ""
    seconds: float = 0.0
    peak_mb: float = 0.0
    disk_mb: float = 0.0
    survey: str = ""
    reused: bool = False
    counts: dict[str, str | int] = {}
    found: tuple[Found, ...] = ()


def survey_repository(job: SurveyJob) -> JobAnswer:
    """Clones a remote repository, then checks it in a second process without the credentials that
    cloning needs. The clone's time counts against the limit."""
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
    """Runs a job in a new process group and ends the whole group afterwards: git and parsers that
    the job started do not outlive it."""
    began = time.monotonic()
    read_end, write_end = os.pipe()  # the kernel closes it with this process, however that ends
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
        answer = JobAnswer("time", f"more than {job.limits.seconds:g} s")
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
    """Kills every job of this process, when its run is interrupted."""
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
    allowed = f"{job.limits.memory_mb} MB are allowed"
    if code == -signal.SIGKILL or "MemoryError" in last:
        return JobAnswer("memory", f"ended for want of memory, {allowed}")
    if code < 0:  # native code crashes when an allocation fails
        return JobAnswer("error", f"ended by {signal.Signals(-code).name}, {allowed}")
    return JobAnswer("error", f"ended with {code}: {last}".rstrip(": "))


def job_environment(job: Job) -> dict[str, str]:
    """Returns the environment of a job's process. A clone gets the user's, because git's credential
    helpers need it; what reads a repository gets a fixed list of variables."""
    if isinstance(job, CloneJob):
        return dict(os.environ)
    kept = {
        name: value for name, value in os.environ.items()
        if name in _ENVIRONMENT or name.startswith(("LC_", "PYTHON"))
    }  # fmt: skip
    # Git runs in the repository's directory, so a relative step of PATH could find its programs.
    steps = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return kept | {"PATH": os.pathsep.join(filter(os.path.isabs, steps))}

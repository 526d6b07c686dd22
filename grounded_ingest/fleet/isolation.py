"""A job in a process of its own, ended when its time or its memory is used up."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress

import msgspec

from grounded_ingest.fleet.job import CloneJob, Job, JobAnswer, SurveyJob
from grounded_ingest.text.printable import printable

_TOLD = {
    "HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "SSL_CERT_DIR", "SSL_CERT_FILE",
    "TMPDIR", "TZ", "USER", "VIRTUAL_ENV", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH",
}  # fmt: skip
_LONGEST_REASON = 500
_RUNNING: set[subprocess.Popen[bytes]] = set()


def in_own_process(text: str) -> str:
    """The answer to a job, as JSON both: the work that engines spread over workers. A remote
    repository is cloned first, by a process that has what the user's git needs for it; the one that
    reads it has not."""
    job = msgspec.json.decode(text, type=Job)
    cloned = JobAnswer("ok")
    if isinstance(job, SurveyJob):  # another try, of a worker that was given up, has its own
        job = msgspec.structs.replace(job, rows=secrets.token_hex(8))
    if isinstance(job, SurveyJob) and job.source.url:
        cloned = run_isolated(CloneJob(job.source, job.limits))
        left = max(1.0, job.limits.seconds - cloned.seconds)
        limits = msgspec.structs.replace(job.limits, seconds=left)
        job = msgspec.structs.replace(job, limits=limits)
    answer = run_isolated(job) if cloned.state == "ok" else cloned
    if isinstance(job, SurveyJob) and answer.state not in ("ok", "known"):
        shutil.rmtree(f"{job.out}/{job.rows}", ignore_errors=True)
    told = msgspec.structs.replace(
        answer,
        reason=printable(answer.reason, _LONGEST_REASON),
        disk_mb=cloned.disk_mb,
        seconds=round(answer.seconds + cloned.seconds * (answer is not cloned), 2),
    )
    return msgspec.json.encode(told).decode()


def run_isolated(job: Job) -> JobAnswer:
    """The answer to a job; what goes wrong is one as well. Nothing of it runs on afterwards."""
    began = time.monotonic()
    watched, held = os.pipe()  # closed with this process, however it ends
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "grounded_ingest.fleet.repository_process", str(watched)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=_environment(job), start_new_session=True, pass_fds=(watched,),
    )  # fmt: skip
    _RUNNING.add(process)
    os.close(watched)
    try:
        out, err = process.communicate(msgspec.json.encode(job), timeout=job.limits.seconds)
    except subprocess.TimeoutExpired:
        answer = JobAnswer("time", f"more than {job.limits.seconds:g} s")
    else:
        answer = _answer(process.returncode, out, err, job)
    finally:
        _end(process)
        _RUNNING.discard(process)
        os.close(held)
    return msgspec.structs.replace(answer, seconds=round(time.monotonic() - began, 2))


def end_running() -> None:
    """End every process that reads a repository, for a run that is interrupted."""
    for process in [*_RUNNING]:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _answer(code: int, out: bytes, err: bytes, job: Job) -> JobAnswer:
    try:
        return msgspec.json.decode(out, type=JobAnswer)
    except msgspec.DecodeError:
        pass
    last = err.decode(errors="replace").strip().rpartition("\n")[2][:500]
    allowed = f"{job.limits.memory_mb} MB are allowed"
    if code == -signal.SIGKILL or "MemoryError" in last:
        return JobAnswer("memory", f"ended for want of memory, {allowed}")
    if code < 0:  # native code that is given no memory crashes
        return JobAnswer("error", f"ended by {signal.Signals(-code).name}, {allowed}")
    return JobAnswer("error", f"ended with {code}: {last}".rstrip(": "))


def _end(process: subprocess.Popen[bytes]) -> None:
    """The whole group: git and parsers that it started as well."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _environment(job: Job) -> dict[str, str]:
    """A clone is made with all that the user's git has. What reads a stranger's repository is told
    what is listed: no secret, no agent of keys, no grant that was meant for another."""
    if isinstance(job, CloneJob):
        return dict(os.environ)
    told = {n: v for n, v in os.environ.items() if n in _TOLD or n.startswith(("LC_", "PYTHON"))}
    # git is started in the repository's directory: what is found from there may be its own.
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return told | {"PATH": os.pathsep.join(filter(os.path.isabs, path))}

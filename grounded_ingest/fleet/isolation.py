"""A job in a process of its own, ended when its time or its memory is used up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import msgspec

from grounded_ingest.fleet.job import Job, JobAnswer

_SECRET = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "API_KEY", "PRIVATE_KEY")
_GRANTED = "GROUNDED_INGEST_"


def in_own_process(text: str) -> str:
    """The answer to a job, as JSON both: the work that engines spread over workers."""
    return msgspec.json.encode(run_isolated(msgspec.json.decode(text, type=Job))).decode()


def run_isolated(job: Job) -> JobAnswer:
    """The answer to a job; what goes wrong is one as well. Nothing of it runs on afterwards."""
    began = time.monotonic()
    watched, held = os.pipe()  # closed with this process, however it ends
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "grounded_ingest.fleet.repository_process", str(watched)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=_environment(), start_new_session=True, pass_fds=(watched,),
    )  # fmt: skip
    os.close(watched)
    try:
        out, err = process.communicate(msgspec.json.encode(job), timeout=job.limits.seconds)
    except subprocess.TimeoutExpired:
        answer = JobAnswer("time", f"more than {job.limits.seconds:g} s")
    else:
        answer = _answer(process.returncode, out, err, job)
    finally:
        _end(process)
        os.close(held)
    return msgspec.structs.replace(answer, seconds=round(time.monotonic() - began, 2))


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


def _environment() -> dict[str, str]:
    """What a process that reads a stranger's repository is told: nothing that is secret, and no
    grant that was meant for another."""
    return {
        name: value
        for name, value in os.environ.items()
        if not any(word in name.upper() for word in _SECRET) and not name.startswith(_GRANTED)
    }

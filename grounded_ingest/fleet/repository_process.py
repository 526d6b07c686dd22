"""Runs one job in a separate process: `python -m grounded_ingest.fleet.repository_process PIPE`.

PIPE is a file descriptor of a pipe. The parent process keeps the other end of the pipe open.
"""

from __future__ import annotations

import fcntl
import os
import resource
import sys
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.jobs import CloneJob, Job, JobAnswer, SurveyJob
from grounded_ingest.fleet.survey import read_counts, survey_id, write_survey
from grounded_ingest.git.clone import clone
from grounded_ingest.git.repository import Repo
from grounded_ingest.pipeline import Options

_MB = 1 << 20
LARGEST_FILE = 4 << 30
"""Maximum size in bytes of a file that the process may write."""


def main() -> None:
    """Reads the job from standard input, limits the process, runs the job and writes the answer."""
    _end_with_parent(int(sys.argv[1]))
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    _limit_resources(job.limits.memory_mb)
    answer = _answer(job)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.buffer.write(msgspec.json.encode(replace(answer, peak_mb=round(peak, 1))))


def _end_with_parent(pipe: int) -> None:
    """Makes the kernel send a signal to this process group when the parent process ends.

    The pipe is then closed, even if SIGKILL killed the parent. So no job outlives the parent.
    """
    fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(pipe, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    with suppress(BlockingIOError):
        os.read(pipe, 1)
        raise GroundedIngestError("the parent process has ended")


def _limit_resources(memory_mb: int) -> None:
    limit = memory_mb * _MB
    # RLIMIT_DATA is used instead of RLIMIT_AS, because git maps large pack files into memory and
    # allocators reserve address space.
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(job: Job) -> JobAnswer:
    try:
        match job:
            case CloneJob():
                return _clone(job)
            case SurveyJob():
                return _survey(job)
    except GroundedIngestError as error:
        return JobAnswer("clone" if isinstance(job, CloneJob) else "error", str(error))
    except MemoryError:
        return JobAnswer("memory", f"the limit of {job.limits.memory_mb} MB is not enough")
    except RecursionError as error:
        return JobAnswer("error", f"a file has too many nested levels: {error}")
    except Exception as error:  # noqa: BLE001  the failure of one repository does not end the run
        return JobAnswer("error", f"{type(error).__name__}: {error}")


def _clone(job: CloneJob) -> JobAnswer:
    clone(job.source.url, job.source.directory)
    size = sum(
        os.stat(f"{at}/{name}").st_size
        for at, _, names in os.walk(job.source.directory)
        for name in names
    )
    return JobAnswer("ok", disk_mb=round(size / _MB, 3))


def _survey(job: SurveyJob) -> JobAnswer:
    with Repo(job.source.directory, own=False) as repo:
        if not repo.head():
            return JobAnswer("empty", "the repository has no commits")
        survey = survey_id(job.name, repo.head(), job.settings)
        counts = None if job.fresh else read_counts(f"{job.surveys}/{survey}")
        if counts:
            return JobAnswer("ok", survey=survey, reused=True, counts=counts)
        options = Options(
            config=job.options.config, isolated=job.options.isolated, online=job.options.online,
            landed=True, granted=False,
            # The cache is used only in our own clones. In another directory, the index may be
            # forged, or may be a symbolic link.
            cache=bool(job.source.url),
        )  # fmt: skip
        counts = write_survey(repo, job.name, options, f"{job.surveys}/{survey}", job.sarif)
    return JobAnswer("ok", survey=survey, counts=counts)


if __name__ == "__main__":
    main()

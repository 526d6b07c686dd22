"""The process that reads one repository: `python -m grounded_ingest.fleet.repository_process PIPE`.

A job comes on standard input, its answer goes to standard output. PIPE is a descriptor whose other
end is held by whoever started it, and with whom it ends. It may take what its job says and
no more; whoever started it ends it when its time is over.
"""

from __future__ import annotations

import fcntl
import os
import resource
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.job import CloneJob, Found, Job, JobAnswer, LookUpJob, SurveyJob

if TYPE_CHECKING:
    from grounded_ingest.git.repository import Repo

_MB = 1 << 20
ANSWER = "answer.json"
LARGEST_FILE = 4 << 30
"""Bytes of one file that is written, whatever a repository holds."""


def main() -> None:
    end_with(int(sys.argv[1]))
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    bounded(job.limits.memory_mb)
    answer = answered(job)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    answer = msgspec.structs.replace(answer, peak_mb=round(peak, 1))
    sys.stdout.buffer.write(msgspec.json.encode(answer))


def end_with(pipe: int) -> None:
    """Let the kernel end this process, and all it starts, when nobody holds the other end of a
    pipe: a worker that is lost leaves nothing behind that goes on writing."""
    fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(pipe, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    with suppress(BlockingIOError):
        os.read(pipe, 1)
        raise GroundedIngestError("whoever started this is gone")


def bounded(memory_mb: int) -> None:
    """No more memory, no larger file, no core for this process and those it starts."""
    limit = memory_mb * _MB
    # What it writes to, and not address space: packs are mapped, and allocators reserve.
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answered(job: Job) -> JobAnswer:
    """The answer to a job; a failure is one too."""
    try:
        match job:
            case CloneJob():
                return _cloned(job)
            case SurveyJob():
                return _surveyed(job)
            case LookUpJob():
                return _looked_up(job)
    except GroundedIngestError as error:
        return JobAnswer("clone" if isinstance(job, CloneJob) else "error", str(error))
    except RecursionError as error:
        return JobAnswer("error", f"nested too deeply: {error}")
    except Exception as error:  # noqa: BLE001  one repository's failure is a row, and no end
        if type(error).__name__ in ("MemoryError", "OutOfMemoryException"):  # DuckDB's own
            return JobAnswer("memory", f"{job.limits.memory_mb} MB are allowed, and not enough")
        return JobAnswer("error", f"{type(error).__name__}: {error}")


def _cloned(job: CloneJob) -> JobAnswer:
    from grounded_ingest.git.clone import clone

    clone(job.source.url, job.source.directory)
    return JobAnswer("ok", disk_mb=round(_bytes_below(job.source.directory) / _MB, 3))


def _bytes_below(directory: str) -> int:
    return sum(
        os.stat(f"{at}/{name}").st_size for at, _, names in os.walk(directory) for name in names
    )


def _surveyed(job: SurveyJob) -> JobAnswer:
    from grounded_ingest.git.repository import Repo

    with Repo(job.source.directory, own=False) as repo:
        head = repo.head()
        if not head:
            return JobAnswer("empty", "no commit yet")
        if head == job.known:
            return JobAnswer("known", summary={"commit": head})
        if kept := _kept(job, head):
            return kept
        return _written(job, repo)


def _kept(job: SurveyJob, head: str) -> JobAnswer | None:
    """The answer of a run that was ended before it was finished, of the same commit."""
    try:
        with open(f"{job.out}/{ANSWER}", "rb") as file:
            answer = msgspec.json.decode(file.read(), type=JobAnswer)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
    return answer if answer.rows and answer.summary.get("commit") == head else None


def _written(job: SurveyJob, repo: Repo) -> JobAnswer:
    from grounded_ingest.fleet.survey import survey_counts, survey_of, survey_rows
    from grounded_ingest.fleet.tables import SURVEYED, whole, write_rows
    from grounded_ingest.pipeline import Options

    judged = job.judged
    options = Options(
        config=judged.config, isolated=judged.isolated, online=judged.online, landed=True,
        cache=bool(job.source.url),  # a clone in our cache; another's may bring an index, or a link
        granted=False,
    )  # fmt: skip
    found = survey_of(repo, job.name, job.run, options)
    os.makedirs(f"{job.out}/{job.rows}", exist_ok=True)
    for name, table in survey_rows(found).items():
        write_rows(f"{job.out}/{job.rows}/{name}.parquet", SURVEYED[name], table)
    if job.sarif:
        from grounded_ingest.report.as_sarif import render

        os.makedirs(os.path.dirname(job.sarif), exist_ok=True)
        with whole(job.sarif) as new, open(new, "w", encoding="utf-8") as file:
            file.write(render(found.result.report))
    found.result.kb.index.close()
    answer = JobAnswer("ok", summary=survey_counts(found), rows=job.rows)
    with whole(f"{job.out}/{ANSWER}") as new, open(new, "wb") as file:
        file.write(msgspec.json.encode(answer))
    return answer


def _looked_up(job: LookUpJob) -> JobAnswer:
    from grounded_ingest.fleet.elsewhere import CitedElsewhere, found_there, head_context
    from grounded_ingest.git.repository import Repo

    with Repo(job.source.directory, own=False) as repo:
        if not repo.head():
            return JobAnswer("empty", "no commit yet")
        asked = [
            CitedElsewhere("", "", q.kind, q.target, q.first, q.last, q.at) for q in job.questions
        ]
        found = found_there(asked, head_context(repo))
    said = (Found(e.verdict, e.reason, e.target) for e in found)
    return JobAnswer("ok", found=tuple(said))


if __name__ == "__main__":
    main()

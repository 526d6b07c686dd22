"""Runs one job in a separate process: `python -m grounded_ingest.fleet.repository_process PIPE`.

PIPE is the descriptor of a pipe that the parent process keeps open. If the pipe closes, this
process ends too."""

from __future__ import annotations

import fcntl
import os
import resource
import secrets
import sys
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.jobs import Job, JobAnswer
from grounded_ingest.fleet.tables import LARGEST_ROW, SUMMARY, digest
from grounded_ingest.git.repository import Repo
from grounded_ingest.pipeline import Options, run
from grounded_ingest.references.tracker import host_and_path
from grounded_ingest.report.as_json import render_lines
from grounded_ingest.report.horizons import add_expired
from grounded_ingest.repository.scope import Asked

LARGEST_FILE = 4 << 30
"""Maximum size in bytes of a file that the process may write."""


def main() -> None:
    """Reads the job from standard input, limits the process, runs the job and writes the answer to
    standard output."""
    _end_with_parent(int(sys.argv[1]))
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    _limit_resources(job.checking.memory_mb)
    answer = _answer(job)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.buffer.write(msgspec.json.encode(replace(answer, peak_mb=round(peak, 1))))


def _end_with_parent(pipe: int) -> None:
    """Makes the kernel send a signal to this process group when the parent process ends. The pipe
    is then closed, even if SIGKILL killed the parent. So no job outlives the parent."""
    fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(pipe, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    with suppress(BlockingIOError):
        os.read(pipe, 1)
        raise GroundedIngestError("the parent process has ended")


def _limit_resources(memory_mb: int) -> None:
    limit = memory_mb << 20
    # RLIMIT_DATA is used instead of RLIMIT_AS, because git maps large pack files into memory and
    # allocators reserve address space.
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(job: Job) -> JobAnswer:
    try:
        return _check(job)
    except GroundedIngestError as error:
        return JobAnswer("error", str(error))
    except MemoryError:
        return JobAnswer("memory", f"the limit of {job.checking.memory_mb} MB is not enough")
    except RecursionError as error:
        return JobAnswer("error", f"a file has too many nested levels: {error}")
    except Exception as error:  # noqa: BLE001  the failure of one repository does not end the run
        return JobAnswer("error", f"{type(error).__name__}: {error}")


def _check(job: Job) -> JobAnswer:
    with Repo(job.directory, own=False) as repo:
        commit = repo.head()
        if not commit:
            return JobAnswer("empty", "the repository has no commits")
        name = f"{digest(job.name, commit, job.settings)}.jsonl"
        path = f"{job.reports}/{name}"
        reused = not job.checking.fresh and os.path.exists(path)
        if not reused:
            _write_report(repo, job, path)
        columns: dict[str, str | int] = {
            "commit": commit,
            "committed_at": repo.run("show", "-s", "--format=%cI", commit).decode().strip(),
            "origin": "/".join(filter(None, host_and_path(repo.remote_url()))).lower(),
            **_counts(path),
        }
    return JobAnswer("ok", report=name, reused=reused, columns=columns)


def _write_report(repo: Repo, job: Job, path: str) -> None:
    """Writes the report about HEAD as JSON Lines. Leaves out rows above LARGEST_ROW bytes."""
    options = Options(
        config=job.checking.config, isolated=job.checking.isolated, online=job.checking.online,
        landed=True, granted=False,
        # The directory may be hostile, so its cache may be forged or a symbolic link.
        cache=False,
    )  # fmt: skip
    result = add_expired(run(repo, Asked("all", committed=True), options))
    new = f"{path}.{secrets.token_hex(8)}.new"
    try:
        with open(new, "wb") as file:
            rows = render_lines(result.report).encode().splitlines(keepends=True)
            file.writelines(row for row in rows if len(row) <= LARGEST_ROW)
        os.replace(new, path)
    finally:
        with suppress(FileNotFoundError):
            os.remove(new)
        result.kb.index.close()


def _counts(path: str) -> dict[str, int]:
    """Returns the counts in the last line of a report, which is the report's summary."""
    with open(path, "rb") as file:
        last = msgspec.json.decode([*file][-1])
    return {name: last[name] for name in SUMMARY}


if __name__ == "__main__":
    main()

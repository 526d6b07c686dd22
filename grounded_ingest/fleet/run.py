"""Checks a fleet, which is the clones in a directory, in one process for each repository.

In the directory `out`, `reports/ID.jsonl` is the report on one repository at one commit, and
`runs/RUN/` contains the rows of the table `repositories`. The directory of a run is created last.
If a run is killed, the next run reuses its finished reports."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grounded_ingest.errors import GroundedIngestError, os_errors_as
from grounded_ingest.fleet.jobs import Checking, Job, JobAnswer, end_running_jobs, run_job
from grounded_ingest.fleet.tables import SUMMARY, digest, list_runs
from grounded_ingest.records.whole_file import lock_file
from grounded_ingest.text.patterns import compiled
from grounded_ingest.version import __version__

Row = dict[str, Any]
Report = Callable[[float, str], None]
"""A function that reports progress. Its arguments are the finished share of the run, from 0 to 1,
and a description of the current step."""


_NOT_IN_NAMES = compiled(r"[^\w.@+/-]")


def clones_in(directory: str) -> dict[str, str]:
    """Maps names to the clones and bare repositories up to two levels below a directory. Raises
    GroundedIngestError if the directory does not exist or has no repositories, or if two
    repositories have the same name."""
    if not os.path.isdir(directory):
        raise GroundedIngestError(f"{directory} is not a directory")
    found: dict[str, str] = {}
    for path in _clones(directory, ""):
        name = _NOT_IN_NAMES.sub("-", path)
        if name in found:
            raise GroundedIngestError(
                f"two repositories have the name {name}: {found[name]} and {directory}/{path}",
                "rename one of the directories",
            )
        found[name] = os.path.abspath(f"{directory}/{path}")
    if not found:
        raise GroundedIngestError(
            f"{directory}: the directory contains no repositories",
            "expected clones or bare repositories at most two levels below the directory",
        )
    return found


def _clones(directory: str, below: str, levels: int = 2) -> Iterator[str]:
    for name in sorted(os.listdir(f"{directory}/{below}")):
        path = f"{below}/{name}" if below else name
        full = f"{directory}/{path}"
        if not os.path.isdir(full) or os.path.islink(full):
            continue
        if _is_repository(full):
            yield path
        elif levels > 1 and not name.startswith("."):
            yield from _clones(directory, path, levels - 1)


def _is_repository(directory: str) -> bool:
    return os.path.lexists(f"{directory}/.git") or (
        os.path.isfile(f"{directory}/HEAD") and os.path.isdir(f"{directory}/objects")
    )


class FleetRun(NamedTuple):
    """A finished run, with its rows in the table `repositories`."""

    name: str
    repositories: tuple[Row, ...]

    @property
    def failed(self) -> list[Row]:
        return [r for r in self.repositories if r["state"] not in ("ok", "empty")]


def run_fleet(
    repositories: Mapping[str, str],
    out: str,
    checking: Checking,
    workers: int,
    report: Report = lambda _, __: None,
) -> FleetRun:
    """Checks the repositories that changed since the last run, and writes a new run below `out`.
    `repositories` maps names to directories. `workers` is the number of parallel processes. Raises
    GroundedIngestError if the output cannot be written, or if another run is in progress."""
    settings = _settings_digest(checking)
    reports = os.path.abspath(f"{out}/reports")
    jobs = [Job(n, d, reports, settings, checking) for n, d in repositories.items()]
    with _locked(out):
        try:
            return _run(jobs, out, workers, report)
        except OSError as error:
            raise GroundedIngestError(
                f"{error.filename or out}: {error.strerror}",
                "check the free disk space and the permissions, then run the command again",
            ) from None
        except msgspec.DecodeError as error:
            raise GroundedIngestError(
                f"{out}: a file is damaged: {error}", "run the command with --fresh"
            ) from None


def _run(jobs: Sequence[Job], out: str, workers: int, report: Report) -> FleetRun:
    runs = list_runs(out)
    name = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    if runs and name <= runs[-1]:  # for two runs in one second, or if the clock was set back
        name = f"{runs[-1]}1"
    os.makedirs(f"{out}/reports", exist_ok=True)
    rows: list[Row] = []
    states: Counter[str] = Counter()
    for job, answer in _side_by_side(jobs, workers):
        rows.append(_repository_row(job, answer, name))
        read = answer.state in ("ok", "empty")
        states["unchanged" if answer.reused else "read" if read else "failed"] += 1
        done = [f"{states.total()} of {len(jobs)} repositories"]
        done += [f"{states[s]} {s}" for s in ("unchanged", "failed") if states[s]]
        report(states.total() / len(jobs), ", ".join(done))
    rows.sort(key=lambda row: str(row["repository"]))
    _write_run(out, name, rows)
    return FleetRun(name, tuple(rows))


@contextmanager
def _locked(out: str) -> Iterator[None]:
    """Holds a lock, so that no other run writes to `out`. The lock is released if this process
    ends."""
    with os_errors_as(f"{out} cannot be written"):
        os.makedirs(out, exist_ok=True)
        lock = open(f"{out}/.lock", "a+b")  # noqa: SIM115  closed below
    with lock:
        try:
            lock_file(lock, wait=False)
        except BlockingIOError:
            raise GroundedIngestError(
                f"{out}: another run is writing to this directory",
                "wait for the other run, or use a different --out directory",
            ) from None
        except OSError:  # a file system without locks
            pass
        yield


def _settings_digest(checking: Checking) -> str:
    config = ""
    if checking.config:
        with os_errors_as(f"{checking.config} cannot be read"):
            config = Path(checking.config).read_text("utf-8")
    return digest(__version__, config, str(checking.isolated), str(checking.online))


def _side_by_side(jobs: Sequence[Job], workers: int) -> Iterator[tuple[Job, JobAnswer]]:
    """Yields (job, answer) for each job, in the order in which the jobs finish. Jobs run in
    threads, because a thread only waits for its process."""
    pool = ThreadPoolExecutor(workers)
    running = {pool.submit(run_job, job): job for job in jobs}
    try:
        for done in as_completed(running):
            yield running[done], done.result()
    except BaseException:
        end_running_jobs()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _repository_row(job: Job, answer: JobAnswer, run: str) -> Row:
    place = os.fsencode(job.directory).decode(errors="backslashreplace")
    return {
        "run": run, "repository": job.name, "place": place, "state": answer.state,
        "reason": answer.reason, "report": answer.report, "seconds": answer.seconds,
        "peak_mb": answer.peak_mb, "commit": "", "committed_at": "", "origin": "",
        **dict.fromkeys(SUMMARY, 0), **answer.columns,
    }  # fmt: skip


def _write_run(out: str, run: str, rows: Iterable[Row]) -> None:
    """Writes the directory of a run in one atomic step, and deletes reports that no run uses."""
    new = f"{out}/runs/.{run}"
    for left in os.listdir(f"{out}/runs") if os.path.isdir(f"{out}/runs") else ():
        if left.startswith("."):  # from a run that was killed
            shutil.rmtree(f"{out}/runs/{left}")
    os.makedirs(new)
    with open(f"{new}/repositories.jsonl", "wb") as file:
        file.writelines(msgspec.json.encode(row) + b"\n" for row in rows)
    os.replace(new, f"{out}/runs/{run}")
    paths = [f"{out}/runs/{name}/repositories.jsonl" for name in list_runs(out)]
    rows_of = msgspec.json.Decoder(Row).decode_lines
    named = {row["report"] for path in paths for row in rows_of(Path(path).read_bytes())}
    for report in os.listdir(f"{out}/reports"):
        if report not in named:
            os.remove(f"{out}/reports/{report}")

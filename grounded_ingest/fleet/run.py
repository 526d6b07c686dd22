"""Checks a fleet, which is a list of repositories, in one process for each repository.

The directory `out` has two parts. `surveys/ID/` contains the results for one repository at one
commit, called a survey.
`runs/RUN/` contains the rows of the table `repositories`. The directory of a run is created last.
If a run is killed, the next run reuses its finished surveys.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.jobs import (
    CheckOptions,
    JobAnswer,
    Limits,
    RepositorySource,
    SurveyJob,
    end_running_jobs,
    survey_repository,
)
from grounded_ingest.fleet.manifest import FleetRepository
from grounded_ingest.fleet.survey import digest, encode_row, origin_of
from grounded_ingest.fleet.tables import list_runs
from grounded_ingest.git.clone import without_user
from grounded_ingest.records.whole_file import lock_file
from grounded_ingest.version import __version__

Row = dict[str, Any]
Report = Callable[[float, str], None]
"""A function that reports progress. Its arguments are the finished share of the run, from 0 to 1,
and a description of the current step."""

_FORMAT = "3"
"""Version of the survey format, which is part of every survey id. The version must be changed if
the rows of a survey change."""
_COUNTS = ("documents", "claims", "checkable", "grounded", "blocked", "wrong")


class FleetSettings(NamedTuple):
    """The settings of a run.

    `out` is the output directory. `cache` is the directory for clones of remote repositories.
    `workers` is the number of parallel processes. If `sarif` is true, SARIF files are written too.
    If `fresh` is true, unchanged repositories are checked again.
    """

    out: str
    cache: str
    options: CheckOptions
    limits: Limits
    workers: int
    sarif: bool = False
    fresh: bool = False


class FleetRun(NamedTuple):
    """A finished run, with its rows in the table `repositories`."""

    name: str
    repositories: tuple[Row, ...]

    @property
    def failed(self) -> list[Row]:
        return [r for r in self.repositories if r["state"] not in ("ok", "empty")]


def run_fleet(
    repositories: Sequence[FleetRepository],
    settings: FleetSettings,
    report: Report = lambda _, __: None,
) -> FleetRun:
    """Checks the repositories that changed since the last run, and writes a new run.

    Raises GroundedIngestError if the output cannot be written, or if another run is in progress.
    """
    digest_of_settings = _settings_digest(settings)
    with _locked(settings.out):
        try:
            return _run(repositories, settings, digest_of_settings, report)
        except OSError as error:
            raise GroundedIngestError(
                f"{error.filename or settings.out}: {error.strerror}",
                "check the free disk space and the permissions, then run the command again",
            ) from None
        except msgspec.DecodeError as error:
            raise GroundedIngestError(
                f"{settings.out}: a file is damaged: {error}", "run the command with --fresh"
            ) from None


def _run(
    repositories: Sequence[FleetRepository], settings: FleetSettings, digested: str, report: Report
) -> FleetRun:
    runs = list_runs(settings.out)
    name = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    if runs and name <= runs[-1]:  # for two runs in one second, or if the clock was set back
        name = f"{runs[-1]}1"
    os.makedirs(f"{settings.out}/surveys", exist_ok=True)
    jobs = [_survey_job(r, settings, digested) for r in repositories]
    rows: list[Row] = []
    states: Counter[str] = Counter()
    for number, answer in _side_by_side(jobs, settings.workers):
        rows.append(_repository_row(repositories[number], answer, name))
        read = answer.state in ("ok", "empty")
        states["unchanged" if answer.reused else "read" if read else "failed"] += 1
        done = [f"{states.total()} of {len(jobs)} repositories"]
        done += [f"{states[s]} {s}" for s in ("unchanged", "failed") if states[s]]
        report(states.total() / len(jobs), ", ".join(done))
    rows.sort(key=lambda row: str(row["repository"]))
    _write_run(settings.out, name, rows)
    return FleetRun(name, tuple(rows))


@contextmanager
def _locked(out: str) -> Iterator[None]:
    """Holds a lock, so that no other run writes to `out`. The lock is released if this process
    ends."""
    try:
        os.makedirs(out, exist_ok=True)
        lock = open(f"{out}/.lock", "a+b")  # noqa: SIM115  closed below
    except OSError as error:
        raise GroundedIngestError(f"{out} cannot be written: {error.strerror}") from None
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


def _settings_digest(settings: FleetSettings) -> str:
    """Returns a digest of everything that the rows of a survey depend on, except the commit."""
    config = ""
    if settings.options.config:
        try:
            with open(settings.options.config, encoding="utf-8") as file:
                config = file.read()
        except OSError as error:
            raise GroundedIngestError(
                f"{settings.options.config} cannot be read: {error.strerror}"
            ) from None
    options = settings.options
    flags = (options.isolated, options.online, settings.sarif)
    return digest(__version__, _FORMAT, config, *map(str, flags))


def _survey_job(repository: FleetRepository, settings: FleetSettings, digested: str) -> SurveyJob:
    if repository.remote:
        clone = f"{settings.cache}/{digest(repository.place)}.git"
        source = RepositorySource(clone, repository.place)
    else:
        source = RepositorySource(os.path.abspath(repository.place))
    sarif = f"{settings.out}/sarif/{repository.name}.sarif" if settings.sarif else ""
    return SurveyJob(
        repository.name, source, os.path.abspath(f"{settings.out}/surveys"), digested,
        settings.options, settings.limits, settings.fresh, os.path.abspath(sarif) if sarif else "",
    )  # fmt: skip


def _side_by_side(jobs: Sequence[SurveyJob], workers: int) -> Iterator[tuple[int, JobAnswer]]:
    """Yields (index, answer) for each job, in the order in which the jobs finish. Jobs run in
    threads, because a thread only waits for its process."""
    pool = ThreadPoolExecutor(workers)
    running = {pool.submit(survey_repository, job): number for number, job in enumerate(jobs)}
    try:
        for done in as_completed(running):
            yield running[done], done.result()
    except BaseException:
        end_running_jobs()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _repository_row(repository: FleetRepository, answer: JobAnswer, run: str) -> Row:
    counts = {
        "commit": "", "committed_at": "",
        "origin": origin_of(repository.place) if repository.remote else "",
        **dict.fromkeys(_COUNTS, 0), **answer.counts,
    }  # fmt: skip
    owner = repository.owner or str(counts["origin"]).partition("/")[2].rpartition("/")[0]
    return {
        "run": run, "repository": repository.name, "owner": owner,
        "place": without_user(repository.place), "state": answer.state, "reason": answer.reason,
        "survey": answer.survey, "seconds": answer.seconds, "peak_mb": answer.peak_mb,
        "disk_mb": answer.disk_mb, **counts,
    }  # fmt: skip


def _read_rows(path: str) -> list[Row]:
    with open(path, "rb") as file:
        return [msgspec.json.decode(line) for line in file]


def _write_run(out: str, run: str, rows: Iterable[Row]) -> None:
    """Writes the directory of a run in one atomic step, and deletes surveys that no run uses."""
    new = f"{out}/runs/.{run}"
    for left in os.listdir(f"{out}/runs") if os.path.isdir(f"{out}/runs") else ():
        if left.startswith("."):  # from a run that was killed
            shutil.rmtree(f"{out}/runs/{left}")
    os.makedirs(new)
    with open(f"{new}/repositories.jsonl", "wb") as file:
        file.writelines(encode_row(row) + b"\n" for row in rows)
    os.replace(new, f"{out}/runs/{run}")
    paths = [f"{out}/runs/{name}/repositories.jsonl" for name in list_runs(out)]
    named = {row["survey"] for path in paths for row in _read_rows(path)}
    for survey in os.listdir(f"{out}/surveys"):
        if survey not in named:
            shutil.rmtree(f"{out}/surveys/{survey}")

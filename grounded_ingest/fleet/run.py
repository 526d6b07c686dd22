"""A run over a fleet: every repository in a process of its own, then what only all of them tell."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.bucket_queries import Joining
from grounded_ingest.fleet.engine import FleetEngine
from grounded_ingest.fleet.isolation import in_own_process
from grounded_ingest.fleet.job import JobAnswer, JobLimits, Judged, RepositorySource, SurveyJob
from grounded_ingest.fleet.joins import join_all
from grounded_ingest.fleet.keys import digest, origin_key
from grounded_ingest.fleet.manifest import FleetRepository
from grounded_ingest.fleet.run_tables import (
    WORK,
    KnownSurvey,
    RunTables,
    known_surveys,
    partitions_of,
    put,
    runs_of,
)
from grounded_ingest.fleet.tables import (
    REPOSITORIES,
    SCHEMA,
    SURVEYED,
    TABLES,
    whole,
    write_rows,
)
from grounded_ingest.git.clone import without_user
from grounded_ingest.records.whole_file import lock_file
from grounded_ingest.version import __version__

_STARTED = "run.json"


class FleetSettings(NamedTuple):
    """How a fleet is run. `cache` holds the clones of remote repositories; `sarif`: a report of
    each repository is written below `OUT/sarif`; `fresh`: what is known is read again."""

    out: str
    cache: str
    judged: Judged
    limits: JobLimits
    sarif: bool = False
    fresh: bool = False


class FleetRun(NamedTuple):
    """A finished run. `repositories` are its rows."""

    tables: RunTables
    repositories: tuple[dict[str, object], ...]

    @property
    def failed(self) -> list[dict[str, object]]:
        return [r for r in self.repositories if r["state"] not in ("ok", "empty")]


_OF_FILES = ("IOException", "InvalidInputException")
"""What DuckDB raises of a table that it cannot write, or cannot read."""
Told = Callable[[float, str], None]
"""Is told how far it is, 0 to 1, and what is done."""
_SAID = {"ok": "read", "empty": "read", "known": "unchanged"}
SURVEYS = 0.9
"""The share of a run that reading repositories is taken for."""


def run_fleet(
    engine: FleetEngine,
    repositories: Sequence[FleetRepository],
    settings: FleetSettings,
    tell: Told = lambda _, __: None,
) -> FleetRun:
    """Read what changed since the last run, and write the tables of this one. What was read by a
    run that did not come to its end is not read again. Raises GroundedIngestError."""
    with _alone(settings.out):
        try:
            return _run(engine, repositories, settings, tell)
        except Exception as error:
            if type(error).__name__ not in _OF_FILES:
                raise
            raise GroundedIngestError(
                f"{settings.out}: {error}", "free space, or remove what is damaged; run it again"
            ) from None


@contextmanager
def _alone(out: str) -> Iterator[None]:
    """Nobody else writes these tables meanwhile. It ends with the process."""
    try:
        os.makedirs(out, exist_ok=True)
        lock = open(f"{out}/.lock", "a+b")  # noqa: SIM115  closed below
    except OSError as error:
        raise GroundedIngestError(f"{out}: {error.strerror}") from None
    with lock:
        try:
            lock_file(lock, wait=False)
        except BlockingIOError:
            raise GroundedIngestError(
                f"{out}: another run is writing these tables", "wait for it, or name another --out"
            ) from None
        except OSError:  # a file system without locks
            pass
        yield


def _run(
    engine: FleetEngine,
    repositories: Sequence[FleetRepository],
    settings: FleetSettings,
    tell: Told,
) -> FleetRun:
    policy = _policy(settings)
    started = _started(settings.out, policy)
    known = {} if settings.fresh else known_surveys(settings.out)
    known = {name: k for name, k in known.items() if k.settings == policy}
    jobs = [_job(r, started, settings, known.get(r.name)) for r in repositories]
    rows: list[dict[str, object]] = []
    read: dict[int, str] = {}
    places = {j.name: j.source for j in jobs}
    for number, answer in _answers(engine, jobs, tell):
        repository = repositories[number]
        rows.append(_row(repository, answer, started, policy, known.get(repository.name)))
        if answer.state == "ok":
            read[number] = f"{jobs[number].out}/{answer.rows}"
    tell(SURVEYS, "writing tables")
    rows.sort(key=lambda r: str(r["repository"]))
    _gather(settings.out, started, [read[number] for number in sorted(read)])
    told = f"{settings.out}/{WORK}/{started}/repositories.parquet"
    write_rows(told, REPOSITORIES, rows)
    tables = RunTables(settings.out, started, told)
    join_all(Joining(engine, tables, places, settings.limits), tell)
    put(settings.out, "repositories", started, [told], REPOSITORIES)  # with it the run is finished
    os.remove(f"{settings.out}/{WORK}/{_STARTED}")
    shutil.rmtree(f"{settings.out}/{WORK}/{started}", ignore_errors=True)
    return FleetRun(RunTables(settings.out, started), tuple(rows))


def _policy(settings: FleetSettings) -> str:
    """What a survey depends on, beside its commit."""
    config = ""
    if settings.judged.config:
        try:
            with open(settings.judged.config, encoding="utf-8") as file:
                config = file.read()
        except OSError as error:
            raise GroundedIngestError(f"{settings.judged.config}: {error.strerror}") from None
    judged = settings.judged
    return digest(
        __version__,
        str(SCHEMA),
        config,
        str(judged.isolated),
        str(judged.online),
        str(settings.sarif),
    )


def _started(out: str, policy: str) -> str:
    """The run that was begun with the same settings and is not finished, or a new one."""
    path = f"{out}/{WORK}/{_STARTED}"
    try:
        with open(path, encoding="utf-8") as file:
            begun = msgspec.json.decode(file.read(), type=dict[str, str])
    except (FileNotFoundError, msgspec.DecodeError):
        begun = {}
    finished = runs_of(out)
    if begun.get("settings") == policy and begun["run"] not in finished:
        return begun["run"]
    _remove_unfinished(out, finished)
    started = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    if finished and started <= finished[-1]:  # the same second, or a clock that was set back
        started = f"{finished[-1]}1"
    try:
        os.makedirs(f"{out}/{WORK}/{started}", exist_ok=True)
        with whole(path) as new, open(new, "wb") as file:
            file.write(msgspec.json.encode({"run": started, "settings": policy}))
    except OSError as error:
        raise GroundedIngestError(f"{out}: {error.strerror}") from None
    return started


def _remove_unfinished(out: str, finished: Sequence[str]) -> None:
    """Remove what a run left that nobody is going to finish."""
    shutil.rmtree(f"{out}/{WORK}", ignore_errors=True)
    for table in TABLES:
        for run in partitions_of(out, table):
            if run not in finished:
                shutil.rmtree(f"{out}/{table}/run={run}", ignore_errors=True)


def _job(
    repository: FleetRepository, started: str, settings: FleetSettings, known: KnownSurvey | None
) -> SurveyJob:
    name = digest(repository.name)
    if repository.remote:
        source = RepositorySource(
            f"{settings.cache}/{digest(repository.place)}.git", repository.place
        )
    else:
        source = RepositorySource(os.path.abspath(repository.place))
    sarif = f"{settings.out}/sarif/{repository.name}.sarif" if settings.sarif else ""
    out = os.path.abspath(f"{settings.out}/{WORK}/{started}/{name}")
    return SurveyJob(
        repository.name, source, started, out,
        settings.judged, settings.limits, known.commit if known else "",
        os.path.abspath(sarif) if sarif else "",
    )  # fmt: skip


def _answers(
    engine: FleetEngine, jobs: Sequence[SurveyJob], tell: Told
) -> Iterator[tuple[int, JobAnswer]]:
    states: Counter[str] = Counter()
    texts = [msgspec.json.encode(j).decode() for j in jobs]
    for outcome in engine.map(in_own_process, texts):
        if outcome.error:
            answer = JobAnswer("error", outcome.error)
        else:
            answer = msgspec.json.decode(outcome.answer, type=JobAnswer)
        states[_SAID.get(answer.state, "failed")] += 1
        told = [f"{states.total()} of {len(jobs)} repositories"]
        told += [f"{states[s]} {s}" for s in ("unchanged", "failed") if states[s]]
        tell(SURVEYS * states.total() / len(jobs), ", ".join(told))
        yield outcome.number, answer


def _row(
    repository: FleetRepository,
    answer: JobAnswer,
    started: str,
    policy: str,
    known: KnownSurvey | None,
) -> dict[str, object]:
    unchanged = answer.state == "known" and known is not None
    origin = origin_key(repository.place) if repository.remote else ""
    counts = ("documents", "claims", "checkable", "grounded", "blocked", "wrong")
    found: dict[str, object] = {
        "origin": origin, **dict.fromkeys(counts, 0),
        **(known.counted if unchanged and known else {}), **answer.summary,
    }  # fmt: skip
    owner = str(found["origin"]).partition("/")[2].rpartition("/")[0]
    return {
        "schema": SCHEMA, "run": started, "repository": repository.name,
        "owner": repository.owner or owner, "place": without_user(repository.place), "commit": "",
        "committed_at": "", "state": "ok" if unchanged else answer.state, "reason": answer.reason,
        "surveyed_in": known.surveyed_in if unchanged and known else started, "settings": policy,
        "seconds": answer.seconds, "peak_mb": answer.peak_mb, "disk_mb": answer.disk_mb, **found,
    }  # fmt: skip


def _gather(out: str, started: str, read: Sequence[str]) -> None:
    """What the processes wrote, a partition of each table."""
    for table, columns in SURVEYED.items():
        put(out, table, started, [f"{rows}/{table}.parquet" for rows in read], columns)
